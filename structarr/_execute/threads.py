"""Threads that call a function for each of some jobs."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from functools import lru_cache, partial
from queue import SimpleQueue
from typing import TypeVar

from structarr._compiler.options import current
from structarr._support.processors import threads_by_default
from structarr._support.uninterrupted import awaited
from structarr._support.workers import Workers

Job = TypeVar("Job")
Result = TypeVar("Result")


def allowed() -> int:
    """The number of threads that a call may use."""
    return current().threads or threads_by_default()


def mapped(function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
    """The function's value for each job, in their order, by as many threads as are allowed.

    The caller is one of them: on a busy machine it does not wait for others to begin.
    """
    threads = min(allowed(), len(jobs))
    return map(function, jobs) if threads < 2 else _shared(function, jobs, threads - 1)


def _shared(
    function: Callable[[Job], Result], jobs: Sequence[Job], others: int
) -> Iterator[Result]:
    """The values of jobs that the caller and other threads take in turn."""
    done: dict[int, tuple[Result | None, BaseException | None]] = {}
    left = deque(enumerate(jobs))
    rings: SimpleQueue[None] = SimpleQueue()  # a future for each job takes as long as a short one

    def take() -> bool:
        """Do a job, if any is left; after an error none is."""
        try:
            number, job = left.popleft()
        except IndexError:
            return False
        try:
            done[number] = function(job), None
        except BaseException as error:
            left.clear()
            done[number] = None, error
            if not isinstance(error, Exception):
                raise  # an interrupt, which waits for nobody
        return True

    def work() -> None:
        try:
            while take():
                rings.put(None)
        finally:
            rings.put(None)

    pool = _pool(others, os.getpid())
    for _ in range(others):
        try:
            pool.submit(partial(copy_context().run, work))
        except RuntimeError:  # no room for another thread: the caller does what is left
            break
    try:
        for number in range(len(jobs)):
            while number not in done and take():
                pass
            while number not in done:
                awaited(rings)
            value, error = done.pop(number)
            if error is not None:
                raise error
            yield value  # type: ignore[misc]
    finally:
        left.clear()


@lru_cache(8)
def _pool(threads: int, process: int) -> Workers:
    """The threads of a process: a fork has none of its parent's."""
    return Workers(threads)
