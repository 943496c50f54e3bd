"""Arrays of rows of unlike lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.core.operands import numpy_of
from structarr._array import Array, of_tensor
from structarr._storage.ragged_rows import from_offsets
from structarr._support.array_types import ArrayLike, Number


def from_ragged(
    values: ArrayLike,
    offsets: Any,
    /,
    shape: Sequence[int] | None = None,
    *,
    fill_value: Number = 0,
) -> Array:
    """
    Make an array of the values of all rows, one after the other, and of where each row begins.

    Row `i` is ``values[offsets[i]:offsets[i + 1]]``: so Arrow, Awkward Array and most files keep
    lists. Nothing is copied but offsets that somebody else could write to.

    Parameters
    ----------
    values : array_like
        A vector of the elements of all rows.
    offsets : array_like of int, or list of such
        One more than there are rows. For lists of lists, the offsets of each depth, the outermost
        first.
    shape : sequence of int, optional
        Of the array; None stands for axes as long as the longest row.
    fill_value : scalar, optional
        What stands beyond a row's end.

    Returns
    -------
    Array
        In format "ragged", with an axis more than there are offsets; the time is that of checking
        the offsets.

    Raises
    ------
    FormatError
        If offsets decrease, end beyond the values, or make a row that is longer than its axis.
    TypeError
        If the dtype of the values cannot be stored.

    See Also
    --------
    asarray : Of nested lists of unlike lengths.
    stored : Where rows have elements, for reductions that leave the rest out.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.from_ragged([3.0, 1.0, 5.0], [0, 2, 2, 3])
    >>> a.tolist()
    [[3.0, 1.0], [0.0, 0.0], [5.0, 0.0]]
    >>> a.max(axis=1, where=sa.stored(a), initial=-sa.inf).tolist()
    [3.0, -inf, 5.0]
    """
    several = isinstance(offsets, (list, tuple)) and bool(offsets) and np.ndim(offsets[0]) > 0
    each = [numpy_of(one) for one in offsets] if several else [numpy_of(offsets)]
    lengths: Sequence[int | None] = () if shape is None else tuple(shape)[1:]
    tensor = from_offsets(numpy_of(values), each, lengths, fill_value)
    if shape is not None and tuple(shape) != tensor.shape:
        raise ValueError(f"shape {tuple(shape)} does not fit the offsets, of {tensor.shape}")
    return of_tensor(tensor)
