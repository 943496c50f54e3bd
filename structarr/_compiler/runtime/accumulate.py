"""Accumulators whose order of updates the compiler may choose."""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import Traits, helper


@helper(Traits(relaxes="add", sums=True))
def radd(total: Any, term: Any) -> Any:
    """
    Add a term to a running sum that may be reassociated, which lets the loop vectorise.

    NaN and infinity survive; the last bits may differ from those of a sum from left to right. The
    interpreted tier, which goes from left to right, keeps the sum in the wider dtype.
    """
    return total + term


@helper(Traits(sums=True))
def add_next(total: Any, term: Any) -> Any:
    """
    Add the next term to a running sum, after those before it.

    The interpreted tier keeps the sum in the wider dtype, as it does for `radd`.
    """
    return total + term


def blocks_to(start: int, stop: int, size: int) -> int:
    """Return where the last of the whole blocks ends that begin at `start`: all that fit."""
    return stop - (stop - start) % size if start < stop else start


def lost(total: Any, term: Any) -> Any:
    """Return what `total + term` is short of their sum: exactly, whichever is the larger."""
    found = total + term
    added = found - total
    return (total - (found - added)) + (term - added)


def settled(total: Any, low: Any) -> Any:
    """Return a total with what its additions have lost: nothing, or NaN where it is infinite."""
    return total + low if low == low and low != 0 else total


@helper(Traits(relaxes="maximum"))
def rmax(total: Any, term: Any) -> Any:
    """Take a term into a running maximum of floats; NaN wins, and either of 0.0 and -0.0."""
    return total if total > term or total != total else term


@helper(Traits(relaxes="minimum"))
def rmin(total: Any, term: Any) -> Any:
    """Take a term into a running minimum of floats; NaN wins, and either of 0.0 and -0.0."""
    return total if total < term or total != total else term
