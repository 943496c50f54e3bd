"""Dense results of calls in pieces that are laid out beforehand.

Rows are written where they belong. What a piece has for itself, a sum or a later part of a row, has
a slot of an array beside the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._execute import workspace_pool
from structarr._execute.laid_pieces import (
    Laid,
    Numbers,
    Owners,
    Step,
    address_of,
    begin_of,
    piece_of,
)
from structarr._execute.partition_results import part_of, rows_of
from structarr._execute.partition_spans import Cuts, operands_of
from structarr._execute.partition_split import Split
from structarr._execute.partition_sums import combined
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support import buffer_pool
from structarr.formats.entries import Array

LINE: Final = 64
"""The bytes of a line of the cache, of which no two slots have parts."""


class Slots(NamedTuple):
    """What pieces have for themselves of a result."""

    pieces: tuple[int, ...]  # those that have a slot, by their numbers
    length: int  # the elements of a slot
    stride: int  # those from one slot to the next

    def made(self, dtype: np.dtype[Any]) -> Array:
        """Memory for all."""
        return buffer_pool.empty(self.stride * len(self.pieces), dtype)

    def of(self, array: Array, number: int) -> Array:
        """One of them."""
        return array[number * self.stride :][: self.length]


class RowsLayout:
    """
    Where the pieces of a call find their arguments, for calls that are cut alike.

    Parameters
    ----------
    plan : Plan
        Of the kernel.
    split, cuts : Split, Cuts
        How it is called in pieces.
    given : Operands
        The operands of a call.
    outs : sequence of list of ndarray
        The buffers of its results.
    shapes : sequence of tuple of int
        The shapes of these.
    started : bool
        Whether they begin as arrays.

    Raises
    ------
    LookupError
        If Python has to call the kernel.
    """

    def __init__(
        self,
        plan: Plan,
        split: Split,
        cuts: Cuts,
        given: Operands,
        outs: Sequence[Sequence[Array]],
        shapes: Sequence[tuple[int, ...]],
        started: bool,
    ) -> None:
        pieces = [cuts.spans(given, *piece) for piece in cuts.pieces]
        together = any(split.combine) and any([len(spans) > 1 for spans in pieces])
        if together or not all(map(_is_plain, plan.places, split.combine)):
            raise LookupError
        self.spans = [span for every in pieces for span in every]
        self.started = started
        params = plan.kernel.params
        self._arrays = [k for k, one in enumerate(params) if one.array]
        self._numbers = [k for k, one in enumerate(params) if not one.array]
        self.slots = [
            self._slots(place, op, shape, out)
            for place, op, shape, out in zip(plan.places, split.combine, shapes, outs, strict=True)
        ]
        spaces = plan.workspaces(given, outs)
        args = plan.arguments(given, outs, spaces)
        self._lengths = [len(args[k]) for k in self._arrays]
        begins = [place for place in plan.places if place.is_begun]
        dtypes = [params[k].dtype for k in self._numbers]
        self._words = Numbers([*dtypes, *[place.dtype.name for place in begins]])
        tables = self._tables(plan, split, given, outs, shapes, spaces, args)
        for space in spaces:
            workspace_pool.give(space)
        function = plan.kernel.compiled
        assert function is not None
        fills = [begin_of(place.dtype.name) for place in begins]
        if not all(map(piece_of, [*fills, function])):
            raise LookupError
        steps = [Step(*one) for one in zip([*fills, function], tables, strict=True)]
        count = len(self._numbers) + len(begins)
        self._laid = Laid(steps, len(self.spans), count, cuts.turn, cuts.waits)

    def _slots(
        self, place: Place, op: str | None, shape: tuple[int, ...], out: Sequence[Array]
    ) -> Slots:
        length = len(out[-1])
        if op is not None:
            own = [*range(1, len(self.spans))]
        elif place.result.shares is not None:
            own = []
        else:
            own = [k for k, span in enumerate(self.spans) if span.later]
            length //= max(shape[place.format.order[0]], 1)
        step = max(LINE // place.dtype.itemsize, 1)
        return Slots(tuple(own), length, -(-length // step) * step)

    def _tables(
        self,
        plan: Plan,
        split: Split,
        given: Operands,
        outs: Sequence[Sequence[Array]],
        shapes: Sequence[tuple[int, ...]],
        spaces: Sequence[workspace_pool.Space],
        args: Sequence[Any],
    ) -> list[Array]:
        """The tables of what begins results, and of the kernel."""
        params, count = plan.kernel.params, len(self._arrays)
        parts = [operands_of(given, span) for span in self.spans]
        self._owners = Owners(given, parts)
        first = count + len([one for one in self.slots if one.pieces])  # of numbers
        bases = {place: number for number, place in enumerate(self._arrays)}
        bases |= {place: first + number for number, place in enumerate(self._numbers)}
        places = [[k for k in self._arrays if args[k] is out[-1]] for out in outs]
        if not all([len(one) == 1 for one in places]):
            raise LookupError
        table = np.zeros((len(self.spans), len(params), 3), np.int64)
        for piece, (span, part) in enumerate(zip(self.spans, parts, strict=True)):
            mine = [
                rows_of(place, given, part, out, shape, span) if op is None else out
                for place, out, shape, op in zip(
                    plan.places, outs, shapes, split.combine, strict=True
                )
            ]
            own = plan.arguments(part, mine, spaces)
            for k, (param, one, whole) in enumerate(zip(params, own, args, strict=True)):
                if param.array:
                    table[piece, k] = bases[k], address_of(one) - address_of(whole), len(one)
                else:
                    words = Numbers([param.dtype]).words
                    table[piece, k] = bases[k], *(words([one]) - words([whole]))
        array = count
        for slots, place, (k,) in zip(self.slots, plan.places, places, strict=True):
            for number, piece in enumerate(slots.pieces):
                offset = number * slots.stride * place.dtype.itemsize
                table[piece, k] = array, offset, slots.length
            array += bool(slots.pieces)
        tables, number = [], first + len(self._numbers)
        for slots, place, (k,) in zip(self.slots, plan.places, places, strict=True):
            if place.is_begun:
                begun = np.zeros((len(self.spans), 2, 3), np.int64)
                begun[:, 0], begun[:, 1, 0] = table[:, k], number
                if self.started:
                    begun[[k for k in range(len(begun)) if k not in slots.pieces], 0, 2] = 0
                tables.append(begun)
                number += 1
        return [*tables, table]

    def run(self, plan: Plan, given: Operands, outs: Sequence[list[Array]]) -> list[Array] | None:
        """Run the pieces; return the memory of slots, None if this is the layout of other calls."""
        spaces = plan.workspaces(given, outs)
        args = plan.arguments(given, outs, spaces)
        arrays = [args[k] for k in self._arrays]
        held = self._owners.parts(given)
        if held is None or [*map(len, arrays)] != self._lengths:
            return None
        own = [
            slots.made(place.dtype)
            for slots, place in zip(self.slots, plan.places, strict=True)
            if slots.pieces
        ]
        starts = [place.start_of(given) for place in plan.places if place.is_begun]
        numbers = self._words.words([*[args[k] for k in self._numbers], *starts])
        arrays += own
        used, left = [spaces], [arrays]

        def bases() -> Sequence[Array]:
            """The arrays for a thread, which has workspaces of its own."""
            if not spaces:
                return arrays
            with suppress(IndexError):
                return left.pop()
            mine = plan.workspaces(given, outs)
            used.append(mine)
            asked = plan.arguments(given, outs, mine)
            return [*[asked[k] for k in self._arrays], *own]

        self._laid.run(numbers, bases)
        del held  # what pieces read was needed as long as they ran
        for every in used:
            for space in every:
                workspace_pool.give(space)
        return own


def laid_rows(
    plan: Plan,
    split: Split,
    cuts: Cuts,
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
    starts: Sequence[Array | None],
) -> list[Tensor] | None:
    """The dense results of a call in pieces; None where Python has to call the kernel."""
    if not (cuts.is_laid and piece_of(plan.kernel.compiled)):
        return None
    outs = [[one] for one in starts if one is not None]
    started = len(outs) == len(starts)
    if not started:
        made = plan.rooms(given, shapes, [True] * len(shapes))
        assert made is not None  # without positions there are not too many
        outs = made
    layout, own = cuts.layout, None
    if layout is not None and layout.started == started:
        own = layout.run(plan, given, outs)
    if layout is None or own is None:
        try:
            layout = RowsLayout(plan, split, cuts, given, outs, shapes, started)
        except LookupError:
            cuts.is_laid = False
            return None
        cuts.layout = layout
        own = layout.run(plan, given, outs)
        assert own is not None
    _combine(layout, plan, split, outs, shapes, own)
    return [
        place.made(given, shape, out)
        for place, shape, out in zip(plan.places, shapes, outs, strict=True)
    ]


def _is_plain(place: Place, operator: str | None) -> bool:
    """Whether a result is one stretch of memory beside what it shares."""
    if place.appends:
        return False
    if place.result.shares is not None:
        return operator is None
    return place.is_stretch or (operator is not None and place.is_one)


def _combine(
    layout: RowsLayout,
    plan: Plan,
    split: Split,
    outs: Sequence[Sequence[Array]],
    shapes: Sequence[tuple[int, ...]],
    own: Sequence[Array],
) -> None:
    """Combine what pieces have for themselves, in their order."""
    arrays = iter(own)
    summed = []
    for slots, op, place, out, shape, join in zip(
        layout.slots,
        split.combine,
        plan.places,
        outs,
        shapes,
        split.join or [""] * len(outs),
        strict=True,
    ):
        array = next(arrays) if slots.pieces else out[-1]
        parts = [slots.of(array, number) for number in range(len(slots.pieces))]
        if op is not None:
            summed.append([out[-1], *parts])
            continue
        for piece, part in zip(slots.pieces, parts, strict=True):
            row = layout.spans[piece].lo
            combined([[part_of(place, out, shape, row, row + 1)[-1]], [part]], [join])
    combined([*zip(*summed, strict=True)], [op for op in split.combine if op is not None])
