"""Calls in pieces some of which are parts of rows, by a kernel for parts of the second loop.

A dense row is written where it belongs by its first part; each later part has memory of its own and
is combined with the row when all are done, in their order. Rows that are listed are made first, by
all threads, and take their place among the rows that are appended then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from structarr._execute.joined_lists import Stored, joined, stored_rows
from structarr._execute.partition_append import appended
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_gather import Listed, added_up, gathered
from structarr._execute.partition_results import flat, operators_of, part_of
from structarr._execute.partition_rows import listed
from structarr._execute.partition_spans import Cuts, operands_of as rows_of, span_of
from structarr._execute.partition_split import BEHIND, GATHERED, LISTS, Split
from structarr._execute.partition_sums import combined, told
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.segments import Part
from structarr._execute.threads import mapped
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support.sorted_places import places_in
from structarr.formats.entries import Array

END = 1 << 62  # beyond all children


class Span(NamedTuple):
    """The work between two bounds: whole rows, or one row between two columns."""

    begin: Cut
    end: Cut
    columns: tuple[int, int] | None = None


class Plans(NamedTuple):
    """The plans of a call: of rows, and of a part of a row."""

    rows: Plan
    part: Plan


def run_divided(
    plans: Plans,
    split: Split,
    cuts: Cuts,
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
) -> list[Tensor] | None:
    """The results of a call, computed in pieces; None if one may outgrow its positions.

    The plan of parts is that of a program of `_scheduler.partial_loops.row_part`.
    """
    if split.join == (GATHERED,):
        every = [one for piece in pairwise(cuts) for one in spans(split, given, *piece)]
        parts = [
            (plans.rows if one.columns is None else plans.part, operands_of(split, given, one))
            for one in every
        ]
        found = gathered(parts, shapes[0], split.combine[0] or "")
        return None if found is None else [found]
    if plans.rows.places[0].appends:
        result = _Appended(plans, split, cuts, given, shapes[0]).result()
        return None if result is None else [result]
    return _dense(plans, split, cuts, given, shapes)


def spans(split: Split, given: Operands, begin: Cut, end: Cut) -> Iterator[Span]:
    """The calls of a piece."""
    if begin.column:
        same = begin[:2] == end[:2]
        last = end.column if same else given.extents[split.inner_length]
        yield Span(begin, begin, (begin.column, last))
        if same:
            return
        begin = _after(split, given, begin)
    stop = end._replace(column=0)
    if begin < stop:
        yield Span(begin, stop)
    if end.column:
        yield Span(stop, stop, (0, end.column))


def _after(split: Split, given: Operands, cut: Cut) -> Cut:
    """The bound behind a divided row."""
    if split.length != LISTS:
        return Cut(cut.row + 1)
    lists = [given.tensors[number] for number in sorted(split.within)]
    return Cut(0, _group_of(lists, cut.at or (0,) * len(lists))[1])


def _group_of(lists: Sequence[Tensor], at: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The index whose lists begin at some children of outermost lists, and where they end."""
    columns = [one.level_buffers[0][1] for one in lists]
    heads = [int(one[k]) for one, k in zip(columns, at, strict=True) if k < len(one)]
    index = min(heads)
    return index, tuple([int(places_in(one, index, "right")) for one in columns])


def operands_of(split: Split, given: Operands, span: Span) -> Operands:
    """The operands of a call."""
    begin, end = span.begin, span.end
    if split.length != LISTS:
        if span.columns is not None:
            return _with(given, given.tensors, (begin.row, begin.row + 1, *span.columns))
        if split.partial:
            return _with(given, given.tensors, (begin.row, end.row))
        return rows_of(given, span_of(split, given, begin.row, end.row))
    numbers = sorted(split.within)
    lists = [given.tensors[number] for number in numbers]
    starts = begin.at or (0,) * len(numbers)
    stops = end.at or (END,) * len(numbers)
    if span.columns is not None:
        stops = _group_of(lists, starts)[1]
    windows = dict(zip(numbers, zip(starts, stops, strict=True), strict=True))
    tensors = [
        listed(one, windows[k]) if k in windows else one for k, one in enumerate(given.tensors)
    ]
    return _with(given, tensors, () if span.columns is None else span.columns)


