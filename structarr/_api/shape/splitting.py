"""Arrays cut into parts along an axis."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.shape.manipulation import axis_in, squeeze
from structarr._api.shape.shifting import part
from structarr._array import Array

Sections = int | Sequence[int]


@publish(np.array_split)
def array_split(ary: Any, indices_or_sections: Sections, axis: int = 0) -> list[Array]:
    """
    Cut an array into parts along an axis; the first of them may be longer by one.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        How many parts, or the places to cut at.
    axis : int, optional
        Along which axis.

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
        cuts = [operator.index(cut) for cut in indices_or_sections]  # type: ignore[union-attr]
        ends = [slice(*pair).indices(length)[:2] for pair in pairwise([0, *cuts, None])]
        return [part(array, place, start, max(start, stop)) for start, stop in ends]
    count = operator.index(indices_or_sections)  # type: ignore[arg-type]
    if count <= 0:
        raise ValueError("number sections must be larger than 0.")
    each, extra = divmod(length, count)
    sizes = [each + (number < extra) for number in range(count)]
    places = [0, *np.cumsum(sizes).tolist()]
    return [part(array, place, start, stop) for start, stop in pairwise(places)]


@publish(np.split)
def split(ary: Any, indices_or_sections: Sections, axis: int = 0) -> list[Array]:
    """
    Cut an array along an axis into equal parts, or at places; see `array_split`.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]
    """
    array = as_array(ary)
    length = array.shape[axis_in(axis, array.ndim)]
    if not np.ndim(indices_or_sections):
        count = operator.index(indices_or_sections)  # type: ignore[arg-type]
        if count and length % count:
            raise ValueError("array split does not result in an equal division")
    return array_split(array, indices_or_sections, axis)


@publish(np.vsplit)
def vsplit(ary: Any, indices_or_sections: Sections) -> list[Array]:
    """
    Cut an array by rows; see `split`.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.vsplit([[1], [2]], 2)]
    [[[1]], [[2]]]
    """
    return split(_with_axes(ary, 2, "vsplit"), indices_or_sections, 0)


@publish(np.hsplit)
def hsplit(ary: Any, indices_or_sections: Sections) -> list[Array]:
    """
    Cut an array by columns, a vector along its axis; see `split`.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.hsplit([[1, 2]], 2)]
    [[[1]], [[2]]]
    """
    array = _with_axes(ary, 1, "hsplit")
    return split(array, indices_or_sections, min(1, array.ndim - 1))


@publish(np.dsplit)
def dsplit(ary: Any, indices_or_sections: Sections) -> list[Array]:
    """
    Cut an array along its third axis; see `split`.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.shape for part in sa.dsplit(sa.zeros((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
    return split(_with_axes(ary, 3, "dsplit"), indices_or_sections, 2)


def _with_axes(ary: Any, ndim: int, name: str) -> Array:
    array = as_array(ary)
    if array.ndim < ndim:
        raise ValueError(f"{name} only works on arrays of {ndim} or more dimensions")
    return array


@publish(np.unstack)
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """
    Return the parts of length one along an axis, without that axis.

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
