"""Random programs of loops as cases: run by kernels, as plain Python, and by the oracle."""

from __future__ import annotations

import re
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._array import Array as OurArray, stored
from structarr._testing.case import sound
from structarr._testing.forcing import witnessed
from structarr._testing.fuzz.case import Case, Refused, Wrong
from structarr._testing.fuzz.compare import same
from structarr._testing.fuzz.loops.lines import Line
from structarr._testing.fuzz.loops.operands import Argument, Function, Given
from structarr._testing.fuzz.loops.plain import results_of
from structarr._testing.fuzz.loops.simplify import (
    plainer_calls,
    shorter_functions,
    shorter_lines,
    with_plainer_operands,
)
from structarr._testing.oracle.beside import Beside
from structarr.errors import DensificationError, FormatError, ProgramError

REFUSED: Final = (
    "do not go into",  # NumPy truncates
    "cannot be written as",
    "would grow too large",
    "out of bounds for",  # plain Python gives its integers a dtype
    "is not defined for",  # NumPy says so only where it comes to it
)
"""What the language refuses, though plain Python runs it."""


@dataclass(frozen=True)
class Loops(Case):
    """A program with its arguments, and how its kernels are to be made and called.

    `program` forces a candidate of the scheduler, `pieces` calls in so many.
    """

    arguments: tuple[Argument, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    program: int | None = None
    pieces: int | None = None

    @property
    def operations(self) -> tuple[str, ...]:
        """The kinds of statements and functions, and the formats."""
        words = re.findall(r"[a-z.]{3,}(?=\()|<<\w+>>|[-+*&|^]=|\bif\b|\belse\b", self._text)
        return tuple(dict.fromkeys(words))

    @property
    @abstractmethod
    def _text(self) -> str:
        """The program."""

    @abstractmethod
    def _wanted(self) -> tuple[Any, ...]:
        """The results of plain Python."""

    @abstractmethod
    def _got(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        """The results of the library."""

    def check(self) -> None:
        """Compare the results with plain Python's, and each kernel's with the oracle's."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                with np.errstate(all="raise", under="ignore"):
                    wanted, strict = self._wanted(), bool(self.options.get("strict_ieee"))
            except FloatingPointError as problem:
                if self._may_widen():
                    raise Refused("plain Python: a narrow integer wraps") from problem
                # Beyond numbers only strict rules are NumPy's.
                wanted, strict = self._overflowing(), True
            except (OverflowError, TypeError, IndexError, ZeroDivisionError) as problem:
                raise Refused(f"plain Python: {type(problem).__name__}") from problem
            self._compare(wanted, strict)

    def _may_widen(self) -> bool:
        """Whether there are sums that have more bits than what plain Python adds up."""
        return False

    def _overflowing(self) -> tuple[Any, ...]:
        try:
            with np.errstate(all="ignore"):
                return self._wanted()
        except (OverflowError, TypeError, IndexError, ZeroDivisionError) as problem:
            raise Refused(f"plain Python: {type(problem).__name__}") from problem

    def _compare(self, wanted: tuple[Any, ...], strict: bool) -> None:
        options = {**self.options, "strict_ieee": strict}
        try:
            with sa.options(**options):  # by which it depends whether signs of zeros are stored
                given = {one.name: one.given() for one in self.arguments}
            with (
                sa.options(**options),
                witnessed(Beside(2000), self.program, self.pieces),
                np.errstate(all="ignore"),
            ):
                got = self._got(given)
        except AssertionError as problem:
            raise Wrong(str(problem)) from problem
        except ProgramError as problem:
            if any(part in str(problem) for part in REFUSED):
                raise Refused(_reason(problem)) from problem
            raise
        except (FormatError, DensificationError) as problem:
            raise Refused(_reason(problem)) from problem
        for value, want in zip(got, wanted, strict=True):
            self._same(value, want)
        self._unchanged(given)

    def _same(self, got: Any, want: Any) -> None:
        if want is None:
            return
        if isinstance(got, OurArray):
            sound(stored(got))
        dense = np.asarray(got.todense() if isinstance(got, OurArray) else got)
        data = np.asarray(want)
        if not isinstance(want, np.ndarray) or not data.ndim or isinstance(self, OneLine):
            data = data.astype(dense.dtype)  # scalars of plain Python change theirs as they go
        same(dense, data, bound=_bound(data))

    def _unchanged(self, given: Mapping[str, Any]) -> None:
        for one in self.arguments:
            if isinstance(one, Given):
                now = given[one.name]
                dense = now.todense() if hasattr(now, "todense") else now
                same(np.asarray(dense), one.operand.data, name=f"the operand {one.name}, after,")

    def source(self) -> str:
        """Python text that leaves `got` and `want`."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        made = [f"{one.name} = {one.text}" for one in self.arguments]
        ours = [
            f"{one.name!r}: {one.operand.given_text if isinstance(one, Given) else one.name}"
            for one in self.arguments
        ]
        return "\n".join(
            [
                "import numpy as np",
                "import structarr as sa",
                "from numpy import inf, nan",
                "from structarr._testing.forcing import witnessed",
                "from structarr._testing.fuzz.loops.lines import Line",
                "from structarr._testing.fuzz.loops.operands import Function",
                "from structarr._testing.fuzz.loops.plain import results_of",
                "from structarr._testing.oracle.beside import Beside",
                "from structarr.formats import *",
                *made,
                f"given = {{{', '.join(ours)}}}",
                *self._running(),
                f"with sa.options({options}), witnessed(Beside(), {self.program}, {self.pieces}):",
                "    got = run()",
                "got = got if isinstance(got, tuple) else (got,)",
                "got = np.concatenate([one.todense().reshape(-1) for one in got])",
                "want = np.concatenate([np.reshape(one, -1) for one in want]).astype(got.dtype)",
                "print(got, want, sep='\\n')",
                "",
            ]
        )

    @abstractmethod
    def _running(self) -> list[str]:
        """Lines that make `run` and `want`."""

    def simpler(self) -> Iterator[Case]:
        """Programs of fewer statements, shorter expressions and plainer operands."""
        yield from (replace(self, options=one) for one in plainer_calls(self.options))
        if self.program is not None:
            yield replace(self, program=None)
        if self.pieces is not None:
            yield replace(self, pieces=None)
        yield from self._shorter()
        yield from (replace(self, arguments=one) for one in with_plainer_operands(self.arguments))

    def _shorter(self) -> Iterator[Case]:
        """Programs of fewer statements and shorter expressions; none unless a kind has some."""
        return iter(())


@dataclass(frozen=True)
class OfFunction(Loops):
    """A function for `sa.kernel`."""

    text: str = ""

    @property
    def _text(self) -> str:
        return self.text

    def _shorter(self) -> Iterator[Case]:
        for text, arguments in shorter_functions(self.text, self.arguments):
            yield replace(self, text=text, arguments=arguments)

    def _may_widen(self) -> bool:
        arrays = [one.operand.data for one in self.arguments if isinstance(one, Given)]
        return any(one.dtype.kind in "iu" and one.dtype.itemsize < 8 for one in arrays)

    def _wanted(self) -> tuple[Any, ...]:
        return results_of(self.text, {one.name: one.plain() for one in self.arguments})

    def _got(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        found = sa.kernel(self.text)(**given)
        return found if isinstance(found, tuple) else (found,)

    def _running(self) -> list[str]:
        names = ", ".join(f"{one.name}={_plain_text(one)}" for one in self.arguments)
        return [
            f'text = """\n{self.text}"""',
            f"want = results_of(text, dict({names}))",
            "run = lambda: sa.kernel(text)(**given)",
        ]


@dataclass(frozen=True)
class OneLine(Loops):
    """A string for `sa.loops`."""

    line: Line | None = None
    out: str | None = None

    @property
    def _line(self) -> Line:
        assert self.line is not None
        return self.line

    @property
    def _text(self) -> str:
        return self._line.text

    def _shorter(self) -> Iterator[Case]:
        if self.out is not None:
            yield replace(self, out=None)
        yield from (replace(self, line=line) for line in shorter_lines(self._line))

    def _wanted(self) -> tuple[Any, ...]:
        text = self._line.function([one.name for one in self.arguments])
        (found,) = results_of(text, {one.name: one.plain() for one in self.arguments})
        return (self._line.reduced_by_numpy(found),)

    def _got(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        line = self._line
        return (
            sa.loops(
                line.text, order=line.order, extents=dict(line.extents), out=self.out, **given
            ),
        )

    def _running(self) -> list[str]:
        line = self._line
        names = ", ".join(f"{one.name}={_plain_text(one)}" for one in self.arguments)
        text = line.function([one.name for one in self.arguments])
        asked = f"order={line.order!r}, extents={dict(line.extents)!r}, out={self.out!r}"
        return [
            f'text = """\n{text}"""',
            f"(found,) = results_of(text, dict({names}))",
            f"want = ({line!r}.reduced_by_numpy(found),)",
            f"run = lambda: sa.loops({line.text!r}, {asked}, **given)",
        ]


def _plain_text(one: Argument) -> str:
    return f"Function{one.name, one.lines}.plain()" if isinstance(one, Function) else one.name


def _reason(problem: Exception) -> str:
    return f"{type(problem).__name__}: {str(problem).partition(chr(10))[0]}"


def _bound(want: np.ndarray) -> Any:
    """The tolerance of floats: sums have no order."""
    if want.dtype.kind not in "fc":
        return None
    finite = np.abs(want[np.isfinite(want)])
    epsilon = float(np.finfo(want.dtype).eps)
    return 256 * epsilon * max(1.0, float(finite.max(initial=0.0)))
