"""What the rows of regret come to: means, shares, and the worst."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from benchmarks.report import Row
from benchmarks.ways import geometric

PICK: Final = "pick"  # the spelling of a paper, as the planner takes it
ALL: Final = "best of all"
OURS: Final = "by hand"
SCIPY: Final = "scipy"

WORST = 10


def summary(rows: Iterable[Row], families: Mapping[str, str], large: Collection[str]) -> str:
    """
    The table that stands below the rows.

    Parameters
    ----------
    rows : iterable of Row
        Those of all cases.
    families : mapping of str to str
        What each case is an instance of.
    large : collection of str
        The cases with more than 10^4 entries.
    """
    every = list(rows)
    return "\n".join(_lines(every, families, large))


def _lines(rows: list[Row], families: Mapping[str, str], large: Collection[str]) -> Iterator[str]:
    yield f"{len(families)} cases of {len(set(families.values()))} families"
    for suffix in ("", ", reused"):
        picks = [one for one in rows if one.variant == PICK + suffix and one.checked]
        for title, side, cases in (
            ("regret over the best of all", ALL, families),
            ("regret over the best of ours", OURS, families),
            ("time over SciPy's best", SCIPY, families),
            ("time over SciPy's best, above 10^4 entries", SCIPY, large),
        ):
            found = {
                one.case: 1 / one.ratio for one in picks if one.peer == side and one.case in cases
            }
            if found:
                yield f"{title + suffix}: {_told(found, families)}"
    wrong = [
        one for one in rows if not one.checked and one.peer == ALL and "reused" not in one.variant
    ]
    yield f"refused or wrong: {len(wrong)}"
    yield from (f"  {one.variant}: {one.case}" for one in wrong)
    yield f"worst {WORST}, over the best of all:"
    picks = [one for one in rows if one.variant == PICK and one.peer == ALL]
    for one in sorted(picks, key=lambda each: each.ratio)[:WORST]:
        yield f"  {1 / one.ratio:8.1f}  {one.case}"


def _told(found: Mapping[str, float], families: Mapping[str, str]) -> str:
    below = sum(value < 1.5 for value in found.values()) / len(found)
    above = sum(value > 3 for value in found.values()) / len(found)
    return (
        f"geometric mean {geometric(found.values()).mean:.2f}, "
        f"of families {geometric(_by_family(found, families)).mean:.2f}; "
        f"below 1.5: {below:.0%}, above 3: {above:.0%}; most {max(found.values()):.1f}"
    )


def _by_family(found: Mapping[str, float], families: Mapping[str, str]) -> list[float]:
    members = defaultdict(list)
    for case, value in found.items():
        members[families[case]].append(value)
    return [geometric(values).mean for values in members.values()]
