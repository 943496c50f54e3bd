"""The number of entries that a tensor would have as a list of coordinates."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final, NamedTuple

import numpy as np

from structarr._storage.coordinates import Buffers, coordinates, levels_above_leaf
from structarr._storage.tensor import Tensor
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, differ

_CHUNK: Final = 1 << 18
"""Values compared with the fill at a time."""


class Standing(NamedTuple):
    """For how many elements the children of a level stand: `times` that of `each`, if they differ.

    There are `children` of them.
    """

    times: int
    each: Array | None
    children: int


def nnz(tensor: Tensor) -> int:
    """
    Return the number of elements that a tensor stores, counted as SciPy counts those of COO.

    Where the innermost level leaves elements out, all stored elements count, whatever their value,
    and a run counts at each of its indices. Where it has every element, the elements that differ
    from the fill count. The number is remembered by the tensor.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", ndim=2)
    >>> nnz(Tensor.checked(csr, (2, 3), 0.0, ([0, 1, 3], [2, 0, 1], [1.0, 0.0, 3.0])))
    3
    >>> rle = formats.parse("rle", ndim=1)
    >>> nnz(Tensor.checked(rle, (9,), 0.0, ([0, 2], [4, 9], [0.0, 3.0])))
    5
    """
    if "nnz" not in tensor.memo:
        tensor.memo["nnz"] = 0 if 0 in tensor.shape else _count(tensor)
    return tensor.memo["nnz"]  # type: ignore[no-any-return]


def standing(tensor: Tensor, depth: int) -> Standing | None:
    """
    Return for how many elements each child of the level above a depth stands.

    None where a level does not tell, so that only a list of the entries does.

    Examples
    --------
    >>> from structarr import formats
    >>> rle = formats.parse("rle", ndim=1)
    >>> found = standing(Tensor.checked(rle, (9,), 0.0, ([0, 2], [4, 9], [0.0, 3.0])), 1)
    >>> found.each.tolist()
    [4, 5]
    """
    times, each, fibers = 1, None, 1
    exact = np.dtype(np.int64 if prod(tensor.shape) <= np.iinfo(np.int64).max else object)
    for level, dim, buffers in levels_above_leaf(tensor)[:depth]:
        own = level.multiplicity(fibers, dim, buffers)
        if own is None:
            return None
        count = level.stored(fibers, dim, buffers)
        if each is not None:
            each = each[_fiber_of_each(level, fibers, dim, buffers, count)]
        if isinstance(own, int):
            times *= own
        else:
            each = own.astype(exact) * (1 if each is None else each)
        fibers = count
    return Standing(times, each, fibers)


def _count(tensor: Tensor) -> int:
    if not tensor.ndim:
        return _unlike_fill(tensor, 1, tensor.values_at, None)
    levels = levels_above_leaf(tensor)
    depth = next((k for k, (level, *_) in enumerate(levels) if level.is_rule), len(levels))
    found = standing(tensor, depth)
    if found is None:
        return _listed(tensor)
    times, each, fibers = found
    if depth < len(levels):
        level, dim, _ = levels[depth]
        each = None if each is None else np.repeat(each, dim)
        return times * _unlike_fill(tensor, fibers * dim, _computed(tensor, level, dim), each)
    level, *_ = levels[-1]
    if level.kind.is_sparse:
        return times * (fibers if each is None else int(each.sum()))
    if type(level).evaluate is not Level.evaluate:
        return _listed(tensor)
    return times * _unlike_fill(tensor, fibers, tensor.values_at, each)


def _listed(tensor: Tensor) -> int:
    """The count by the list of entries, for a level that tells nothing else."""
    values = coordinates(tensor)[1]
    kept = tensor.format.levels[-2].kind.is_sparse
    return len(values) if kept else int(np.count_nonzero(differ(values, tensor.fill)))


def _fiber_of_each(level: Level, fibers: int, dim: int, buffers: Buffers, count: int) -> Array:
    """The fiber of each child."""
    position = np.arange(fibers)
    entries = level.expand(Fibers(position, position, position * 0, fibers), dim, buffers)
    found: Array = np.zeros(count, np.int64)
    found[entries.child] = entries.fiber
    return found


def _unlike_fill(
    tensor: Tensor, count: int, values_at: Callable[[Array], Array], each: Array | None
) -> int:
    """The number of elements other than the fill that some values stand for."""
    found = 0
    for start in range(0, count, _CHUNK):
        places = np.arange(start, min(start + _CHUNK, count))
        kept = differ(values_at(places), tensor.fill)
        found += int(np.count_nonzero(kept) if each is None else each[places][kept].sum())
    return found


def _computed(tensor: Tensor, level: Level, dim: int) -> Callable[[Array], Array]:
    """The elements of a rule, by their number in all of its fibers."""

    def values_at(places: Array) -> Array:
        fiber, coordinate = np.divmod(places, dim)
        fibers = Fibers(fiber, fiber, fiber * 0, dim)
        entries = Entries(np.arange(len(places)), coordinate, fiber)
        return level.evaluate(fibers, entries, tensor.values_at)

    return values_at
