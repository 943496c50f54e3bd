"""Random legal trees of levels, for arrays of a shape and a dtype."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr import formats
from structarr.errors import FormatError
from structarr.formats import (
    Bitmap,
    Constant,
    Coordinate,
    Dense,
    Diagonals,
    Element,
    Format,
    Hash,
    Hermitian,
    Level,
    PackBits,
    Pattern,
    Ragged,
    RunList,
    Singleton,
    SparseBand,
    SparseInterval,
    SparseList,
    SparsePoint,
    SparseRunList,
    SparseVBL,
    Symmetric,
    Tiles,
    Triangular,
    names_for,
    parse,
)
from structarr.formats.fit import check_tree

ANYWHERE: Final = (Dense, SparseList, SparseBand, RunList, Bitmap, Hash, SparseVBL, Ragged)
DEMANDING: Final = (Constant, SparsePoint, Coordinate, SparseInterval, SparseRunList, PackBits)
RELATED: Final = (Triangular, Diagonals, Symmetric, Hermitian, Tiles)
FURTHER: Final = tuple(  # formats that are added stand anywhere, unless they say where
    level
    for level in vars(formats).values()
    if isinstance(level, type) and issubclass(level, Level) and level.writing.writable
    if not (level.leaf or level.below or level in (*ANYWHERE, *DEMANDING, *RELATED))
)
_PARTIAL: Final = {SparsePoint, Diagonals}  # never beside levels that store every element
OFFSETS: Final = (None, (0,), (-1, 0, 1), (2,), (-2, 1), ())


def random_format(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Format:
    """A format for arrays of a shape and a dtype: one that has a name, or any tree."""
    if rng.random() < 0.5:
        name = str(rng.choice(names_for(len(shape))))
        index = "int64" if rng.random() < 0.7 else "int32"
        named = parse(name, len(shape), index)
        if shape_fits(named, shape):
            return named
    return random_tree(rng, shape, dtype)


def random_tree(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Format:
    """A format of levels in any order over any axes."""
    ndim = len(shape)
    order = tuple(int(axis) for axis in rng.permutation(ndim))
    if rng.random() < 0.6:
        order = tuple(range(ndim))
    square = ndim > 1 and shape[order[0]] == shape[order[1]]
    kinds: list[type[Level]] = []
    for depth in range(ndim):
        found = choices(kinds, depth, ndim, square)
        kinds.append(found[rng.integers(len(found))])
    exact = (
        bool(kinds)
        and kinds[-1].stores_nonfill_only
        and all(kind.writing.drops_fill for kind in kinds)
    )
    patterned = exact and np.dtype(dtype) == bool and rng.random() < 0.5
    root: Level = Pattern() if patterned else Element()
    for kind in reversed(kinds):
        root = kind(root, *_details(rng, kind, [shape[axis] for axis in order[:2]]))
    check_tree(Format(root, order).levels)
    return Format(root, order, "int64" if rng.random() < 0.7 else "int32")


def shape_fits(format: Format, shape: tuple[int, ...]) -> bool:
    """Whether the levels take arrays of a shape: some demand squares, or tiles that divide it."""
    if format.ndim != len(shape):  # an axis more or less where lengths are others: `np.squeeze`
        return False
    try:
        check_tree(format.levels)
    except FormatError:
        return False
    first = [shape[axis] for axis in format.order[:2]]
    if any(level.square for level in format.levels) and first[0] != first[1]:
        return False
    tiles = [level for level in format.levels if isinstance(level, Tiles)]
    return all(
        size is None or length % size == 0
        for level in tiles
        for length, size in zip(first, (level.height, level.width), strict=True)
    )


def choices(kinds: list[type[Level]], depth: int, ndim: int, square: bool) -> list[type[Level]]:
    """The levels that may stand below some others."""
    if kinds and kinds[-1] in (Coordinate, Singleton):
        return [Singleton]
    last = depth == ndim - 1
    every: tuple[type[Level], ...] = ANYWHERE + DEMANDING + FURTHER
    found = [kind for kind in every if last or not kind.leafy]
    if depth == 1 and kinds[0] is Dense:
        related = [kind for kind in RELATED if last or not kind.leafy]
        found += 3 * [kind for kind in related if square or not kind.square]
    partial = bool(_PARTIAL & {*kinds})
    whole = any(not kind.writing.drops_fill for kind in kinds)
    apart = any(not kind.ordered for kind in kinds)
    found = [kind for kind in found if kind.writing.drops_fill or not partial]
    found = [kind for kind in found if not (apart and kind.writing.appends)]
    return [kind for kind in found if not (whole and kind in _PARTIAL)]


def _details(rng: np.random.Generator, kind: type[Level], dims: list[int]) -> tuple[Any, ...]:
    if kind is Triangular:
        return str(rng.choice(["upper", "lower"])), int(rng.integers(-2, 3))
    if kind is Diagonals:
        return (OFFSETS[rng.integers(len(OFFSETS))],)
    if kind is Tiles:
        height, width = (2 if dim % 2 == 0 else 1 for dim in dims)
        return ((None, None), (height, width), (1, width))[rng.integers(3)]
    return ()
