"""Room for a thread: where it is short, one that has begun ends before anyone is told.

Python waits for a new thread to say that it runs, and waits forever where it finds no memory for
its first call; the C library ends the process where it finds none for what a thread has of its own.
"""

from __future__ import annotations

import sys
import threading
from typing import Final

if sys.platform != "win32":
    from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap

USUAL: Final = 1 << 23
"""Bytes of a stack whose size the system decides on; most give less."""

OWN: Final = 1 << 22
"""Bytes that a thread takes beside its stack before it has done anything."""


def check_room(more: int = OWN) -> None:
    """
    Raise RuntimeError, as Python does for a stack, where a thread may not have so many bytes more.

    Examples
    --------
    >>> check_room()
    """
    if sys.platform != "win32":  # where stacks are taken when a thread is made
        stack = threading.stack_size() or USUAL
        try:
            mmap(-1, stack + more, flags=MAP_PRIVATE | MAP_ANONYMOUS).close()  # is never touched
        except OSError:
            raise RuntimeError("the process may not have as much memory") from None
