"""Indexing that moves no data: new axes, ellipses and whole axes."""

from __future__ import annotations

import operator
from typing import Any

from structarr._api.manipulation import expand_dims
from structarr._api.operands import owned
from structarr._api.publish import publish
from structarr._array import Array


@publish(operator.getitem)
def getitem(array: Array, key: Any) -> Array:
    """Return ``array[key]`` where `key` has None, ``...`` and ``:`` only."""
    places = _new_axes(key if isinstance(key, tuple) else (key,), array)
    return expand_dims(array, axis=places) if places else owned(array)


def _new_axes(key: tuple[Any, ...], array: Array) -> tuple[int, ...]:
    """Return where an index without movement of data adds axes."""
    whole = slice(None)
    for part in key:
        if (
            part is not None
            and part is not Ellipsis
            and not (type(part) is slice and part == whole)
        ):
            raise NotImplementedError(
                f"indexing by {part!r} is not there yet: only None, ... and : are; "
                "index a NumPy array instead: a.todense()[...]"
            )
    if sum(part is Ellipsis for part in key) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    sliced = sum(type(part) is slice for part in key)
    if sliced > array.ndim:
        raise IndexError(
            f"too many indices for array: array is {array.ndim}-dimensional, but {sliced} were "
            "indexed"
        )
    places, position = [], 0
    for part in key:
        if part is None:
            places.append(position)
        position += array.ndim - sliced if part is Ellipsis else 1
    return tuple(places)


def _is_whole(part: Any) -> bool:
    return type(part) is slice and part == slice(None)
