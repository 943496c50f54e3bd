"""Threads that call a function for each of some jobs."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from contextvars import copy_context
from functools import lru_cache
from itertools import pairwise
from queue import SimpleQueue
from typing import TypeVar

from structarr._compiler.options import current
from structarr._support.processors import threads_by_default
from structarr._support.uninterrupted import awaited, is_main
from structarr._support.workers import Workers

Job = TypeVar("Job")
Result = TypeVar("Result")


def allowed() -> int:
    """The number of threads that a call may use."""
    return current().threads or threads_by_default()


def mapped(
    function: Callable[[Job], Result], jobs: Sequence[Job], waits: bool = False
) -> Iterator[Result]:
    """The function's value for each job, in their order, by as many threads as are allowed.

    The caller is one of them: on a busy machine it does not wait for others to begin. Where each
    job is so long that interrupts would be heard too late, it `waits` for others to do them all.
    """
    threads = min(allowed(), len(jobs))
    if waits and jobs and is_main():
        return _shared(function, jobs, threads, threads)
    return map(function, jobs) if threads < 2 else _shared(function, jobs, threads, threads - 1)


def _shared(
    function: Callable[[Job], Result], jobs: Sequence[Job], threads: int, others: int
) -> Iterator[Result]:
    """The values of jobs, of which each thread has a share; the caller is one if others are fewer.

    A thread goes along its own share, the same at each call: what it has read and written lies in
    its caches, and to take that from another processor's may take longer than from the memory. Who
    is done helps with what others would do last.
    """
    done: dict[int, Result] = {}
    errors: list[BaseException] = []
    count, first = len(jobs), threads - others
    ends = [count * k // threads for k in range(threads + 1)]
    shares = [deque(range(*share)) for share in pairwise(ends)]
    rings: SimpleQueue[None] = SimpleQueue()  # a future for each job takes as long as a short one

    def take(own: deque[int]) -> bool:
        """Do a job, if any is left; after an error none is."""
        number = None if errors else _next(own, shares)
        if number is None:
            return False
        try:
            done[number] = function(jobs[number])
        except BaseException as error:
            errors.append(error)
            if not isinstance(error, Exception):
                raise  # an interrupt, which waits for nobody
        return True

    def work(number: int) -> None:
        own = shares[number + first]
        try:
            while take(own):
                rings.put(None)
        finally:
            rings.put(None)

    pool, helps = _pool(others, os.getpid()), bool(first)
    for _ in range(others):
        try:
            pool.submit(_in_context(work))
        except RuntimeError:  # no room for another thread: the caller does what is left
            helps = True
            break
    try:
        for number in range(count):
            while helps and number not in done and take(shares[0]):
                pass
            while number not in done and not errors:
                awaited(rings)
            if errors:
                raise errors[0]
            yield done.pop(number)
    finally:
        for share in shares:
            share.clear()


def together(work: Callable[[int], object], threads: int, waits: bool = False) -> None:
    """Call a function with the numbers of some threads, which share what there is to do.

    As in `mapped`, the caller is one of them unless it `waits`. Who has begun is waited for; when
    the caller is done, nobody else begins.
    """
    waits = waits and is_main()
    done: deque[int] = deque()
    errors: list[BaseException] = []
    rings: SimpleQueue[None] = SimpleQueue()
    tickets = deque(range(int(not waits), threads))  # of those that have not begun

    def begin(_: int) -> None:
        try:
            number = tickets.popleft()
        except IndexError:
            return
        try:
            work(number)
        except BaseException as error:
            errors.append(error)
        done.append(number)
        rings.put(None)

    others, begun = len(tickets), 0
    for _ in range(others):
        try:
            _pool(others, os.getpid()).submit(_in_context(begin))
        except RuntimeError:  # no room for another thread: who works does what is left
            break
        begun += 1
    if not (waits and begun):
        work(0)
    if not waits:
        begun = others
        while tickets:
            with suppress(IndexError):  # another thread was faster
                tickets.pop()
                begun -= 1
    while len(done) < begun and not errors:
        awaited(rings)
    if errors:
        raise errors[0]


def _next(own: deque[int], shares: Sequence[deque[int]]) -> int | None:
    """The next job of a thread's own share, or the last of the largest; None if none is left."""
    while True:
        try:
            if own:
                return own.popleft()
            largest = max(shares, key=len)
            return largest.pop() if largest else None
        except IndexError:  # another thread was faster
            continue


def _in_context(work: Callable[[int], None]) -> Callable[[int], None]:
    """A function that has the options of the caller, for one thread: no two may be in a context."""
    run = copy_context().run
    return lambda number: run(work, number)


@lru_cache(8)
def _pool(threads: int, process: int) -> Workers:
    """The threads of a process: a fork has none of its parent's."""
    return Workers(threads)
