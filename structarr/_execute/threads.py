"""Threads that call a function for each of some jobs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import lru_cache
from typing import TypeVar

from structarr._compiler.options import current
from structarr._support.processors import threads_by_default

Job = TypeVar("Job")
Result = TypeVar("Result")


def allowed() -> int:
    """How many threads a call may use."""
    return current().threads or threads_by_default()


def mapped(function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
    """The function's value for each job, in their order, by as many threads as are allowed."""
    threads = min(allowed(), len(jobs))
    if threads < 2:
        return map(function, jobs)
    contexts = [copy_context() for _ in jobs]
    pool = _pool(threads, os.getpid())
    return pool.map(lambda context, job: context.run(function, job), contexts, jobs)


@lru_cache(8)
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """The threads of a process: a fork has none of its parent's."""
    return ThreadPoolExecutor(threads, thread_name_prefix="structarr")
