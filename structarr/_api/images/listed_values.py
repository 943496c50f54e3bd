"""The values under labels, those of each label side by side: elements, or pieces of equal ones."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from structarr._api.images.under_labels import Groups
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs


class Listed(NamedTuple):
    """
    The values under labels, in the order of their groups, and within these as in the image.

    Attributes
    ----------
    ends : numpy.ndarray
        Where the values of each group end; those of the next one begin there.
    values : numpy.ndarray
        They.
    places : numpy.ndarray
        Where they are in the image, as if it had one axis.
    lengths : numpy.ndarray or None
        How many elements have each of them, from its place on; None for one.
    """

    ends: Any
    values: Any
    places: Any
    lengths: Any

    def of(self, number: int) -> tuple[Any, Any]:
        """The values of a group, and how many elements have each."""
        part = self._part(number)
        values = self.values[part]
        ones = np.ones(len(values), np.int64)
        return values, ones if self.lengths is None else self.lengths[part]

    def arguments(self, number: int, with_places: bool) -> tuple[Any, ...]:
        """The elements of a group, one for each, and their places if they are asked for."""
        values, lengths = self.of(number)
        elements = values if self.lengths is None else np.repeat(values, lengths)
        return (elements, self.positions_of(number)) if with_places else (elements,)

    def positions_of(self, number: int) -> Any:
        """The places of a group's elements."""
        part = self._part(number)
        if self.lengths is None:
            return self.places[part]
        lengths = self.lengths[part]
        before = np.cumsum(lengths) - lengths
        return np.arange(lengths.sum()) + np.repeat(self.places[part] - before, lengths)

    def _part(self, number: int) -> slice:
        return slice(self.ends[number - 1], self.ends[number])


def pieces(given: Groups) -> Listed:
    """The elements of groups, of an image of runs the pieces in which neither number changes."""
    is_dense = isinstance(given.values, np.ndarray)
    counts = np.zeros(given.most + 1, np.int64)
    if is_dense:
        _count_elements(given.numbers, counts)
    else:
        _count_pieces(given.numbers, given.values, counts)
    ends = np.cumsum(counts)
    following, places = ends - counts, np.zeros(ends[-1], np.int64)
    if is_dense:
        _list_elements(given.numbers, following, places)
        values = given.values.reshape(-1)[places]
        return Listed(ends, values.view(given.dtype), places, None)
    kind = np.dtype(np.uint8) if given.dtype == np.bool_ else given.dtype
    values, lengths = np.zeros(ends[-1], kind), np.zeros(ends[-1], np.int64)
    _list_pieces(given.numbers, given.values, following, places, values, lengths)
    return Listed(ends, values.view(given.dtype), places, lengths)


@kernel
def _count_elements(labels: Any, counts: Any) -> None:
    """Count the elements of each group."""
    for i in range(labels.shape[0]):
        for start, stop, label in runs(labels[i]):
            counts[label] += stop - start


@kernel
def _count_pieces(labels: Any, image: Any, counts: Any) -> None:
    """Count the pieces of each group."""
    for i in range(labels.shape[0]):
        for _start, _stop, label, _value in runs(labels[i], image[i]):
            if label != 0:
                counts[label] += 1


@kernel
def _list_elements(labels: Any, following: Any, places: Any) -> None:
    """Note the places of each group's elements."""
    for i in range(labels.shape[0]):
        for start, stop, label in runs(labels[i]):
            at = following[label]
            for x in range(start, stop):
                places[at + x - start] = i * labels.shape[1] + x
            following[label] = at + stop - start


@kernel
def _list_pieces(
    labels: Any, image: Any, following: Any, places: Any, values: Any, lengths: Any
) -> None:
    """Note the values, places and lengths of each group's pieces."""
    for i in range(labels.shape[0]):
        for start, stop, label, value in runs(labels[i], image[i]):
            if label != 0:
                at = following[label]
                places[at] = i * labels.shape[1] + start
                values[at] = value
                lengths[at] = stop - start
                following[label] = at + 1
