"""Sums that are added to what others come to, in the array that holds it.

`concatenate((a, b), axis=1) @ c` is `a @ c[:m]` and, onto that, `b @ c[m:]`: the kernel of the
second product begins with the elements of the first. No result of its own is made, filled and
added up.
"""

from __future__ import annotations

from collections.abc import Callable

from structarr._execute.choices import choice_for
from structarr._execute.program_choice import Choice
from structarr._execute.steps import Call, Unpicked
from structarr._lazy.graph import Node
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.operands import Operands
from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor
from structarr._support.records import record
from structarr.formats.entries import Array


@record(slots=True)
class Onto:
    """Calls of a kernel that begin with a total, which their result takes the place of.

    Attributes
    ----------
    choice : Choice
        The programs.
    sizes, extents, shape : sequence of int
        Of the operands, of the loops and of the result: the same at each call.
    """

    choice: Choice
    sizes: tuple[int, ...]
    extents: tuple[int, ...]
    shape: tuple[int, ...]

    def __call__(self, total: Tensor, *tensors: Tensor) -> Tensor | None:
        """The total with a sum of tensors added to it; None where the sum has to be planned."""
        given = Operands(tensors, (), self.sizes, self.extents, {})
        pick, values = self.choice.pick(given), _written(total)
        if pick is None or values is None:
            return None
        return self.choice.onto(given, self.shape, pick, values)


def onto_of(call: Call) -> Onto:
    """The calls of others like one."""
    given = call.given
    return Onto(call.choice, tuple(given.sizes), given.extents, call.shape)


def begun(sums: Unpicked, total: Tensor, value: Callable[[Node], Tensor]) -> Call | None:
    """The call that adds sums to a total; None where they are added up apart.

    Parameters
    ----------
    sums : Unpicked
        The call of the sums alone.
    total : Tensor
        What others come to, which nobody reads afterwards.
    value : callable
        Computes the operands.
    """
    node = sums.node
    if node.kind != "reduce" or node.data[0].name != "add" or node.dtype != total.dtype:
        return None
    if sums.counted or not _is_alike(sums.choice, total) or _written(total) is None:
        return None
    builder = Builder(value)
    choice = choice_for(builder, node, None, sums.transposed, True, False, begun=True)
    if not (isinstance(choice, Choice) and choice.is_possible and _is_alike(choice, total)):
        return None
    given = builder.operands(node, {})
    if given.scalars or given.prepared:
        return None
    pick = choice.pick(given)
    if pick is None or pick.plan.places[0].result.overwritten:
        return None
    made = (choice, given, (), node.shape, False)
    return Call(*made, node, None, True, sums.transposed, pick)


def _is_alike(choice: Choice, total: Tensor) -> bool:
    """Whether the result of a call is stored as a dense total is."""
    own, other = choice.format, total.format
    return own.is_dense and own.root is other.root and own.order == other.order


def _written(total: Tensor) -> Array | None:
    """The elements of a total as an array that can be written; None if others have them."""
    values: Array = total.buffers[-1]
    if OWN not in total.memo:
        return None
    if not values.flags.writeable:
        try:
            values.setflags(write=True)
        except ValueError:
            return None
    return values
