"""Every legal tree of levels, and data that fits it: told from NumPy alone, level by level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

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
)
from structarr.formats.fit import check_tree

Draw = Callable[..., Any]
Array = np.ndarray

ANYWHERE = (Dense, SparseList, SparseBand, RunList, Bitmap, Hash, SparseVBL, Ragged)
DEMANDING = (Constant, SparsePoint, Coordinate, SparseInterval, SparseRunList, PackBits)
RELATED = (Triangular, Diagonals, Symmetric, Hermitian, Tiles)
PARTIAL = {SparsePoint, Diagonals}  # never beside levels that store every element
OFFSETS = ((0,), (-1, 0, 1), (2,), (-2, 1), ())


@st.composite
def formats_for(draw: Draw, shape: tuple[int, ...], dtype: Any = "float64") -> Format:
    """A legal format for arrays of a shape and a dtype: levels in any order over any axes."""
    ndim = len(shape)
    order = tuple(draw(st.permutations(range(ndim))))
    square = ndim > 1 and shape[order[0]] == shape[order[1]]
    kinds: list[type[Level]] = []
    for depth in range(ndim):
        kinds.append(draw(st.sampled_from(_choices(kinds, depth, ndim, square))))
    exact = bool(kinds) and kinds[-1].exact and all(kind.drops_fill for kind in kinds)
    patterned = exact and np.dtype(dtype) == bool and draw(st.booleans())
    root: Level = Pattern() if patterned else Element()
    for kind in reversed(kinds):
        root = kind(root, *draw(_details(kind, [shape[axis] for axis in order[:2]])))
    check_tree(Format(root, order).levels)
    return Format(root, order, draw(st.sampled_from(["int64", "int32"])))


def _choices(kinds: list[type[Level]], depth: int, ndim: int, square: bool) -> list[type[Level]]:
    """The levels that may stand below some others."""
    if kinds and kinds[-1] in (Coordinate, Singleton):
        return [Singleton]
    last = depth == ndim - 1
    found = [kind for kind in ANYWHERE + DEMANDING if last or not kind.leafy]
    if depth == 1 and kinds[0] is Dense:
        related = [kind for kind in RELATED if last or not kind.leafy]
        found += 3 * [kind for kind in related if square or not kind.square]
    partial, whole = PARTIAL & {*kinds}, any(not kind.drops_fill for kind in kinds)
    found = [kind for kind in found if kind.drops_fill or not partial]
    return [kind for kind in found if not (whole and kind in PARTIAL)]


def _details(kind: type[Level], dims: list[int]) -> st.SearchStrategy[tuple[Any, ...]]:
    if kind is Triangular:
        return st.tuples(st.sampled_from(["upper", "lower"]), st.integers(-2, 2))
    if kind is Diagonals:
        return st.tuples(st.sampled_from([None, *OFFSETS]))
    if kind is Tiles:
        height, width = (2 if dim % 2 == 0 else 1 for dim in dims)
        return st.sampled_from([(None, None), (height, width), (1, width)])
    return st.just(())


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
            return j - i >= k
        case Triangular(_, _, k):
            return j - i <= k
        case Diagonals(_, None):
            return np.ones((1, 1), bool)
        case Diagonals(_, offsets):
            return np.isin(j - i, offsets)
        case Symmetric() | Hermitian():
            return _equal(data, _reflect(level, data.swapaxes(0, 1)))
    return np.ones((), bool)


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


def is_refused(build: Callable[[], object]) -> bool:
    """Whether storing something is refused because it does not fit."""
    try:
        build()
    except FormatError as error:
        assert "cannot be stored as" in str(error) or "holds bool arrays" in str(error), error
        return True
    return False
