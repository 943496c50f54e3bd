"""Arrays with more around them, as `numpy.pad` makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.core.entry_lists import is_listed
from structarr._api.core.expressions import derive
from structarr._api.core.operands import as_array, owned
from structarr._api.core.publish import publish
from structarr._api.indexing.moving import moved, recurring
from structarr._api.shape.joining import concat
from structarr._api.shape.manipulation import broadcast_to
from structarr._api.shape.shifting import part
from structarr._array import Array, NumPyArray, stored
from structarr._lazy import graph
from structarr._support.array_types import ArrayLike, Padding
from structarr.formats.entries import segments

MODES = ("constant", "edge", "wrap", "reflect", "symmetric", "empty")

Pairs = list[tuple[int, int]]


@publish(np.pad)
def pad(array: ArrayLike, pad_width: Any, mode: Padding = "constant", **kwargs: Any) -> Array:
    """
    Pad an array: add elements before and after its own along each axis.

    Parameters
    ----------
    array : array_like
        The array.
    pad_width : int, pair, sequence of pairs, or dict
        Numbers of elements before and after, for all axes or for each; a dict names the axes.
    mode : {"constant", "edge", "wrap", "reflect", "symmetric", "empty"}
        What they are: one value, the element at the edge, those of the other end, or those near
        the edge in opposite order, without or with the one at the edge.
    **kwargs
        `constant_values`, spelled like `pad_width`, for "constant"; `reflect_type` "even" for
        "reflect" and "symmetric".

    Returns
    -------
    Array
        Lazy; computed at the call for copies at the edge of a sparse array, or beyond its own
        length. Constants that equal the fill value are not stored, so that a padded list is a list.
        The time is proportional to what is stored and added.

    Raises
    ------
    ValueError
        If the widths do not fit the axes or are negative, an empty axis is to be continued, or an
        argument does not belong to the mode.
    TypeError
        If the widths are no integers.
    NotImplementedError
        If the mode is another one of NumPy's, or `reflect_type` is not "even".

    See Also
    --------
    concat : Arrays one after the other.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.pad([1, 2], 1).tolist(), sa.pad([1, 2, 3], (2, 0), mode="reflect").tolist()
    ([0, 1, 2, 0], [3, 2, 1, 2, 3])
    """
    given = as_array(array)
    widths = _widths(pad_width, given.ndim)
    _check(mode, kwargs)
    if mode in ("constant", "empty"):
        return _constant(given, widths, kwargs.get("constant_values", 0))
    for axis, width in enumerate(widths):
        given = _around(given, axis, width, mode)
    return owned(given)


def _widths(pad_width: Any, ndim: int) -> Pairs:
    if isinstance(pad_width, dict):
        whole: list[Any] = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            whole[axis] = width if isinstance(width, Sequence) else (width, width)
        pad_width = whole
    try:
        table = np.broadcast_to(np.asarray(pad_width), (ndim, 2))
    except ValueError:
        raise ValueError(
            f"pad_width {pad_width!r} does not fit {ndim} axes: give a number, a pair, or a pair "
            "for each"
        ) from None
    if table.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    if (table < 0).any():
        raise ValueError("index can't contain negative values")
    return [(int(before), int(after)) for before, after in table]


def _check(mode: str, kwargs: dict[str, Any]) -> None:
    if mode not in MODES:
        raise NotImplementedError(
            f"pad mode {mode!r} is not supported; use {', '.join(MODES)}, or pad a NumPy "
            "array: np.pad(a.todense(), ...)"
        )
    allowed = {"constant": "constant_values", "reflect": "reflect_type"}
    allowed["symmetric"] = "reflect_type"
    unknown = [name for name in kwargs if name != allowed.get(mode)]
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode {mode!r}: {set(unknown)}")
    if kwargs.get("reflect_type", "even") != "even":
        raise NotImplementedError('pad: reflect_type must be "even"')


def _constant(array: Array, widths: Pairs, values: Any) -> Array:
    constants = np.broadcast_to(np.asarray(values), (array.ndim, 2))
    if array.ndim == 0 or (constants == constants.flat[0]).all():
        value = constants.flat[0] if constants.size else 0
        return _one_value(array, widths, value)
    for axis, pair in enumerate(constants):
        for side, value in enumerate(pair):
            width = [(0, 0)] * array.ndim
            width[axis] = (widths[axis][0], 0) if side == 0 else (0, widths[axis][1])
            array = _one_value(array, width, value)
    return array


def _one_value(array: Array, widths: Pairs, value: Any) -> Array:
    held = np.empty(1, array.dtype)
    with np.errstate(all="ignore"):
        held[:] = value  # NumPy refuses values that it does not assign
    before = tuple(one for one, _ in widths)
    shape = tuple(n + sum(width) for n, width in zip(array.shape, widths, strict=True))
    return owned(derive(lambda node: graph.pad(node, before, shape, held[0]), array))


def _around(array: Array, axis: int, width: tuple[int, int], mode: str) -> Array:
    length = array.shape[axis]
    if not any(width):
        return array
    if not length:
        raise ValueError(
            f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
        )
    near = max(width) < (length if mode in ("wrap", "symmetric") else length - 1)
    if mode != "edge" and near:
        ends = [_end(array, axis, n, mode, side) for side, n in enumerate(width)]
        return concat([ends[0], array, ends[1]], axis)
    if mode == "edge" and not is_listed(stored(array)):
        sides = part(array, axis, 0, 1), part(array, axis, length - 1, length)
        edges = [_repeated(end, axis, n) for end, n in zip(sides, width, strict=True)]
        return concat([edges[0], array, edges[1]], axis)
    start, stop = -width[0], length + width[1]
    return moved(
        array,
        axis,
        stop - start,
        lambda place: _copies(place, length, start, stop, mode),
        lambda: np.pad(np.arange(length), width, mode=mode),  # type: ignore[call-overload]
    )


def _end(array: Array, axis: int, count: int, mode: str, side: int) -> Array:
    """The padding before an array (side 0) or after it, shorter than the array."""
    length = array.shape[axis]
    if mode == "wrap":
        return part(array, axis, *((0, count) if side else (length - count, length)))
    gap = int(mode == "reflect")
    if side:
        return part(array, axis, length - 1 - gap, length - 1 - gap - count, -1)
    return part(array, axis, count - 1 + gap, gap - 1, -1)


def _copies(
    place: NumPyArray, length: int, start: int, stop: int, mode: str
) -> tuple[NumPyArray, NumPyArray]:
    """All copies of the elements at some places, between two bounds, counted from the first."""
    if mode == "edge":
        counts = np.ones(len(place), np.int64)
        counts[place == 0] -= start
        counts[place == length - 1] += stop - length
        number, turn, _ = segments(place, counts)
        return number, np.where(place[number] == 0, 0, place[number] - start) + turn
    if mode == "wrap":
        number, found = recurring(place, length, start, stop)
        return number, found - start
    period = 2 * length if mode == "symmetric" else max(2 * length - 2, 1)
    mirrored = (period - place - (mode == "symmetric")) % period
    twice = mirrored != place  # at a turning point an element and its image are one
    one, here = recurring(place, period, start, stop)
    other, there = recurring(mirrored[twice], period, start, stop)
    number = np.concatenate([one, np.flatnonzero(twice)[other]])
    return number, np.concatenate([here, there]) - start


def _repeated(array: Array, axis: int, count: int) -> Array:
    """An array of length one along an axis, repeated there."""
    return broadcast_to(array, (*array.shape[:axis], count, *array.shape[axis + 1 :]))
