"""Making a failing case small: the first simpler one that fails alike, again and again."""

from __future__ import annotations

import time

from structarr._testing.fuzz.case import Case
from structarr._testing.fuzz.outcome import Outcome, outcome


def shrunk(case: Case, failure: Outcome, seconds: float = 20.0, limit: float = 5.0) -> Case:
    """The smallest case found within some seconds that fails as a case does."""
    end = time.monotonic() + seconds
    found = case
    while (smaller := _next(found, failure, end, limit)) is not None:
        found = smaller
    return found


def _next(case: Case, failure: Outcome, end: float, limit: float) -> Case | None:
    for one in case.simpler():
        if time.monotonic() > end:
            return None
        if alike(outcome(one, limit), failure):
            return one
    return None


def alike(one: Outcome, other: Outcome) -> bool:
    """Whether two failures are of one kind: both wrong, both slow, or the same error's place."""
    if not one.failed:
        return False
    kinds = [failure.group.partition(": ")[0] for failure in (one, other)]
    return kinds[0] == kinds[1]
