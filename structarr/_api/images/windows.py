"""Unions and intersections in windows that run over an image, and shifts of its runs."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import as_runs, reshaped
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array, of_tensor, stored


def windows(image: Array, size: int, axis: int, combine: Any) -> Array:
    """
    What `combine` makes of each window of `size` elements along an axis, but the last one.

    Windows of twice the size are made of two: the logarithm of the size tells how often images are
    combined. The result is lazy, and has `size - 1` fewer elements along the axis.
    """
    found, width = image, 1
    while width < size:
        step = min(width, size - width)
        count = found.shape[axis] - step
        first, second = (_part(axis, start, start + count) for start in (0, step))
        found = combine(as_runs(found)[first], as_runs(found)[second])
        width += step
    return found


def _part(axis: int, start: int, stop: int) -> tuple[slice, ...]:
    return (slice(None),) * axis + (slice(start, stop),)


def padded(image: Array, before: int, after: int, axis: int) -> Array:
    """An image with empty rows, planes, ... before and after it."""
    if not before and not after:
        return as_runs(image)
    widths = [(0, 0)] * image.ndim
    widths[axis] = (before, after)
    return as_runs(np.pad(image, widths))  # type: ignore[arg-type]  # ours, by its protocol


def by_rows(change: Callable[..., Array], image: Array, *others: Any) -> Array:
    """An image of whose rows each was changed by itself."""
    shape = image.shape
    rows = of_tensor(reshaped(stored(image), (prod(shape[:-1]), shape[-1])))
    return of_tensor(reshaped(stored(change(rows, *others)), shape))


@kernel
def shrunk(rows: Any, left: int, right: int) -> Any:
    """Rows whose runs begin `left` elements later and end `right` elements earlier."""
    found = zeros(rows.shape, dtype=np.bool_)
    for i in range(rows.shape[0]):
        for start, stop, _value in runs(rows[i]):
            found[i, start + left : stop - right] = True
    return found


@kernel
def grown(rows: Any, left: int, right: int) -> Any:
    """Rows whose runs begin `left` elements earlier and end `right` elements later."""
    found = zeros(rows.shape, dtype=np.bool_)
    for i in range(rows.shape[0]):
        begin = 0
        end = 0  # the run [begin, end) is still to be written
        for start, stop, _value in runs(rows[i]):
            if start - left > end:
                found[i, begin:end] = True
                begin = max(start - left, 0)
            elif end == 0:
                begin = 0
            end = min(stop + right, rows.shape[1])
        found[i, begin:end] = True
    return found
