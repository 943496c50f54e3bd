"""Properties of the regions of a map of labels, from the ends of runs alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.images.compact import relabel
from structarr._api.images.intensities import intensities
from structarr._api.images.perimeters import perimeters
from structarr._api.images.rows import as_volume, labelled, values_of
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike

ORDERS: Final = 4
"""Moments are of the orders 0 to 3 along each axis."""
OF_REGIONS: Final = ("area", "bbox", "centroid", "moments", "moments_central", "perimeter")
EXTENTS: Final = frozenset(OF_REGIONS[:3])
"""Properties that are measured in one pass, for which labels need no numbers."""
OF_IMAGES: Final = ("intensity_mean", "intensity_min", "intensity_max", "intensity_sum")

SMALL: Final = 1 << 8
"""So many labels have a table in any case."""
SHARE: Final = 8
"""Else a label of the table, of 80 bytes, takes less than the numbers of so many runs."""


def regions(
    labels: ArrayLike,
    /,
    image: ArrayLike | None = None,
    properties: str | Sequence[str] = ("area", "bbox", "centroid"),
) -> dict[str, Any]:
    """
    Measure the regions of a map of labels, as `skimage.measure.regionprops_table` does.

    Parameters
    ----------
    labels : array_like
        Integers, of one to three axes; 0 is the background.
    image : array_like, optional
        An image of the shape of `labels`, for properties of its values under each label. It may be
        dense, or have runs itself.
    properties : str or sequence of str
        Of "area", "bbox", "centroid", "moments" and "moments_central" (of two axes), "perimeter"
        (of two axes), "intensity_mean", "intensity_min", "intensity_max", "intensity_sum".

    Returns
    -------
    dict of str to numpy.ndarray
        "label" and each property, a row for each label in the order of their values: "area" is the
        number of elements; "bbox" the first index along each axis, then the one behind the last;
        "centroid" the mean index along each axis; "moments" and "moments_central" the sums of
        powers 0 to 3 of the row and the column, about the corner of the box and the centroid;
        "perimeter" the length of a line through the elements at the border.

    Raises
    ------
    ValueError
        If a property is not known, or is one of two axes or of an image that are not given.
    TypeError
        If labels are not integers.

    See Also
    --------
    label : Numbers connected components.
    contingency_table : Overlaps of two maps.

    Notes
    -----
    It takes time for each run; for intensities of a dense image, for each element with a label.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> found = ndimage.regions(np.array([[0, 3, 3], [5, 3, 0]]))
    >>> found["label"], found["area"]
    (array([3, 5]), array([3, 1]))
    >>> found["bbox"].tolist()
    [[0, 1, 2, 3], [1, 0, 2, 1]]
    """
    if isinstance(properties, str):
        properties = (properties,)
    own = labelled(labels)
    ndim = own.ndim
    _check(properties, ndim, image)
    span = _span(values_of(own)) if EXTENTS.issuperset(properties) else None
    if span is not None:
        values, totals, boxes = _measured(own, *span)
        values = values.astype(own.dtype)
    else:
        own, values = relabel(own)
        _, totals, boxes = _measured(own, 1, len(values))
    area, count = totals[:, 0], len(values)
    corner = np.hstack([boxes[:, 3 - ndim : 3], boxes[:, 6 - ndim :]])
    center = totals[:, 4 - ndim :] / area[:, None]
    found = {"label": values, "area": area, "bbox": corner, "centroid": center}
    volume = as_volume(own)
    if {"moments", "moments_central"} & set(properties):
        low = np.vstack([np.zeros((1, 2)), boxes[:, 1:3]])
        found["moments"] = _moments(volume, low)
        middle = np.vstack([np.zeros((1, 2)), center])
        found["moments_central"] = _moments(volume, middle)
    if "perimeter" in properties:
        found["perimeter"] = perimeters(own, count)
    if image is not None:
        found |= intensities(volume, as_array(image), own.shape, count)
    return {name: found[name] for name in ("label", *properties)}


def _check(properties: Sequence[str], ndim: int, image: Any) -> None:
    for name in properties:
        if name not in OF_REGIONS + OF_IMAGES:
            raise ValueError(
                f"there is no property {name!r}: there are {', '.join(OF_REGIONS + OF_IMAGES)}"
            )
        if name in OF_REGIONS[3:] and ndim != 2:
            raise ValueError(f"{name} is of images of two axes, not {ndim}")
        if name in OF_IMAGES and image is None:
            raise ValueError(f"{name} is of an image: give it as the second argument")


def _span(values: Any) -> tuple[int, int] | None:
    """The least label, and how many there are up to the largest, if these are few beside runs."""
    if values.dtype == np.bool_ or not len(values):
        return None
    least, most = int(values.min()), int(values.max())
    count = most - least + 1
    return (least, count) if count <= max(SMALL, len(values) // SHARE) and most < 1 << 63 else None


def _measured(labels: Array, least: int, count: int) -> tuple[Any, Any, Any]:
    """The labels that there are, of so many from the least one on, their totals and their boxes."""
    totals = np.zeros((count, 4), np.int64)
    boxes = np.zeros((count, 6), np.int64)
    boxes[:, :3] = np.iinfo(np.int64).max
    _measure(as_volume(labels), totals, boxes, least)
    there = np.flatnonzero(totals[:, 0])
    if len(there) == count:
        return there + least, totals, boxes
    return there + least, totals[there], boxes[there]


@kernel
def _measure(labels: Any, totals: Any, boxes: Any, least: int) -> None:
    """Add up the elements and indices of each label, and note the first and last ones."""
    for z in range(labels.shape[0]):
        for y in range(labels.shape[1]):
            for start, stop, value in runs(labels[z, y]):
                label = value - least
                n = stop - start
                totals[label, 0] += n
                totals[label, 1] += n * z
                totals[label, 2] += n * y
                totals[label, 3] += n * (start + stop - 1) // 2
                boxes[label, 0] = min(boxes[label, 0], z)
                boxes[label, 1] = min(boxes[label, 1], y)
                boxes[label, 2] = min(boxes[label, 2], start)
                boxes[label, 3] = max(boxes[label, 3], z + 1)
                boxes[label, 4] = max(boxes[label, 4], y + 1)
                boxes[label, 5] = max(boxes[label, 5], stop)


def _moments(volume: Any, origins: Any) -> Any:
    """The moments of each label about an origin of its own."""
    found = np.zeros((len(origins), ORDERS, ORDERS))
    _add_moments(volume, np.ascontiguousarray(origins, np.float64), found)
    return found[1:]


@kernel
def _add_moments(labels: Any, origins: Any, found: Any) -> None:
    """Add up powers of rows and columns, the latter by the formulas for sums of powers.

    About the middle `m` of a run of `n` elements, those of odd powers are 0, and that of squares is
    `n * (n**2 - 1) / 12`.
    """
    for z in range(labels.shape[0]):
        for y in range(labels.shape[1]):
            for start, stop, label in runs(labels[z, y]):
                n = float(stop - start)
                m = 0.5 * (start + stop - 1) - origins[label, 1]
                square = n * (n**2 - 1.0) / 12.0
                row = y - origins[label, 0]
                power = 1.0
                for k in range(4):
                    found[label, k, 0] += power * n
                    found[label, k, 1] += power * n * m
                    found[label, k, 2] += power * (n * m**2 + square)
                    found[label, k, 3] += power * m * (n * m**2 + 3.0 * square)
                    power *= row
