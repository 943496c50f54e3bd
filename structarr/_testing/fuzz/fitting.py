"""Data that fits a format: told from NumPy alone, level by level."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr.formats import (
    Constant,
    Diagonals,
    Format,
    Hermitian,
    Level,
    SparseInterval,
    SparsePoint,
    Symmetric,
    Triangular,
)
from structarr.formats.coded import Coded, told
from structarr.formats.entries import Array


def fitted(data: Array, fmt: Format, fill: Any, *others: Format) -> Array:
    """The data bent to a format, with fill where that or one of the others cannot hold it."""
    found = data.transpose(fmt.order).copy()
    rng = np.random.default_rng(0)
    for depth, level in enumerate(fmt.levels[:-1]):
        found = _bent(found, level, depth, fill, rng)
    found = found.transpose(np.argsort(fmt.order))
    while not all(fits(found, one, fill) for one in (fmt, *others)):
        for one in (fmt, *others):
            stripped = _stripped(found.transpose(one.order), one, fill)
            found = stripped.transpose(np.argsort(one.order))
    return found.copy()


def told_apart(data: Array, fill: Any) -> Array:
    """The data with the least number in the place of zeros of the other sign than the fill's."""
    if data.dtype.kind == "c":
        found = data.copy()
        found.real, found.imag = told_apart(data.real, fill.real), told_apart(data.imag, fill.imag)
        return found
    if data.dtype.kind != "f":
        return data
    other = (data == 0) & (np.signbit(data) != (fill == 0 and np.signbit(fill)))
    return np.where(other, np.finfo(data.dtype).smallest_subnormal, data)


def fits(data: Array, fmt: Format, fill: Any) -> bool:
    """Whether a format can hold the data as it is."""
    stored = data.transpose(fmt.order)
    return bool(_equal(_stripped(stored, fmt, fill), stored).all())


def _bent(data: Array, level: Level, depth: int, fill: Any, rng: np.random.Generator) -> Array:
    """Data of the level's kind, so that stripping leaves something."""
    match level:
        case Constant():
            return np.broadcast_to(data.take([0][: data.shape[depth]], depth), data.shape).copy()
        case SparsePoint() if data.shape[depth]:
            rows = (*data.shape[:depth], 1)
            chosen = rng.integers(0, data.shape[depth], rows)
            inside = np.arange(data.shape[depth]) == chosen
            return np.where(_over(inside, data.ndim), data, fill).astype(data.dtype)
        case SparseInterval() if data.shape[depth]:
            rows = (*data.shape[:depth], 1)
            start, stop = (rng.integers(0, data.shape[depth] + 1, rows) for _ in range(2))
            index = np.arange(data.shape[depth])
            held = data.take([0], depth)
            return np.where((index >= start) & (index < stop), held, fill).astype(data.dtype)
        case Hermitian() | Symmetric():
            low = data.shape[0] and np.tri(*data.shape[:2], dtype=bool)
            mirrored = _reflect(level, data.swapaxes(0, 1))
            return np.where(_over(np.asarray(low), data.ndim), data, mirrored)
    return data


def _stripped(data: Array, fmt: Format, fill: Any) -> Array:
    """The data, in storage order, with fill where a level cannot hold it."""
    found = data
    for depth, level in enumerate(fmt.levels[:-1]):
        kept = _over(_held(found, level, depth, fill), data.ndim)
        found = np.where(kept | _equal(found, fill), found, fill).astype(data.dtype)
    return found


def _held(data: Array, level: Level, depth: int, fill: Any) -> Array:
    """Where a level can hold what there is, by the indices down to its own."""
    filled = ~_equal(data, fill)
    rows = filled.any(axis=tuple(range(depth + 1, data.ndim)))
    i, j = np.ogrid[: data.shape[0], : data.shape[1]] if data.ndim > 1 else (0, 0)
    match level:
        case Constant():
            first = data.take([0][: data.shape[depth]], depth)
            same = _equal(data, first) if data.shape[depth] else filled
            return np.broadcast_to(same.all(axis=depth, keepdims=True), data.shape)
        case SparsePoint():
            return np.cumsum(rows, axis=depth) <= 1
        case SparseInterval():
            return _first_run(data, filled)
        case Triangular(_, "upper", k):
            return np.asarray(j - i >= k)
        case Triangular(_, _, k):
            return np.asarray(j - i <= k)
        case Diagonals(_, None):
            return np.ones((1, 1), bool)
        case Diagonals(_, offsets):
            return np.isin(j - i, np.array(offsets, int))
        case Symmetric() | Hermitian():
            return _equal(data, _reflect(level, data.swapaxes(0, 1)))
        case Coded():
            return _of_few_values(data, filled, level)
    return np.ones((), bool)


def _of_few_values(data: Array, filled: Array, level: Coded) -> Array:
    """Where elements are of the least values that the codes of a level can tell."""
    if level.others is not None:
        return np.isin(data, told(level.others, data.dtype))
    known = np.unique(data[filled])[: (1 << level.bits) - 1]
    return np.asarray(np.isin(data, known))


def _first_run(data: Array, filled: Array) -> Array:
    """Where the first run of equal elements that are not fill is, along the last axis."""
    held = np.zeros(data.shape, bool)
    for row in np.ndindex(*data.shape[:-1]):
        places = np.flatnonzero(filled[row])
        for at in places[:1]:
            stop = at
            while (
                stop < data.shape[-1]
                and filled[row][stop]
                and _equal(data[row][stop], data[row][at])
            ):
                held[row][stop] = True
                stop += 1
    return held


def _reflect(level: Level, data: Array) -> Array:
    return np.conj(data) if isinstance(level, Hermitian) else data


def _equal(left: Any, right: Any) -> Array:
    return np.asarray((left == right) | ((left != left) & (right != right)))


def _over(mask: Array, ndim: int) -> Array:
    """A mask of the outer axes, over all axes."""
    return mask.reshape(mask.shape + (1,) * (ndim - mask.ndim)) if mask.ndim else mask
