"""A program of NumPy's calls: run on arrays of the library, on NumPy's, and on twins of these."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

import structarr as sa
from structarr._array import Array as OurArray, stored
from structarr._compiler.options import Forced, force
from structarr._testing.case import sound
from structarr._testing.fuzz.case import Case, Refused, Wrong
from structarr._testing.fuzz.compare import same
from structarr._testing.fuzz.functions import SIGNLESS
from structarr._testing.fuzz.helpers import HELPERS, HELPERS_PLAIN
from structarr._testing.fuzz.liberties import (
    Annihilation,
    Cancellation,
    ComplexInfinities,
    EmptyMasks,
    EveryTerm,
    InfiniteFactors,
    InitialLast,
    NaNSigns,
    Roots,
    Rounding,
    SignsLost,
    Sorting,
    Uint32,
    WiderVariances,
)
from structarr._testing.fuzz.operands import Operand, holds
from structarr._testing.fuzz.pieces import in_pieces
from structarr._testing.fuzz.refusals import comparable, is_taken, reason
from structarr._testing.fuzz.simplify import cleaned, simpler
from structarr._testing.fuzz.step import Result
from structarr._testing.fuzz.text import source
from structarr._testing.fuzz.thresholds import for_few
from structarr._testing.fuzz.twins import Liberty, Twin, Unchanged
from structarr._testing.fuzz.written import Written
from structarr.errors import FormatError
from structarr.formats.entries import Array

OWNERS = 3
"""The threads with which pieces own ranges of rows of sums; fewer have sums of their own."""


@dataclass(frozen=True)
class ComparedProgram(Written):
    """A base of programs that are run and compared; `_check` says how the library runs them."""

    @property
    def operations(self) -> tuple[str, ...]:
        """The names of the steps' operations, and of what is asked of the results."""
        asked = ["asformat" for one in self.results if one.format is not None]
        return (*(step.op for step in self.steps), *asked)

    @cached_property
    def _code(self) -> Any:
        return compile("\n".join(step.text for step in self.steps), "<program>", "exec")

    def check(self) -> None:
        """Run it on the operands, and on those of each further round."""
        with warnings.catch_warnings(), np.errstate(all="ignore"), ExitStack() as stack:
            warnings.simplefilter("ignore")
            stack.enter_context(sa.options(**self.plain_options))
            if self.options.get("pieces"):
                stack.enter_context(in_pieces(owned=self.options.get("threads") == OWNERS))
            if self.options.get("few"):
                stack.enter_context(for_few())
            if "program" in self.options:
                stack.enter_context(force(Forced(self.options["program"])))
            self._check(self.operands)
            for data in self.rounds:
                pairs = zip(self.operands, data, strict=True)
                given = [found for one, new in pairs if (found := one.with_data(new)) is not None]
                if len(given) == len(self.operands):  # else a format does not take the elements
                    self._check(tuple(given))

    def _check(self, operands: Sequence[Operand]) -> None:
        """Run it on some operands, and compare."""
        raise NotImplementedError

    def _is_granted(self, operands: Sequence[Operand], error: Exception) -> bool:
        """Whether the library may raise an error where NumPy has a value; refusals are raised."""
        why = reason(error)
        if why is not None:
            raise Refused(why) from error
        return self._may_raise(operands, error)

    def _run(self, names: dict[str, Any]) -> dict[str, Any]:
        names.update(np=np, **HELPERS_PLAIN)
        exec(self._code, names)
        return names

    def _ours(self, operands: Sequence[Operand], want: dict[str, Any]) -> list[Any]:
        names: dict[str, Any] = {one.name: one.given() for one in operands}
        names.update(np=np, **HELPERS)
        exec(self._code, names)
        found = [names[one.name] for one in self.results]
        if self.together:
            lazy = [one for one in found if isinstance(one, OurArray)]
            for one in sa.compute(*lazy):
                sound(stored(one))
        return [
            self._asked(one, value, want[one.name], operands)
            for one, value in zip(self.results, found, strict=True)
        ]

    def _asked(self, result: Result, value: Any, want: Any, operands: Sequence[Operand]) -> Any:
        if not isinstance(value, OurArray):
            return value
        if result.format is not None:
            try:
                value = value.asformat(result.format)
            except FormatError as error:
                fill = value.fill_value  # computed in its own format
                data = np.asarray(want)
                # Signs of zeros may be lost unless strict, and may be kept: then they count.
                if value.shape != data.shape or not holds(data, result.format, fill, signs=True):
                    raise
                twins = _Remembered(self, operands, result.name)
                loose = self._loose or any(not _alike(one, data) for one in twins())
                if "cannot be stored as" in str(error) and not loose:
                    raise Wrong(f"refused, though it fits: {error}") from error
                raise
            asked = value.format
            if asked != result.format:
                raise Wrong(f"asked for {result.format}, and got {asked}")
        sound(stored(value))
        return value

    @cached_property
    def _loose(self) -> bool:
        """Whether the sign of a zero is open, or what is stored depends on it."""
        text = "\n".join(step.text for step in self.steps)
        return "@" in text or bool(SIGNLESS & {*re.findall(r"\w+", text)})

    def _compare(self, result: Result, value: Any, want: Any, operands: Sequence[Operand]) -> None:
        twins = _Remembered(self, operands, result.name)
        strict = bool(self.options.get("strict_ieee")) and not self._loose
        same(value, want, name=result.name, signs=strict and result.format is None, twins=twins)

    def liberties(self, operands: Sequence[Operand]) -> list[Liberty]:
        """The liberties that the documents leave for this program."""
        found: list[Liberty] = [Rounding(seed) for seed in range(12)]
        found += [ComplexInfinities(value) for value in ComplexInfinities.VALUES]
        found += [Cancellation(), NaNSigns(negative=False), NaNSigns(negative=True)]
        found += [Uint32(), EveryTerm(), Sorting(), Roots(), WiderVariances()]
        found.append(InitialLast())
        if any(one.kind == "raw" for one in operands):
            found.append(EmptyMasks())
        if not self.options.get("strict_ieee"):
            found += [Annihilation(), Annihilation(negative=True), InfiniteFactors()]
            found += [Annihilation(only=number + 1) for number in range(len(self.steps))]
        else:
            found += [SignsLost(), SignsLost(negative=True)]
        return found

    def _may_raise(self, operands: Sequence[Operand], error: Exception) -> bool:
        """Whether a twin raises too: how many elements there are may depend on a liberty."""
        for liberty in self.liberties(operands):
            try:
                self._run({one.name: Twin(one.data.copy(), liberty) for one in operands})
            except Exception as twins:
                if comparable(error, twins):
                    return True
        return False

    def _raises(self, operands: Sequence[Operand], error: Exception) -> None:
        """NumPy raises: so must the library, at the call or when the value is asked for."""
        try:
            names: dict[str, Any] = {one.name: one.given() for one in operands}
            names.update(np=np, **HELPERS)
            exec(self._code, names)
            for one in self.results:
                np.asarray(names[one.name])
        except Exception as own:
            if comparable(own, error) or reason(own) is not None:
                return
            raise
        if is_taken(error):
            return
        want = self._of_arrays(operands)
        if want is None:
            if self._may_be_taken(operands):
                return
            raise Wrong(f"nothing is raised, where NumPy raises {type(error).__name__}: {error}")
        for one in self.results:
            self._compare(one, names[one.name], want[one.name], operands)

    def _may_be_taken(self, operands: Sequence[Operand]) -> bool:
        """Whether a twin raises nothing: what NumPy refuses may depend on a liberty."""
        for liberty in self.liberties(operands):
            try:
                self._run({one.name: Twin(one.data.copy(), liberty) for one in operands})
            except Exception:
                continue
            return True
        return False

    def _of_arrays(self, operands: Sequence[Operand]) -> dict[str, Any] | None:
        """NumPy's values where what has no axes is an array, not a number; None if it raises."""
        try:
            found = self._run({one.name: Twin(one.data.copy(), Unchanged()) for one in operands})
        except Exception:
            return None
        return {one.name: np.asarray(found[one.name]) for one in self.results}

    def without_rounds(self) -> Self:
        """The same run once."""
        return replace(self, rounds=())


