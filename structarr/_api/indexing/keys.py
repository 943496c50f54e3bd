"""Indices as NumPy reads them: windows of axes, axes dropped and added, and arrays of places."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from structarr._api.core.fibers import true_places
from structarr._api.core.operands import as_array, numpy_of
from structarr._array import Array, NumPyArray, is_scipy
from structarr._support.caches import MOST
from structarr.formats import checks


class Window(NamedTuple):
    """A slice of an axis: `length` elements from `start` on, by `step`."""

    start: int
    step: int
    length: int


class Key(NamedTuple):
    """
    An index, to be applied in this order.

    First each axis is cut to its window. Then the axes `dropped`, each of length one, are removed,
    and axes of length one are inserted at the places `new`. Last, the axes in `arrays` are read at
    arrays of places, whose own axes begin at axis `place` of the result.
    """

    windows: tuple[Window, ...]
    dropped: tuple[int, ...]
    new: tuple[int, ...]
    arrays: dict[int, NumPyArray]
    place: int

    @property
    def point(self) -> list[int] | None:
        """Where the one element is that windows of length one select; None of any other index."""
        if self.arrays or any([window.length != 1 for window in self.windows]):
            return None
        return [window.start for window in self.windows]

    @property
    def diagonal(self) -> tuple[int, NumPyArray] | None:
        """The offset of the diagonal of a matrix that all elements lie on, and their rows.

        None where they are no points, or on several diagonals.
        """
        if len(self.windows) != 2 or self.new:
            return None
        if self.arrays:
            return _diagonal(*self.arrays.values()) if len(self.arrays) == 2 else None
        point = self.point
        return None if point is None else (point[1] - point[0], np.array(point[:1]))


def _diagonal(rows: NumPyArray, columns: NumPyArray) -> tuple[int, NumPyArray] | None:
    """The offset of the diagonal that points lie on, and their rows; None where there are several.

    Examples
    --------
    >>> _diagonal(np.array([0, 4]), np.array([1, 5]))
    (1, array([0, 4]))
    """
    if rows is columns:
        return 0, rows.reshape(-1)
    if rows.shape != columns.shape or not rows.size:
        return None
    offset = int(columns.flat[0]) - int(rows.flat[0])
    return (offset, rows.reshape(-1)) if (columns - rows == offset).all() else None


class _Places(NamedTuple):
    """The places of one axis by an array of integers, or where a mask is true."""

    places: NumPyArray
    masked: int | None = None  # the length of the mask


class _Truth(NamedTuple):
    """A truth value in an index: a new axis, from which one element or none is taken."""

    value: bool


Part: TypeAlias = Any  # int, slice, _Places, _Truth, None or an ellipsis

WHOLE: Final = slice(None)

_BASIC = frozenset({slice, int, type(None), type(Ellipsis)})  # types that need no conversion
_OWN_AXES = (type(Ellipsis), _Truth)  # parts that index no axis of the array


def parse(key: Any, shape: tuple[int, ...], kept: bool = True) -> Key:
    """
    Read an index of an array of a shape.

    Parameters
    ----------
    key : object
        As NumPy takes it.
    shape : tuple of int
        Of the array.
    kept : bool
        Whether vectors of places are copied, as others may write theirs before they are read.

    Raises
    ------
    IndexError
        As NumPy does, with its words.
    """
    plain = _of_vectors(key, shape, kept)
    if plain is not None:
        return plain
    given = key if isinstance(key, tuple) else (key,)
    parts: Sequence[Part] = given
    if not _BASIC.issuperset(map(type, given)):
        parts = [one for part in given for one in _parts(part)]
    count = sum([part is not None and type(part) not in _OWN_AXES for part in parts])
    if count > len(shape):
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional, but {count} were "
            "indexed"
        )
    if _BASIC.issuperset(map(type, parts)):
        return _basic(parts, shape, len(shape) - count)
    return _advanced(_spelled_out(parts, len(shape) - count), shape)


def _of_vectors(key: Any, shape: tuple[int, ...], kept: bool) -> Key | None:
    """The index of slices and of vectors of places, as many along each of some adjacent axes.

    None of any other: such an index is common, and takes a fifth of the time of a general one.
    """
    parts = key if type(key) is tuple else (key,)
    if len(parts) > len(shape):
        return None
    places: dict[int, NumPyArray] = {}
    is_whole = True
    first, size = -1, 0
    for axis, one in enumerate(parts):
        if type(one) is slice:
            is_whole = is_whole and one == WHOLE
            continue
        vector = _listed(one) if type(one) is list else one
        if type(vector) is not np.ndarray or vector.ndim != 1 or vector.dtype.kind not in "iu":
            return None
        if not places:
            first, size = axis, vector.size
        if not size or vector.size != size or axis - first != len(places):
            return None
        places[axis] = vector
    if not places:
        return None
    given = places[first]
    for axis, one in places.items():
        same = axis > first and shape[axis] == shape[first] and one is given
        own = places[first] if same else one.astype(np.int64, copy=kept)
        places[axis] = own if same else wrapped(own, shape[axis], axis)
    return Key(whole_axes(shape) if is_whole else _cut(parts, shape), (), (), places, first)


def _cut(parts: Sequence[Any], shape: tuple[int, ...]) -> tuple[Window, ...]:
    """The windows of the axes, of which those with slices are cut."""
    every = zip_longest(parts, shape)
    return tuple([_window(one, n) if type(one) is slice else Window(0, 1, n) for one, n in every])


def _listed(part: list[Any]) -> Any:
    """A list of integers as a vector; any other as it is."""
    return np.array(part) if set(map(type, part)) == {int} else part


def meshed(key: Any, shape: tuple[int, ...]) -> dict[int, NumPyArray] | None:
    """
    Return the places along each of the first axes of which an index has all combinations.

    Such an index is what `numpy.ix_` makes; None of any other, and where an axis has one place.

    Raises
    ------
    IndexError
        If a place is out of bounds.

    Examples
    --------
    >>> meshed(np.ix_([0, -1], [1, 3, 4]), (3, 5))
    {0: array([0, 2]), 1: array([1, 3, 4])}
    """
    if type(key) is not tuple or not 1 < len(key) <= len(shape):
        return None
    for axis, one in enumerate(key):
        if type(one) is not np.ndarray or one.ndim != len(key) or one.dtype.kind not in "iu":
            return None
        if one.size < 2 or one.size != one.shape[axis]:
            return None
    flat = [one.reshape(-1).astype(np.int64) for one in key]
    return {axis: wrapped(one, shape[axis], axis) for axis, one in enumerate(flat)}


@lru_cache(MOST)
def whole_axes(shape: tuple[int, ...]) -> tuple[Window, ...]:
    """Return the windows of the whole axes of a shape."""
    return tuple([Window(0, 1, n) for n in shape])


def _basic(parts: Sequence[Part], shape: tuple[int, ...], left: int) -> Key:
    """An index without arrays, as most are; `left` axes are not mentioned."""
    windows: list[Window] = []
    dropped: list[int] = []
    new: list[int] = []
    dots = False
    for part in parts:
        axis = len(windows)
        if type(part) is slice:
            windows.append(_window(part, shape[axis]))
        elif part is None:
            new.append(axis - len(dropped) + len(new))
        elif part is Ellipsis:
            _check_dots(dots)
            dots = True
            windows += [Window(0, 1, n) for n in shape[axis : axis + left]]
        else:
            windows.append(Window(_inside(part, shape[axis], axis), 1, 1))
            dropped.append(axis)
    windows += [Window(0, 1, n) for n in shape[len(windows) :]]
    return Key(tuple(windows), tuple(dropped), tuple(new), {}, 0)


def _advanced(parts: list[Part], shape: tuple[int, ...]) -> Key:
    """An index with arrays or truth values, one part for each axis and for each new one."""
    none = any(
        (isinstance(part, _Places) and not part.places.size)
        or (isinstance(part, _Truth) and not part.value)
        for part in parts
    )
    windows: list[Window] = []
    new, arrays = [], {}
    here = -1  # the axis of the result that the part makes
    for part in parts:
        if part is Ellipsis:
            continue
        here, axis = here + 1, len(windows)
        match part:
            case None | _Truth():
                new.append(here)
            case slice():
                windows.append(_window(part, shape[axis]))
            case _:
                windows.append(Window(0, 1, shape[axis]))
        if isinstance(part, _Truth):
            arrays[here] = np.zeros(int(part.value), np.int64)
        elif isinstance(part, _Places):
            _check_mask(part, shape[axis], axis)
            # NumPy does not check places in an index that selects no element.
            checked = none or part.masked is not None  # of a mask, all places are inside
            places = part.places if checked else wrapped(part.places, shape[axis], axis)
            arrays[here] = np.zeros_like(places) if none else places
        elif isinstance(part, int):
            arrays[here] = np.asarray(_inside(part, shape[axis], axis))
    return Key(tuple(windows), (), tuple(new), _broadcast(arrays), _place(parts))


def _spelled_out(parts: Sequence[Part], left: int) -> list[Part]:
    """The parts of an index, with a whole slice for each axis that is not mentioned.

    An ellipsis separates the arrays on its sides, even where it stands for no axis.
    """
    dots = [number for number, part in enumerate(parts) if part is Ellipsis]
    _check_dots(len(dots) > 1)
    first = dots[0] if dots else len(parts)
    return [*parts[: first + 1], *[slice(None)] * left, *parts[first + 1 :]]


def _check_dots(several: bool) -> None:
    if several:
        raise IndexError("an index can only have a single ellipsis ('...')")


def _parts(part: Any) -> list[Any]:
    if type(part) in _BASIC:
        return [part]
    if isinstance(part, (bool, np.bool_)):
        return [_Truth(bool(part))]
    if isinstance(part, (Array, np.ndarray, list, tuple)) or is_scipy(part):
        return _of_array(part)
    try:
        return [operator.index(part)]
    except TypeError:
        found = _array_like(part)
    if found is None:
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
            f"boolean arrays are valid indices, not {part!r}"
        )
    return _of_array(found)


def _array_like(part: Any) -> NumPyArray | None:
    """An index of another library or of Python, such as a column of a frame or a range, as NumPy
    reads it; None of what is no array.
    """
    if isinstance(part, (str, bytes, dict, set)):
        return None
    try:
        found = np.asarray(part)
    except (TypeError, ValueError):
        return None
    if found.ndim and not found.size:
        found = found.astype(np.int64)  # of nothing NumPy makes no integers by itself
    return found if found.ndim and found.dtype.kind in "biu" else None


def _of_array(part: Any) -> list[Any]:
    array = as_array(part) if isinstance(part, Array) or is_scipy(part) else numpy_of(part)
    if array.dtype == bool:
        if not array.ndim:
            return [_Truth(bool(array))]
        found = true_places(as_array(array))
        shared = not isinstance(array, np.ndarray)  # coordinates that a mask stores
        own = [one.astype(np.int64, copy=shared) for one in found]
        return [_Places(one, n) for one, n in zip(own, array.shape, strict=True)]
    if array.size == 0 and isinstance(part, (list, tuple)):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return [_Places(np.asarray(array).astype(np.int64))] if array.ndim else [int(array)]


def whole(value: Any) -> NumPyArray:
    """Return an array-like as NumPy's array; a list of nothing is one of whole numbers."""
    found = np.asarray(value)
    return found.astype(np.int64) if not found.size and isinstance(value, (list, tuple)) else found


