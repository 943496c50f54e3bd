"""Unions and intersections of rows: in windows that run over an image, and of several images."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import as_volume, reshaped
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array, of_tensor, stored


def in_windows(image: Array, before: int, after: int, axis: int, union: bool) -> Array:
    """Where an element is set, or all, from so many before to so many after along an axis of rows.

    Windows of twice the width are made of two: the logarithm of the width tells how often.
    Row `k` of `found` is the window of `width` rows that begins at row `k - lead` of the image.
    Windows that reach out of the image are kept for unions, and empty for intersections.
    """
    found, plane = as_volume(image), axis + 3 - image.ndim == 0
    length = image.shape[axis]
    width, lead, size = 1, 0, before + after + 1
    if size == 1:  # one row, at some distance
        found = _combined(found, -before, -before, length, plane, union)
    while width < size:
        step = min(width, size - width)
        wider = width + step
        last = wider == size
        further = wider - 1 if union and not last else 0
        start = before if last else further
        rows = length if last else length + (further if union else 1 - wider)
        first = lead - start
        found = _combined(found, first, first + step, max(rows, 0), plane, union)
        width, lead = wider, start
    return of_tensor(reshaped(stored(found), image.shape))


def together(one: Array, other: Array, union: bool) -> Array:
    """Where one of two images is set, or where both are."""
    return by_rows(_together, one, rows_of(other), union)


def chosen(where: Array, one: Array, other: Array) -> Array:
    """An image where a third is set, and another one elsewhere."""
    return by_rows(_chosen, where, rows_of(one), rows_of(other))


def by_rows(change: Callable[..., Array], image: Array, *others: Any) -> Array:
    """An image of whose rows each was changed by itself."""
    if image.ndim == 2:
        return change(image, *others)
    return of_tensor(reshaped(stored(change(rows_of(image), *others)), image.shape))


def rows_of(image: Array) -> Array:
    """All rows of an image, as one of two axes."""
    shape = image.shape
    if len(shape) == 2:
        return image
    return of_tensor(reshaped(stored(image), (prod(shape[:-1]), shape[-1])))


@kernel
def _combined(image: Any, first: int, second: int, rows: int, plane: bool, union: bool) -> Any:
    """Row k, of so many: rows `k + first` and `k + second` of the image, united or intersected.

    Those are along the first axis or the second; what is outside of the image is empty.
    """
    planes, columns = (rows, image.shape[1]) if plane else (image.shape[0], rows)
    found = zeros((planes, columns, image.shape[2]), dtype=np.bool_)
    most = image.shape[0] if plane else image.shape[1]
    for z in range(planes):
        for y in range(columns):
            a = first + (z if plane else y)
            b = second + (z if plane else y)
            one = 0 <= a < most
            other = 0 <= b < most
            if one and other:
                u = a if plane else z
                v = y if plane else a
                p = b if plane else z
                q = y if plane else b
                begin = 0
                end = 0  # the run [begin, end) is still to be written
                for start, stop, x, w in runs(image[u, v], image[p, q]):
                    if union or (x and w):
                        if start > end:
                            found[z, y, begin:end] = True
                            begin = start
                        end = stop
                found[z, y, begin:end] = True
            elif (one or other) and union:
                c = a if one else b
                u = c if plane else z
                v = y if plane else c
                for start, stop, _value in runs(image[u, v]):
                    found[z, y, start:stop] = True
    return found


@kernel
def _together(one: Any, other: Any, union: bool) -> Any:
    """Rows of two images, united or intersected."""
    found = zeros(one.shape, dtype=np.bool_)
    for i in range(one.shape[0]):
        begin = 0
        end = 0  # the run [begin, end) is still to be written
        for start, stop, a, b in runs(one[i], other[i]):
            if union or (a and b):
                if start > end:
                    found[i, begin:end] = True
                    begin = start
                end = stop
        found[i, begin:end] = True
    return found


@kernel
def _chosen(where: Any, one: Any, other: Any) -> Any:
    """Rows of one image or of another."""
    found = zeros(where.shape, dtype=np.bool_)
    for i in range(where.shape[0]):
        for start, stop, first, a, b in runs(where[i], one[i], other[i]):
            if (first and a) or (not first and b):
                found[i, start:stop] = True
    return found


@kernel
def shrunk(rows: Any, left: int, right: int) -> Any:
    """Rows whose runs begin `left` elements later and end `right` elements later."""
    found = zeros(rows.shape, dtype=np.bool_)
    for i in range(rows.shape[0]):
        for start, stop, _value in runs(rows[i]):
            found[i, max(start + left, 0) : min(stop + right, rows.shape[1])] = True
    return found


@kernel
def grown(rows: Any, left: int, right: int) -> Any:
    """The same of runs that become longer, and may touch then."""
    found = zeros(rows.shape, dtype=np.bool_)
    for i in range(rows.shape[0]):
        begin = 0
        end = 0  # the run [begin, end) is still to be written
        for start, stop, _value in runs(rows[i]):
            low = max(start + left, 0)
            high = min(stop + right, rows.shape[1])
            if low < high:
                if low > end:
                    found[i, begin:end] = True
                    begin = low
                end = high
        found[i, begin:end] = True
    return found


@kernel
def twice(rows: Any, left: int, right: int, inward: int, back: int, union: bool) -> Any:
    """Rows whose runs become longer and then shorter, or shorter and then longer."""
    found = zeros(rows.shape, dtype=np.bool_)
    for i in range(rows.shape[0]):
        width = rows.shape[1]
        begin = 0
        end = 0  # the run [begin, end) is still to be written
        for start, stop, _value in runs(rows[i]):
            low = max(start + left, 0)
            high = min(stop + right, width)
            if low < high:
                if not union:
                    low = max(low + inward, 0)
                    high = min(high + back, width)
                if low > end:
                    if union:
                        found[i, max(begin + inward, 0) : min(end + back, width)] = True
                    else:
                        found[i, begin:end] = True
                    begin = low
                end = high
        if union:
            begin = max(begin + inward, 0)
            end = min(end + back, width)
        found[i, begin:end] = True
    return found


@kernel
def gaps(rows: Any) -> Any:
    """Rows of what is between runs."""
    found = zeros(rows.shape, dtype=np.bool_)
    for i in range(rows.shape[0]):
        end = 0
        for start, stop, _value in runs(rows[i]):
            found[i, end:start] = True
            end = stop
        found[i, end : rows.shape[1]] = True
    return found
