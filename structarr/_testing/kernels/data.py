"""Fixed numbers: the same on every machine, and whatever the version of NumPy."""

from __future__ import annotations

from math import prod
from typing import Any, TypeAlias

import numpy as np

Data: TypeAlias = np.ndarray[Any, Any]

_LARGEST = float(2**64)


def uniform(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Numbers from 0 to 1: a counter, mixed as SplitMix64 does it."""
    z = np.arange(1, prod(shape) + 1, dtype=np.uint64) + np.uint64(seed * 1_000_003)
    z *= np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: Data = np.divide(z ^ (z >> np.uint64(31)), _LARGEST)
    return found.reshape(shape)


def full(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Whole numbers from 1 to 9."""
    found: Data = 1 + np.floor(uniform(shape, seed) * 9)
    return found


def scattered(shape: tuple[int, ...], share: float = 0.15, seed: int = 0) -> Data:
    """Single elements among zeros."""
    return np.where(uniform(shape, seed + 1) < share, full(shape, seed), 0.0)


def flags(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Elements of one value among zeros."""
    return np.where(uniform(shape, seed) < 0.3, 2.0, 0.0)


def codes(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Whole numbers from 0 to 3."""
    found: Data = np.floor(uniform(shape, seed) * 4)
    return found


def runs(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Stretches of four equal values."""
    *above, last = shape
    short = full((*above, -(-last // 4)), seed)
    return np.repeat(short, 4, axis=-1)[..., :last]


def gapped(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Stretches of equal values among zeros."""
    found = runs(shape, seed)
    return np.where(found > 5, found, 0.0)


def packed(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Stretches of equal and of literal values."""
    return np.where(runs(shape, seed) > 5, full(shape, seed), runs(shape, seed))


def blocks(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Stretches of values among zeros."""
    return np.where(runs(shape, seed) > 6, full(shape, seed), 0.0)


def band(shape: tuple[int, ...], seed: int = 0) -> Data:
    """One stretch of values a row."""
    return np.where(_between(shape, seed), full(shape, seed), 0.0)


def interval(shape: tuple[int, ...], seed: int = 0) -> Data:
    """One stretch of one value a row."""
    return np.where(_between(shape, seed), full((*shape[:-1], 1), seed), 0.0)


def prefix(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Values up to some place a row."""
    stop = np.floor(uniform((*shape[:-1], 1), seed) * (shape[-1] + 1))
    return np.where(np.arange(shape[-1]) < stop, full(shape, seed), 0.0)


def points(shape: tuple[int, ...], seed: int = 0) -> Data:
    """One element a row."""
    at = np.floor(uniform((*shape[:-1], 1), seed) * shape[-1])
    return np.where(np.arange(shape[-1]) == at, full(shape, seed), 0.0)


def diagonals(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Three diagonals."""
    away = np.arange(shape[1]) - np.arange(shape[0])[:, None]
    return np.where(np.isin(away, (-2, 0, 1)), full(shape, seed), 0.0)


def tiles(shape: tuple[int, ...], seed: int = 0) -> Data:
    """Blocks of two rows and three columns among zeros."""
    small = scattered((shape[0] // 2, shape[1] // 3), 0.3, seed)
    return np.kron(small, np.ones((2, 3))) * full(shape, seed)


def upper(shape: tuple[int, ...], seed: int = 0) -> Data:
    """An upper triangle."""
    return np.triu(full(shape, seed))


def lower(shape: tuple[int, ...], seed: int = 0) -> Data:
    """A lower triangle."""
    return np.tril(full(shape, seed))


def symmetric(shape: tuple[int, ...], seed: int = 0) -> Data:
    """A matrix that is its own transpose."""
    half = np.tril(full(shape, seed))
    return half + np.tril(half, -1).T


def hermitian(shape: tuple[int, ...], seed: int = 0) -> Data:
    """A matrix that is the conjugate of its transpose."""
    above = np.triu(full(shape, seed + 5), 1)
    return symmetric(shape, seed) + 1j * (above - above.T)


def equal(shape: tuple[int, ...], seed: int = 0) -> Data:
    """One value throughout."""
    return np.full(shape, 3.0)


def holes(shape: tuple[int, ...], fill: float, seed: int = 0) -> Data:
    """Single elements in what has one value otherwise."""
    return np.where(uniform(shape, seed + 1) < 0.2, full(shape, seed), fill)


def _between(shape: tuple[int, ...], seed: int) -> Data:
    rows = (*shape[:-1], 1)
    start = np.floor(uniform(rows, seed + 2) * shape[-1])
    width = 1 + np.floor(uniform(rows, seed + 3) * shape[-1] / 3)
    index = np.arange(shape[-1])
    found: Data = (index >= start) & (index < start + width)
    return found
