"""Calls in pieces of which each goes along a part of the outermost loop, with all operands.

Dense results are written where they belong. What pieces append is joined at the end, and sums are
combined, in the order of the pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from structarr._execute.partial_split import is_listed
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_results import flat, operators_of
from structarr._execute.partition_rooms import Job, done
from structarr._execute.partition_split import Split
from structarr._execute.partition_sums import combined, told
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.segment_rooms import put
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
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
        result = _appended(plan, cuts, given, pieces, shapes[0])
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
    cuts: Sequence[Cut],
    given: Operands,
    pieces: Sequence[Operands],
    shape: tuple[int, ...],
) -> Tensor | None:
    """A result of lists, of which each piece has stored some rows."""
    place = plan.places[0]
    parts = told(lambda one: plan(one, shape), pieces)
    stored = [
        Stored(lo.row, hi.row, one.buffers, 0)
        for (lo, hi), one in zip(pairwise(cuts), parts, strict=True)
        if one is not None
    ]
    return joined(place, given, shape, stored) if len(stored) == len(parts) else None


class Stored(NamedTuple):
    """The rows from one to another of a result of lists, in buffers that begin with some row."""

    lo: int
    hi: int
    buffers: Sequence[Array]
    first: int


def joined(
    place: Place, given: Operands, shape: tuple[int, ...], stored: Sequence[Stored]
) -> Tensor | None:
    """A result of lists of all its rows; None if it may outgrow its positions."""
    counts = [len(one.buffers[-1]) for one in stored]
    if not place.guard(given, shape)(sum(counts)):
        return None
    if is_listed(place.format.root):
        return place.made(given, shape, _behind([one.buffers for one in stored]))
    fibers = _fibers(place, shape)
    rows = shape[place.format.order[0]] * fibers
    lengths = [rows + 1, *[sum(counts)] * (len(stored[0].buffers) - 1)]
    whole = place.make(lengths, place.start_of(given), {})
    jobs: list[Job] = []
    begins = [0, *accumulate(counts)]
    for (lo, hi, (ptr, *others), first), begin in zip(stored, begins, strict=False):
        own = ptr[(lo - first) * fibers : (hi - first) * fibers + 1]
        jobs.append(partial(put, whole[0], lo * fibers, begin, own, True))
        jobs += [
            partial(put, into, begin, 0, one, False)
            for into, one in zip(whole[1:], others, strict=True)
        ]
    done(jobs)
    return place.made(given, shape, whole)


def _behind(parts: Sequence[Sequence[Array]]) -> list[Array]:
    """The buffers of listed rows that are stored behind one another: pointers count from zero."""
    root, idx, ptr, *others = zip(*parts, strict=True)
    rows = sum([int(one[-1]) for one in root])
    begins = accumulate([int(one[-1]) for one in ptr], initial=0)
    own = [one[1:] + one.dtype.type(begin) for one, begin in zip(ptr, begins, strict=False)]
    made = [np.concatenate(every) for every in ([ptr[0][:1], *own], *others)]
    return [np.array([0, rows], root[0].dtype), np.concatenate(idx), *made]


def _fibers(place: Place, shape: tuple[int, ...]) -> int:
    """The fibers of the lists for each index of the outermost loop."""
    outer = place.format.order[1:-1]
    return int(np.prod([shape[axis] for axis in outer], dtype=np.int64))
