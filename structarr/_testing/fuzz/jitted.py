"""The family of `sa.jit`: a function of random steps, called again and again with other arguments.

Later calls are replays: with the same arrays, with other elements and lengths, with other dtypes,
with arrays whose buffers are mapped from a file. NumPy's arrays are overwritten after each call, as
results share no memory with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._testing.fuzz import expressions
from structarr._testing.fuzz.case import Case, Refused, Settings
from structarr._testing.fuzz.helpers import HELPERS
from structarr._testing.fuzz.mapping import mapped
from structarr._testing.fuzz.operands import Operand, given_by_name
from structarr._testing.fuzz.program import ComparedProgram, Program
from structarr._testing.fuzz.simplify import simpler
from structarr._testing.fuzz.text import source
from structarr._testing.fuzz.values import random_values
from structarr.errors import TraceError
from structarr.formats.entries import Array

DTYPES: Final = ("float64", "float32", "int64")
LATER: Final = ("same", "new", "mapped", *DTYPES)
"""How arguments of later calls differ: the same objects, new ones, mapped ones, other dtypes."""


def generate(rng: np.random.Generator, settings: Settings) -> Case:
    """A random program of few steps as a function, and how it is called after the first time."""
    short = replace(settings, steps=min(settings.steps, 4))
    program = expressions.generate(rng, short)
    assert isinstance(program, Program)
    own = {name: value for name, value in program.options.items() if name != "program"}
    calls = tuple(str(one) for one in rng.choice(LATER, int(rng.integers(1, 5))))
    asked = tuple(replace(one, format=None) for one in program.results)
    rounds = program.rounds or tuple(_of_other_lengths(program, rng) for _ in range(2))
    return Jitted(program.operands, program.steps, asked, own, rounds, program.together, calls)


def _of_other_lengths(program: Program, rng: np.random.Generator) -> tuple[Array, ...]:
    """Other elements of the operands, whose axes are longer where they are longer than 1."""
    lengths = {n for one in program.operands for n in one.data.shape}
    longer = {n: n + int(rng.integers(4)) if n > 1 else n for n in sorted(lengths)}
    return tuple(
        random_values(
            rng,
            tuple([longer[n] for n in one.data.shape]),
            one.data.dtype,
            one.data.dtype.type(0) if one.fill is None else one.fill,
            False,
        )
        for one in program.operands
    )


@dataclass(frozen=True)
class Jitted(ComparedProgram):
    """A program whose steps are those of a function under `sa.jit`; `calls` are its later calls."""

    calls: tuple[str, ...] = ()

    @cached_property
    def _function(self) -> Any:
        names: dict[str, Any] = {"np": np, "jit": sa.jit, **HELPERS}
        exec(self._text, names)
        return names["function"]

    @property
    def _text(self) -> str:
        names = ", ".join(one.name for one in self.operands)
        lines = [line for step in self.steps for line in step.text.split("\n")]
        results = " ".join(f"{one.name}," for one in self.results)  # there may be none
        body = "".join(f"    {line}\n" for line in (*lines, f"return ({results})"))
        return f"@jit\ndef function({names}):\n{body}"

    def _check(self, operands: Sequence[Operand]) -> None:
        given = given_by_name(operands)
        self._called(operands, given)
        for how in self.calls:
            if how in DTYPES:
                others = tuple(recast(one, how) for one in operands)
                self._called(others, given_by_name(others))
            else:
                if how != "same":
                    given = given_by_name(operands)
                if how == "mapped":
                    given = {name: mapped(value) for name, value in given.items()}
                self._called(operands, given)

    def _called(self, operands: Sequence[Operand], given: dict[str, Any]) -> None:
        """Compare a call with NumPy; where NumPy raises, only what is not traced is compared."""
        try:
            want = self._run({one.name: one.data.copy() for one in operands})
        except Exception as error:
            self._raises(operands, error)
            return
        try:
            results = self._function(**given)
        except TraceError as error:
            raise Refused(f"TraceError: {str(error).rpartition(': ')[2]}") from error
        except Exception as error:
            if "The `like` argument" in str(error):  # traced arrays without axes are numbers
                raise Refused("TypeError: NumPy finds no array to be like") from error
            if self._is_granted(operands, error):
                return
            raise
        kept = {name: value.copy() for name, value in given.items() if _is_writable(value)}
        for name in kept:
            given[name][...] = given[name].dtype.type(99)
        try:
            for one, value in zip(self.results, results, strict=True):
                self._compare(
                    one, self._asked(one, value, None, operands), want[one.name], operands
                )
        finally:
            for name, before in kept.items():
                given[name][...] = before

    def source(self) -> str:
        """Python text: that of the program without `jit`, and the function and its calls."""
        shown = "".join(f"# {line}\n" for line in self._text.splitlines())
        return f"{shown}# called, and again: {', '.join(self.calls)}\n{source(self)}"

    def simpler(self) -> Iterator[Case]:
        """Programs of fewer calls, fewer steps, fewer elements, plainer formats."""
        for k in range(len(self.calls)):
            yield replace(self, calls=(*self.calls[:k], *self.calls[k + 1 :]))
        yield from simpler(self)


def recast(operand: Operand, dtype: str) -> Operand:
    """The same operand with elements of another dtype, if it may have them."""
    whole = operand.data.dtype.kind in "iuf" and np.isfinite(operand.data).all()
    if not whole or (operand.fill is not None and operand.fill != 0):
        return operand
    data: Array = np.clip(operand.data, -1000, 1000).astype(dtype)
    fill = None if operand.fill is None else data.dtype.type(0)
    return replace(operand, data=data, fill=fill)


def _is_writable(value: Any) -> bool:
    return isinstance(value, np.ndarray) and bool(value.flags.writeable)
