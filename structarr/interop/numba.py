"""Buffers for functions under `numba.njit`: a named tuple, which Numba types by its fields."""

from __future__ import annotations

from collections import Counter, namedtuple
from functools import lru_cache
from typing import Any

from structarr._support.caches import MOST
from structarr.formats import Format, name_of
from structarr.formats.entries import Array
from structarr.interop.foreign import AsStored, checked_layout


def made(stored: AsStored, layout: str, name: str) -> Any:
    """
    Return the shape and the buffers of an array, read-only: ``view.ptr``, ``view.val``, ...

    A name that several levels have is followed by the number of the level.
    """
    checked_layout(layout, ("buffers",), "Numba")
    tensor = stored(None)
    return _kind(tensor.format)(tensor.shape, *map(_read_only, tensor.buffers))


@lru_cache(MOST)
def _kind(format: Format) -> Any:
    parts = [(place, name) for place, level in enumerate(format.levels) for name in level.buffers]
    times = Counter(name for _, name in parts)
    fields = [name if times[name] == 1 else f"{name}{place}" for place, name in parts]
    plain = "".join(letter if letter.isalnum() else "_" for letter in name_of(format))
    return namedtuple(f"Buffers_{plain}", ["shape", *fields])


def _read_only(buffer: Array) -> Array:
    view = buffer.view()
    view.flags.writeable = False
    return view
