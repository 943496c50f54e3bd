"""Accumulators whose order of updates the compiler may choose."""

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


@helper(intrinsic="llvm.maximum")
def rmax(total: Any, term: Any) -> Any:
    """Take a term into a running maximum of floats; NaN wins, and either of 0.0 and -0.0."""
    return total if total > term or total != total else term


@helper(intrinsic="llvm.minimum")
def rmin(total: Any, term: Any) -> Any:
    """Take a term into a running minimum of floats; NaN wins, and either of 0.0 and -0.0."""
    return total if total < term or total != total else term
