"""Regret: what the planner picks over the best of all that computes the same.

The spellings of ours are a paper's and an expert's; the planner's other programs are forced.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import regret_race, regret_summary
from benchmarks.peers import file
from benchmarks.regret_case import Case, Operands, spelled
from benchmarks.regret_operands import QUICK, SHAPES, Family, read
from benchmarks.regret_race import Contender, Times, race
from benchmarks.regret_summary import ALL, OURS, PICK, SCIPY
from benchmarks.report import Row, row
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._execute.program_choice import Call
from structarr._scheduler.cost_model import cost
from structarr._testing.forcing import witnessed

# Modules of cases, each of a few families.
MODULES: Final = (
    "chains",
    "forms",
    "low_rank",
    "centred",
    "elementwise",
    "masked",
    "graphs",
    "loops",
    "tensors",
    "formats",
)
CASES: Final[tuple[Case, ...]] = tuple(
    case for name in MODULES for case in import_module(f"benchmarks.regret_{name}").CASES
)
OTHERS: Final = 6  # programs beside the picked one, at most
LONG: Final = 5.0  # seconds; no program is forced that is expected to take as much


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all cases, and print what they come to."""
    rows: list[Row] = []
    families: dict[str, str] = {}
    large: set[str] = set()
    for shape, matrix, cases in _shapes(data, quick):
        family = Family(matrix)
        for case in cases:
            name = f"{case.text} on {shape}"
            families[name] = case.family
            if matrix.nnz > 10_000:
                large.add(name)
            for one in compared(name, case, family, quick):
                rows.append(one)
                yield one
    print(regret_summary.summary(rows, families, large))


def _shapes(data: Path, quick: bool) -> Iterator[tuple[str, Any, list[Case]]]:
    """Each shape with its cases; quickly, a case has one shape, in turns where either would do."""
    for number, shape in enumerate(QUICK if quick else SHAPES):
        if (path := file(data / SHAPES[shape])) is None:
            continue
        matrix = read(path)
        turns = [case for case in CASES if case.quick and not case.square][number :: len(QUICK)]
        chosen = (
            [case for case in CASES if case in turns or (case.quick and case.square)]
            if quick
            else CASES
        )
        yield shape, matrix, [case for case in chosen if _fits(case, matrix)]


def _fits(case: Case, matrix: Any) -> bool:
    rows, columns = matrix.shape
    return (rows == columns or not case.square) and columns <= (case.most or sys.maxsize)


def compared(name: str, case: Case, family: Family, quick: bool = False) -> Iterator[Row]:
    """Yield the rows of a case, of which that of a spelling that is refused says so."""
    plain = partial(family.plain, case.names)
    first: dict[Contender, Times] = {}
    checked: dict[str, bool] = {}
    wanted = spelled(case.scipy[0])(plain())
    for number, text in enumerate(case.scipy):
        one = _contender(SCIPY, number, plain, text)
        checked[one.name] = equal(one.value(plain()), wanted)
        first[one] = one.once()
    trial = _Trial(wanted, first, checked, [])
    trial.ours(case, partial(family.ours, case.names), 1 if quick else OTHERS)
    times = race(first, 0.1 if quick else 0.6)
    for refused in trial.refused:
        yield row(name, refused, inf, ALL, min(times.values()).fresh, False)
    yield from _rows(name, times, checked)


def _contender(kind: str, k: int, operands: Callable[[], Operands], text: str) -> Contender:
    return Contender(f"{kind} {k + 1}" if k else kind, operands, spelled(text))


