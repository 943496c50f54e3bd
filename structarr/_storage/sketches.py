"""Sketches of matrices: a few sums of their entries with signs, whose norm is about the matrix's.

A sketch of a sum is the sum of the sketches, so that these tell whether matrices cancel each other.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.coordinates import coordinates
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_entries, is_rows
from structarr._storage.views import has_main_diagonal_alone
from structarr._support.caches import MOST
from structarr.formats.entries import Array

SUMS: Final = 256
"""The length of a sketch: its norm is that of the matrix but for a sixteenth or so."""

ROWS: Final = 256
"""Rows that are looked at, if there are as many, or up to twice as many."""


class Sketch(NamedTuple):
    """A sketch, and the square of its norm."""

    sums: Array
    square: float


def sketch(tensor: Tensor, turned: bool = False) -> Sketch:
    """
    Return a sketch of what some rows of a matrix store: an entry is in a sum, with a sign.

    Of rows of the transpose if it is `turned`. It is made once for each tensor (Charikar, Chen and
    Farach-Colton, Finding frequent items in data streams, 2002).

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> sketch(from_dense(np.diag([3.0, 4.0]))).square
    25.0
    """
    key = "sketch", turned
    known: Sketch | None = tensor.memo.get(key)
    if known is None:
        sums, length = np.zeros(SUMS, _wide(tensor.dtype)), tensor.shape[turned]
        given: tuple[Any, ...] = tensor.buffers
        if is_rows(tensor.format) and turned == tensor.format.order[0]:
            name, given = "sketch_rows", (*given, _rows(length), _signs())
        elif is_rows(tensor.format):
            name, given = "sketch_columns", (*given, _signs(), _few(length))
        elif has_main_diagonal_alone(tensor):
            name, given = "sketch_diagonal", (given[-1], _rows(length), _signs())
        else:
            places, values = _entries(tensor)
            places = places[::-1] if turned else places
            name, given = "sketch_entries", (*places, values, _signs(), _few(length))
        call(name, given, (sums,), len(tensor.buffers[-1]))
        known = tensor.memo[key] = Sketch(sums, product(sums, sums).real)
    return known


def product(one: Array, other: Array) -> complex:
    """The scalar product of two vectors such as the sums of sketches, the first one conjugated."""
    return np.vdot(one, other).item()


def norm(tensor: Tensor) -> float | None:
    """The norm of all that a matrix stores; None where its values do not tell it at once.

    That is of numbers in double precision alone: sums of squares of others are not exact enough.
    """
    format, values = tensor.format, tensor.buffers[-1]
    each = is_rows(format) or is_entries(format) or has_main_diagonal_alone(tensor)
    return sqrt(product(values, values).real) if each and values.dtype.char in "dD" else None


def _entries(tensor: Tensor) -> tuple[tuple[Array, ...], Array]:
    """The coordinates of a matrix's entries, for each axis, and their values."""
    if not is_entries(tensor.format):
        return coordinates(tensor)
    _, *places, values = tensor.buffers
    order = tensor.format.order
    return tuple([places[order.index(axis)] for axis in range(2)]), values


@lru_cache(MOST)
def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of the sums of values."""
    return np.result_type(dtype, np.float64)


@lru_cache(MOST)
def _rows(length: int) -> Array:
    """The rows that are looked at, of so many."""
    found = np.empty(min(length, 4 * ROWS), np.int64)
    return found[: call("sketched_rows", (length, _few(length)), (found,), length)].copy()


def _few(rows: int) -> int:
    """One less than the power of two of which one row is looked at, so that some `ROWS` are."""
    return (1 << max(0, (rows // ROWS).bit_length() - 1)) - 1


@cache
def _signs() -> Array:
    """Signs as if by chance, the same ones in each process."""
    return np.random.default_rng(1).choice(np.array([1, -1], np.int8), 4096)
