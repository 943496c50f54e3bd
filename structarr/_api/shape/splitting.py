"""Arrays cut into parts along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from structarr._api.core.operands import as_array, whole_number
from structarr._api.core.publish import member, publish
from structarr._api.shape.manipulation import axis_in, squeeze
from structarr._api.shape.shifting import part
from structarr._array import Array
from structarr._support.array_types import ArrayLike

Sections = int | Sequence[int]


@publish(np.array_split)
def array_split(ary: ArrayLike, indices_or_sections: Sections, axis: int = 0) -> list[Array]:
    """
    Split an array into parts along an axis, of which the first may be longer by one.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        Number of parts, or the indices at which to split.
    axis : int, optional
        Axis to work along.

    Returns
    -------
    $parts

    Raises
    ------
    ValueError
        If the number of parts is not above zero.
    $axis_error

    See Also
    --------
    split : Into equal parts.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.array_split([1, 2, 3], 2)]
    [[1, 2], [3]]
    """
    array = as_array(ary)
    place = axis_in(axis, array.ndim)
    length = array.shape[place]
    if np.ndim(indices_or_sections):
        cuts = [whole_number(cut) for cut in indices_or_sections]  # type: ignore[union-attr]
        ends = [slice(*pair).indices(length)[:2] for pair in pairwise([0, *cuts, None])]
        return [part(array, place, start, max(start, stop)) for start, stop in ends]
    count = whole_number(indices_or_sections)
    if count <= 0:
        raise ValueError("number sections must be larger than 0.")
    each, extra = divmod(length, count)
    sizes = [each + (number < extra) for number in range(count)]
    places = [0, *np.cumsum(sizes).tolist()]
    return [part(array, place, start, stop) for start, stop in pairwise(places)]


@publish(np.split)
def split(ary: ArrayLike, indices_or_sections: Sections, axis: int = 0) -> list[Array]:
    """
    Split an array along an axis into parts of equal length, or at given indices.

    Parameters
    ----------
    ary : array_like
        The array.
    $sections
    axis : int, optional
        Axis to work along.

    Returns
    -------
    $parts

    Raises
    ------
    ValueError
        If the parts would not be of equal length.
    $axis_error

    See Also
    --------
    array_split : Into parts that may differ in length.
    concat : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]
    """
    array = as_array(ary)
    length = array.shape[axis_in(axis, array.ndim)]
    if not np.ndim(indices_or_sections):
        count = whole_number(indices_or_sections)
        if count and length % count:
            raise ValueError("array split does not result in an equal division")
    return array_split(array, indices_or_sections, axis)


# The number of axes that each function needs, and the axis that it cuts.
_CUTS: Final = {np.hsplit: (1, 1), np.vsplit: (2, 0), np.dsplit: (3, 2)}


def _along(twin: Any, ary: ArrayLike, indices_or_sections: Sections) -> list[Array]:
    """
    Parts along one axis.

    Parameters
    ----------
    ary : array_like
        The array.
    $sections

    Returns
    -------
    $parts

    Raises
    ------
    $parts_error

    See Also
    --------
    split : Along any axis.
    hsplit : By columns.
    vsplit : By rows.
    dsplit : Along the third axis.
    """
    array, (ndim, axis) = as_array(ary), _CUTS[twin]
    if array.ndim < ndim:
        raise ValueError(f"{twin.__name__} only works on arrays of {ndim} or more dimensions")
    return split(array, indices_or_sections, min(axis, array.ndim - 1))


hsplit = member(
    _along,
    np.hsplit,
    "Split an array by columns, a vector along its axis; see `split`.",
    "[part.tolist() for part in sa.hsplit([[1, 2]], 2)]",
    "[[[1]], [[2]]]",
)
vsplit = member(
    _along,
    np.vsplit,
    "Split an array by rows; see `split`.",
    "[part.tolist() for part in sa.vsplit([[1], [2]], 2)]",
    "[[[1]], [[2]]]",
)
dsplit = member(
    _along,
    np.dsplit,
    "Split an array along its third axis; see `split`.",
    "[part.shape for part in sa.dsplit(sa.zeros((1, 2, 4)), 2)]",
    "[(1, 2, 2), (1, 2, 2)]",
)


@publish(np.unstack)
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """
    Return the parts of length one along an axis, without that axis.

    Parameters
    ----------
    x : array_like
        Array with at least one axis.
    axis : int, optional
        Which axis.

    Returns
    -------
    tuple of Array
        Lazy views of the array, in order: nothing is copied.

    Raises
    ------
    ValueError
        If the array has no axis.
    $axis_error

    See Also
    --------
    stack : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> [row.tolist() for row in sa.unstack([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    array = as_array(x)
    if not array.ndim:
        raise ValueError("Input array must be at least 1-d.")
    place = axis_in(axis, array.ndim)
    return tuple(
        squeeze(part(array, place, number, number + 1), axis=place)
        for number in range(array.shape[place])
    )