def _with(given: Operands, tensors: Sequence[Tensor], ends: tuple[int, ...]) -> Operands:
    """Operands with the ends of parts of loops."""
    extents = (*given.extents, *ends)
    return Operands(tensors, given.scalars, given.sizes, extents, given.prepared)


def _dense(
    plans: Plans,
    split: Split,
    cuts: Sequence[Cut],
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
) -> list[Tensor] | None:
    """Results that are dense, or added up."""
    whole = _with(given, given.tensors, (0, cuts[-1].row) if split.partial else ())
    outs = plans.rows.rooms(whole, shapes, [op is None for op in split.combine])
    assert outs is not None  # without positions there are not too many
    every = list(
        zip(plans.rows.places, plans.part.places, split.combine, outs, shapes, strict=True)
    )

    def fill(piece: tuple[Cut, Cut]) -> tuple[list[Array], list[tuple[int, list[list[Array]]]]]:
        """Write what belongs to a piece; return its sums, and later parts of rows."""
        first = piece[0] is cuts[0]
        own = [
            None if op is None else out if first else plans.rows.fresh(place, whole, shape)
            for place, _, op, out, shape in every
        ]
        later: list[tuple[int, list[list[Array]]]] = []
        for span in spans(split, given, *piece):
            those = operands_of(split, given, span)
            row = span.begin.row
            mine = []
            for sums, (place, part, _, out, shape) in zip(own, every, strict=True):
                if sums is not None:
                    mine.append(sums)
                    continue
                if span.columns is not None and span.columns[0]:
                    mine.append(plans.part.fresh(part, those, _of_row(place, shape)))
                    continue
                rows = part_of(place, out, shape, row, max(span.end.row, row + 1))
                if place.is_begun:  # by the thread that goes on with them
                    place.begin(given, rows)
                mine.append(out if split.partial and span.columns is None else rows)
            (plans.rows if span.columns is None else plans.part).fill(those, mine)
            if span.columns is not None and span.columns[0]:
                later.append((row, mine))
        return flat([one for one in own if one is not None]), later

    pieces = list(pairwise(cuts))
    written = told(fill, pieces)
    combined([sums for sums, _ in written], operators_of(plans.rows.places, split.combine))
    for row, parts in [one for _, later in written for one in later]:
        for (place, _, op, out, shape), name, one in zip(
            every, split.inner_join, parts, strict=True
        ):
            if op is None:
                into = part_of(place, out, shape, row, row + 1)
                combined([into, one], place.operators(name))
    return [place.made(whole, shape, out) for place, _, _, out, shape in every]


