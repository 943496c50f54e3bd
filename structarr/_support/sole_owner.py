"""Memory that one holder alone has, as Python's counts of references tell."""

from __future__ import annotations

import sys
import threading
from typing import Any, Final

import numpy as np

from structarr._support import buffer_pool
from structarr._support.buffer_pool import Array

OURS: Final = "structarr"
"""What the names of this library's own threads begin with, which read nothing between calls."""


def is_only_thread() -> bool:
    """Whether no other thread of a program can look at an array meanwhile."""
    if threading.active_count() == 1:
        return True
    return sum([not one.name.startswith(OURS) for one in threading.enumerate()]) == 1


def is_sole(buffers: tuple[Array, ...]) -> bool:
    """
    Whether the last of some buffers is memory that nobody else has, nor a view of it.

    Parameters
    ----------
    buffers : tuple of numpy.ndarray
        Held by one object and by the caller, who has no other reference to what is in it.

    Examples
    --------
    >>> class Holder:
    ...     buffers = (np.arange(3),)
    >>> is_sole(Holder.buffers)
    True
    >>> view = Holder.buffers[0][1:]
    >>> is_sole(Holder.buffers)
    False
    """
    if not COUNTED or sys.getrefcount(buffers) > _HELD:
        return False
    memory: Any = buffers[-1]
    # A view is of what owns the memory, whatever it was made of: each on the way may have others.
    while sys.getrefcount(memory) <= _FOUND and isinstance(memory, np.ndarray):
        if memory.base is None:
            return memory.flags.owndata
        memory = memory.base
    return buffer_pool.is_block(memory) and sys.getrefcount(memory) <= _FOUND


def _held(buffers: tuple[Array, ...]) -> tuple[int, int]:
    """The counts of a tuple that an object and the caller hold, and of what is found in it."""
    memory = buffers[-1]
    return sys.getrefcount(buffers), sys.getrefcount(memory)


class _Holder:
    buffers = (np.zeros(1),)


COUNTED: Final = (
    sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
)
"""Whether all references to an object are counted where they are made."""

_HELD, _FOUND = _held(_Holder.buffers)
