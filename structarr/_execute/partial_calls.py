"""Calls in pieces of which each goes along a part of the outermost loop, with all operands.

Dense results are written where they belong. What pieces append is joined at the end, and sums are
combined, in the order of the pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

from structarr._execute.joined_lists import (
    Stored,
    joined,
    positions_of,
    put_positions,
    rooms_of,
    stored_rows,
)
from structarr._execute.known_lengths import Lengths
from structarr._execute.partial_split import is_listed
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_results import flat, operators_of
from structarr._execute.partition_spans import Cuts
from structarr._execute.partition_split import Split
from structarr._execute.partition_sums import combined, told
from structarr._execute.plan import Plan
from structarr._execute.segment_rooms import Outgrown, lacked_room, put
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support import buffer_pool
from structarr.formats.entries import Array


def run_partial(
    plan: Plan,
    split: Split,
    cuts: Cuts,
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
) -> list[Tensor] | None:
    """The results of a call, computed in pieces; None if one may outgrow its positions.

    The plan is that of the partial program (`_scheduler/partial_loops.py`).
    """
    if plan.places[0].appends:
        result = _appended(plan, split, cuts, given, shapes[0])
        return None if result is None else [result]
    pieces = [_part(given, lo.row, hi.row) for lo, hi in cuts.pieces]
    whole = _part(given, 0, cuts[-1].row)
    outs = plan.rooms(whole, shapes)
    assert outs is not None  # without positions there are not too many
    every = [
        (None if op is None else plan.maker(place, whole, shape), out)
        for place, op, out, shape in zip(plan.places, split.combine, outs, shapes, strict=True)
    ]

    def fill(number: int) -> list[Array]:
        """Write elements where they belong; return what is to be combined."""
        own = [out if make is None or not number else make() for make, out in every]
        plan.fill(pieces[number], own)
        return flat([one for one, op in zip(own, split.combine, strict=True) if op is not None])

    written = told(fill, range(len(pieces)))
    combined(written, operators_of(plan.places, split.combine))
    return [
        place.made(whole, shape, out)
        for place, out, shape in zip(plan.places, outs, shapes, strict=True)
    ]


def _part(given: Operands, lo: int, hi: int) -> Operands:
    """The operands of a part of the loop."""
    extents = (*given.extents, lo, hi)
    return Operands(given.tensors, given.scalars, given.sizes, extents, given.prepared)


def _appended(
    plan: Plan,
    split: Split,
    cuts: Cuts,
    given: Operands,
    shape: tuple[int, ...],
) -> Tensor | None:
    """A result of lists, of which each piece has stored some rows."""
    (place,) = plan.places
    known = None if is_listed(place.format.root) else cuts.known.of(given.tensors)
    if known is not None:
        if not place.guard(given, shape)(sum([one[-1] for one in known])):
            return None
        try:
            return _in_place(plan, cuts, given, shape, known)
        except (RuntimeError, IndexError) as error:
            if not lacked_room(error):
                raise
        cuts.known.vary()

    def stored_in(piece: tuple[Cut, Cut]) -> Stored | None:
        lo, hi = piece[0].row, piece[1].row
        return stored_rows(plan, split, _part(given, lo, hi), shape, lo, hi)

    stored = told(stored_in, cuts.pieces)
    found = [one for one in stored if one is not None]
    if len(found) < len(stored):
        return None
    cuts.known.keep(given.tensors, [[*map(len, one.buffers)] for one in found])
    return joined(place, given, shape, found)


def _in_place(
    plan: Plan, cuts: Cuts, given: Operands, shape: tuple[int, ...], known: Lengths
) -> Tensor:
    """The same where it is known how much each piece stores, which is written where it belongs.

    Raises
    ------
    Outgrown
        If a piece stores something else, or writes beyond that for a moment.
    """
    (place,) = plan.places
    whole, fibers, begins = rooms_of(place, given, shape, [one[1:] for one in known])

    def fill(number: int) -> None:
        begin, end = cuts.pieces[number]
        own = buffer_pool.zeros(len(whole[0]), whole[0].dtype)
        parts = [
            buffer[at[number] : at[number + 1]]
            for buffer, at in zip(whole[1:], begins, strict=True)
        ]
        written = plan.fill(_part(given, begin.row, end.row), [[own, *parts]])
        if [*map(len, parts)] != place.used(written, shape)[1:]:
            raise Outgrown
        lo, hi, before = begin.row * fibers, end.row * fibers, begins[-1][number]
        put(whole[0], lo, before, own[lo : hi + 1], True)
        for part, points in zip(parts, positions_of(place.format)[1:], strict=True):
            if points:
                put_positions(part, part, before)

    told(fill, range(len(cuts.pieces)))
    return place.made(given, shape, whole)