def _of_row(place: Place, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a result without its outermost mode."""
    axis = place.format.order[0]
    return (*shape[:axis], *shape[axis + 1 :])


class _Row(NamedTuple):
    """A divided row of a result that is appended to, and its place."""

    begin: Cut
    end: Cut
    buffers: list[Array]


class _Appended:
    """A result of lists, whose divided rows are made first."""

    def __init__(
        self,
        plans: Plans,
        split: Split,
        cuts: Cuts,
        given: Operands,
        shape: tuple[int, ...],
    ) -> None:
        self._plans, self._split, self._given, self._shape = plans, split, given, shape
        self._place = plans.rows.places[0]
        divided = [piece for piece in cuts.pieces if piece[0].column or piece[1].column]
        every = [one for piece in divided for one in spans(split, given, *piece)]
        self._rows = self._made([one for one in every if one.columns is not None])
        rows = {one.begin: one for one in self._rows}
        bounds = {cut._replace(column=0) for cut in cuts}
        self._cuts = sorted(bounds | {one.end for one in self._rows} | {*rows})
        self._by_begin, self._together = rows, cuts.together

    def _made(self, parts: Sequence[Span]) -> list[_Row]:
        """The divided rows, each of its parts by any thread."""
        made = list(mapped(self._part, parts))
        found = []
        groups = groupby(zip(parts, made, strict=True), key=lambda one: one[0].begin[:2])
        for _, group in groups:
            several = list(group)
            begin = several[0][0].begin._replace(column=0)
            end = _after(self._split, self._given, begin)
            found.append(_Row(begin, end, self._joined([one for _, one in several])))
        return found

    def _part(self, span: Span) -> Sequence[Array]:
        """The buffers of a part of a row."""
        those = operands_of(self._split, self._given, span)
        plan = self._plans.part
        if not self._place.format.root.arithmetic:
            made = plan(those, self._shape)
            assert made is not None  # a row has room
            return made.buffers
        (place,) = plan.places
        dim = self._shape[self._place.format.order[1]]
        level, _ = place.format.levels
        room = place.make([*level.sizes(1, dim, dim), dim + 1], place.start_of(those), {})
        written = plan.fill(those, [room])
        sizes = place.used(written, (dim,))
        return [one[:size].copy() for one, size in zip(room, sizes, strict=True)]

    def _joined(self, parts: Sequence[Sequence[Array]]) -> list[Array]:
        """The buffers of a row, of those of its parts."""
        (join,) = self._split.inner_join
        index = self._place.format.index
        if join.startswith(GATHERED):
            dim = self._shape[self._place.format.order[1]]
            lists = [Listed(idx, val) for *_, idx, val in parts]
            row = added_up(lists, dim, join.removeprefix(GATHERED).strip())
            if not self._place.format.root.arithmetic:
                return _listed_row(parts, row, index)
            return [np.array([0, len(row.idx)], index), row.idx.astype(index), row.val]
        if join == BEHIND:
            return _behind(self._place, parts)
        stored = [one for one in parts if len(one[-1])]
        if not stored:
            return list(parts[0])
        for one in stored[1:]:
            combined([[stored[0][-1]], [one[-1]]], [join])
        return list(stored[0])

    def result(self) -> Tensor | None:
        """The whole."""
        pieces = list(pairwise(self._cuts))
        if self._split.partial:
            done = told(self._stored, pieces)
            stored = [one for one in done if one is not None]
            if len(stored) < len(pieces):
                return None
            return joined(self._place, self._given, self._shape, stored)
        guard = self._place.guard(self._given, self._shape)
        together, alone = self._together, self._by_begin
        found = appended(self._plans.rows, self._parts, pieces, guard, together, alone)
        if found is None:
            return None
        return self._place.made(self._given, self._shape, found.buffers)

    def _stored(self, piece: tuple[Cut, Cut]) -> Stored | None:
        """The rows between two bounds, by the plan of parts of the loop."""
        begin, end = piece
        row = self._by_begin.get(begin)
        if row is not None:
            return Stored(begin.row, end.row, row.buffers, begin.row)
        those = operands_of(self._split, self._given, Span(begin, end))
        return stored_rows(self._plans.rows, self._split, those, self._shape, begin.row, end.row)

    def _parts(self, begin: Cut, end: Cut, apart: bool) -> list[Part]:
        """The rows between two bounds, for a result that is appended to."""
        row = self._by_begin.get(begin) if apart else None
        those = operands_of(self._split, self._given, Span(begin, end))
        axis, shape = self._place.format.order[0], self._shape
        if self._split.length != LISTS:
            shape = (*shape[:axis], end.row - begin.row, *shape[axis + 1 :])
        later = apart and self._split.length == LISTS and bool(begin.at)
        return [Part(those, shape, later, None if row is None else row.buffers)]


def _listed_row(parts: Sequence[Sequence[Array]], row: Listed, index: str) -> list[Array]:
    """The buffers of a row that is listed itself, if any part of it is."""
    stored = [one for one in parts if len(one[1])]
    if not stored:
        return list(parts[0])
    own = [np.array([0, count], index) for count in (1, len(row.idx))]
    return [own[0], stored[0][1], own[1], row.idx.astype(index), row.val]


def _behind(place: Place, parts: Sequence[Sequence[Array]]) -> list[Array]:
    """The buffers of a row whose parts lie behind one another: its index is listed once."""
    index = place.format.index
    stored = [one for one in parts if len(one[-1])]
    if not stored:
        return list(parts[0])
    if place.format.root.arithmetic:
        return place.format.levels[1].continued(stored)
    values = np.concatenate([one[-1] for one in stored])
    columns = np.concatenate([one[-2] for one in stored])
    count = len(values)
    if place.format.root.starts_group:
        _, rows, *_ = zip(*stored, strict=True)
        return [np.array([0, count], index), np.concatenate(rows), columns, values]
    _, row, *_ = stored[0]
    return [np.array([0, 1], index), row, np.array([0, count], index), columns, values]
