"""Matrices of diagonals with other values on one of them, which they store."""

from __future__ import annotations

from structarr._compiler.backend.call import call
from structarr._storage.change import Patch
from structarr._storage.tensor import Tensor
from structarr.formats import Diagonals
from structarr.formats.entries import Array


def put_on_diagonal(tensor: Tensor, offset: int, rows: Array, values: Array) -> Patch:
    """
    Return the change of a matrix that gets other values on one of its diagonals.

    Parameters
    ----------
    tensor : Tensor
        A matrix that stores the diagonal, as `views.stores_diagonal` tells.
    offset : int
        The diagonal.
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
    >>> put_on_diagonal(a, 0, np.array([1, 1]), np.array([7.0, 8.0])).made().buffers[1].tolist()
    [1.0, 8.0, 0.0, 2.0]
    """
    level, (outer, inner), turned = tensor.format.levels[1], tensor.dims, tensor.format.order[0]
    assert isinstance(level, Diagonals)
    own, places = (-offset, rows + offset) if turned else (offset, rows)
    first = max(-own, 0)  # the row that is stored first
    # Which holds no tensor: the old one has to be gone where its values are written.
    return Patch(
        tensor,
        _stretch(places - first if first else places),
        values,
        lambda stored: level.one_along(own, outer, inner, stored).values,
    )


def _stretch(places: Array) -> Array | slice:
    """Places as a slice, if each is one after the last: NumPy writes to that ten times sooner."""
    count = places.size
    if not count:
        return places
    first = int(places[0])
    if int(places[-1]) - first != count - 1 or call("count_breaks", (places,), (), count):
        return places
    return slice(first, first + count)
