"""Arrays of every kind that some format likes, small and the same in each process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from structarr.formats.entries import Array

Maker: TypeAlias = Callable[[np.random.Generator, tuple[int, ...]], Any]

SHAPES: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    0: ((),),
    1: ((9,), (33,), (1,), (0,)),
    2: ((5, 5), (4, 7), (6, 1), (1, 6), (0, 3), (3, 0)),
    3: ((3, 3, 3), (2, 3, 4), (1, 4, 1), (2, 0, 3)),
    4: ((2, 2, 2, 3), (1, 2, 0, 2)),
}
"""Shapes by the number of axes; the first is that of most checks."""


class Sample(NamedTuple):
    """Elements, and what they are called in reports. Zeros are to be the fill."""

    label: str
    data: Array


def samples(ndim: int, seed: int, maker: Maker | None) -> Iterator[Sample]:
    """Arrays of all shapes, by a function of a generator and a shape, or of every kind."""
    kinds = KINDS if maker is None else {"own": maker, "own, again": maker}
    for shape in SHAPES[ndim]:
        for number, (label, make) in enumerate(kinds.items()):
            rng = np.random.default_rng([seed, number, *shape])
            yield Sample(label, np.array(make(rng, shape)))


def _full(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Small numbers other than 0, so that float sums of products are exact."""
    return np.asarray(rng.integers(1, 6, shape) * rng.choice([-1.0, 1.0, 0.5], shape))


def _scattered(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.where(rng.random(shape) < 0.35, _full(rng, shape), 0.0)


def _empty(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.zeros(shape)


def _constant(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.full(shape, 3.0)


def _runs(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    if not shape:
        return _full(rng, shape)
    values = rng.integers(0, 3, shape).astype(float)
    return np.repeat(values, rng.integers(2, 5), axis=-1)[..., : shape[-1]]


def _mixed(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Runs beside elements that differ."""
    return np.where(rng.random(shape[-1:]) < 0.6, 2.0, _full(rng, shape))


def _within(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Places along the last axis, and the bounds of a stretch, which may be empty, a fiber."""
    if not shape:
        return np.array(0), np.array(0), np.array(1)
    bounds = rng.integers(0, shape[-1] + 1, (2, *shape[:-1], 1))
    return np.arange(shape[-1]), bounds.min(axis=0), bounds.max(axis=0)


def _band(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    at, start, stop = _within(rng, shape)
    return np.where((start <= at) & (at < stop), _full(rng, shape), 0.0)


def _interval(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    at, start, stop = _within(rng, shape)
    return np.where((start <= at) & (at < stop), rng.integers(1, 4, stop.shape), 0.0)


def _ragged(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    at, _, stop = _within(rng, shape)
    return np.where(at < stop, _full(rng, shape), 0.0)


def _points(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    at, start, stop = _within(rng, shape)
    return np.where((at == start) & (stop > start), _full(rng, shape), 0.0)


def _blocks(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.where(_runs(rng, shape) > 0, _full(rng, shape), 0.0)


def _upper(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.triu(_full(rng, shape)) if len(shape) > 1 else _full(rng, shape)


def _lower(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.tril(_full(rng, shape)) if len(shape) > 1 else _full(rng, shape)


def _diagonals(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    if len(shape) < 2:
        return _full(rng, shape)
    rows, columns = np.indices(shape[-2:])
    return np.where(np.isin(columns - rows, [-1, 0, 2]), _full(rng, shape), 0.0)


def _symmetric(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    full = _scattered(rng, shape)
    square = len(shape) > 1 and shape[-1] == shape[-2]
    return full + np.swapaxes(full, -1, -2) if square else full


KINDS: Final[dict[str, Maker]] = {
    "scattered": _scattered,
    "full": _full,
    "empty": _empty,
    "constant": _constant,
    "runs": _runs,
    "mixed": _mixed,
    "band": _band,
    "interval": _interval,
    "ragged": _ragged,
    "points": _points,
    "blocks": _blocks,
    "upper": _upper,
    "lower": _lower,
    "diagonals": _diagonals,
    "symmetric": _symmetric,
}
