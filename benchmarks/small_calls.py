"""Calls on next to nothing: operations of every day on a thousand entries, beside SciPy's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest
from math import exp, log
from statistics import fmean
from typing import Final

from benchmarks.everyday import compared
from benchmarks.everyday_operands import made
from benchmarks.everyday_operations import Operation, operations
from benchmarks.report import Row, row

STORED: Final = 1000
COUNT: Final = 40
TIMED: Final = ("anew", "reused")
"""The variants that are times of steady calls: of operands made anew and of the same ones."""


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of each operation, and the geometric means of all."""
    chosen = of_families(COUNT // 4 if quick else COUNT)
    ratios: dict[str, list[float]] = {name: [] for name in TIMED}
    for one in compared(chosen, made("even", STORED), "small", 0.05 if quick else 0.3):
        if one.variant in TIMED:
            ratios[one.variant].append(log(one.ratio))
        if not one.variant.startswith(("bytes", "first")):
            yield one
    for name, found in ratios.items():
        mean = exp(fmean(found))
        yield row(f"mean of {len(found)} small calls", name, 1.0, "scipy", mean, True)


def of_families(count: int) -> list[Operation]:
    """The first operations of each family, in turns, those that stand for it before others."""
    families: dict[str, list[Operation]] = {}
    for one in sorted(operations(), key=lambda one: not one.first):
        families.setdefault(one.family, []).append(one)
    turns = chain.from_iterable(zip_longest(*families.values()))
    return [one for one in turns if one is not None][:count]
