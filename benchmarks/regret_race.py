"""Timing with operands made anew outside the clock: what is remembered with a tensor is no help."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from math import inf
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import scipy.sparse as sp

import structarr as sa
from structarr._testing.forcing import witnessed

TURNS = (3, 200)  # of a race, at least and at most
TIER = "compiled"
SLOW = 2e-3  # seconds; a call longer than that may be measured once
LONG = 1.0  # seconds; a call that takes more is made once
BEHIND = 5.0  # times the fastest so far, from which it is


class Times(NamedTuple):
    """The least times of a call: with operands of which nothing is known, and with them again.

    A call of more than a second is not made again.
    """

    fresh: float
    reused: float = inf


@dataclass(frozen=True)
class Contender:
    """
    A spelling with operands of one kind.

    Attributes
    ----------
    name : str
        What its rows are called.
    operands : callable
        Makes them anew.
    compute : callable
        The spelling.
    program : int, optional
        Which of the programs that compute the same is taken in the place of the one picked.
    """

    name: str
    operands: Callable[[], Mapping[str, Any]]
    compute: Callable[[Mapping[str, Any]], Any]
    program: int | None = None

    def value(self, operands: Mapping[str, Any]) -> Any:
        """What the spelling gives, every buffer of it."""
        found = self.compute(operands)
        if isinstance(found, sa.Array):
            return found.compute()
        if sp.issparse(found) and found.format in ("csr", "csc"):
            found.sort_indices()  # as ours are
        return found

    def forced(self) -> AbstractContextManager[None]:
        """The context in which the program is taken."""
        if self.program is None:
            return nullcontext()
        return witnessed(_ignored, self.program)

    def once(self) -> Times:
        """The times of two calls with the same operands."""
        operands = self.operands()
        with self.forced():
            begin = perf_counter()
            self.value(operands)
            middle = perf_counter()
            if middle - begin > LONG:
                return Times(middle - begin)
            self.value(operands)
            return Times(middle - begin, perf_counter() - middle)


def _ignored(call: object) -> None:
    """A witness of nothing."""


def race(first: Mapping[Contender, Times], seconds: float) -> dict[str, Times]:
    """
    Time contenders in turns.

    Parameters
    ----------
    first : mapping of Contender to Times
        What two calls took, after one that compiled. Who is far behind is not called again.
    seconds : float
        How long to go on, all together; who is not far behind is timed three times at least.
    """
    with sa.options(tier=TIER):
        enabled = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            return _race(first, seconds)
        finally:
            if enabled:
                gc.enable()


def _race(first: Mapping[Contender, Times], seconds: float) -> dict[str, Times]:
    best = {one.name: times for one, times in first.items()}
    least = min([times.fresh for times in first.values()])
    bound = max(SLOW, BEHIND * least)
    running = [one for one, times in first.items() if min(times) <= bound]
    order, end = Random(0), perf_counter() + seconds
    for turn in range(TURNS[1]):
        if turn >= TURNS[0] and perf_counter() > end:
            break
        for one in order.sample(running, len(running)):
            best[one.name] = Times(*map(min, best[one.name], one.once()))
    return best
