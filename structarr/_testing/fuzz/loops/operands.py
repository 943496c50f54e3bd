"""Operands of random programs: arrays in any format, indices, scalars, and users' operators."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

import structarr as sa
from structarr._testing.families import KINDS
from structarr._testing.fuzz.fitting import fitted
from structarr._testing.fuzz.operands import Operand
from structarr._testing.fuzz.trees import random_format
from structarr.formats.entries import Array

T = TypeVar("T")


class Draws:
    """Random choices."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def pick(self, *choices: T) -> T:
        """One of some things."""
        return self.among(choices)

    def among(self, choices: Sequence[T]) -> T:
        """One of a sequence's things."""
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, one_in: int) -> bool:
        """Whether something happens that does once in so many times."""
        return bool(self.rng.integers(one_in) == 0)


@dataclass(frozen=True)
class Scalar:
    """A number that a program is given: Python's, which is weak, or NumPy's."""

    name: str
    value: Any

    def plain(self) -> Any:
        """The arguments of plain Python."""
        return self.value

    def given(self) -> Any:
        """The arguments of the library."""
        return self.value

    @property
    def text(self) -> str:
        """Python text of it."""
        strong = isinstance(self.value, np.generic)
        return f"np.{self.value!r}".replace("np.np.", "np.") if strong else repr(self.value)


@dataclass(frozen=True)
class Function:
    """A user's operator, by the text of its plain function."""

    name: str
    lines: str
    facts: str = ""

    def plain(self) -> Any:
        """The function on scalars of 64 bits."""
        function = eval(self.lines, {"np": np})

        def called(*args: Any) -> Any:
            dtype = np.result_type(*args)
            wide = {"i": "int64", "u": "int64", "f": "float64"}.get(dtype.kind, dtype.name)
            return function(*[np.dtype(wide).type(arg) for arg in args])

        return called

    def given(self) -> Any:
        """The operator, whose text is found as that of a function in a file is."""
        place = f"<{self.text}>"
        linecache.cache[place] = (len(self.text), None, [f"{self.text}\n"], place)
        return eval(compile(self.text, place, "eval"), {"sa": sa, "np": np})

    @property
    def text(self) -> str:
        """Python text that makes the operator."""
        return f"sa.operator({self.lines}, name={self.name!r}{self.facts})"


@dataclass(frozen=True)
class Given:
    """An array."""

    operand: Operand

    @property
    def name(self) -> str:
        """By which the program calls it."""
        return self.operand.name

    def plain(self) -> Array:
        """The arguments of plain Python."""
        return self.operand.data.copy()

    def given(self) -> Any:
        """The arguments of the library."""
        return self.operand.given()

    @property
    def text(self) -> str:
        """Python text of the elements."""
        return self.operand.text


Argument: TypeAlias = Given | Scalar | Function

FUNCTIONS: Final = (
    ("lambda a, b: a * b - a", ""),
    ("lambda a, b: a if a > b else b - a", ""),
    ("lambda a, b: a * b", ", annihilator=0, commutative=True"),
    ("lambda a, b: a + b + a * b", ", identity=0, commutative=True, associative=True"),
    ("lambda a, b: max(a, b)", ", commutative=True, associative=True, idempotent=True"),
)
"""Users' operators of two operands, with what is true of them."""


def random_array(draws: Draws, name: str, shape: tuple[int, ...], dtype: str, odd: bool) -> Given:
    """An array in some format, of numbers whose sums are exact."""
    rng, kind = draws.rng, np.dtype(dtype)
    if draws.chance(10):
        data = _elements(draws, shape, kind, kind.type(0), odd)
        return Given(Operand(name, data, "raw"))
    fill = kind.type(0 if not draws.chance(4) else _odd(draws, kind) if odd else 1)
    fmt = random_format(rng, shape, kind)
    if not fmt.levels[-1].buffers:
        fill = kind.type(0)
    data = fitted(_elements(draws, shape, kind, fill, odd), fmt, fill)
    return Given(Operand(name, data, "ours", fmt, fill))


def random_places(draws: Draws, name: str, length: int, target: int) -> Given:
    """An array of indices into an axis of some length."""
    fmt = random_format(draws.rng, (length,), "int64")
    places = draws.rng.integers(0, max(target, 1), length)
    data = fitted(places.astype("int64"), fmt, np.int64(0))
    return Given(Operand(name, data, "ours", fmt, np.int64(0)))


def _elements(
    draws: Draws, shape: tuple[int, ...], dtype: np.dtype[Any], fill: Any, odd: bool
) -> Array:
    """Small numbers, arranged as some format likes it."""
    made = np.asarray(KINDS[draws.among(tuple(KINDS))](draws.rng, shape))
    distinct, places = np.unique(made, return_inverse=True)
    low = 0 if dtype.kind in "bu" else -3
    chosen = draws.rng.integers(low, 4, len(distinct)).astype(dtype)
    if dtype.kind in "fc":
        chosen = (chosen * draws.pick(1, 0.5, 1)).astype(dtype)
    if dtype.kind == "c":
        chosen = (chosen + 1j * draws.rng.integers(-2, 3, len(distinct))).astype(dtype)
    for k in range(len(distinct)):
        if odd and draws.chance(5):
            chosen[k] = _odd(draws, dtype)
    data = chosen[places.reshape(made.shape)]
    return np.where(made == 0, np.array(fill, dtype), data).astype(dtype)


def _odd(draws: Draws, dtype: np.dtype[Any]) -> Any:
    """A number on which much depends."""
    if dtype.kind == "b":
        return draws.pick(False, True)
    if dtype.kind in "iu":
        return draws.pick(np.iinfo(dtype).min, np.iinfo(dtype).max, 1)
    return draws.pick(np.inf, -np.inf, np.nan, -0.0, 1.0)
