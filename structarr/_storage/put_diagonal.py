"""Matrices of diagonals with other values on one of them, which they store."""

from __future__ import annotations

from structarr._compiler.backend.call import call
from structarr._storage.change import Patch
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array


def put_on_diagonal(
    tensor: Tensor, offset: int, places: slice, rows: Array, values: Array
) -> Patch:
    """
    Return the change of a matrix that gets other values on one of its diagonals.

    Parameters
    ----------
    tensor : Tensor
        A matrix that stores the diagonal.
    offset : int
        The diagonal.
    places : slice
        Where its values are, as `views.diagonal_places` tells.
    rows : array
        Where on it; of a row that is there more than once the last value counts.
    values : array
        A value for each place, of the tensor's dtype, or one for all.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr.formats import Dense, Diagonals, Element, Format
    >>> fmt = Format(Dense(Diagonals(Element(), (0, 1))), (0, 1))
    >>> a = Tensor.checked(fmt, (2, 2), 0.0, ([0, 1], [1.0, 3.0, 0.0, 2.0]))
    >>> change = put_on_diagonal(a, 0, slice(0, 2), np.array([1, 1]), np.array([7.0, 8.0]))
    >>> change.made().buffers[1].tolist()
    [1.0, 8.0, 0.0, 2.0]
    """
    return Patch(tensor, _moved(rows, places.start - max(-offset, 0)), values)


def _moved(rows: Array, by: int) -> Array | slice:
    """Places so many further on; a slice if each is one after the last.

    NumPy writes to that ten times sooner.
    """
    count = rows.size
    first = int(rows[0]) if count else 0
    if not count or int(rows[-1]) - first != count - 1 or call("count_breaks", (rows,), (), count):
        return rows + by if by else rows
    return slice(first + by, first + by + count)