@dataclass(frozen=True)
class _Trial:
    """What is known of those who compute a case, before they are timed in turns."""

    wanted: Any
    first: dict[Contender, Times]
    checked: dict[str, bool]
    refused: list[str]

    def ours(self, case: Case, operands: Callable[[], Operands], most: int) -> None:
        """Try the spellings of this library, and other programs of what is one kernel."""
        pick = Contender(PICK, operands, spelled(case.text))
        calls = self._called(pick)
        if calls is not None and len(calls) == 1:
            self._others(pick, calls[0], most)
        for number, text in enumerate(case.hand):
            self._called(_contender(OURS, number, operands, text))

    def _called(self, one: Contender) -> list[Call] | None:
        """The kernels that a spelling runs; None where it raises an error, which is said."""
        calls: list[Call] = []
        try:
            with sa.options(tier=regret_race.TIER):
                with witnessed(calls.append, one.program):
                    found = one.value(one.operands())
                self.checked[one.name] = equal(found, self.wanted)
                self.first[one] = _warm(one, len(calls))
        except Exception as error:
            self.refused.append(f"{one.name}: {type(error).__name__}")
            print(f"{one.name}: {type(error).__name__}: {error}", file=sys.stderr)
            return None
        return calls

    def _others(self, pick: Contender, call: Call, most: int) -> None:
        """Try other programs of an expression that is one kernel."""
        seen = {call.programs.index(call.program)}
        for number in _by_price(call):
            if number in seen or most == 0:
                continue
            one = Contender(f"program {number}", pick.operands, pick.compute, number)
            made = self._called(one)
            # Where a program outgrows the budget of lowering, the next is taken.
            if made and [call.programs.index(each.program) for each in made] == [number]:
                seen.add(number)
                most -= 1
            else:
                self.first.pop(one, None)


def _warm(one: Contender, calls: int) -> Times:
    """The least times of a spelling when nothing is left to be made.

    What was found out about a structure is recorded at the first call outside a witness; where it
    shows that estimates were wrong, the next call is planned and compiled once more. Calls that
    were made several times are joined to one kernel: who is far behind is told by the others.
    """
    times = one.once()
    for _ in range(3 if calls else 0):
        times = Times(*map(min, times, one.once()))
    return times


def _by_price(call: Call) -> list[int]:
    """The programs of a kernel by number, the cheapest first, but for any priced at seconds."""
    simplify = simplifier(rules_in_force())
    prices = [cost(program, call.given, simplify).seconds for program in call.programs]
    return [number for number in np.argsort(prices).tolist() if prices[number] < LONG]


def equal(found: Any, wanted: Any) -> bool:
    """Whether two values are equal to rounding, sparse or not."""
    if sp.issparse(wanted):
        if not _is_like(found):
            return equal(found, wanted.toarray())
        theirs = sp.csr_array(wanted)
        ours = found.to_scipy("csr") if isinstance(found, sa.Array) else sp.csr_array(found)
        scale = max(1.0, float(abs(theirs).max()))
        return bool(ours.shape == theirs.shape and abs(ours - theirs).max() <= 1e-9 * scale)
    found = found.todense() if isinstance(found, sa.Array) else found
    found = found.toarray() if sp.issparse(found) else np.asarray(found)
    wanted = np.asarray(wanted)
    scale = float(np.nanmax(np.abs(wanted), initial=1.0))
    return found.shape == wanted.shape and bool(
        np.allclose(found, wanted, rtol=1e-9, atol=1e-9 * scale, equal_nan=True)
    )


def _is_like(found: Any) -> bool:
    """Whether a value is a matrix that is zero where nothing is stored."""
    if isinstance(found, sa.Array):
        return found.ndim == 2 and found.fill_value == 0 and found.format != "dense"
    return bool(sp.issparse(found))


def _rows(name: str, times: dict[str, Times], checked: dict[str, bool]) -> Iterator[Row]:
    right = {one: value for one, value in times.items() if checked[one]}
    sides = {
        ALL: right,
        OURS: {one: value for one, value in right.items() if not one.startswith(SCIPY)},
        SCIPY: {one: value for one, value in right.items() if one.startswith(SCIPY)},
    }
    for column, suffix in enumerate(("", ", reused")):
        for one, value in times.items():
            if not isfinite(value[column]):
                continue
            for side, members in sides.items():
                if members and (side == ALL or one == PICK):
                    best = min([each[column] for each in members.values()])
                    yield row(name, f"{one}{suffix}", value[column], side, best, checked[one])
