"""Matrices of diagonals with other values on the main one, which they store."""

from __future__ import annotations

import numpy as np

from structarr._storage.change import Patch
from structarr._storage.tensor import Tensor
from structarr.formats import Diagonals
from structarr.formats.entries import Array


def put_on_diagonal(tensor: Tensor, places: Array, values: Array) -> Patch:
    """
    Return the change of a matrix that gets other values at places of its main diagonal.

    Parameters
    ----------
    tensor : Tensor
        A matrix that stores the diagonal, as `views.stores_diagonal` tells.
    places : array
        Indices of both axes; of one that is there more than once the last counts.
    values : array
        A value for each place, of the tensor's dtype, or one for all.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr.formats import Dense, Diagonals, Element, Format
    >>> fmt = Format(Dense(Diagonals(Element(), (0, 1))), (0, 1))
    >>> a = Tensor.checked(fmt, (2, 2), 0.0, ([0, 1], [1.0, 3.0, 0.0, 2.0]))
    >>> put_on_diagonal(a, np.array([1, 1]), np.array([7.0, 8.0])).made().buffers[1].tolist()
    [1.0, 8.0, 0.0, 2.0]
    """
    level, (rows, columns) = tensor.format.levels[1], tensor.dims
    assert isinstance(level, Diagonals)
    # Which holds no tensor: the old one has to be gone where its values are written.
    return Patch(
        tensor,
        _stretch(places),
        values,
        lambda stored: level.one_along(0, rows, columns, stored).values,
    )


def _stretch(places: Array) -> Array | slice:
    """Places as a slice, if each is one after the last: NumPy writes to that ten times sooner."""
    first, count = places[:1], len(places)
    if count and places[-1] - first == count - 1 and (places == first + np.arange(count)).all():
        return slice(int(places[0]), int(places[0]) + count)
    return places
