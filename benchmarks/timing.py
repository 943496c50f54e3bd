"""Timing side by side: contenders take turns, so a slow moment of the machine hits them all."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil, inf
from time import perf_counter
from typing import Any

import structarr as sa
from structarr._api.loops import _runner
from structarr._compiler.build import Kernel
from structarr._compute import plan_of

Call = Callable[[], Any]

SAMPLE = 1e-3  # seconds; a shorter call is repeated within a sample
MOST = 200  # samples


def race(calls: Mapping[str, Call], seconds: float) -> dict[str, float]:
    """
    Time calls in turns.

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
    counts = {name: max(1, ceil(SAMPLE / _once(call, 1))) for name, call in calls.items()}
    best = dict.fromkeys(calls, inf)
    enabled = gc.isenabled()
    gc.disable()
    try:
        end = perf_counter() + seconds
        for turn in range(MOST):
            if turn >= 3 and perf_counter() > end:
                break
            for name, call in calls.items():
                best[name] = min(best[name], _once(call, counts[name]))
    finally:
        if enabled:
            gc.enable()
    return best


def _once(call: Call, count: int) -> float:
    start = perf_counter()
    for _ in range(count):
        call()
    return (perf_counter() - start) / count


def kernel_alone(make: Callable[[], sa.Array], compute: Callable[[sa.Array], Any]) -> Call:
    """
    Return a call of an expression's last kernel alone, whose arguments are made once.

    What the kernel adds to its result adds up from call to call.

    Parameters
    ----------
    make : callable
        Makes the expression.
    compute : callable
        Computes it, compiled.
    """
    compute(make())
    plan = plan_of(make()._node)
    assert plan is not None and plan.kernel.compiled is not None
    return _recorded([plan.kernel], lambda: compute(make()))


def program_alone(program: str, call: Call) -> Call:
    """
    Return a call of the last kernel of a program of loops alone, whose arguments are made once.

    Parameters
    ----------
    program : str
        Its text.
    call : callable
        Runs it, compiled.
    """
    call()
    plans = [plan for one in _runner(program)._ready.values() for plan in one.choice.plans]
    kernels = [plan.kernel for plan in plans]
    return _recorded([kernel for kernel in kernels if kernel.compiled is not None], call)


def _recorded(kernels: Sequence[Kernel], call: Call) -> Call:
    """The calls of kernels among some, all compiled, while something is called: one, or pieces."""
    seen: list[Call] = []
    before = {kernel: kernel.compiled for kernel in kernels}
    for kernel, compiled in before.items():
        kernel.compiled = partial(_record, seen, compiled)
    try:
        call()
    finally:
        for kernel, compiled in before.items():
            kernel.compiled = compiled
    return seen[0] if len(seen) == 1 else lambda: [piece() for piece in seen]


def _record(seen: list[Call], compiled: Call, *args: Any) -> Any:
    seen.append(partial(compiled, *args))
    return seen[-1]()
