"""Calls in pieces, for threads and for sums that are added up in pieces.

The results of pieces are put together in their order, so they do not depend on the number of
threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from structarr._compiler.progress import followed
from structarr._execute.laid_rows import laid_rows
from structarr._execute.partition_append import appended
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_gather import gathered
from structarr._execute.partition_results import flat, operators_of, part_of, rows_of
from structarr._execute.partition_spans import Cuts, Span, operands_of
from structarr._execute.partition_split import GATHERED, LISTS, Split
from structarr._execute.partition_sums import combined, told
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.segment_rooms import Outgrown
from structarr._execute.segments import Part
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array


class _Written(NamedTuple):
    """The output of a piece, to be combined."""

    sums: list[list[Array]]  # of each result that it has for itself
    parts: list[tuple[int, list[list[Array]]]]  # later parts of rows, with the row


def run(
    plan: Plan,
    split: Split,
    cuts: Cuts,
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
    starts: Sequence[Array | None] | None = None,
) -> list[Tensor] | None:
    """The results of a call, computed in pieces; None if one may outgrow its positions.

    Dense ones may begin as arrays, which they take.
    """
    places = plan.places
    if split.join == (GATHERED,):
        parts = [(plan, one) for piece in cuts.pieces for one in parts_of(cuts, given, piece)]
        result = gathered(parts, shapes[0], split.combine[0] or "")
        return None if result is None else [result]
    if places[0].appends:
        result = _appended(plan, split, cuts, given, shapes[0])
        return None if result is None else [result]
    first = starts or [None] * len(shapes)
    laid = laid_rows(plan, split, cuts, given, shapes, first)
    if laid is not None:
        return laid
    return (_filled if None in split.combine else _summed)(plan, split, cuts, given, shapes, first)


def _summed(
    plan: Plan,
    split: Split,
    cuts: Cuts,
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
    starts: Sequence[Array | None],
) -> list[Tensor]:
    """Results that every piece has for itself."""
    every = list(zip(plan.places, shapes, strict=True))
    makers = [plan.maker(place, given, shape) for place, shape in every]

    def fill(piece: tuple[Cut, Cut]) -> list[list[Array]]:
        own = starts if piece is cuts.pieces[0] else [None] * len(makers)
        outs = [make() if one is None else [one] for make, one in zip(makers, own, strict=True)]
        for span in cuts.spans(given, *piece):
            plan.fill(operands_of(given, span), outs)
        return outs

    written = told(fill, cuts.pieces, cuts.waits)
    combined([*map(flat, written)], operators_of(plan.places, split.combine))
    return [
        place.made(given, shape, out) for (place, shape), out in zip(every, written[0], strict=True)
    ]


def _filled(
    plan: Plan,
    split: Split,
    cuts: Cuts,
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
    starts: Sequence[Array | None],
) -> list[Tensor]:
    """Results to which pieces write rows where they belong, and those beside them."""
    places = plan.places
    outs = [[one] for one in starts if one is not None]
    if len(outs) < len(starts):
        made = plan.rooms(given, shapes, [op is None for op in split.combine])
        assert made is not None  # without positions there are not too many
        outs = made
    begins = [place.is_begun and one is None for place, one in zip(places, starts, strict=True)]
    every = [
        (place, None if op is None else plan.maker(place, given, shape), out, shape)
        for place, op, out, shape in zip(places, split.combine, outs, shapes, strict=True)
    ]

    def fill(piece: tuple[Cut, Cut]) -> _Written:
        """Write rows where they belong; return what is to be combined."""
        first = piece is cuts.pieces[0]
        own = [None if make is None else out if first else make() for _, make, out, _ in every]
        parts = []
        for span in cuts.spans(given, *piece):
            those = operands_of(given, span)
            mine = [
                _rows_of(plan, place, given, those, out, shape, span, begin)
                if sums is None
                else sums
                for sums, begin, (place, _, out, shape) in zip(own, begins, every, strict=True)
            ]
            plan.fill(those, mine)
            if span.later:
                parts.append((span.lo, mine))
        return _Written([one for one in own if one is not None], parts)

    written = told(fill, cuts.pieces, cuts.waits)
    combined([flat(one.sums) for one in written], operators_of(places, split.combine))
    for row, later in [one for piece in written for one in piece.parts]:
        for (place, make, out, shape), name, one in zip(every, split.join, later, strict=True):
            if make is None and place.result.shares is None:
                whole = part_of(place, out, shape, row, row + 1)
                combined([whole, one], place.operators(name))
    return [place.made(given, shape, out) for place, _, out, shape in every]


def parts_of(cuts: Cuts, given: Operands, piece: tuple[Cut, Cut]) -> list[Operands]:
    """The operands of the calls of a piece."""
    return [operands_of(given, span) for span in cuts.spans(given, *piece)]


def _rows_of(
    plan: Plan,
    place: Place,
    given: Operands,
    piece: Operands,
    out: Sequence[Array],
    shape: tuple[int, ...],
    span: Span,
    begin: bool,
) -> list[Array]:
    """The buffers of some rows of a result: their own, or other ones for a later part.

    `begin` says that rows have to be filled first.
    """
    if place.result.shares is not None or not span.later:
        found = rows_of(place, given, piece, out, shape, span)
        if begin:  # by the thread that goes on with them
            place.begin(given, found)
        return found
    axis = place.format.order[0]
    return plan.fresh(place, given, (*shape[:axis], 1, *shape[axis + 1 :]))


def _appended(
    plan: Plan, split: Split, cuts: Cuts, given: Operands, shape: tuple[int, ...]
) -> Tensor | None:
    place = plan.places[0]
    axis = place.format.order[0]

    def shape_of(span: Span) -> tuple[int, ...]:
        length = shape[axis] if split.length == LISTS else span.hi - span.lo
        return (*shape[:axis], length, *shape[axis + 1 :])

    def cut_out(begin: Cut, end: Cut, apart: bool) -> list[Part]:
        """The calls of a piece, or all of it as one part; apart, parts of rows are calls."""
        follow(begin.row / cuts[-1].row)
        return [
            Part(operands_of(given, span), shape_of(span), span.later)
            for span in cuts.spans(given, begin, end, apart)
        ]

    with followed("computing") as follow:
        guard = place.guard(given, shape)
        known = cuts.known.of(given.tensors)
        run_all = partial(
            appended, plan, cut_out, cuts.pieces, guard, cuts.together, waits=cuts.waits
        )
        try:
            found = run_all(known=known)
        except Outgrown:
            cuts.known.vary()
            found = run_all()
    if found is None:
        return None
    cuts.known.keep(given.tensors, found.lengths)
    return place.made(given, shape, found.buffers)
