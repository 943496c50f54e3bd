"""One expression to show: its operands, how it is computed, and beside what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import structarr as sa

SECONDS = 0.5  # to spend on timing


@dataclass
class Job:
    """
    An expression, and what it is compared with.

    Attributes
    ----------
    title : str
        What it is.
    operands : dict of str to Array
        What goes in, by name.
    ours, theirs : callable
        Make the expression; compute the peer's value of it.
    peer : str
        The peer's name.
    check : callable
        Whether a dense array is the right result.
    result : Array
        Once it has run.
    """

    title: str
    operands: dict[str, Any]
    ours: Callable[[], Any]
    peer: str
    theirs: Callable[[], Any]
    check: Callable[[Any], bool]
    result: Any = field(default=None, init=False)

    def run(self) -> float:
        """Compute the result as anybody would; return the seconds."""
        start = perf_counter()
        self.result = self.ours().compute()
        return perf_counter() - start

    def time(self) -> tuple[float, float]:
        """Return the least seconds of both, in turns, once our kernel is compiled."""
        with sa.options(tier="compiled"):
            self.ours().compute()
            best = [float("inf"), float("inf")]
            end = perf_counter() + SECONDS
            while perf_counter() < end:
                for which, call in enumerate((lambda: self.ours().compute(), self.theirs)):
                    start = perf_counter()
                    call()
                    best[which] = min(best[which], perf_counter() - start)
        return best[0], best[1]
