"""Rows of a tensor: the buffers of a range of the outermost level, next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from structarr.formats.base import Level
from structarr.formats.entries import Array

Window: TypeAlias = tuple[int, int]
"""The first of some children, and the one behind the last."""


def part(
    levels: Sequence[Level],
    dims: Sequence[int],
    buffers: Sequence[Array],
    lo: int,
    hi: int,
    window: Window | None = None,
) -> tuple[Array, ...]:
    """The buffers of some children of the outermost level, next to each other."""
    found: list[Array] = []
    left = iter(buffers)
    for level, dim in zip(levels[1:], (*dims[1:], 1), strict=True):
        own = tuple([next(left) for _ in level.buffers])
        begin, end = level.between(lo, hi, dim, own)
        if window is not None:
            begin, end = max(begin, window[0]), min(end, window[1])
        # The value of a uniform leaf is shared by all parts.
        found += own if level.uniform else level.cut((lo, hi), (begin, end), own)
        lo, hi, window = begin, end, None
    return tuple(found)


def is_stretch(levels: Sequence[Level]) -> bool:
    """Whether the children of the outermost level are stretches of equal length of one buffer."""
    *outer, leaf = levels
    placed = all([one.slicing == "places" and not one.buffers for one in outer])
    plain = len(leaf.buffers) == 1 and not leaf.uniform and leaf.slicing != "own"
    return bool(outer) and placed and plain
