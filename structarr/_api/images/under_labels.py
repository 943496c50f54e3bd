"""Sums, extremes and centers of an image's values under each label, in one pass over runs."""

from __future__ import annotations

from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.images.rows import labelled, values_of, with_gaps, with_values
from structarr._api.images.windows import by_rows, rows_of
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import in_runs, runs
from structarr._array import Array, of_tensor, stored
from structarr._support.array_types import ArrayLike

TABLE: Final = 1 << 16
"""Labels that spread no wider are looked up in a table in any case."""


class Groups(NamedTuple):
    """
    An image, and the groups of its elements that are measured.

    Attributes
    ----------
    numbers : Array
        The number of each element's group, from 1 on, in rows of runs.
    values : Array
        The image's rows: dense as NumPy's array, or runs.
    most : int
        The largest number.
    shape : tuple of int
        That of the image.
    dtype : dtype
        That of the image.
    of : numpy.ndarray or None
        The numbers that were asked for, 0 for those that no element has; None for one group alone.
    """

    numbers: Array
    values: Any
    most: int
    shape: tuple[int, ...]
    dtype: Any
    of: Any

    def put(self, found: Any, empty: Any = 0) -> Any:
        """What was found of each number as what was asked for: a number, or one for each label."""
        if self.of is None:
            return found[1]
        there = (self.of > 0).reshape(self.of.shape + (1,) * (found.ndim - 1))
        return np.where(there, found[self.of], empty)


def groups(input: ArrayLike, labels: ArrayLike | None, index: Any) -> Groups:
    """The groups that SciPy's functions measure for such arguments."""
    image = as_array(input)
    if image.dtype.kind not in "biuf":
        raise TypeError(f"the image is of real numbers, not {image.dtype}")
    if labels is None:
        labels = np.broadcast_to(np.int8(1), image.shape)
        index = None
    given = as_array(labels)
    if given.shape != image.shape:
        shape = np.broadcast_shapes(given.shape, image.shape)
        given, image = np.broadcast_to(given, shape), np.broadcast_to(image, shape)  # type: ignore
    own = labelled(given)
    held = values_of(own)
    asked = np.asarray(index if index is not None else 1)
    if index is None:
        numbers, wanted = (held > 0).astype(np.int32), np.ones(1, np.int64)
    else:
        wanted = np.unique(asked)
        numbers = _places(held, wanted)
    count = len(wanted)
    if index is not None and (wanted == 0).any():  # the background is between runs
        rest = np.where(numbers > 0, numbers, np.int32(count + 1))
        numbered = by_rows(
            with_gaps, with_values(own, rest), int(np.flatnonzero(wanted == 0)[0]) + 1
        )
        count += 1
    else:
        numbered = with_values(own, numbers)
    of = None if asked.ndim == 0 else np.searchsorted(wanted, asked) + 1
    rows = rows_of(of_tensor(in_runs(numbered)))
    return Groups(rows, _rows(image), count, image.shape, image.dtype, of)


def _places(held: Any, wanted: Any) -> Any:
    """The place of each label among those that are wanted, from 1 on, or 0."""
    if not len(wanted):
        return np.zeros(len(held), np.int32)
    if held.dtype == np.bool_:
        held = held.view(np.uint8)
    if wanted.dtype.kind in "iu" and held.dtype != np.uint64:
        least, span = int(wanted[0]), int(wanted[-1]) - int(wanted[0]) + 1
        if span <= TABLE + 4 * len(held) and abs(least) < 1 << 62:
            table = np.zeros(span + 2, np.int32)
            table[(wanted - wanted[0]).astype(np.int64) + 1] = np.arange(1, len(wanted) + 1)
            return table[np.clip(held.astype(np.int64), least - 1, least + span) - (least - 1)]
    known = wanted
    if wanted.dtype.kind == "i" and held.dtype == np.uint64:  # floats would not hold both
        known = np.maximum(wanted, 0).astype(np.uint64)
    at = np.maximum(np.searchsorted(known, held, side="right") - 1, 0)
    return np.where(known[at] == held, at + 1, 0).astype(np.int32)


def _rows(image: Array) -> Any:
    """The rows of an image as NumPy's array where it is dense, else as runs."""
    tensor = stored(image)
    if not tensor.format.is_dense:
        found = of_tensor(in_runs(image))
        if found.dtype == np.bool_:
            found = with_values(found, values_of(found).view(np.uint8))
        return rows_of(found)
    held = np.ascontiguousarray(np.asarray(image))
    held = held.view(np.uint8) if held.dtype == np.bool_ else held
    return held.reshape(-1, image.shape[-1]) if held.size else held.reshape(0, 1)


def summed(given: Groups) -> tuple[Any, Any]:
    """How many elements each group has, and their sums: whole numbers of whole numbers."""
    whole = given.dtype.kind != "f"
    counts = np.zeros(given.most + 1, np.int64)
    sums = np.zeros(given.most + 1, np.int64 if whole else np.float64)
    add = _add_elements if isinstance(given.values, np.ndarray) else _add_runs
    add(given.numbers, given.values, 0 if whole else 0.0, counts, sums)
    return counts, sums


