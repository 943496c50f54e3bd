"""A limit of the processor's time that a piece of work may take."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooLong(BaseException):
    """Work takes longer than it may; no `except Exception` catches it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """
    Have work raise `TooLong` that takes more seconds of this process's work; 0 is no limit.

    There is none outside of the main thread, and on systems without such a timer.
    """
    usable = hasattr(signal, "setitimer") and (
        threading.current_thread() is threading.main_thread()
    )
    if not seconds or not usable:
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    # Again and again: what is raised in a destructor is lost.
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
