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


def widths_of(
    levels: Sequence[Level], dims: Sequence[int], buffers: Sequence[Array]
) -> tuple[int, ...]:
    """How many elements of each buffer a row has, where rows are stretches of all of them.

    Zero of a buffer that all rows share; nothing where rows lie in another way.
    """
    root, *inner, leaf = levels
    rows = dims[0]
    placed = all([one.is_single or (one.slicing == "places" and not one.buffers) for one in inner])
    if not (placed and rows and root.slicing == "places" and not root.buffers):
        return ()
    if leaf.slicing == "own" and not leaf.uniform:
        return ()
    shared = len(leaf.buffers) if leaf.uniform else 0
    own = buffers[: len(buffers) - shared]
    if any([len(one) % rows for one in own]) or not all(map(len, own)):
        return ()
    return *[len(one) // rows for one in own], *[0] * shared


def is_stretch(levels: Sequence[Level]) -> bool:
    """Whether the children of the outermost level are stretches of equal length of one buffer."""
    *outer, leaf = levels
    placed = all([one.slicing == "places" and not one.buffers for one in outer])
    return bool(outer) and placed and _has_values(leaf)


def is_placed(levels: Sequence[Level]) -> bool:
    """Whether every element has a place: a value and, above it, marks of what is stored.

    So two arrays of a shape have buffers of the same lengths, in which each place means the same.
    """
    marked = all(
        [one.slicing == "places" and {*one.buffers} <= {*one.flags} for one in levels[:-1]]
    )
    return marked and _has_values(levels[-1])


def are_apart(levels: Sequence[Level]) -> bool:
    """Whether no two elements share a place, so that any rows may be written at once."""
    apart = all([one.slicing == "places" or one.is_spread for one in levels[:-1]])
    return apart and _has_values(levels[-1])


def _has_values(leaf: Level) -> bool:
    """Whether a leaf has a value for each element, in one buffer."""
    return len(leaf.buffers) == 1 and not leaf.uniform and leaf.slicing != "own"
