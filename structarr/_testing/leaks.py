"""``python -m structarr.testing leaks``: small programs called again and again, and what is left.

What calls leave is seen by looks, between which each program is called as often: it grows from
nearly each to the next. What grows once is no leak, such as modules that are imported for the first
kernel to be compiled; it is told, too.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from structarr._testing.leak_programs import programs
from structarr._testing.memory_looks import Look, look

LOOKS: Final = 40
FEWEST: Final = 8  # looks of which one can tell
SHARE: Final = 0.25  # of the looks, before which tables may still fill
OFTEN: Final = 0.75  # the share of the looks after which there is more, if it is a leak
SHOWN: Final = 5  # types of objects that are told

NUMBERS: Final = {"objects": 0.0, "blocks": 0.01, "allocated": 1.0, "held": 0.0}
"""What is counted at a look, and by how much of each it may grow for each call."""

PADDING: Final = {"allocated": 4096}
"""By how much each may grow from look to look: what is freed leaves gaps, which fill and empty."""


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if something is left of calls."""
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing leaks",
        description="Call small programs again and again, and see what is left of them.",
    )
    parser.add_argument("--calls", type=int, default=1_000_000, help="how many (1000000)")
    parser.add_argument("--minutes", type=float, default=60.0, help="end after so long (60)")
    given = parser.parse_args(words)
    calls, seen = watched(given.calls, 60 * given.minutes, print)
    found = leaks(seen, calls // max(1, len(seen)))
    print(f"{calls} calls, {len(seen)} looks: {'; '.join(found) or 'nothing is left'}")
    return int(bool(found))


def watched(
    calls: int, seconds: float, tell: Callable[[str], object], looks: int | None = None
) -> tuple[int, np.ndarray[Any, np.dtype[np.int64]]]:
    """Call programs; return how many calls there were, and the numbers of looks, a row each.

    Unless it is said how many, there are whole turns of all programs from look to look, if there
    are calls for one. Nothing else is kept of looks, so that they themselves leave nothing.
    """
    end, done, count = time.monotonic() + seconds, 0, 0
    with TemporaryDirectory() as folder, np.errstate(all="ignore"):
        every = [*programs(Path(folder))]
        turn, between = itertools.cycle(every), max(1, calls // (looks or LOOKS))
        if looks is None:
            looks = max(1, min(LOOKS, calls // len(every)))
            between = max(1, calls // looks // len(every)) * len(every)
        numbers, before = np.zeros((looks, len(NUMBERS)), np.int64), look()
        while count < looks and time.monotonic() < end:
            for call in itertools.islice(turn, between):
                call()
                done += 1
            after = look()
            numbers[count] = [getattr(after, name) for name in NUMBERS]
            if after.objects > before.objects:
                tell(f"look {count + 1}: {step(before, after)}")
            before, count = after, count + 1
    return done, numbers[:count]


def leaks(numbers: np.ndarray[Any, np.dtype[np.int64]], between: int) -> list[str]:
    """What grew by more than its bound between three quarters of the looks."""
    late = numbers[int(SHARE * len(numbers)) :]
    if len(late) < FEWEST:
        return ["there are too few looks to tell: it takes some thousand calls"]
    grown = np.quantile(np.diff(late, axis=0), 1 - OFTEN, axis=0, method="lower")
    return [
        f"{by:g} {name} more at each look"
        for name, by, most in zip(NUMBERS, grown, NUMBERS.values(), strict=True)
        if by > max(most * between, PADDING.get(name, 0))
    ]


def step(before: Look, after: Look) -> str:
    """What objects there are more, and what was imported in between."""
    types = (after.types - before.types).most_common(SHOWN)
    new = sorted({one.partition(".")[0] for one in after.modules - before.modules})
    shown = ", ".join([f"{n} {name}" for name, n in types])
    more = f"{after.objects - before.objects} objects more ({shown})"
    return f"{more}, after imports of {', '.join(new)}" if new else more