def _window(part: slice, length: int) -> Window:
    start, stop, step = part.indices(length)
    return Window(start, step, len(range(start, stop, step)))


def _inside(place: int, length: int, axis: int) -> int:
    if not -length <= place < length:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {length}")
    return place + length if place < 0 else place


def _check_mask(part: _Places, length: int, axis: int) -> None:
    if part.masked and part.masked != length:  # as in NumPy, an empty mask fits any axis
        raise IndexError(
            f"boolean index did not match indexed array along axis {axis}; size of axis is "
            f"{length} but size of corresponding boolean axis is {part.masked}"
        )


def wrapped(places: NumPyArray, length: int, axis: int) -> NumPyArray:
    """Return places with those counted from the end counted from the start; all must be there."""
    if not places.size:
        return places
    if checks.lie_below(places, length):
        return places
    outside = (places < -length) | (places >= length)
    if outside.any():
        _inside(int(places[outside][0]), length, axis)
    return np.where(places < 0, places + length, places)


def _broadcast(arrays: dict[int, NumPyArray]) -> dict[int, NumPyArray]:
    if len(arrays) < 2:
        return arrays
    try:
        common = np.broadcast_arrays(*arrays.values())
    except ValueError:
        shapes = " ".join(str(array.shape) for array in arrays.values())
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes}"
        ) from None
    return dict(zip(arrays, common, strict=True))


def _place(parts: Sequence[Part]) -> int:
    """The place of the axes of arrays: their own if they are side by side, else the front."""
    moved = [isinstance(part, int | _Places | _Truth) for part in parts]
    first = moved.index(True) if True in moved else 0
    together = all(moved[first : first + sum(moved)])
    return sum(part is not Ellipsis for part in parts[:first]) if together else 0
