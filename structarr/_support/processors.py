"""Processors that this process may use: by affinity, by control groups, by the environment."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any

from structarr._support.control_groups import folders, text_of


def threads_by_default() -> int:
    """
    The threads that a call may use where no option says how many.

    They are as many as there are processors for this process, or as `OMP_NUM_THREADS` or
    threadpoolctl say if these are fewer. It is one in any thread but the main one, and in processes
    of pools: there the others compute at the same time.
    """
    if threading.current_thread() is not threading.main_thread() or _is_in_pool():
        return 1
    count = available(os.getpid())
    return count if count == 1 else min(count, _of_native_pools())


@lru_cache(1)
def available(process: int) -> int:
    """The processors for a process, as it was started."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not on all systems
        count = os.cpu_count() or 1
    asked = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    limits = [int(asked)] if asked.isdigit() else []
    return max(min([count, *limits, *quotas()]), 1)


def quotas() -> Iterator[int]:
    """The processors that control groups grant, by the time that they may use, rounded up."""
    for folder in folders("cpu"):
        yield from _quota(folder)


def _quota(folder: str) -> Iterator[int]:
    """The limit of one group, in the files of either version."""
    with suppress(ValueError):
        quota, period = text_of(f"{folder}/cpu.max").split()
        yield -(-int(quota) // int(period))
    with suppress(ValueError):
        names = "quota", "period"
        quota, period = [text_of(f"{folder}/cpu.cfs_{name}_us") for name in names]
        if int(quota) > 0:
            yield -(-int(quota) // int(period))


def _is_in_pool() -> bool:
    """Whether `multiprocessing`, or joblib by its means, has started this process."""
    module = sys.modules.get("multiprocessing.process")
    return module is not None and module.parent_process() is not None


def _of_native_pools() -> int:
    """The most threads of the libraries that threadpoolctl limits; no limit where it is unused."""
    module = sys.modules.get("threadpoolctl")
    if module is None:
        return sys.maxsize
    return max([one.num_threads or 1 for one in _native_pools(module)], default=sys.maxsize)


@lru_cache(1)
def _native_pools(module: Any) -> tuple[Any, ...]:
    """The libraries as threadpoolctl finds them; to look takes milliseconds."""
    return tuple(module.ThreadpoolController().lib_controllers)
