"""Sketches of matrices: a few sums of their entries with signs, whose norm is about the matrix's.

A sketch of a sum is the sum of the sketches, so that these tell whether matrices cancel each other.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.coordinates import coordinates
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_entries, is_rows
from structarr._storage.views import has_main_diagonal_alone
from structarr.formats.entries import Array

SUMS: Final = 256
"""The length of a sketch: its norm is that of the matrix but for a sixteenth or so."""

ROWS: Final = 256
"""Rows that are looked at, if there are as many, or up to twice as many."""


def sketch(tensor: Tensor, turned: bool = False) -> Array:
    """
    Return a sketch of what some rows of a matrix store: an entry is in a sum, with a sign.

    Of rows of the transpose if it is `turned`. It is made once for each tensor (Charikar, Chen and
    Farach-Colton, Finding frequent items in data streams, 2002).

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> float(np.linalg.norm(sketch(from_dense(np.diag([3.0, 4.0])))))
    5.0
    """
    key = "sketch", turned
    known: Array | None = tensor.memo.get(key)
    if known is None:
        known = tensor.memo[key] = np.zeros(SUMS, np.result_type(tensor.dtype, np.float64))
        with np.errstate(all="ignore"):
            few = np.int64(_few(tensor.shape[turned]))
            if is_rows(tensor.format):
                name = "sketch_columns" if turned != tensor.format.order[0] else "sketch_rows"
                call(name, (*tensor.buffers, _signs(), few), (known,), len(tensor.buffers[-1]))
            else:
                places, values = _entries(tensor)
                places = places[::-1] if turned else places
                call("sketch_entries", (*places, values, _signs(), few), (known,), len(values))
    return known


def _entries(tensor: Tensor) -> tuple[tuple[Array, ...], Array]:
    """The coordinates of a matrix's entries, for each axis, and their values."""
    if has_main_diagonal_alone(tensor):
        line, values = np.arange(tensor.shape[0]), tensor.buffers[-1]
        return (line, line), values if len(values) == len(line) else values.repeat(len(line))
    if not is_entries(tensor.format):
        return coordinates(tensor)
    _, *places, values = tensor.buffers
    order = tensor.format.order
    return tuple([places[order.index(axis)] for axis in range(2)]), values


def _few(rows: int) -> int:
    """One less than the power of two of which one row is looked at, so that some `ROWS` are."""
    return (1 << max(0, (rows // ROWS).bit_length() - 1)) - 1


@cache
def _signs() -> Array:
    """Signs as if by chance, the same ones in each process."""
    return np.random.default_rng(1).choice(np.array([1, -1], np.int8), 4096)
