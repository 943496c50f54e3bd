"""Accumulators whose order of additions the compiler may choose."""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import helper


@helper(fastmath=frozenset({"reassoc"}))
def radd(total: Any, term: Any) -> Any:
    """
    Add a term to a running sum that may be reassociated, which lets the loop vectorise.

    NaN and infinity survive; the last bits may differ from those of a sum from left to right. The
    flag stands on this function alone, because it would change elementwise results too.
    """
    return total + term


def turns(lo: int, hi: int, step: int) -> int:
    """Return how often a loop from lo goes on by a step before it passes hi."""
    return (hi - lo) // step if lo < hi else 0
