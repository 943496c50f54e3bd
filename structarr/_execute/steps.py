"""Steps: the plain data that the planner hands to the executor.

The operands of a step are stored tensors, except for the step below a `Derive` or a `Restore`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from structarr._execute.program_choice import Choice, Pick
from structarr._lazy.graph import Node, Taking
from structarr._scheduler.blas import DenseProduct
from structarr._scheduler.columns_apart import ColumnsApart
from structarr._scheduler.dense_blocks import Blocks
from structarr._scheduler.operands import Operands
from structarr._scheduler.thin_terms import StoredTerm
from structarr._scheduler.unlike_terms import Unlike
from structarr._scheduler.weighted_products import WeightedProduct
from structarr._storage.tensor import Tensor
from structarr._support.records import record
from structarr.formats import Format


@record(slots=True)
class Stored:
    """A stored tensor: no work is left."""

    tensor: Tensor


@record(slots=True)
class Unpicked:
    """A call of a kernel before a program is picked and lowered.

    Attributes
    ----------
    choice : Choice
        The programs that compute it.
    given : Operands
        The arguments.
    constants : tuple of Node
        The constants of the expression that are the arguments' scalars, in order.
    shape : tuple of int
        The shape of the result.
    counted : bool
        Whether it is as long as what its operands store.
    node : Node
        The expression, planned once more if the result outgrows its positions.
    format : Format or None
        That which was asked for.
    prune : bool
        Whether a result in a format that was asked for is stored without what equals the fill.
    transposed : bool
        Whether operands were already stored in the order of its loops.
    """

    choice: Choice
    given: Operands
    constants: tuple[Node, ...]
    shape: tuple[int, ...]
    counted: bool
    node: Node
    format: Format | None
    prune: bool
    transposed: bool

    def picked(self, pick: Pick) -> Call:
        """The call, by a program in some pieces."""
        own = (self.choice, self.given, self.constants, self.shape, self.counted)
        return Call(*own, self.node, self.format, self.prune, self.transposed, pick)


@record(slots=True)
class Call(Unpicked):
    """A call of a kernel; `pick` is the program that is called, and in which pieces."""

    pick: Pick


DERIVED: Final = {"permute": "view", "expand": "expand", "reshape": "reshaped"}
"""The kinds of nodes of which tensors remember the values, with the names under which they do."""


@record(slots=True)
class Derive:
    """A view or copy of a tensor, which remembers it under a name (`_storage.memo.DERIVED`)."""

    name: str
    of: Step
    detail: Any


@record(slots=True)
class Restore:
    """A vector of values as an array that stores them at the places of another."""

    owner: Tensor
    values: Step


@record(slots=True)
class Complete:
    """A reduction of an array's stored values, as that of all its elements."""

    of: Step
    owner: Tensor
    op: str
    fill: Any


@record(slots=True)
class At:
    """The elements of an array at places along an axis."""

    of: Step
    places: Tensor
    taking: Taking


@record(slots=True)
class Relist:
    """A matrix of lists as other lists, without what equals the fill."""

    tensor: Tensor
    format: Format


@record(slots=True)
class Marked:
    """The mask of what an array of rows stores that is not the fill."""

    tensor: Tensor


@record(slots=True)
class Encode:
    """A dense array as codes of its values."""

    tensor: Tensor
    format: Format


@record(slots=True)
class Assemble:
    """Dense arrays side by side as one."""

    blocks: Blocks
    tensors: tuple[Tensor, ...]


@record(slots=True)
class Together:
    """Arrays that are stored alike, next to each other along their outermost levels."""

    tensors: tuple[Tensor, ...]


@record(slots=True)
class Product:
    """A product of dense arrays, by NumPy's BLAS."""

    product: DenseProduct | WeightedProduct | ColumnsApart
    factors: tuple[Tensor, ...]


@record(slots=True)
class Kronecker:
    """A Kronecker product that is formed, by a function of the factors."""

    make: Callable[[Tensor, Tensor], Tensor]
    factors: tuple[Tensor, Tensor]


@record(slots=True)
class Added:
    """A call of a kernel for a sum that is added to a total, in the place of that."""

    call: Call
    total: Tensor


@record(slots=True)
class Split:
    """A sum of products in the place of a product of sums, where it is finite.

    Otherwise an infinity of one term may have met that of another: the node is computed as it is.
    """

    parts: Step
    node: Node
    sparse: tuple[StoredTerm, ...]  # terms that have to be thin for that
    unlike: tuple[Unlike, ...] = ()  # terms that must not cancel each other


Step: TypeAlias = (
    Stored
    | Call
    | Derive
    | Restore
    | Relist
    | Marked
    | Encode
    | Assemble
    | Together
    | Product
    | Kronecker
    | Added
    | Split
    | At
    | Complete
)


def last_call(step: Step) -> Call | None:
    """The call of a kernel that a step ends with; None where it takes none."""
    match step:
        case Call():
            return step
        case Added(call):
            return call
        case Derive(_, below) | Restore(_, below) | Split(below) | Complete(below):
            return last_call(below)
    return None