@dataclass(frozen=True)
class Program(ComparedProgram):
    """A program whose steps are run one after the other."""

    def _check(self, operands: Sequence[Operand]) -> None:
        try:
            want = self._run({one.name: one.data.copy() for one in operands})
        except Exception as error:
            self._raises(operands, error)
            return
        try:
            got = self._ours(operands, want)
        except Exception as error:
            if self._is_granted(operands, error):
                return
            raise
        for one, value in zip(self.results, got, strict=True):
            self._compare(one, value, want[one.name], operands)

    def source(self) -> str:
        """Python text that runs by itself."""
        return source(self)

    def simpler(self) -> Iterator[Case]:
        """Programs of fewer steps, fewer elements, plainer formats."""
        yield from simpler(self)


def _alike(one: Array, other: Array) -> bool:
    """Whether two arrays have the same elements."""
    return one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")


class _Remembered:
    """The values of a variable on the twins of a program, found when they are asked for.

    Steps that it does not depend on are left out, since they may fail on a twin.
    """

    def __init__(self, program: ComparedProgram, operands: Sequence[Operand], name: str) -> None:
        self.program, self.operands, self.name = program, operands, name
        self.found: list[Any] | None = None

    def __call__(self) -> list[Any]:
        if self.found is None:
            self.found = []
            program = cleaned(replace(self.program, results=(Result(self.name),)))
            for liberty in program.liberties(self.operands):
                try:
                    names = {one.name: Twin(one.data.copy(), liberty) for one in self.operands}
                    self.found.append(np.asarray(program._run(names)[self.name]))
                except Exception:
                    continue
        return self.found
