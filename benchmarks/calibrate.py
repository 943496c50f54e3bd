"""The cost model beside kernels: steps and time that it expects, and those that were counted.

Every candidate of a few expressions is computed. The target that counts gives the iterations of its
kernels and the bytes that they touch, a stopwatch their time in machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np

import structarr as sa
from benchmarks.report import Row, row
from benchmarks.timing import kernels_alone, race
from structarr._compiler.rules.defaults import default_rules
from structarr._compiler.rules.engine import simplifier
from structarr._execute.program_choice import Call
from structarr._scheduler.cost_model import cost
from structarr._testing.counted_calls import counting
from structarr._testing.forcing import witnessed

SECONDS: Final = 0.1  # for the kernels of each candidate


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the steps, the bytes and, unless quick, the time of each candidate of expressions."""
    for name, make in expressions(40 if quick else 200).items():
        most = number = 0
        while number <= most:
            rows, most = _candidate(name, make, number, quick)
            yield from rows
            number += 1


def expressions(n: int) -> dict[str, Callable[[], Any]]:
    """Return expressions over operands of n rows, each of which is built anew at a call."""
    random = np.random.default_rng(0)

    def some(density: float, *shape: int) -> Any:
        return np.where(random.random(shape) < density, random.random(shape), 0.0)

    few, more = (sa.asarray(some(share, n, n), format="csr") for share in (0.02, 0.2))
    runs = sa.asarray(np.repeat(random.random((n, n // 10)), 10, axis=1), format="rle")
    sparse, wide = (sa.asarray(some(share, n * n), format="list") for share in (0.001, 0.3))
    dense, vector = random.random((n, n)), random.random(n)
    tall, flat = dense[:, :4], dense[:4]
    return {
        "few * more": lambda: few * more,
        "few + more": lambda: few + more,
        "few @ more": lambda: few @ more,
        "few @ vector": lambda: few @ vector,
        "few * dense": lambda: few * dense,
        "few * (tall @ flat)": lambda: few * sa.einsum("ik,kj->ij", tall, flat),
        "runs + runs": lambda: runs + runs * 2.0,
        "runs * few": lambda: runs * few,
        "sum(list * list)": lambda: (sparse * wide).sum(),
        "sum(more)": lambda: more.sum(axis=1),
    }


def _candidate(
    name: str, make: Callable[[], Any], number: int, quick: bool
) -> tuple[list[Row], int]:
    """The rows of one candidate, and the number of the last one."""
    calls: list[Call] = []
    with witnessed(calls.append, number), counting() as counted:
        found = np.asarray(make())
    checked = bool(np.allclose(found, np.asarray(make())))
    simplify = simplifier(default_rules(False))
    costs = [cost(call.program, call.given, simplify) for call in calls]
    steps = max(sum(one.steps for one in costs), 1)
    turns = max(sum(one.iterations for one in counted), 1)
    touched = sum(one.read + one.written for one in counted)
    stored = sum(_bytes(call.given.tensors) + _bytes(call.results) for call in calls)
    case = f"{name}, {number}"
    rows = [
        row(case, "steps", turns, "expected", steps, checked),
        row(case, "bytes", touched, "stored", stored, checked),
    ]
    kernels = None if quick else kernels_alone(lambda: _forced(make, number))
    if kernels is not None:
        taken = race({"kernels": kernels}, SECONDS)["kernels"]
        rows.append(row(case, "kernels", taken, "expected", _seconds(costs), checked))
    return rows, max((len(call.programs) for call in calls), default=1) - 1


def _forced(make: Callable[[], Any], number: int) -> None:
    with witnessed(lambda call: None, number):
        np.asarray(make())


def _seconds(costs: Sequence[Any]) -> float:
    return float(sum(one.seconds for one in costs))


def _bytes(tensors: Sequence[Any]) -> int:
    return sum(tensor.nbytes for tensor in tensors)


def summary(rows: Sequence[Row]) -> str:
    """Return how far the expectations are off: in the geometric mean, and at most either way."""
    lines = []
    for variant in ("steps", "kernels"):
        ratios = [one.ratio for one in rows if one.variant == variant]
        if ratios:
            mean = exp(fmean(map(log, ratios)))
            spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
            lines.append(f"expected {variant}: {mean:.2f} of those taken, {spread}")
    return "\n".join(lines)
