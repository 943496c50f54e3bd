"""Elements moved along an axis: read at places, or in time proportional to the stored ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from structarr._api.core.entry_lists import is_listed, listed, with_room
from structarr._api.core.gathering import gathered, taken_along
from structarr._api.creation.full import constant
from structarr._api.indexing.indexing import taken
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._storage.density import check_density
from structarr._storage.entry_order import longest_counted
from structarr._storage.reshape import check_rows
from structarr._storage.transpose import entries_of
from structarr.formats.entries import segments

Where: TypeAlias = Callable[[NumPyArray], tuple[NumPyArray, NumPyArray]]
"""Of places along an axis, which of them are kept, perhaps several times, and where each goes."""


def moved(
    array: Array, axis: int, length: int, where: Where, places: Callable[[], NumPyArray]
) -> Array:
    """
    Return an array with its elements at other places along an axis.

    Parameters
    ----------
    array : Array
        The array.
    axis : int
        The axis, counted from the front.
    length : int
        That of the axis in the result.
    where : callable
        Where places go: asked of what is stored, if the axis is far longer than that.
    places : callable
        For each place of the result the one that is read there, lazily: asked of other arrays.

    Raises
    ------
    DensificationError
        If the array is computed from few numbers, or of runs, and longer than may be listed.
    """
    if is_counted(array, axis, length):
        return taken(array, {axis: places()}, axis)
    tensor = stored(array)
    shape = (*array.shape[:axis], length, *array.shape[axis + 1 :])
    if tensor.is_constant:
        return constant(shape, tensor.constant, array.dtype)
    if not is_listed(tensor):
        check_density(tensor)
        return of_tensor(gathered(tensor, places(), axis))
    axes, values = entries_of(tensor)
    number, place = where(axes[axis])
    found = [one[number] for one in axes]
    found[axis] = place
    like = with_room(taken_along(tensor.format, axis), shape)
    check_rows(tensor, like, shape)
    return of_tensor(listed(found, values[number], shape, tensor.fill, like))


def is_counted(array: Array, axis: int, length: int) -> bool:
    """Whether listing all places of an axis, of a length in the result, takes little time."""
    tensor = array._tensor
    listed_by = longest_counted(0 if tensor is None or not tensor.counts else tensor.counts[-1])
    return max(length, array.shape[axis]) <= listed_by


def recurring(place: NumPyArray, period: int, start: int, stop: int) -> list[NumPyArray]:
    """Return all repetitions of places with a period between two bounds: numbers, and places."""
    first = start + (place - start) % period
    number, turn, _ = segments(first, np.maximum(-(-(stop - first) // period), 0))
    return [number, first[number] + turn * period]
