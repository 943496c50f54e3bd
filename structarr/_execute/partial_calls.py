"""Calls in pieces of which each goes along a part of the outermost loop, with all operands.

Dense results are written where they belong. What pieces append is joined at the end, and sums are
combined, in the order of the pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

import numpy as np

from structarr._execute.partial_split import is_listed
from structarr._execute.allocation import cut
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_results import flat, operators_of
from structarr._execute.partition_rooms import Job, done
from structarr._execute.partition_split import Split
from structarr._execute.partition_sums import combined, told
from structarr._execute.partition_work import counts_in_rows
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.segment_rooms import put
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor, counts_by_axis
from structarr.formats.entries import Array


def run_partial(
    plan: Plan,
    split: Split,
    cuts: Sequence[Cut],
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
) -> list[Tensor] | None:
    """The results of a call, computed in pieces; None if one may outgrow its positions.

    The plan is that of the partial program (`_scheduler/partial_loops.py`).
    """
    pieces = [_part(given, lo.row, hi.row) for lo, hi in pairwise(cuts)]
    if plan.places[0].appends:
        result = _appended(plan, split, cuts, given, shapes[0])
        return None if result is None else [result]
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
    cuts: Sequence[Cut],
    given: Operands,
    shape: tuple[int, ...],
) -> Tensor | None:
    """A result of lists, of which each piece has stored some rows."""

    def stored_in(piece: tuple[Cut, Cut]) -> Stored | None:
        lo, hi = piece[0].row, piece[1].row
        return stored_rows(plan, split, _part(given, lo, hi), shape, lo, hi)

    stored = told(stored_in, list(pairwise(cuts)))
    found = [one for one in stored if one is not None]
    if len(found) < len(stored):
        return None
    return joined(plan.places[0], given, shape, found)


STRETCH: Final = 1 << 12
"""How many positions are written at a time, so that they stay in the cache."""


class Stored(NamedTuple):
    """The rows from one to another of a result of lists, in buffers that begin with some row."""

    lo: int
    hi: int
    buffers: Sequence[Array]
    first: int


def stored_rows(
    plan: Plan, split: Split, given: Operands, shape: tuple[int, ...], lo: int, hi: int
) -> Stored | None:
    """Rows of a result of lists, by the plan of parts; None if they may outgrow its positions."""
    (place,) = plan.places
    counts = [
        counts_in_rows(one, lo, hi) if number in split.bounding else counts_by_axis(one)
        for number, one in enumerate(given.tensors)
    ]
    guard = place.guard(given, shape)
    lengths = place.lengths(given.tensors, given, counts, shape, guard, given.prepared)
    if lengths is None:
        return None
    out = place.make(lengths, place.start_of(given), given.prepared)
    sizes = place.used(plan.fill(given, [out]), shape)
    return Stored(lo, hi, [cut(*one) for one in zip(out, sizes, strict=True)], 0)


def joined(
    place: Place, given: Operands, shape: tuple[int, ...], stored: Sequence[Stored]
) -> Tensor | None:
    """A result of lists of all its rows; None if it may outgrow its positions."""
    counts = [len(one.buffers[-1]) for one in stored]
    if not place.guard(given, shape)(sum(counts)):
        return None
    positions = [name in level.positions for level in place.format.levels for name in level.buffers]
    if is_listed(place.format.root):
        return place.made(given, shape, _behind([one.buffers for one in stored], positions))
    fibers = _fibers(place, shape)
    rows = shape[place.format.order[0]] * fibers
    each = zip(*[one.buffers[1:] for one in stored], strict=True)
    begins = [[*accumulate(map(len, parts), initial=0)] for parts in each]
    lengths = [rows + 1, *[one[-1] for one in begins]]
    whole = place.make(lengths, place.start_of(given), {})
    jobs: list[Job] = []
    for number, (lo, hi, (ptr, *others), first) in enumerate(stored):
        own = ptr[(lo - first) * fibers : (hi - first) * fibers + 1]
        before = begins[-1][number]
        jobs.append(partial(put, whole[0], lo * fibers, before, own, True))
        for into, at, one, points in zip(whole[1:], begins, others, positions[1:], strict=True):
            if points:
                jobs.append(partial(_point, into[at[number] :][: len(one)], one, before))
            else:
                jobs.append(partial(put, into, at[number], 0, one, False))
    done(jobs)
    return place.made(given, shape, whole)


def _point(out: Array, positions: Array, before: int) -> None:
    """Write positions of children that are behind some others; -1 stays."""
    sign, more = 8 * out.itemsize - 1, out.dtype.type(before)
    for lo in range(0, len(out), STRETCH):  # in the cache
        own, into = positions[lo : lo + STRETCH], out[lo : lo + STRETCH]
        np.right_shift(own, sign, out=into)
        np.invert(into, out=into)  # all bits of a position, none of -1
        np.bitwise_and(into, more, out=into)
        np.add(into, own, out=into)


def _behind(parts: Sequence[Sequence[Array]], positions: Sequence[bool]) -> list[Array]:
    """The buffers of listed rows that are stored behind one another: pointers count from zero."""
    root, idx, ptr, *others = zip(*parts, strict=True)
    rows = sum([int(one[-1]) for one in root])
    begins = [*accumulate([int(one[-1]) for one in ptr], initial=0)]
    own = [one[1:] + one.dtype.type(begin) for one, begin in zip(ptr, begins, strict=False)]
    made = [np.concatenate(every) for every in ([ptr[0][:1], *own], *others)]
    for every, into, points in zip(others, made[1:], positions[3:], strict=True):
        ends = [*accumulate(map(len, every), initial=0)] if points else []
        for one, (lo, hi), begin in zip(every, pairwise(ends), begins, strict=False):
            _point(into[lo:hi], one, begin)
    return [np.array([0, rows], root[0].dtype), np.concatenate(idx), *made]


def _fibers(place: Place, shape: tuple[int, ...]) -> int:
    """The fibers of the lists for each index of the outermost loop."""
    outer = place.format.order[1:-1]
    return int(np.prod([shape[axis] for axis in outer], dtype=np.int64))
