"""Regret: what the planner picks over the best of all that computes the same.

The spellings of ours are a paper's and an expert's; the planner's other programs are forced.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import regret_race
from benchmarks.peers import file
from benchmarks.regret_case import Case, Operands, spelled
from benchmarks.regret_operands import QUICK, SHAPES, Family, read
from benchmarks.regret_race import Contender, Times, race
from benchmarks.regret_summary import ALL, OURS, PICK, SCIPY, summary
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
    print(summary(rows, families, large))


def _shapes(data: Path, quick: bool) -> Iterator[tuple[str, Any, list[Case]]]:
    """Each shape with its cases; quickly, a case has one shape."""
    for number, shape in enumerate(QUICK if quick else SHAPES):
        if (path := file(data / SHAPES[shape])) is None:
            continue
        matrix = read(path)
        fits = [case for case in CASES if _fits(case, matrix)]
        if quick:
            fits = [case for case in fits if case.quick and case.square == (number == 0)]
        yield shape, matrix, fits


def _fits(case: Case, matrix: Any) -> bool:
    rows, columns = matrix.shape
    return (rows == columns or not case.square) and max(rows, columns) <= (case.most or sys.maxsize)


def compared(name: str, case: Case, family: Family, quick: bool = False) -> Iterator[Row]:
    """Yield the rows of a case, of which that of a spelling that is refused says so."""
    plain = partial(family.plain, case.names)
    peers = [_contender(SCIPY, k, plain, text) for k, text in enumerate(case.scipy)]
    wanted = peers[0].value(plain())
    checked = {one.name: equal(one.value(plain()), wanted) for one in peers}
    ours, refused = _ours(case, family, wanted, checked, 1 if quick else OTHERS)
    times = race([*ours, *peers], 0.1 if quick else 0.6)
    for one in refused:
        yield row(name, one, float("inf"), ALL, min(times.values()).fresh, False)
    yield from _rows(name, times, checked)


def _contender(kind: str, k: int, operands: Callable[[], Operands], text: str) -> Contender:
    return Contender(f"{kind} {k + 1}" if k else kind, operands, spelled(text))


def _ours(
    case: Case, family: Family, wanted: Any, checked: dict[str, bool], most: int
) -> tuple[list[Contender], list[str]]:
    """Who computes with this library, and who was to but raised an error, which is said."""
    operands = partial(family.ours, case.names)
    pick = Contender(PICK, operands, spelled(case.text))
    hand = [_contender(OURS, k, operands, text) for k, text in enumerate(case.hand)]
    able: list[Contender] = []
    refused: list[str] = []
    for one in (pick, *hand):
        calls = _called(one, wanted, checked, refused)
        if calls is not None:
            able.append(one)
            if one is pick:
                able.extend(_others(pick, calls, wanted, checked, most))
    return able, refused


def _called(
    one: Contender, wanted: Any, checked: dict[str, bool], refused: list[str]
) -> list[Call] | None:
    """The kernels that a call runs, which is compiled by it; None where it raises an error."""
    calls: list[Call] = []
    try:
        with sa.options(tier=regret_race.TIER), witnessed(calls.append, one.program):
            found = one.value(one.operands())
        checked[one.name] = equal(found, wanted)
        with sa.options(tier=regret_race.TIER):
            one.once()  # as it is timed: nothing is left to be made
    except Exception as error:
        refused.append(f"{one.name}: {type(error).__name__}")
        print(f"{one.name}: {type(error).__name__}: {error}", file=sys.stderr)
        return None
    return calls


def _others(
    pick: Contender, calls: list[Call], wanted: Any, checked: dict[str, bool], most: int
) -> Iterator[Contender]:
    """The other programs of an expression that is one kernel."""
    if len(calls) != 1:
        return
    programs = calls[0].programs
    seen = {programs.index(calls[0].program)}
    for number in _by_price(calls[0]):
        if number in seen or most == 0:
            continue
        one = Contender(f"program {number}", pick.operands, pick.compute, number)
        made = _called(one, wanted, checked, [])
        # Where a program outgrows the budget of lowering, the next is taken.
        if made and len(made) == 1 and programs.index(made[0].program) == number:
            seen.add(number)
            most -= 1
            yield one


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
            for side, members in sides.items():
                if members and (side == ALL or one == PICK):
                    best = min([each[column] for each in members.values()])
                    yield row(name, f"{one}{suffix}", value[column], side, best, checked[one])
