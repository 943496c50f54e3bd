"""Elements that are not zero, with their places."""

from __future__ import annotations

from structarr._api.core.dense import densified
from structarr._api.core.operands import as_array
from structarr._api.indexing.selecting import nonzero
from structarr._array import NumPyArray
from structarr._support.array_types import ArrayLike


def find(a: ArrayLike, /) -> tuple[NumPyArray, ...]:
    """
    Return where the elements are that are not zero, and the elements, as `scipy.sparse.find` does.

    Parameters
    ----------
    a : array_like
        An array of one axis or more.

    Returns
    -------
    tuple of numpy.ndarray
        The indices on each axis, in C order, and the elements: dense, computed at the call in time
        proportional to what is stored.

    Raises
    ------
    ValueError
        If there is no axis.

    See Also
    --------
    nonzero : The indices alone.
    from_coordinates : The way back.

    Examples
    --------
    >>> import structarr as sa
    >>> rows, columns, values = sa.find(sa.asarray([[0, 2], [3, 0]], format="csr"))
    >>> rows.tolist(), columns.tolist(), values.tolist()
    ([0, 1], [1, 0], [2, 3])
    """
    array = as_array(a)
    places = tuple([densified(one, "find") for one in nonzero(array)])
    return (*places, densified(array[places], "find"))
