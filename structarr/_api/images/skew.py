"""The skew of scanned pages: finding and undoing it, by shifting bands of columns."""

from __future__ import annotations

from math import radians, tan
from typing import Any, Final

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import truth
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike

BANDS: Final = 64
"""The bands of columns in which the elements of rows are counted."""


def skew_angle(image: ArrayLike, /, limit: float = 5.0, step: float = 0.05) -> float:
    """
    Find the angle by which the lines of a page fall to the right.

    Parameters
    ----------
    image : array_like
        A page, of two axes; what is not 0 is ink.
    limit : float
        The largest angle that is tried, in degrees, to either side.
    step : float
        The distance of the angles that are tried, in degrees.

    Returns
    -------
    float
        The angle in degrees for which the numbers of ink in rows differ most from row to row; the
        least of equal ones.

    Raises
    ------
    ValueError
        If the image has other than two axes, or the limit or step is not above 0.

    See Also
    --------
    deskew : Undoes it.

    Notes
    -----
    Ink is counted by runs, once, in 64 bands of columns; for each angle these are shifted and added
    up.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> page = np.zeros((60, 200), bool)
    >>> page[20 + np.arange(200) // 25, np.arange(200)] = True
    >>> 1.5 < ndimage.skew_angle(page) < 2.5
    True
    """
    page = _page(image)
    if not (limit > 0 and step > 0):
        raise ValueError(f"limit and step are above 0, not {limit} and {step}")
    counts = np.zeros((page.shape[0], BANDS), np.int64)
    width = -(-page.shape[1] // BANDS) or 1
    _count(page, counts, width)
    middles = np.arange(BANDS) * width + width / 2 - page.shape[1] / 2
    angles = np.arange(-round(limit / step), round(limit / step) + 1) * step
    scores = [_contrast(counts, np.rint(middles * tan(radians(one)))) for one in angles]
    best = np.flatnonzero(np.array(scores) == max(scores))
    return round(float(angles[best[np.argmin(abs(angles[best]))]]), 6)


def _contrast(counts: Any, shifts: Any) -> int:
    """How much the rows of shifted bands differ from each other."""
    most = int(max(abs(shifts), default=0))
    total = np.zeros(len(counts) + 2 * most, np.int64)
    for band, shift in enumerate(shifts.astype(int)):
        total[most - shift : most - shift + len(counts)] += counts[:, band]
    return int((np.diff(total) ** 2).sum())


def deskew(image: ArrayLike, /, angle: float | None = None) -> Array:
    """
    Turn a page so that its lines are level, by moving columns up or down, then rows sideways.

    Parameters
    ----------
    image : array_like
        A page, of two axes; what is not 0 is ink.
    angle : float, optional
        The angle by which its lines fall to the right, in degrees; by default that of `skew_angle`.

    Returns
    -------
    Array
        Bool, of the same shape, in format "sparse-rle", computed at the call. What is moved out of
        the page is lost.

    Raises
    ------
    ValueError
        If the image has other than two axes, or the angle is 45 degrees or more.

    See Also
    --------
    skew_angle : Finds the angle.

    Notes
    -----
    For angles of some degrees two shears are a rotation. Columns of equal shifts are moved
    together, so that it takes time for each run, and for each row and shift.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> page = np.zeros((5, 60), bool)
    >>> page[2 + np.arange(60) // 30, np.arange(60)] = True
    >>> ndimage.deskew(page, 1.0).sum(axis=1).todense()
    array([ 0,  0, 29, 31,  0])
    """
    page = _page(image)
    turned = skew_angle(page) if angle is None else float(angle)
    if not abs(turned) < 45:
        raise ValueError(f"an angle is below 45 degrees, not {angle}")
    slope = tan(radians(turned))
    rows, columns = (np.arange(n) - n // 2 for n in page.shape)
    level = _columns_moved(page, np.rint(columns * slope).astype(np.int64))
    found: Array = _rows_moved(level, np.rint(rows * slope).astype(np.int64))
    return found


def _page(image: ArrayLike) -> Array:
    page = truth(image)
    if page.ndim != 2:
        raise ValueError(f"a page has two axes, not {page.ndim}")
    return page


def _columns_moved(page: Array, shifts: Any) -> Array:
    """A page whose column x is moved up by `shifts[x]` rows."""
    if not len(shifts):
        return page
    starts = np.concatenate(([0], np.flatnonzero(np.diff(shifts)) + 1)).astype(np.int64)
    ends = np.append(starts[1:], len(shifts))
    found: Array = _joined(_cut(page, starts, ends), starts, shifts[starts])
    return found


@kernel
def _count(page: Any, counts: Any, width: int) -> None:
    """Count the elements of each row in bands of columns."""
    for y in range(page.shape[0]):
        for start, stop, _value in runs(page[y]):
            at = start
            while at < stop:
                band = at // width
                end = min(stop, (band + 1) * width)
                counts[y, band] += end - at
                at = end


@kernel
def _cut(page: Any, starts: Any, ends: Any) -> Any:
    """The part of each row in each band of columns, in its place."""
    bands = len(starts)
    found = zeros((page.shape[0], bands, page.shape[1]), dtype=np.bool_)
    for y in range(page.shape[0]):
        band = 0
        for start, stop, _value in runs(page[y]):
            at = start
            while at < stop:
                while ends[band] <= at:
                    band += 1
                end = min(stop, ends[band])
                found[y, band, at:end] = True
                at = end
    return found


@kernel
def _joined(parts: Any, starts: Any, shifts: Any) -> Any:
    """Rows of the parts that are moved into them."""
    height = parts.shape[0]
    found = zeros((height, parts.shape[2]), dtype=np.bool_)
    for y in range(height):
        for band in range(parts.shape[1]):
            origin = y + shifts[band]
            if origin >= 0 and origin < height:
                for start, stop, _value in runs(parts[origin, band]):
                    found[y, start:stop] = True
    return found


@kernel
def _rows_moved(page: Any, shifts: Any) -> Any:
    """A page whose row y is moved to the right by `shifts[y]` columns."""
    width = page.shape[1]
    found = zeros(page.shape, dtype=np.bool_)
    for y in range(page.shape[0]):
        for start, stop, _value in runs(page[y]):
            found[y, max(start + shifts[y], 0) : min(stop + shifts[y], width)] = True
    return found
