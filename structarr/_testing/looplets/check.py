"""The check of a looplet: programs for each clause, run on all samples beside NumPy."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access
from structarr._compiler.ir.expr import Call
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import Looplet
from structarr._compiler.lowering.driver import lower
from structarr._compiler.rules.defaults import default_rules
from structarr._support import syntax_trees
from structarr._testing.looplets.clauses import CLAUSES, told_by_the_class
from structarr._testing.looplets.kernel import Beyond, Endless, Failure, I, Program, arguments
from structarr._testing.looplets.opening import EXTENT, Maker, Opening
from structarr._testing.looplets.partners import Partner, partners
from structarr._testing.looplets.samples import Sample
from structarr.formats.entries import Array

FACTORS = (1, 2, 3, -1, -2)


def check(make: Maker, samples: Sequence[Sample]) -> None:
    """Raise AssertionError with the first clause that is broken."""
    names = tuple(Var(_dtype(value), name) for name, value in samples[0].given.items())
    strict = any(not np.isfinite(one.values).all() for one in samples)
    checking = _Checking(make, samples, names, strict)
    looplet = checking.looplet()
    for failure in told_by_the_class(looplet):
        checking.fail(failure)
    checking.repeated(looplet)
    for run in checking.runs(looplet):
        run()


class _Checking:
    """The programs of one looplet."""

    def __init__(
        self, make: Maker, samples: Sequence[Sample], names: tuple[Var, ...], strict: bool
    ) -> None:
        self.make, self.samples, self.names, self.strict = make, samples, names, strict
        self.dtype = samples[0].values.dtype.name
        self.title = "the looplet"

    def fail(self, failure: Failure, about: str = "") -> None:
        """Say which clause is broken, and how."""
        clause = f"clause {failure.clause!r} ({CLAUSES[failure.clause]})"
        raise AssertionError(f"{self.title} breaks {clause}: {failure.problem}{about}") from None

    def looplet(self) -> Looplet:
        """The looplet as it stands in a loop."""
        found = self.make(EXTENT, Context(default_rules(self.strict), lower))
        self.title = f"looplet {type(found).__name__}"
        return found

    def repeated(self, looplet: Looplet) -> None:
        """If there is one value for every index, all elements are equal."""
        if looplet.repeated is None:
            return
        for values, _ in self.samples:
            if len(values) and (values != values[0]).any() and values[0] == values[0]:
                self.fail(Failure("repeated", f"it says there is one, of {values.tolist()}"))

    def runs(self, looplet: Looplet) -> Iterator[Callable[[], None]]:
        """The checks by kernels, one after the other."""
        yield lambda: self._each("values", "whole", _whole)
        yield lambda: self._each("truncate", "part", _parts)
        if type(looplet).at is not Looplet.at:
            yield lambda: self._each("at", "at", _whole)
        if type(looplet).reindexed is not Looplet.reindexed:
            for factor in FACTORS:
                if factor > 0 or looplet.reversible:
                    yield lambda factor=factor: self._affine(factor)  # type: ignore[misc]
        elif looplet.reversible:
            self.fail(Failure("reversible", "it says so and has no `reindexed`"))
        for one in partners(self.dtype):
            for op in _operators(self.dtype):
                yield lambda one=one, op=op: self._beside(one, op)  # type: ignore[misc]
        yield self._summed

    def _access(self, way: str = "whole", factor: int = 0) -> Access:
        opening = Opening(self.make, self.names, way, factor)
        return Access(self.dtype, opening, (I,))

    def _each(self, clause: str, way: str, cuts: Callable[[int], Any]) -> None:
        program = Program(clause, self._access(way))
        run = self._lowered(program, "")
        for values, given in self.samples:
            n = len(values)
            for lo, hi in cuts(n):
                want = np.where(np.arange(n) < hi, values, np.zeros(1, values.dtype))
                self._compare(program, run, n, want, (lo, hi, 0), given)

    def _affine(self, factor: int) -> None:
        clause = "reindexed" if factor > 0 else "reversible"
        program = Program(clause, self._access(factor=factor))
        run = self._lowered(program, f" (read by {factor} * i + r)")
        for values, given in self.samples:
            n = len(values)
            for lo, hi, offset in _reads(factor, n):
                want = np.zeros(n, values.dtype)
                want[lo:hi] = values[factor * np.arange(lo, hi) + offset]
                self._compare(program, run, n, want, (lo, hi, offset), given, factor)

    def _beside(self, other: Partner, op: str) -> None:
        met = Access(self.dtype, other.looplet, (I,))
        value = Call(self.dtype, OPS[op], (self._access("part"), met))
        told = f" (beside a {other.name}, by {op})"
        program = Program("company", value, starts=other.starts)
        run = self._lowered(program, told)
        for values, given in self.samples:
            n = len(values)
            theirs, more = other.data(n)
            with np.errstate(all="ignore"):
                both = getattr(np, op)(values, theirs)
            for lo, hi in {(0, n), (n // 3, n - n // 4), (0, 0)}:
                want = np.where(np.arange(n) < hi, both, np.zeros(1, both.dtype))
                self._compare(program, run, n, want, (lo, hi, 0), {**given, **more}, told=told)

    def _summed(self) -> None:
        program = Program("values", self._access("part"), total=True)
        run = self._lowered(program, " (added up)")
        for values, given in self.samples:
            n = len(values)
            total = values.any() if values.dtype == bool else values.sum(dtype=values.dtype)
            want = np.array([total], values.dtype)
            self._compare(program, run, n, want, (n // 2, n, 0), given, told=" (added up)")

    def _lowered(self, program: Program, told: str) -> Any:
        found = program.lowered(self.strict)
        if isinstance(found, Failure):
            self.fail(found, told)
        return found

    def _compare(
        self,
        program: Program,
        run: Any,
        n: int,
        want: Array,
        region: tuple[int, int, int],
        given: Mapping[str, Any],
        factor: int = 0,
        told: str = "",
    ) -> None:
        lo, hi, offset = region
        where = f" on [{lo}, {hi}) of {n}" if program.clause != "values" else f" on [0, {n})"
        about = told + where + (f" at {factor} * i + {offset}" if factor else "")
        got = np.zeros(len(want), want.dtype)
        try:
            run(arguments(n, lo, hi, offset, given), got)
        except Exception as error:
            self.fail(_failure(error), about)
        close = np.allclose if program.total else np.array_equal
        if not close(got, want, equal_nan=want.dtype.kind in "fc"):
            self.fail(Failure(program.clause, f"{got.tolist()}, not {want.tolist()}"), about)


def _failure(error: Exception) -> Failure:
    """The clause that an exception of a kernel is about."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [one.line for one in frames if one.filename.startswith("<structarr kernel")]
    line = _unmarked((lines[-1] if lines and lines[-1] else "").strip())
    match error:
        case AssertionError():
            return Failure("facts", f"`{line.removeprefix('assert ')}` does not hold")
        case Beyond():
            return Failure("reads", f"{error}, by `{line}`")
        case Endless():
            return Failure("steps", "a loop does not end")
        case NameError():
            return Failure("given", f"{error}, in `{line}`")
    return Failure("lowers", f"its kernel raised {type(error).__name__}: {error}, by `{line}`")


