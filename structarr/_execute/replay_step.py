"""The steps of replays, as code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias

from structarr._execute.joined_calls import Calls, Direct
from structarr._execute.plan import Plan
from structarr._execute.whole_call import fixed_call, is_apart
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor

FEW: Final = 4
"""The compiled calls of some lengths that take less time than to write a function for these."""


View: TypeAlias = Callable[[Tensor], Tensor]
"""What makes a view of the tensor whose buffers it has."""


class Step(NamedTuple):
    """A step that gives a tensor."""

    needs: tuple[int, ...]  # the tensors that the code reads, by their places in what is known
    code: str  # the Python expression of the result, of what is known by names k0, k1, ...
    names: dict[str, Any]  # what else the code refers to
    general: str | None = None  # the same for arrays of any lengths; None where there is none
    ends: bool = False  # whether None as the result ends the replay
    fill: bytes = b""  # of a result whose other fills end it
    alike: tuple[int, ...] = ()  # the tensors that the general code reads
    is_view: bool = False  # whether it makes a view, which not all that read it need
    direct: Direct | None = None  # the call of known lengths that it is

    def read(self, general: bool) -> tuple[int, ...]:
        """The tensors that one of the codes reads."""
        return self.alike if general else self.needs


def known(places: Sequence[int]) -> str:
    return "".join([f"k{place}, " for place in places])


def listed(parts: Sequence[Any]) -> str:
    return "".join([f"{part}, " for part in parts])


def note_plain(
    joins: bool,
    calls: Calls,
    plan: Plan,
    given: Operands,
    shape: tuple[int, ...],
    fill: Any,
    views: Sequence[View | None],
) -> None:
    """Add a call of lengths that the key fixes; its code is written once that pays.

    `joins` says that it is all of a step, and may become lines of the replay. `fill` is the
    result's, or None where it may be another at each replay. Of operands that are `views` the call
    is given those whose buffers they have.
    """
    place, extents = len(calls), given.extents
    first = len(given.tensors)
    last = first + len(given.scalars)
    left = count(FEW, -1)

    def call(*parts: Any) -> Tensor | None:
        tensors = [
            one if view is None else view(one)
            for one, view in zip(parts[:first], views, strict=True)
        ]
        found = Operands(tensors, parts[first:last], parts[last:], extents, {})
        if plan.kernel.compiled is not None and ((turn := next(left)) == 0 or turn < -FEW):
            text = plan.fixed(found, shape, fill)
            apart = joins and is_apart(text, views)
            if turn == 0:
                calls.settle(place, text if apart else None)
            if not apart or turn < 0:  # the replay waits for another call, and may do so for long
                calls[place] = fixed_call(text, views, plan.__call__)
        return plan(found, shape)

    calls.append(call)
