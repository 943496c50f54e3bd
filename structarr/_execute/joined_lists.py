"""Results of lists of which pieces have stored some rows each: they are joined."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

import numpy as np

from structarr._execute.allocation import cut
from structarr._execute.partial_split import is_listed
from structarr._execute.partition_rooms import Job, done
from structarr._execute.partition_split import Split
from structarr._execute.partition_work import counts_in_rows
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.segment_rooms import put
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor, counts_by_axis
from structarr.formats.base import Format
from structarr.formats.entries import Array

STRETCH: Final = 1 << 14
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


class Rooms(NamedTuple):
    """The buffers of a result of lists, for rows that are stored apart."""

    whole: list[Array]
    fibers: int  # of the lists, for each index of the outermost loop
    begins: list[list[int]]  # of all buffers but the pointers: where those of each piece begin


def rooms_of(
    place: Place, given: Operands, shape: tuple[int, ...], lengths: Sequence[Sequence[int]]
) -> Rooms:
    """The buffers of a result of lists, by the lengths of each piece's but those of pointers."""
    outer = place.format.order[1:-1]
    fibers = int(np.prod([shape[axis] for axis in outer], dtype=np.int64))
    rows = shape[place.format.order[0]] * fibers
    begins = [[*accumulate(parts, initial=0)] for parts in zip(*lengths, strict=True)]
    sizes = [rows + 1, *[one[-1] for one in begins]]
    return Rooms(place.make(sizes, place.start_of(given), {}), fibers, begins)


def positions_of(format: Format) -> list[bool]:
    """Of each buffer, whether it holds positions of children."""
    return [name in level.positions for level in format.levels for name in level.buffers]


def joined(
    place: Place, given: Operands, shape: tuple[int, ...], stored: Sequence[Stored]
) -> Tensor | None:
    """A result of lists of all its rows; None if it may outgrow its positions."""
    counts = [len(one.buffers[-1]) for one in stored]
    if not place.guard(given, shape)(sum(counts)):
        return None
    positions = positions_of(place.format)
    if is_listed(place.format.root):
        return place.made(given, shape, _behind([one.buffers for one in stored], positions))
    each = [[*map(len, one.buffers[1:])] for one in stored]
    whole, fibers, begins = rooms_of(place, given, shape, each)
    jobs: list[Job] = []
    for number, (lo, hi, (ptr, *others), first) in enumerate(stored):
        own = ptr[(lo - first) * fibers : (hi - first) * fibers + 1]
        before = begins[-1][number]
        jobs.append(partial(put, whole[0], lo * fibers, before, own, True))
        for into, at, one, points in zip(whole[1:], begins, others, positions[1:], strict=True):
            if points:
                jobs.append(partial(put_positions, into[at[number] :][: len(one)], one, before))
            else:
                jobs.append(partial(put, into, at[number], 0, one, False))
    done(jobs)
    return place.made(given, shape, whole)


def put_positions(out: Array, positions: Array, before: int) -> None:
    """Write positions of children that are behind some others, also in their place; -1 stays."""
    sign, more = 8 * out.itemsize - 1, out.dtype.type(before)
    mask = np.empty(min(len(out), STRETCH), out.dtype)
    for lo in range(0, len(out), STRETCH):  # in the cache
        own, into = positions[lo : lo + STRETCH], out[lo : lo + STRETCH]
        moved = np.right_shift(own, sign, out=mask[: len(own)])
        np.invert(moved, out=moved)  # all bits of a position, none of -1
        np.bitwise_and(moved, more, out=moved)
        np.add(moved, own, out=into)


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
            put_positions(into[lo:hi], one, begin)
    return [np.array([0, rows], root[0].dtype), np.concatenate(idx), *made]
