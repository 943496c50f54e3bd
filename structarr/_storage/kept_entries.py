"""The entries of lists that a mask keeps."""

from __future__ import annotations

from typing import Final

import numpy as np

from structarr._compiler.backend.call import call
from structarr._support.buffer_pool import empty
from structarr.formats.entries import Array

MANY: Final = 1 << 14
"""Entries from which on one loop of ours takes less time than several of NumPy's."""


def kept_rows(ptr: Array, idx: Array, val: Array, kept: Array) -> tuple[Array, Array, Array]:
    """
    Return the pointers, indices and values of those entries of rows that are kept.

    Examples
    --------
    >>> kept = np.array([True, False, True])
    >>> parts = kept_rows(np.array([0, 2, 3]), np.array([0, 2, 2]), np.array([5, 6, 7]), kept)
    >>> [one.tolist() for one in parts]
    [[0, 1, 2], [0, 2], [5, 7]]
    """
    if len(kept) < MANY:
        before = np.zeros(len(kept) + 1, ptr.dtype)  # how many are kept before each
        np.cumsum(kept, out=before[1:])
        return before[ptr], idx[kept], val[kept]
    found = empty(len(ptr), ptr.dtype), *_room(kept, idx, val)
    call("keep_rows", (ptr, idx, val, kept), found, len(kept) + len(ptr))
    return found[0], found[1][:-1], found[2][:-1]


def kept_entries(row: Array, idx: Array, val: Array, kept: Array) -> tuple[Array, Array, Array]:
    """
    Return the rows, columns and values of those entries that are kept.

    Examples
    --------
    >>> kept = np.array([True, False, True])
    >>> parts = kept_entries(np.array([0, 0, 1]), np.array([0, 2, 2]), np.array([5, 6, 7]), kept)
    >>> [one.tolist() for one in parts]
    [[0, 1], [0, 2], [5, 7]]
    """
    if len(kept) < MANY:
        return row[kept], idx[kept], val[kept]
    found = _room(kept, row, idx, val)
    call("keep_entries", (row, idx, val, kept), found, len(kept))
    return found[0][:-1], found[1][:-1], found[2][:-1]


def _room(kept: Array, *parts: Array) -> tuple[Array, ...]:
    """Buffers for what is kept, and for one entry more: each is written before it is judged."""
    count = int(np.count_nonzero(kept)) + 1
    return tuple([empty(count, part.dtype) for part in parts])
