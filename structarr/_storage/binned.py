"""Stored elements counted by the cells of a grid over the last two axes, from their indices."""

from __future__ import annotations

from math import prod
from typing import Final, NamedTuple

import numpy as np

from structarr._storage.pieces import Finder, Pieces
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

_CHUNK: Final = 1 << 18  # pieces looked at together
_WIDE: Final = 1 << 12  # of them, those that stand in several cells


class Binned(NamedTuple):
    """
    The counts of a tensor's entries, by cells.

    Attributes
    ----------
    share : array
        The share of the elements of each cell that is stored, of shape (rows, columns).
    row_edges, column_edges : array
        The first index of each cell, and the extent.
    sampled : bool
        Whether the shares are estimated from some of what is stored.
    """

    share: Array
    row_edges: Array
    column_edges: Array
    sampled: bool


def binned(
    tensor: Tensor, rows: int, columns: int, most: int | None = None, chosen: bool = False
) -> Binned | None:
    """
    Return the shares of stored elements in at most so many rows and columns of cells.

    Of more than two axes, cells span all outer ones; a tensor of one axis has one row.

    Parameters
    ----------
    tensor : Tensor
        It is never made dense: a run takes as long as an element.
    rows, columns : int
        The greatest numbers of cells.
    most : int, optional
        How many stored values are looked at, at even distances; None looks at all.
    chosen : bool
        Whether values equal to the fill are left out, too.

    Returns
    -------
    Binned or None
        None where the format does not tell where its values are.

    Examples
    --------
    >>> from structarr import formats
    >>> rle = formats.parse("sparse-rle", ndim=1)
    >>> binned(Tensor.checked(rle, (8,), 0, ([0, 1], [2], [5], [7])), 1, 4).share
    array([[0. , 1. , 0.5, 0. ]])
    """
    finder = Finder(tensor)
    if not finder.knows:
        return None
    shape = (1, *tensor.shape)[-2:]
    edges = tuple(
        np.arange(min(dim, bins) + 1) * dim // max(min(dim, bins), 1)
        for dim, bins in zip(shape, (rows, columns), strict=True)
    )
    counts = np.zeros((len(edges[0]) - 1, len(edges[1]) - 1))
    sampled = most is not None and finder.count > most
    for pieces in [finder.spread(most)] if most is not None else finder.each(_CHUNK):
        kept = pieces.where(pieces.values != tensor.fill) if chosen else pieces
        _add(counts, kept, edges)
    if sampled and most is not None:
        counts *= finder.count / most
    sizes = np.outer(np.diff(edges[0]), np.diff(edges[1])) * float(prod(tensor.shape[:-2]))
    share = np.minimum(counts / np.maximum(sizes, 1), 1)
    return Binned(share, edges[0], edges[1], sampled)


def _add(counts: Array, pieces: Pieces, edges: tuple[Array, ...]) -> None:
    start, stop = [*pieces.start], [*pieces.stop]
    if len(start) == 1:
        start.insert(0, start[0] * 0)
        stop.insert(0, stop[0] * 0 + 1)
    first, last = (
        [np.searchsorted(edge, at, "right") - 1 for edge, at in zip(edges, places, strict=True)]
        for places in (start[-2:], [one - 1 for one in stop[-2:]])
    )
    sizes = [(high - low).astype(float) for low, high in zip(start, stop, strict=True)]
    outer = np.prod(sizes[:-2], axis=0) if sizes[:-2] else np.ones(len(pieces.values))
    narrow = (first[0] == last[0]) & (first[1] == last[1])
    cell = first[0] * counts.shape[1] + first[1]
    volume = outer * sizes[-2] * sizes[-1]
    counts += np.bincount(cell[narrow], volume[narrow], counts.size).reshape(counts.shape)
    wide = np.flatnonzero(~narrow)
    for at in np.split(wide, range(_WIDE, len(wide), _WIDE)):
        rows, columns = (
            _overlaps(start[axis][at], stop[axis][at], edge)
            for axis, edge in zip((-2, -1), edges, strict=True)
        )
        counts += (rows * outer[at, None]).T @ columns


def _overlaps(start: Array, stop: Array, edges: Array) -> Array:
    """The number of indices of each piece in each interval."""
    shared = np.minimum(stop[:, None], edges[1:]) - np.maximum(start[:, None], edges[:-1])
    positive: Array = np.maximum(shared, 0).astype(float)
    return positive
