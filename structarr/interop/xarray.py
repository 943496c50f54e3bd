"""Conventions of indexing that only xarray has."""

from __future__ import annotations

from types import FrameType
from typing import Any

import numpy as np


def is_outer(caller: FrameType, key: tuple[Any, ...]) -> bool:
    """
    Whether xarray assigns by an outer index: to every place of one axis with every of another.

    xarray's adapter for the array API (``ArrayApiIndexingAdapter._oindex_set``) passes several
    arrays of places on unchanged. NumPy and the standard pair such arrays, and the values do not
    tell which is meant, so the caller's frame does.
    """
    if caller.f_code.co_name != "_oindex_set":  # what nearly all are
        return False
    name = caller.f_globals.get("__name__")
    several = sum(isinstance(part, np.ndarray) for part in key) > 1
    return several and name == "xarray.core.indexing"


def paired(key: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the index by which NumPy reads an outer one: of arrays that broadcast."""
    axes = [
        np.arange(length)[part] if isinstance(part, slice) else np.asarray(part)
        for part, length in zip(key, shape, strict=True)
    ]
    ndim, place, parts = sum(one.ndim for one in axes), 0, []
    for one in axes:
        lengths = [1] * ndim
        if one.ndim:
            lengths[place], place = len(one), place + 1
        parts.append(one.reshape(lengths))
    return tuple(parts)