def squared(given: Groups, centers: Any) -> Any:
    """The sums of squares of what values differ by from a center of each group."""
    found = np.zeros(given.most + 1)
    add = _square_elements if isinstance(given.values, np.ndarray) else _square_runs
    add(given.numbers, given.values, centers, found)
    return found


def extremes(given: Groups) -> tuple[Any, Any, Any, Any]:
    """The least and the largest value of each group, and their first places, -1 where none is."""
    dtype = np.float64 if given.dtype.kind == "f" else np.int64
    least, most = (np.zeros(given.most + 1, dtype) for _ in range(2))
    lowest, highest = (np.full(given.most + 1, -1) for _ in range(2))
    look = _look_at_elements if isinstance(given.values, np.ndarray) else _look_at_runs
    look(given.numbers, given.values, least, most, lowest, highest)
    return least, most, lowest, highest


def weighed(given: Groups) -> Any:
    """The sum of each group's values, and of those times the index along each axis."""
    found = np.zeros((given.most + 1, len(given.shape) + 1))
    places = np.zeros((prod(given.shape[:-1]), len(given.shape)), np.int64)
    places[:, :-1] = np.indices(given.shape[:-1]).reshape(-1, len(places)).T
    weigh = _weigh_elements if isinstance(given.values, np.ndarray) else _weigh_runs
    weigh(given.numbers, given.values, places, found)
    return found


@kernel
def _add_elements(labels: Any, image: Any, zero: Any, counts: Any, sums: Any) -> None:
    """Count and add up elements."""
    for i in range(labels.shape[0]):
        for start, stop, label in runs(labels[i]):
            total = zero
            for x in range(start, stop):
                total += image[i, x]
            sums[label] += total
            counts[label] += stop - start


@kernel
def _add_runs(labels: Any, image: Any, zero: Any, counts: Any, sums: Any) -> None:
    """Count and add up stretches in which neither the label nor the value changes."""
    for i in range(labels.shape[0]):
        for start, stop, label, value in runs(labels[i], image[i]):
            if label != 0:
                sums[label] += zero + value * (stop - start)
                counts[label] += stop - start


@kernel
def _square_elements(labels: Any, image: Any, centers: Any, found: Any) -> None:
    """Add up the squares of elements less a center."""
    for i in range(labels.shape[0]):
        for start, stop, label in runs(labels[i]):
            total = 0.0
            center = centers[label]
            for x in range(start, stop):
                total += (image[i, x] - center) ** 2
            found[label] += total


@kernel
def _square_runs(labels: Any, image: Any, centers: Any, found: Any) -> None:
    """The same of stretches."""
    for i in range(labels.shape[0]):
        for start, stop, label, value in runs(labels[i], image[i]):
            if label != 0:
                found[label] += (value - centers[label]) ** 2 * (stop - start)


def _note(
    least: Any, most: Any, lowest: Any, highest: Any, label: Any, value: Any, at: Any
) -> None:
    """Note a value if it is smaller or larger than those before, or no number."""
    if lowest[label] < 0 or value < least[label] or value != value:
        least[label] = value
        lowest[label] = at
    if highest[label] < 0 or value > most[label] or value != value:
        most[label] = value
        highest[label] = at


@kernel
def _look_at_elements(
    labels: Any, image: Any, least: Any, most: Any, lowest: Any, highest: Any
) -> None:
    """Look at each element that has a label."""
    for i in range(labels.shape[0]):
        for start, stop, label in runs(labels[i]):
            for x in range(start, stop):
                at = i * labels.shape[1] + x
                _note(least, most, lowest, highest, label, image[i, x], at)


@kernel
def _look_at_runs(
    labels: Any, image: Any, least: Any, most: Any, lowest: Any, highest: Any
) -> None:
    """Look at each stretch that has a label."""
    for i in range(labels.shape[0]):
        for start, _stop, label, value in runs(labels[i], image[i]):
            if label != 0:
                at = i * labels.shape[1] + start
                _note(least, most, lowest, highest, label, value, at)


@kernel
def _weigh_elements(labels: Any, image: Any, places: Any, found: Any) -> None:
    """Add up elements, and elements times their indices."""
    for i in range(labels.shape[0]):
        last = found.shape[1] - 1
        for start, stop, label in runs(labels[i]):
            total = 0.0
            along = 0.0
            for x in range(start, stop):
                total += image[i, x]
                along += float(image[i, x]) * x
            found[label, 0] += total
            found[label, last] += along
            for axis in range(1, last):
                found[label, axis] += total * places[i, axis - 1]


@kernel
def _weigh_runs(labels: Any, image: Any, places: Any, found: Any) -> None:
    """The same of stretches, whose indices have their middle as their mean."""
    for i in range(labels.shape[0]):
        last = found.shape[1] - 1
        for start, stop, label, value in runs(labels[i], image[i]):
            if label != 0:
                total = float(value) * (stop - start)
                found[label, 0] += total
                found[label, last] += total * (start + stop - 1) * 0.5
                for axis in range(1, last):
                    found[label, axis] += total * places[i, axis - 1]
