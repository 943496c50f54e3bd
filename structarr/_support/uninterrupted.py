"""Work that an interrupt by the user must not tear apart."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from structarr._support.thread_room import check_room

T = TypeVar("T")

STACK: Final = 1 << 26  # bytes, for compilers that recurse; some systems give a thread very little
COMPILER: Final = 1 << 25  # bytes that a compiler takes, which ends the process where it finds none
LIBRARY: Final = 1 << 28  # bytes that it is loaded into
TURN: Final = 0.1  # the seconds for which an interrupt may be unheard
MANY: Final = 1 << 20  # steps that take some tens of milliseconds beyond the cache


def uninterrupted(function: Callable[[], T]) -> T:
    """
    Call a function in a thread of its own, and wait for it.

    Python raises `KeyboardInterrupt` in the main thread alone. An import of Numba, or a
    compilation, that ended halfway would leave it unusable for as long as the process lives; so the
    wait ends, and the work goes on.

    Examples
    --------
    >>> uninterrupted(lambda: 6 * 7)
    42
    """
    return _apart(function, needed=True)


def _apart(function: Callable[[], T], needed: bool) -> T:
    """The value of a function, called by another thread.

    Where there is no room for one, it is called here unless a thread is `needed`.
    """
    if not is_main():
        return function()
    done: Future[T] = Future()
    context = copy_context()

    def work() -> None:
        try:
            done.set_result(context.run(function))
        except BaseException as error:
            done.set_exception(error)

    try:
        start(work)
    except MemoryError:
        if needed:
            raise
        return function()
    return waited(done)


def is_main() -> bool:
    """Whether this is the thread that hears of interrupts."""
    return threading.current_thread() is threading.main_thread()


def heard(function: Callable[[], T], steps: float) -> T:
    """
    Call a function of NumPy or a kernel; one of many steps is waited for, to hear interrupts.

    Python hears of them between two lines of its own, and a sort of 10^8 elements is one line. What
    is left behind goes on to its end, and its memory is given back then.

    Examples
    --------
    >>> heard(lambda: 6 * 7, 1)
    42
    """
    return function() if steps < MANY else _apart(function, needed=False)


def waited(done: Future[T]) -> T:
    """Wait for the result of another thread, and hear of interrupts meanwhile.

    A wait without an end hears of none on some systems, nor anywhere of one that comes just before.
    """
    while not done.done():
        wait((done,), TURN)
    return done.result()


def awaited(rings: SimpleQueue[None]) -> None:
    """Wait until another thread rings, or for a turn; what it has done is asked for after that.

    A queue of this kind is C throughout: an event is woken up from a good deal later.
    """
    with suppress(Empty):
        rings.get(timeout=TURN)


def start(work: Callable[[], Any]) -> None:
    """Begin something in a thread that has room for a compiler.

    Raises
    ------
    MemoryError
        If the system has no room for its stack, of which Python tells as a `RuntimeError`.
    """
    before = threading.stack_size(STACK)
    try:
        check_room(COMPILER if "llvmlite.binding" in sys.modules else LIBRARY)
        threading.Thread(target=work, name="structarr compiles").start()
    except RuntimeError as error:
        raise MemoryError(f"a thread with a stack of {STACK >> 20} MiB: {error}") from error
    finally:
        threading.stack_size(before)
