"""Work that nobody waits for, done in a thread of its own, one after the other."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any

from structarr._support.uninterrupted import start

Work = Callable[[], Any]

_waiting: deque[Work] = deque()
_changed = threading.Condition()
_is_busy = False


def later(work: Work) -> None:
    """
    Have something done while the process goes on; a process that ends does not begin with it.

    Its errors are nobody's: whoever needs what it makes asks again.

    Examples
    --------
    >>> made = []
    >>> later(lambda: made.append(6 * 7))
    >>> settle()
    >>> made
    [42]
    """
    global _is_busy
    with _changed:
        _waiting.append(partial(copy_context().run, work))
        if _is_busy:
            return
        _is_busy = True
    try:
        start(_work)
    except MemoryError:  # it waits for the next call that finds room for a thread
        with _changed:
            _is_busy = False
            _changed.notify_all()


def give_way(seconds: float) -> None:
    """
    Leave the interpreter to what is done behind, for so many seconds at most.

    Where nothing is, it returns at once.

    A thread that reads files or waits for LLVM gets Python's lock back only after some
    milliseconds each time, if another one computes: a thousand files would take it seconds.

    Examples
    --------
    >>> give_way(1.0)
    """
    if _is_busy:
        with _changed:
            if _is_busy:
                _changed.wait(seconds)


def settle() -> None:
    """Wait until nothing is left to be done."""
    with _changed:
        while _is_busy:
            _changed.wait()


def _work() -> None:
    global _is_busy
    while True:
        with _changed:
            if not _waiting:
                _is_busy = False
                _changed.notify_all()
                return
            work = _waiting.popleft()
        if threading.main_thread().is_alive():
            with suppress(Exception):
                work()


def _begin_anew() -> None:
    """Forget of the thread that a fork leaves behind."""
    global _is_busy, _changed
    _changed = threading.Condition()
    _waiting.clear()
    _is_busy = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
