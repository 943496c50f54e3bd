"""Timing side by side: contenders take turns, so a slow moment of the machine hits them all."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from functools import partial
from math import ceil, inf
from random import Random
from time import perf_counter
from typing import Any

import structarr as sa
from structarr._compiler.backend.kernel import Kernel

Call = Callable[[], Any]

SAMPLE = 1e-3  # seconds; a shorter call is repeated within a sample
MOST = 200  # samples


def race(calls: Mapping[str, Call], seconds: float) -> dict[str, float]:
    """
    Time calls in turns, with compiled kernels.

    Parameters
    ----------
    calls : mapping of str to callable
        The contenders; each has been called before, so that nothing is left to compile.
    seconds : float
        How long to go on, all contenders together; each is timed three times at least.

    Returns
    -------
    dict of str to float
        The least time of one call of each contender, in seconds.
    """
    with sa.options(tier="compiled"):  # here, so that it is no part of a call
        return _race(calls, seconds)


def _race(calls: Mapping[str, Call], seconds: float) -> dict[str, float]:
    counts = {name: max(1, ceil(SAMPLE / _once(call, 1))) for name, call in calls.items()}
    best = dict.fromkeys(calls, inf)
    order = Random(0)
    enabled = gc.isenabled()
    gc.disable()
    try:
        end = perf_counter() + seconds
        for turn in range(MOST):
            if turn >= 3 and perf_counter() > end:
                break
            # Who follows whom changes: some leave the caches full of what the next one reads.
            for name in order.sample(list(calls), len(calls)):
                best[name] = min(best[name], _once(calls[name], counts[name]))
    finally:
        if enabled:
            gc.enable()
    return best


def _once(call: Call, count: int) -> float:
    start = perf_counter()
    for _ in range(count):
        call()
    return (perf_counter() - start) / count


def kernels_alone(call: Call) -> Call | None:
    """
    Return a call of the kernels alone that a call runs, compiled, with arguments made once.

    What kernels add to their results adds up from call to call. What NumPy computes is left out:
    where there is no kernel, there is nothing to call.

    Parameters
    ----------
    call : callable
        Computes something.
    """
    with sa.options(tier="compiled"):
        return _alone(call)


def _alone(call: Call) -> Call | None:
    call()
    kernels = [one for one in gc.get_objects() if type(one) is Kernel and one.compiled]
    seen: list[Call] = []
    before = {kernel: kernel.compiled for kernel in kernels}
    for kernel, compiled in before.items():
        kernel.compiled = partial(_record, seen, compiled)
    try:
        call()
    finally:
        for kernel, compiled in before.items():
            kernel.compiled = compiled
    if len(seen) < 2:
        return seen[0] if seen else None
    return lambda: [one() for one in seen]


def parts(call: Call) -> dict[str, Call]:
    """Return what rows time of a call: its kernels alone, where it runs any, and all of it."""
    kernel = kernels_alone(call)
    whole = {"whole call": call}
    return whole if kernel is None else {"kernel": kernel, **whole}


def _record(seen: list[Call], compiled: Call, *args: Any) -> Any:
    seen.append(partial(compiled, *args))
    return seen[-1]()
