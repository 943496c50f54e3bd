"""How many elements the chunks of Dask arrays store, of those that we have cut ourselves."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any, Final

import numpy as np

from structarr._array import Array
from structarr._dask.unknown_sizes import length_or_guess
from structarr._support.array_types import NumPyArray

MOST: Final = 1024  # Dask arrays whose counts are remembered
GUESSED: Final = 0.01  # the share of elements that is stored where nothing is known

_KNOWN: Final[OrderedDict[str, NumPyArray]] = OrderedDict()


def count(x: Any, /) -> NumPyArray:
    """
    Return how many elements each chunk stores.

    Parameters
    ----------
    x : dask.array.Array
        It is computed, chunk by chunk, unless it was cut by `from_array` or counted before.

    Returns
    -------
    numpy.ndarray of int64
        As many elements along each axis as there are chunks. Those of chunks of NumPy count all.

    See Also
    --------
    rebalance : Cuts anew by the counts.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> sa.dask.count(sa.dask.from_array(sa.asarray(np.eye(6), format="csr"), nbytes=100)).tolist()
    [[3], [3]]
    """
    if x.name not in _KNOWN:
        ones = tuple([(1,) * blocks for blocks in x.numblocks])
        counted = x.map_blocks(_count, chunks=ones, dtype=np.int64, meta=np.zeros(0, np.int64))
        remember(x, counted.compute())
    return _KNOWN[x.name].copy()


def remember(x: Any, counts: Iterable[int] | NumPyArray) -> None:
    """Note the counts of a Dask array's chunks."""
    made = counts if isinstance(counts, np.ndarray) else np.array(list(counts), np.int64)
    _KNOWN[x.name] = made.reshape(x.numblocks)
    if len(_KNOWN) > MOST:
        _KNOWN.popitem(last=False)


def stored_bytes(x: Any) -> float:
    """The bytes that an array takes, as far as it is known: nothing is computed."""
    value = x.dtype.itemsize
    if not isinstance(x._meta, Array):
        return float(prod(map(length_or_guess, x.shape)) * value)
    known: Mapping[str, NumPyArray] = _KNOWN
    if x.name in known:
        stored = float(known[x.name].sum())
    else:
        stored = GUESSED * prod(map(length_or_guess, x.shape))
    return float(stored * (value + np.dtype(np.int64).itemsize))


def _count(block: Any) -> NumPyArray:
    stored = block.nstored if isinstance(block, Array) else block.size
    return np.full((1,) * block.ndim, stored, np.int64)
