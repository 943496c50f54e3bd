"""Races whose operands are made anew outside the clock, and what calls take of memory."""

from __future__ import annotations

import gc
import os
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil, inf
from random import Random
from time import perf_counter
from typing import Any

import structarr as sa
from structarr._support import buffer_pool

TIER = "compiled"  # of the calls before those that are timed
SAMPLE = 1e-3  # seconds; shorter calls are repeated within a sample, each with its own operands
REPEATED = 64  # times at most
LONG = 1.0  # seconds: where a call takes longer, two rounds are enough


@dataclass(frozen=True)
class Contender:
    """A call, and what makes the operands that it takes."""

    call: Callable[..., Any]
    make: Callable[[], tuple[Any, ...]]

    def again(self) -> Contender:
        """Return the contender whose calls all take the same operands."""
        operands = self.make()
        return Contender(self.call, lambda: operands)

    def once(self, count: int = 1) -> float:
        """Return the time of one of so many calls."""
        every = [self.make() for _ in range(count)]
        call = self.call
        start = perf_counter()
        for operands in every:
            call(*operands)
        return (perf_counter() - start) / count


def warmed(contender: Contender) -> Any:
    """Return the result of a call whose kernels are compiled, as they are from then on."""
    with sa.options(tier=TIER):
        return contender.call(*contender.make())


def _first(contender: Contender) -> float:
    """A first time, of the least of three calls that are so short that one may be disturbed."""
    spent = contender.once()
    return spent if spent > 10 * SAMPLE else min(spent, contender.once(), contender.once())


def race(contenders: Mapping[str, Contender], seconds: float) -> dict[str, float]:
    """
    Time contenders in turns; the options are a user's own.

    Parameters
    ----------
    contenders : mapping of str to Contender
        Each has been called before, with compiled kernels.
    seconds : float
        How long to go on, all contenders together; each is timed twice at least.

    Returns
    -------
    dict of str to float
        The least time of one call of each, in seconds.
    """
    first = {name: _first(one) for name, one in contenders.items()}
    counts = {name: min(REPEATED, ceil(SAMPLE / spent)) for name, spent in first.items()}
    best = dict.fromkeys(contenders, inf)
    rounds = 2 if max(first.values()) > LONG else 3
    order, enabled = Random(0), gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        end, turn = perf_counter() + seconds, 0
        while turn < rounds or perf_counter() < end:
            for name in order.sample(list(contenders), len(contenders)):
                best[name] = min(best[name], contenders[name].once(counts[name]))
            turn += 1
    finally:
        if enabled:
            gc.enable()
    return best


@contextmanager
def half_of_the_memory() -> Iterator[None]:
    """Let no call take more than half of the machine's memory: what wants more raises an error."""
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    resource.setrlimit(resource.RLIMIT_AS, (half, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@dataclass(frozen=True)
class Memory:
    """Bytes of a call: the most beside its operands, and what stays once its result is gone."""

    peak: int
    kept: int


def memory(contender: Contender) -> Memory:
    """Return what a call with new operands takes of the memory that NumPy and Python count."""
    operands = contender.make()
    buffer_pool.let_go()
    tracemalloc.start()
    try:
        contender.call(*operands)
        _, peak = tracemalloc.get_traced_memory()
        buffer_pool.let_go()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return Memory(peak, kept)
