"""The most memory that a call takes, with what libraries allocate in C."""

from __future__ import annotations

import ctypes
import gc
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from benchmarks.everyday_timing import Contender, memory
from structarr._support import buffer_pool

STATUS: Final = Path("/proc/self/status")
RESET: Final = Path("/proc/self/clear_refs")


TRIES: Final = 3
SMALL: Final = 1 << 20
"""Below so many bytes pages of code that come late weigh: the least of so many tries counts."""


def peak(contender: Contender) -> int:
    """
    Return the most bytes that a call takes beside its operands, 1 at least.

    On Linux a child process makes the call, whose pages the system counts; what it shares with its
    parent does not count. Elsewhere it is what NumPy and Python count.
    """
    if not (RESET.exists() and hasattr(os, "fork")):
        return max(1, memory(contender).peak)
    found = _peak(contender)
    return min(found, *[_peak(contender) for _ in range(TRIES - 1)]) if found < SMALL else found


def _peak(contender: Contender) -> int:
    """The same of one child."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(write, str(_grown(contender)).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        found = told.read()
    os.waitpid(child, 0)
    return max(1, int(found)) if found else max(1, memory(contender).peak)


def _grown(contender: Contender) -> int:
    """By how much the pages of this process grow at most during a call."""
    contender.call(*contender.make())  # pages of code are there from then on
    operands = contender.make()
    _let_go()
    RESET.write_text("5")  # the highest number so far is forgotten
    before = _bytes("VmRSS")
    contender.call(*operands)
    return _bytes("VmHWM") - before


def _let_go() -> None:
    """Return free memory to the system, so that it counts when it is taken again."""
    gc.collect()
    buffer_pool.let_go()
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _bytes(field: str) -> int:
    line = next(one for one in STATUS.read_text().splitlines() if one.startswith(field))
    return 1024 * int(line.split()[1])
