"""The executor of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from weakref import WeakSet

from structarr._execute.onto import onto_of
from structarr._execute.planner import Planner
from structarr._execute.replay import Record
from structarr._execute.replayed import made_alike
from structarr._execute.steps import (
    Added,
    Assemble,
    At,
    Call,
    Complete,
    Derive,
    Encode,
    Kronecker,
    Marked,
    Product,
    Relist,
    Restore,
    Split,
    Step,
    Stored,
    Together,
)
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.on_stored_values import restored
from structarr._lazy.told import spelling, told
from structarr._scheduler.blas import DenseProduct
from structarr._scheduler.whole_sums import beside_fill
from structarr._storage.dense import finite
from structarr._storage.encoding import encode
from structarr._storage.joined_rows import joined
from structarr._storage.memo import DERIVED
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import relisted
from structarr._storage.unlike_fill import unlike_fill
from structarr.errors import DensificationError

GENERAL: Final = (restored, beside_fill, relisted, joined, unlike_fill)
"""The functions of steps that have no lengths but those of the tensors."""


class Executor:
    """Runs the steps of an expression; a record notes those that can be run again for others.

    `told` is told of each call of a kernel, and its result.

    Attributes
    ----------
    planner : Planner
        Plans expressions, and has steps run here on which its plan depends.
    """

    __slots__ = ("_new", "_record", "_told", "planner")

    def __init__(
        self,
        record: Record | None = None,
        widens: bool = False,
        told: Callable[[Call, Tensor], object] | None = None,
    ) -> None:
        self._record, self._told = record, told
        self._new: WeakSet[Tensor] = WeakSet()  # made here, and known to nobody else
        self.planner = Planner(self.run, widens=widens, new=self._new)

    def run(self, step: Step) -> Tensor:
        """The value of a step."""
        match step:
            case Stored(tensor):
                return tensor
            case Call():
                return self._called(step)
            case Derive(name, below, detail):
                base = self.run(below)
                made = DERIVED[name](base, detail)
                # The same elements as those of a dense array in the same order, under another name.
                return self._noted(made) if name == "laid out" and base in self._new else made
            case Restore(owner, below):
                return self._applied(restored, (owner, self.run(below)))
            case Complete(below, owner, op, fill):
                return self._applied(beside_fill, (self.run(below), owner), op, fill)
            case Relist(tensor, format):
                return self._applied(relisted, (tensor,), format, True)
            case Marked(tensor):
                return self._applied(unlike_fill, (tensor,))
            case Assemble(blocks, tensors):
                return self._applied(blocks.put, tensors)
            case Together(tensors):
                return self._applied(joined, tensors)
            case Encode(tensor, format):
                self._record = None  # its values decide on the format
                return encode(tensor, format)
            case Split(parts, node, sparse, unlike):
                sums = self._fitting(parts)
                whole = None if sums is None else finite(sums, node.fill)
                if sums is None or whole is None:
                    self._record = None  # others of the key may be finite
                    return self.run(self.planner.plan(node, split=False))
                if self._record is not None:
                    self._record.split(sums, sparse, unlike, node.fill, whole)
                return whole
            case At(below, places, taking):
                return self._applied(taking.form, (self.run(below), places), taking.axis)
            case Product(product, factors):
                return self._noted(self._applied(product, factors))
            case Kronecker(make, factors):
                result = make(*factors)
                if self._record is not None:
                    self._record.applied(made_alike, factors, result, make, result.format)
                return self._noted(result)
            case Added(call, total):
                self._new.discard(total)
                result = self._applied(onto_of(call), (total, *call.given.tensors))
                if self._told is not None:
                    self._told(call, result)
                return self._noted(result)

    def finish(self) -> None:
        """Forget all values: an executor and its planner know each other, and are freed late."""
        self._record = None
        self.planner.forget()

    def together(self, nodes: Sequence[Node]) -> list[Tensor] | None:
        """The values of nodes by one kernel; None where there is none for them, or too narrow."""
        found = self.planner.together(nodes)
        if found is None:
            return None
        choice, pick, given = found
        return choice.several(given, [node.shape for node in nodes], pick)

    def _fitting(self, step: Step) -> Tensor | None:
        """The value of a step in the place of another one; None where it would be too large."""
        try:
            return self.run(step)
        except DensificationError:
            return None

    def _applied(
        self, function: Callable[..., Tensor | None], given: tuple[Tensor, ...], *details: Any
    ) -> Tensor:
        result = function(*given, *details)
        assert result is not None  # a plan has no more than fits; another call of it may
        if self._record is not None:
            general = type(function) is DenseProduct or any([function is one for one in GENERAL])
            self._record.applied(function, given, result, *details, general=general)
        return result

    def _called(self, step: Call) -> Tensor:
        try:
            result = step.choice(step.given, step.shape, step.pick)
        except DensificationError as error:
            raise _in_part(error, step.node) from None
        if result is None:
            return self.run(self.planner.wider(step))
        if self._record is not None:
            self._record.call(step, result)
        if self._told is not None:
            self._told(step, result)
        return self._noted(result)

    def _noted(self, result: Tensor) -> Tensor:
        """A result that nothing else has, as long as no view of it is made."""
        self._new.add(result)
        return result


def _in_part(error: DensificationError, node: Node) -> DensificationError:
    """An error of memory that says which part of an expression is too large, and what fits."""
    instead = spelling(node)
    return DensificationError(f"{told(node)}: {error}" + (f"; {instead}" if instead else ""))
