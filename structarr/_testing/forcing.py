"""Every choice of the scheduler, forced: which of the programs that compute the same is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from structarr._compiler.options import Forced, current, force
from structarr._execute.program_choice import Call

T = TypeVar("T")


@contextmanager
def witnessed(
    witness: Callable[[Call], object], program: int | None = None, pieces: int | None = None
) -> Iterator[None]:
    """Within, a witness is told of every call of a kernel, and choices are forced as `Forced` says.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 2.0, 0.0, 1.0], format="list")
    >>> calls = []
    >>> with witnessed(calls.append, program=1):
    ...     (a * a.copy()).sum().item()
    5.0
    >>> [(len(call.programs), call.programs.index(call.program)) for call in calls]
    [(2, 1)]
    """
    before = current().forced or Forced()
    with force(replace(before, program=program, pieces=pieces, witness=witness)):
        yield


def by_each_program(
    compute: Callable[[], T], witness: Callable[[Call], object] | None = None
) -> Iterator[T]:
    """The results of a computation by each candidate of its kernels.

    It is made as often as the kernel with the most candidates has some; another is taken in turns.
    The computation is to build its expression anew each time: an array keeps its value.
    """
    most, number = 1, 0

    def told(call: Call) -> None:
        nonlocal most
        most = max(most, len(call.programs))
        if witness is not None:
            witness(call)

    while number < most:
        with witnessed(told, number):
            yield compute()
        number += 1
