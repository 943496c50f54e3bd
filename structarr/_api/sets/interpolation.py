"""A function that is known at some points, of each element. The format stays."""

from __future__ import annotations

import numpy as np

from structarr._api.core.entry_lists import dense_to_read, mapped
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._support.array_types import ArrayLike


@publish(np.interp)
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: complex | None = None,
    right: complex | None = None,
    period: float | None = None,
) -> Array:
    """
    Interpolate linearly a function that is known at some points.

    Parameters
    ----------
    $own:x
    xp : array_like
        A vector of the points, in ascending order unless there is a period.
    fp : array_like
        The values there.
    left, right : scalar, optional
        The values before the first point and after the last; None for those at the points.
    period : float, optional
        After how much the function repeats itself.

    Returns
    -------
    Array
        Of float64 or complex128, in the format of `x`, computed at the call: a binary search for
        each stored value, without dense copies. The fill is the function of the fill.

    Raises
    ------
    ValueError
        If there are no points, or not as many values, or the period is 0.
    TypeError
        If `x` or the points are complex.

    See Also
    --------
    searchsorted : Indices into a sorted vector.
    digitize : Numbers of bins.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.interp([0.5, 3.0], [0.0, 1.0], [0.0, 10.0]).tolist()
    [5.0, 10.0]
    >>> sa.interp(sa.asarray([0, 0, 4, 0], format="list"), [0, 4], [1, 3]).fill_value.item()
    1.0
    """
    # Read before `x`: errors of the points are told though nothing is stored.
    points, values = (dense_to_read(stored(as_array(known))) for known in (xp, fp))

    def function(elements: NumPyArray) -> NumPyArray:
        return np.asarray(np.interp(elements, points, values, left, right, period))

    return of_tensor(mapped(stored(as_array(x)), function))
