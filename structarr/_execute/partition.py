"""Calls in pieces, for threads and for sums that are added up in pieces.

The results of pieces are put together in their order, so they do not depend on the number of
threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from structarr._compiler.progress import followed
from structarr._execute.partition_append import Part, appended
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_gather import gathered
from structarr._execute.partition_rows import Window, listed, part, rows
from structarr._execute.partition_split import GATHERED, LISTS, Split
from structarr._execute.partition_sums import combined, told
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.threads import mapped
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

ALL = (0, 1 << 62)  # the window of a whole row


class _Span(NamedTuple):
    """Rows of a call, the first and the last of which may be parts."""

    lo: int
    hi: int
    windows: tuple[Window, ...] = ()  # of the operands that are cut within rows
    later: bool = False  # of one row, whose first part is another piece's


class _Written(NamedTuple):
    """The output of a piece, to be combined."""

    sums: list[Array]  # of each result that it has for itself
    parts: list[tuple[int, list[Array]]]  # later parts of rows, with the row


def run(
    plan: Plan,
    split: Split,
    cuts: Sequence[Cut],
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
) -> list[Tensor] | None:
    """The results of a call, computed in pieces; None if one may outgrow its positions."""
    places = plan.places
    if split.join == (GATHERED,):
        parts = [(plan, one) for piece in pairwise(cuts) for one in parts_of(split, given, piece)]
        result = gathered(parts, shapes[0], split.combine[0] or "")
        return None if result is None else [result]
    if places[0].appends:
        result = _appended(plan, split, cuts, given, shapes[0])
        return None if result is None else [result]
    outs = plan.rooms(given, shapes, [op is None for op in split.combine])
    assert outs is not None  # without positions there are not too many
    every = list(zip(places, split.combine, outs, shapes, strict=True))

    def fill(piece: tuple[Cut, Cut]) -> _Written:
        """Write rows where they belong; return what is to be combined."""
        first = piece[0] is cuts[0]
        own = [
            None if op is None else out if first else plan.fresh(place, given, shape)
            for place, op, out, shape in every
        ]
        parts = []
        for span in _spans(*piece, None in split.combine):
            those = _piece(split, given, span)
            mine = [
                _rows_of(plan, place, given, those, out, shape, span) if sums is None else sums
                for sums, (place, _, out, shape) in zip(own, every, strict=True)
            ]
            plan.fill(those, mine)
            if span.later:
                parts.append((span.lo, [one[-1] for one in mine]))
        return _Written([one[-1] for one in own if one is not None], parts)

    with followed("computing") as follow:
        pieces = list(pairwise(cuts))
        written = list(told(mapped(fill, pieces), follow, len(pieces)))
    combined([one.sums for one in written], [op for op in split.combine if op is not None])
    for row, later in [one for piece in written for one in piece.parts]:
        for (place, op, out, shape), name, one in zip(every, split.join, later, strict=True):
            if op is None and place.result.shares is None:
                whole = part_of(place, out, shape, row, row + 1)[-1]
                combined([[whole], [one]], [name])
    return [place.made(given, shape, out) for place, _, out, shape in every]


def parts_of(split: Split, given: Operands, piece: tuple[Cut, Cut]) -> list[Operands]:
    """The operands of the calls of a piece."""
    return [_piece(split, given, span) for span in _spans(*piece, None in split.combine)]


def _spans(begin: Cut, end: Cut, apart: bool) -> Iterator[_Span]:
    """The calls of a piece: one for a part of a row that is not the first, if stored apart."""
    stop = end.row + bool(end.at)
    count = max(len(begin.at), len(end.at))
    starts, ends = begin.at or (0,) * count, end.at or (ALL[1],) * count
    if not (apart and begin.at):
        yield _Span(begin.row, stop, tuple(zip(starts, ends, strict=True)))
        return
    yield _Span(begin.row, begin.row + 1, tuple(zip(starts, ends, strict=True)), later=True)
    if stop > begin.row + 1:
        yield _Span(begin.row + 1, stop, tuple([(0, one) for one in end.at]))


def _rows_of(
    plan: Plan,
    place: Place,
    given: Operands,
    piece: Operands,
    out: Sequence[Array],
    shape: tuple[int, ...],
    span: _Span,
) -> list[Array]:
    """The buffers of some rows of a result: their own, or other ones for a later part.

    Of a result with the coordinates of an operand, each part has its own, beside the operand's.
    """
    shared = place.result.shares
    if shared is not None:
        *places, values = piece.tensors[shared].buffers
        begin = _begin(given.tensors[shared].buffers[-1], values)
        return [*places, out[-1][begin : begin + len(values)]]
    if not span.later:
        found = part_of(place, out, shape, span.lo, span.hi)
        if place.is_begun:  # by the thread that goes on with them
            found[0].fill(place.start_of(given))
        return found
    axis = place.format.order[0]
    return plan.fresh(place, given, (*shape[:axis], 1, *shape[axis + 1 :]))


def _begin(whole: Array, part: Array) -> int:
    """Where a part of a buffer begins in it."""
    starts = [one.__array_interface__["data"][0] for one in (whole, part)]
    return (starts[1] - starts[0]) // whole.itemsize if len(part) else 0


def part_of(
    place: Place, out: Sequence[Array], shape: tuple[int, ...], lo: int, hi: int
) -> list[Array]:
    """The buffers of some rows of a dense result."""
    dims = tuple([shape[axis] for axis in place.format.order])
    return list(part(place.format.levels, dims, out, lo, hi))


def rows_of(split: Split, given: Operands, lo: int, hi: int) -> Operands:
    """The operands of some rows."""
    return _piece(split, given, _Span(lo, hi))


def _appended(
    plan: Plan, split: Split, cuts: Sequence[Cut], given: Operands, shape: tuple[int, ...]
) -> Tensor | None:
    place = plan.places[0]
    axis = place.format.order[0]

    def shape_of(span: _Span) -> tuple[int, ...]:
        length = shape[axis] if split.length == LISTS else span.hi - span.lo
        return (*shape[:axis], length, *shape[axis + 1 :])

    def cut_out(begin: Cut, end: Cut, apart: bool) -> list[Part]:
        """The calls of a piece, or all of it as one part; apart, parts of rows are calls."""
        follow(begin.row / cuts[-1].row)
        return [
            Part(_piece(split, given, span), shape_of(span), span.later)
            for span in _spans(begin, end, apart)
        ]

    with followed("computing") as follow:
        buffers = appended(plan, cut_out, list(pairwise(cuts)), place.guard(given, shape))
    return None if buffers is None else place.made(given, shape, buffers)


def _piece(split: Split, given: Operands, span: _Span) -> Operands:
    """The operands of some rows."""
    lo, hi, windows, _ = span
    window = dict(zip(sorted(split.within), windows, strict=False))
    if split.length == LISTS:
        cut = [
            listed(one, window[k]) if k in window else one for k, one in enumerate(given.tensors)
        ]
        return Operands(cut, given.scalars, given.sizes, given.extents, given.prepared)
    tensors = [
        rows(tensor, lo, hi, window.get(k)) if k in split.numbers else tensor
        for k, tensor in enumerate(given.tensors)
    ]
    extents = list(given.extents)
    extents[split.length] = hi - lo
    return Operands(tensors, given.scalars, given.sizes, tuple(extents), given.prepared)
