"""The reach of values in loops: turns, and the share of the indices that is not fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import log2, prod

import numpy as np

from structarr._storage.tensor import Tensor
from structarr._support.records import record

# Nanoseconds of compiled kernels on Zen 4, fitted to the candidates of `python -m benchmarks
# calibrate` and some more, of 60 to 1500 rows: seven in ten of them take what is expected within a
# factor of two. Programs are chosen by their ratios.
#
# A turn of a loop: that one list leads, over the elements that some lists store, over neighbours in
# memory, with an element that is looked up.
LEAD, MERGE, STREAM, LOOKUP = 0.5, 1.7, 0.1, 0.6
# Of a merge: its start, a step predicted right, the penalty of a wrong prediction, a step that
# splits a stretch; a search of a gallop, and what it takes for each time that the way doubles.
START, STEP, TURN, SPLIT, GALLOP, DOUBLING = 2.0, 0.3, 4.0, 3.5, 2.8, 4.5
# To begin a stretch of neighbours, and to search where others enter and leave the only stretch.
STRETCH, SEARCHES = 1.0, 6.0


@record
class Reach:
    """The reach of a value in a loop: its turns, and the share of the indices that is not fill."""

    turns: float
    cover: float
    leads: bool = True  # otherwise indices are looked up as others lead
    gallops: bool = False
    mask: bool = False  # it only bounds the loop
    price: float = LEAD  # nanoseconds per turn
    stretches: float = 0.0  # the stretches of neighbours; 0 for single elements
    within: Callable[[], tuple[float, float]] | None = None  # its hull; None for all indices
    walked: float = 0.0  # the stops of lists in it, where it is looked up: no list can be

    @property
    def hull(self) -> tuple[float, float]:
        """Where the first and behind the last stored one is, as shares of the indices."""
        return (0.0, 1.0) if self.within is None else self.within()

    @property
    def searches(self) -> bool:
        """Whether it finds the first element that it has in common with others by a search."""
        return self.gallops or 0 < self.stretches <= 1

    @property
    def steps(self) -> float:
        """The number of stops that a merge makes at it."""
        return self.stretches or self.turns


NOTHING = Reach(0.0, 0.0)
"""A value that does not change along the loop."""


def stored(tensor: Tensor, level: int, extent: float) -> Reach:
    """The reach of one level of a tensor, in a fiber like any other."""
    kind, dim = tensor.format.levels[level].kind, tensor.dims[level]
    counts = [1.0]
    for count, length in zip(tensor.counts, tensor.dims, strict=True):
        counts.append(min(float(count), counts[-1] * length))
    part = min(extent / dim, 1.0) if dim else 0.0
    turns = part * counts[level + 1] / counts[level] if counts[level] else 0.0
    if kind.is_constant:
        return NOTHING
    if kind.step is None:
        return Reach(extent, 1.0, False, price=STREAM)
    if kind.covers:
        return Reach(turns, 1.0, price=kind.step)
    if kind.has_runs:
        covered = tensor.format.levels[level].covered(tensor.level_buffers[level])
        cover = min(covered / max(counts[level] * dim, 1.0), 1.0)
        return Reach(turns, cover, price=kind.step)
    if kind.share is not None:
        price = STREAM + STRETCH / max(extent * kind.share, 1.0)  # it is one stretch
        return Reach(extent * kind.share, kind.share, price=price, stretches=1.0)
    turns = min(turns, extent)
    cover = min(turns / extent, 1.0)
    found = Reach(turns, cover, price=kind.step, within=partial(_hull, tensor, level))
    fibers = tensor.counts[level - 1] if level else 1  # as stored: of entries each is one
    stretches = tensor.format.levels[level].stretches(fibers, dim, tensor.level_buffers[level])
    lying = part * stretches / counts[level] if counts[level] else 0.0
    if turns <= 1 or lying >= turns:
        return found
    lead = STREAM if lying <= 1 else kind.step
    return replace(found, stretches=lying, price=lead + STRETCH * lying / turns)


def intersect(parts: Sequence[Reach], extent: float) -> Reach:
    """Values that are all needed: where one is its fill, the others are not looked at."""
    cover = prod(one.cover for one in parts)
    share = prod(one.cover for one in parts if one.mask)
    rest = [one for one in parts if not one.mask]
    if not rest:
        return Reach(extent * share, share, mask=True)
    led = any(one.leads for one in rest)
    leaders = [one for one in rest if one.leads and one.turns > 0]
    if any(one.leads and not one.turns for one in rest if one is not NOTHING):
        return Reach(0.0, 0.0)  # nothing is stored
    if len(leaders) > 1:
        turns, price = _merge(leaders)
        price += sum(one.price for one in rest if not one.leads and one is not NOTHING)
    else:
        turns = sum(one.turns for one in leaders) if led else extent
        price = _price(rest)
    walked = sum(one.walked for one in rest)
    if led and walked:  # from the first on, as far as others lead
        stops = walked * _common(leaders)[1]
        turns, price = turns + stops, (turns * price + stops * STEP) / (turns + stops)
    alone = len(leaders) == 1
    return Reach(
        turns * share,
        cover,
        led or share < 1,
        gallops=alone and leaders[0].gallops,
        price=price,
        stretches=leaders[0].stretches if alone else 0.0,
        within=leaders[0].within if alone else partial(_common, leaders),
    )


def _merge(leaders: Sequence[Reach]) -> tuple[float, float]:
    """The turns of a merge of some values, and what a turn costs.

    They meet within all of their hulls. What does not search its way there steps from its first
    element on. Repeated steps of one kind are predicted well, so a few elements among many of
    another operand cost little.
    """
    begin, end = _common(leaders)
    # What stores something is looked at once, though it may end before the others begin.
    steps = [max(one.steps * _share(one, begin, end), min(one.steps, 1.0)) for one in leaders]
    ahead = sum(one.steps * _share(one, 0.0, begin) for one in leaders if not one.searches)
    time = START
    if any(0 < one.stretches <= 1 for one in leaders):
        time += SEARCHES
    leaps = [n for n, one in zip(steps, leaders, strict=True) if one.gallops]
    turns = sum(steps) + ahead
    split = any(one.stretches > 1 for one in leaders)
    if split:
        time += SPLIT * sum([n for n, one in zip(steps, leaders, strict=True) if not one.stretches])
    if leaps and len(leaps) * min(leaps) <= turns:
        way = max(max(steps) / min(leaps), 1.0) if min(leaps) else 1.0
        turns = len(leaps) * min(leaps)  # the others are searched, without steps of their own
        time += turns * GALLOP + min(leaps) * DOUBLING * log2(way)
    else:
        time += turns * STEP + (0.0 if split else TURN * min(steps))
    if all(one.stretches for one in leaders):  # common neighbours are visited
        common = min(one.turns for one in leaders)
        turns, time = turns + common, time + common * STREAM
    return turns, time / turns if turns else 0.0


def _common(leaders: Sequence[Reach]) -> tuple[float, float]:
    """The hull of the indices that all have in common."""
    begin = max((one.hull[0] for one in leaders), default=0.0)
    return begin, max(min((one.hull[1] for one in leaders), default=1.0), begin)


def _share(one: Reach, lo: float, hi: float) -> float:
    """The share of the elements of a value that lie in a part of the indices."""
    begin, end = one.hull
    return max(min(hi, end) - max(lo, begin), 0.0) / (end - begin) if begin < end else 0.0


def beside(parts: Sequence[Reach]) -> Reach:
    """The first of some, where the others are looked at as well, whatever they hold."""
    first, *others = parts
    turns = first.turns + sum(one.turns for one in others if one.leads)
    return Reach(turns, first.cover, first.leads, price=_price(parts))


def unite(parts: Sequence[Reach], extent: float) -> Reach:
    """Values of which each may be there alone."""
    led = all(one.leads for one in parts)
    turns, walked = sum(one.turns for one in parts if one.leads), 0.0
    if not led:
        turns = max([extent, *(one.turns for one in parts)])
        walked = sum(one.steps if one.leads else one.walked for one in parts)
    cover = 1 - prod(1 - one.cover for one in parts)
    return Reach(turns, cover, led, price=_price(parts), walked=walked)


def follow(parts: Sequence[Reach], extent: float) -> Reach:
    """Values one behind the other: no two of them meet."""
    found, leaders = unite(parts, extent), [one for one in parts if one.leads and one.turns > 0]
    if len(leaders) < 2:
        return found
    turns = sum([one.turns for one in leaders])
    return replace(found, price=sum([one.turns * one.price for one in leaders]) / turns)


def _price(parts: Sequence[Reach]) -> float:
    """The price of a turn that meets some values: two that lead are merged, others looked up."""
    if sum(one.leads and one.turns > 0 for one in parts) > 1:
        return MERGE
    return sum(one.price for one in parts if one is not NOTHING)


def _hull(tensor: Tensor, level: int) -> tuple[float, float]:
    """Where the elements of a fiber like any other begin and end, as shares of its indices."""
    memo = tensor.memo
    found: tuple[float, float] | None = memo.get(("hull", level))
    if found is None:
        found = memo["hull", level] = _hull_of(tensor, level)
    return found


def _hull_of(tensor: Tensor, level: int) -> tuple[float, float]:
    one, dim = tensor.format.levels[level], tensor.dims[level]
    fibers = tensor.counts[level - 1] if level else 1
    if not (one.has_hulls and dim and fibers):
        return 0.0, 1.0
    begin, end = one.hulls(fibers, dim, tensor.level_buffers[level])
    held = begin < end  # the others are left as soon as one is empty
    bounds = [float(side[held].sum(dtype=np.float64)) / (fibers * dim) for side in (begin, end)]
    return bounds[0], bounds[1]
