"""Categories as columns of truth values."""

from __future__ import annotations

import numpy as np

from structarr._array import Array, of_tensor
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike
from structarr.formats import Dense, Format, Pattern, SparsePoint


def one_hot(codes: ArrayLike, count: int, /) -> Array:
    """
    Make a column of truth values for each of some categories.

    Parameters
    ----------
    codes : array_like
        Of shape (n,), of integers: the number of each row's category, or -1 for a row of none.
    count : int
        How many categories there are.

    Returns
    -------
    Array
        Of shape (n, count) and dtype bool, in format "point": four bytes a row; codes of int32 that
        nobody can write are not copied.

    Raises
    ------
    TypeError
        If the codes are not integers.
    ValueError
        If they have another number of axes than one, or one is less than -1 or not below `count`;
        the message names its row.

    See Also
    --------
    from_frame : All columns of a frame.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.one_hot([0, 2, -1], 3)
    >>> a.astype(int).tolist()
    [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    >>> a.nbytes
    12
    """
    places = np.asarray(codes)
    if places.dtype.kind not in "iu" and places.size:
        raise TypeError(f"one_hot takes codes of integers, not of {places.dtype}")
    if places.ndim != 1:
        raise ValueError(f"one_hot takes codes of one axis, not of shape {places.shape}")
    wrong = (places < -1) | (places >= count)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"the code of row {row} is {places[row]}: give one of 0 to {count - 1}, or -1 for none"
        )
    index = "int32" if count <= np.iinfo(np.int32).max else "int64"
    format = Format(Dense(SparsePoint(Pattern())), (0, 1), index)
    idx = np.ascontiguousarray(places, index)
    if idx is places and idx.flags.writeable:
        idx = idx.copy()
    return of_tensor(Tensor.checked(format, (len(idx), count), False, (idx,)))
