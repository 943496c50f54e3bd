"""Areas, boxes and overlaps of batches of masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.masks.coded import columns_of
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import of_tensor
from structarr._support.array_types import ArrayLike


def area(masks: ArrayLike, /) -> Any:
    """
    Return how many elements each mask has inside, as `pycocotools.mask.area` does.

    Parameters
    ----------
    masks : array_like
        Of shape (masks, height, width), or of one mask (height, width).

    Returns
    -------
    numpy.ndarray
        Of shape (masks,) and dtype uint32.

    Raises
    ------
    ValueError
        If the array has another number of axes.

    See Also
    --------
    bbox : The boxes around masks.

    Notes
    -----
    It takes time proportional to the number of runs and columns. ``masks.sum(axis=(1, 2))`` is
    the same, as a lazy array.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import masks
    >>> masks.area(np.array([[[0, 1, 0], [1, 0, 0]]]))
    array([2], dtype=uint32)
    """
    return measured(masks)[0].astype(np.uint32)


def bbox(masks: ArrayLike, /) -> Any:
    """
    Return the box around each mask, as `pycocotools.mask.toBbox` does.

    Parameters
    ----------
    masks : array_like
        Of shape (masks, height, width), or of one mask (height, width).

    Returns
    -------
    numpy.ndarray
        Of shape (masks, 4) and dtype float64: the first column, the first row, the width and the
        height of the box; zeros for an empty mask.

    Raises
    ------
    ValueError
        If the array has another number of axes.

    See Also
    --------
    area : The areas of masks.

    Notes
    -----
    It takes time proportional to the number of runs and columns.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import masks
    >>> masks.bbox(np.array([[[0, 1, 0], [1, 0, 0]]]))
    array([[0., 0., 2., 2.]])
    """
    boxes = measured(masks)[1]
    corner, extent = boxes[:, :2], boxes[:, 2:] - boxes[:, :2]
    return np.hstack([corner, extent]).astype(np.float64)


def iou(dt: ArrayLike, gt: ArrayLike, /, iscrowd: ArrayLike | None = None) -> Any:
    """
    Return the intersection over union of all pairs of masks, as `pycocotools.mask.iou` does.

    Parameters
    ----------
    dt : array_like
        Masks of shape (m, height, width), such as detections.
    gt : array_like
        Masks of shape (n, height, width), such as the ground truth.
    iscrowd : array_like, optional
        Of shape (n,): where it is true, the intersection is divided by the area of the mask of
        `dt` alone.

    Returns
    -------
    numpy.ndarray
        Of shape (m, n) and dtype float64.

    Raises
    ------
    ValueError
        If heights or widths differ, or `iscrowd` is not as long as `gt`.

    See Also
    --------
    merge : Unions and intersections.

    Notes
    -----
    The runs of two masks are merged in the columns in which their boxes meet; pairs whose boxes do
    not meet take some nanoseconds.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import masks
    >>> one = np.array([[[1, 1, 0], [1, 1, 0]]])
    >>> other = np.array([[[0, 1, 1], [0, 1, 1]]])
    >>> masks.iou(one, other)
    array([[0.33333333]])
    >>> masks.iou(one, other, iscrowd=[True])
    array([[0.5]])
    """
    a, b = columns_of(dt), columns_of(gt)
    if a.shape[1:] != b.shape[1:]:
        raise ValueError(
            f"masks are compared with masks of their size: {a.shape[2]} by {a.shape[1]} and "
            f"{b.shape[2]} by {b.shape[1]} elements"
        )
    crowd = np.zeros(len(b.buffers[0]), np.bool_)[: b.shape[0]] if iscrowd is None else iscrowd
    crowd = np.ascontiguousarray(np.asarray(crowd) != 0)
    if crowd.shape != b.shape[:1]:
        raise ValueError(f"iscrowd has a value for each of the {b.shape[0]} masks of gt")
    first, second = of_tensor(a), of_tensor(b)
    found = np.zeros((a.shape[0], b.shape[0]))
    areas, boxes = _measured(first)
    others, frames = _measured(second)
    _overlaps(first, second, areas, boxes, others, frames, crowd, found)
    return found


def measured(masks: ArrayLike) -> tuple[Any, Any]:
    """The area of each mask, and the corners of its box, as integers."""
    return _measured(of_tensor(columns_of(masks)))


def _measured(columns: Any) -> tuple[Any, Any]:
    count = columns.shape[0]
    areas, boxes = np.zeros(count, np.int64), np.zeros((count, 4), np.int64)
    _measure(columns, areas, boxes)
    return areas, boxes


@kernel
def _measure(columns: Any, areas: Any, boxes: Any) -> None:
    """Add up the lengths of runs, and note the ends of what they reach."""
    for mask in range(columns.shape[0]):
        area = 0
        left = columns.shape[1]
        right = 0
        top = columns.shape[2]
        bottom = 0
        for x in range(columns.shape[1]):
            for start, stop, _value in runs(columns[mask, x]):
                area += stop - start
                left = min(left, x)
                right = x + 1
                top = min(top, start)
                bottom = max(bottom, stop)
        areas[mask] = area
        if area > 0:
            boxes[mask, 0] = left
            boxes[mask, 1] = top
            boxes[mask, 2] = right
            boxes[mask, 3] = bottom


@kernel
def _overlaps(
    a: Any, b: Any, areas: Any, boxes: Any, others: Any, frames: Any, crowd: Any, found: Any
) -> None:
    """Merge the runs of all pairs of masks whose boxes meet."""
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            left = max(boxes[i, 0], frames[j, 0])
            right = min(boxes[i, 2], frames[j, 2])
            top = max(boxes[i, 1], frames[j, 1])
            if left < right and top < min(boxes[i, 3], frames[j, 3]):
                common = 0
                for x in range(left, right):
                    for start, stop, p, q in runs(a[i, x], b[j, x]):
                        if p and q:
                            common += stop - start
                union = areas[i] if crowd[j] else areas[i] + others[j] - common
                found[i, j] = common / union
