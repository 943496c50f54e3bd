"""Threads that wait for jobs, to be woken up as soon as there is one."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeAlias
from weakref import finalize

from structarr._support.thread_room import check_room

Jobs: TypeAlias = "SimpleQueue[Callable[[int], Any] | None]"


class Workers:
    """
    Some threads that take what is put before them.

    An executor of the standard library makes a future for each job, with locks of its own, which
    takes as long as a short job does. They end with the process, or when nobody can give them any
    more jobs; what one has begun is waited for.

    Parameters
    ----------
    most : int
        How many threads there are, each of which is started for a job.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._jobs: Jobs = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._starting = threading.Lock()
        finalize(self, _end, self._jobs, self._threads, os.getpid())

    def submit(self, job: Callable[[int], Any]) -> None:
        """Give a job to the threads, which tells of its errors itself.

        It is called with the number of the thread that does it, from 0 on.

        Raises
        ------
        RuntimeError
            If the system has no room for a thread.
        """
        if len(self._threads) < self._most:
            with self._starting:
                if len(self._threads) < self._most:
                    self._start()
        self._jobs.put(job)

    def _start(self) -> None:
        # At the end of the process Python waits for other threads before it says that it ends.
        task = self._jobs, len(self._threads)
        check_room()
        thread = threading.Thread(target=_work, args=task, name="structarr", daemon=True)
        thread.start()
        self._threads.append(thread)


def _work(jobs: Jobs, number: int) -> None:
    """Do jobs until there is None."""
    while (job := jobs.get()) is not None:
        with suppress(BaseException):
            job(number)
        del job  # it may keep arrays alive


def _end(jobs: Jobs, threads: Sequence[threading.Thread], process: int) -> None:
    """Let threads end, and wait for them; a fork has none of its parent's."""
    if os.getpid() != process:
        return
    for _ in threads:
        jobs.put(None)
    for one in threads:
        if one is not threading.current_thread():
            one.join()
