"""Room for a thread: where it is short, one that has begun ends before anyone is told.

Python waits for a new thread to say that it runs, and waits forever where it finds no memory for
its first call; the C library ends the process where it finds none for what a thread has of its own.
"""

from __future__ import annotations

import threading
from typing import Final

import numpy as np

USUAL: Final = 1 << 23
"""Bytes of a stack whose size the system decides on; most give less."""

OWN: Final = 1 << 22
"""Bytes that a thread takes beside its stack before it has done anything."""


def check_room(more: int = OWN) -> None:
    """
    Raise MemoryError where the process may not have a stack and so many bytes more.

    Examples
    --------
    >>> check_room()
    """
    stack = threading.stack_size() or USUAL
    try:
        np.empty(stack + more, np.uint8)  # is given back at once, and was never touched
    except MemoryError:
        raise MemoryError(
            f"a thread with a stack of {stack >> 20} MiB: the process may not have as much memory"
        ) from None
