"""What a loop meets of a value: how many turns it takes, and at how much of the indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from structarr._tensor import Tensor

# Nanoseconds a turn, measured with compiled kernels; a choice needs their ratios alone.
LEAD, MERGE, LEAP, STREAM, LOOKUP = 0.8, 3.5, 12.0, 0.2, 0.6

_RUNS = ("runs", "packbits")
_STEPPED = ("list", "point", "blocks", "band", "ragged")
_COVERING = ("interval", "intervals")


@dataclass(frozen=True)
class Reach:
    """What a loop meets of a value: its turns, and the share of the indices that is not fill."""

    turns: float
    cover: float
    leads: bool = True  # else each index is looked up, as far as others lead to it
    gallops: bool = False
    mask: bool = False  # it bounds the loop, and takes no turns of its own
    price: float = LEAD  # nanoseconds a turn


NOTHING = Reach(0.0, 0.0)
"""A value that does not change along the loop."""


def stored(tensor: Tensor, level: int, extent: float) -> Reach:
    """What a loop meets of one level of a tensor, in a fiber like any other."""
    kind, dim = tensor.format.levels[level].word, tensor.dims[level]
    counts = [1.0]
    for count, length in zip(tensor.counts, tensor.dims, strict=True):
        counts.append(min(float(count), counts[-1] * length))
    part = min(extent / dim, 1.0) if dim else 0.0
    turns = part * counts[level + 1] / counts[level] if counts[level] else 0.0
    if kind == "const":
        return NOTHING
    if kind in _RUNS:
        return Reach(turns, 1.0)
    if kind in _COVERING:
        covered = tensor.format.levels[level].covered(tensor.level_buffers[level])
        return Reach(turns, min(covered / max(counts[level] * dim, 1.0), 1.0))
    if kind in ("upper", "lower"):
        return Reach(extent / 2, 0.5)
    if kind in _STEPPED or kind == "diagonals":
        return Reach(min(turns, extent), min(turns / extent, 1.0))
    return Reach(extent, 1.0, False, price=STREAM)


def intersect(parts: Sequence[Reach], extent: float) -> Reach:
    """Values that are all needed: where one is its fill, the others are not looked at."""
    cover = prod(one.cover for one in parts)
    share = prod(one.cover for one in parts if one.mask)
    rest = [one for one in parts if not one.mask]
    if not rest:
        return Reach(extent * share, share, mask=True)
    leaders = [one.turns for one in rest if one.leads]
    turns = sum(leaders) if leaders else extent
    price = _price(rest)
    leaps = [one.turns for one in rest if one.gallops and one.leads]
    if len(leaders) > 1 and leaps and len(leaps) * min(leaps) <= turns:
        turns, price = len(leaps) * min(leaps), LEAP  # the others are sought, without a step
    return Reach(turns * share, cover, bool(leaders) or share < 1, price=price)


def beside(parts: Sequence[Reach]) -> Reach:
    """The first of some, where the others are looked at as well, whatever they hold."""
    first, *others = parts
    turns = first.turns + sum(one.turns for one in others if one.leads)
    return Reach(turns, first.cover, first.leads, price=_price(parts))


def unite(parts: Sequence[Reach], extent: float) -> Reach:
    """Values of which each may be there alone."""
    led = all(one.leads for one in parts)
    turns = sum(one.turns for one in parts if one.leads)
    if not led:
        turns = max([extent, *(one.turns for one in parts)])
    return Reach(turns, 1 - prod(1 - one.cover for one in parts), led, price=_price(parts))


def _price(parts: Sequence[Reach]) -> float:
    """What a turn costs that meets some values: two that lead are merged, others looked up."""
    if sum(one.leads and one.turns > 0 for one in parts) > 1:
        return MERGE
    return sum(one.price for one in parts if one is not NOTHING)
