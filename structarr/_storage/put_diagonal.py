"""Matrices of diagonals with other values on the main one, which they store."""

from __future__ import annotations

from structarr._storage.tensor import Tensor
from structarr._storage.views import stored_diagonal
from structarr._support.buffer_pool import copied
from structarr.formats.entries import Array


def put_on_diagonal(tensor: Tensor, places: Array, values: Array) -> Tensor:
    """
    Return a matrix with other values at places of its main diagonal; the last of a place counts.

    Parameters
    ----------
    tensor : Tensor
        A matrix that stores the diagonal, as `views.stores_diagonal` tells.
    places : array
        Indices of both axes.
    values : array
        A value for each place, of the tensor's dtype.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr.formats import Dense, Diagonals, Element, Format
    >>> fmt = Format(Dense(Diagonals(Element(), (0, 1))), (0, 1))
    >>> a = Tensor.checked(fmt, (2, 2), 0.0, ([0, 1], [1.0, 3.0, 0.0, 2.0]))
    >>> put_on_diagonal(a, np.array([1, 1]), np.array([7.0, 8.0])).buffers[1].tolist()
    [1.0, 8.0, 0.0, 2.0]
    """
    *own, before = tensor.buffers
    made = Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, (*own, copied(before)))
    stored_diagonal(made, 0).buffers[0][places] = values
    return made
