"""Calls of kernels, counted by the target that counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.options import options
from structarr._testing.counting import CountingBackend, Counts


def counted(kernel: Kernel, args: Sequence[Any]) -> tuple[Any, Counts]:
    """Run a kernel; return its result and what that took."""
    target = CountingBackend()
    return target.build(kernel.functions, kernel.params)(*args), target.counts


@contextmanager
def counting() -> Iterator[list[Counts]]:
    """Within, every kernel is run by the target that counts; give the counts of each call.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 2.0, 0.0, 1.0], format="list")
    >>> with counting() as calls:
    ...     print((a * 3.0).sum().item())
    9.0
    >>> [(one.iterations, one.operations["multiply"], one.read) for one in calls]
    [(3, 2, 40)]
    """
    calls: list[Counts] = []
    interpret = Kernel.interpret

    def noting(kernel: Kernel, args: tuple[Any, ...]) -> Any:
        result, counts = counted(kernel, args)
        calls.append(counts)
        return result

    Kernel.interpret = noting  # type: ignore[method-assign, assignment]
    try:
        with options(tier="interpreted"):
            yield calls
    finally:
        Kernel.interpret = interpret  # type: ignore[method-assign]