class _Unmarked(ast.NodeTransformer):
    """Subscripts without the mark that kernels have under STRUCTARR_DEBUG=check."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[0] if isinstance(node.func, ast.Name) and node.func.id == "u" else node


def _unmarked(line: str) -> str:
    if "u(" not in line:
        return line
    try:
        return ast.unparse(_Unmarked().visit(syntax_trees.module(line)))
    except SyntaxError:  # the head of a loop
        return line


def _operators(dtype: str) -> tuple[str, ...]:
    return ("logical_and", "logical_or") if dtype == "bool" else ("multiply", "add")


def _whole(n: int) -> Iterator[tuple[int, int]]:
    yield 0, n


def _parts(n: int) -> Iterator[tuple[int, int]]:
    """Every pair of bounds of a short extent."""
    for lo in range(n + 1):
        for hi in range(lo, n + 1):
            yield lo, hi


def _reads(factor: int, n: int) -> Iterator[tuple[int, int, int]]:
    """Regions of i, and offsets by which they read within [0, n)."""
    for offset in range(n) if factor < 0 else range(-1, min(n, 4)):
        inside = [i for i in range(n) if 0 <= factor * i + offset < n]
        if inside:
            yield inside[0], inside[-1] + 1, offset
            yield inside[len(inside) // 2], inside[-1] + 1, offset


def _dtype(value: Any) -> str:
    dtype = np.asarray(value).dtype
    return "int64" if dtype.kind in "iu" and not isinstance(value, np.ndarray) else dtype.name
