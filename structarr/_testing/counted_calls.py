"""Calls of kernels, counted by the target that counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.backend.params import Param
from structarr._compiler.ir.kernel import Function
from structarr._compiler.options import options
from structarr._testing.counting import CountingTarget, Counts


def counted(kernel: Kernel, args: Sequence[Any]) -> tuple[Any, Counts]:
    """Run a kernel; return its result and what that took."""
    target = CountingTarget()
    return target.build(kernel.functions, kernel.params)(*args), target.counts


class _EachCall:
    """A target that counts each call by itself."""

    def __init__(self) -> None:
        self.calls: list[Counts] = []

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Callable[..., Any]:
        def kernel(*args: Any) -> Any:
            target = CountingTarget()
            self.calls.append(target.counts)
            return target.build(functions, params)(*args)

        return kernel


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
    >>> [one.operations["multiply"] for one in calls]
    [2]
    """
    target = _EachCall()
    with options(tier=target):
        yield target.calls
