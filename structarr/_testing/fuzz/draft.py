"""A program in the making: its variables, with NumPy's values, from which steps are chosen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from structarr._testing.fuzz.helpers import HELPERS_PLAIN
from structarr._testing.fuzz.operands import Operand, Pool, random_operand
from structarr._testing.fuzz.step import Step

MOST: Final = 3000  # elements of a step's result
SCALARS: Final = ("0", "1", "2", "-1", "3", "0.5", "2.5", "True", "1j", "np.float32(1.5)")
ODD: Final = ("np.nan", "np.inf", "-np.inf", "-0.0", "np.uint8(200)", "1e30")


class Draft:
    """Variables and steps so far."""

    def __init__(self, rng: np.random.Generator, pool: Pool, odd: bool) -> None:
        self.rng, self.pool, self.odd = rng, pool, odd
        self.operands: list[Operand] = []
        self.steps: list[Step] = []
        self.values: dict[str, Any] = {}
        self.raised: Exception | None = None
        self.ended = False

    # choices

    def chance(self, share: float) -> bool:
        """Whether something happens that happens so often."""
        return bool(self.rng.random() < share)

    def one(self, choices: Sequence[Any]) -> Any:
        """One of some choices."""
        return choices[int(self.rng.integers(len(choices)))]

    def number(self, low: int, high: int) -> int:
        """An integer from `low` to `high`, both included."""
        return int(self.rng.integers(low, high + 1))

    def axis(self, name: str) -> int:
        """An axis, counted from either end; now and then one that is not there."""
        ndim = np.ndim(self.values[name])
        if ndim == 0 or self.chance(0.01):
            return self.number(-ndim - 1, ndim)
        return self.number(-ndim, ndim - 1)

    def axes(self, name: str) -> Any:
        """None, an axis, or several."""
        ndim = np.ndim(self.values[name])
        if self.chance(0.3) or ndim == 0:
            return None
        if self.chance(0.6):
            return self.axis(name)
        return tuple(int(k) for k in self.rng.permutation(ndim)[: self.number(0, ndim)])

    def scalar(self) -> str:
        """The text of a number."""
        return str(self.one(ODD if self.odd and self.chance(0.25) else SCALARS))

    # variables

    def var(self, least: int = 0, most: int = 5, kinds: str = "biufc") -> str | None:
        """A variable of so many axes and kinds of dtypes, the latest more often."""
        names = [
            name
            for name, value in self.values.items()
            if least <= np.ndim(value) <= most and np.asarray(value).dtype.kind in kinds
        ]
        if not names:
            return None
        if self.chance(0.6):
            return names[-1]
        return str(self.one(names))

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a variable."""
        return tuple(np.shape(self.values[name]))

    def operand(self, shape: tuple[int, ...], dtype: Any = None) -> str:
        """A new operand."""
        if int(np.prod(shape)) > MOST:
            raise TooLarge
        name = f"a{len(self.operands)}"
        made = random_operand(self.rng, name, shape, dtype=dtype, odd=self.odd, pool=self.pool)
        self.operands.append(made)
        self.values[name] = made.data
        return name

    def mate(self, name: str) -> str:
        """The text of something that broadcasts with a variable: a number, one there is, or new."""
        if self.chance(0.2):
            return self.scalar()
        shape = self.shape(name)
        fitting = [
            other for other, value in self.values.items() if _broadcast(np.shape(value), shape)
        ]
        if fitting and (self.chance(0.6) or len(self.operands) > 3):
            return str(self.one(fitting))
        return self.operand(self.smaller(shape))

    def smaller(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """A shape that broadcasts to another, mostly the same."""
        if self.chance(0.6):
            return shape
        own = shape[self.number(0, len(shape)) :]
        return tuple(1 if self.chance(0.3) else length for length in own)

    def mate_of_shape(self, shape: tuple[int, ...]) -> str:
        """A variable that broadcasts to a shape: one there is, or new."""
        wanted = self.smaller(shape)
        fitting = [name for name, value in self.values.items() if np.shape(value) == wanted]
        return str(self.one(fitting)) if fitting and self.chance(0.5) else self.operand(wanted)

    def partner(self, shape: tuple[int, ...]) -> str:
        """A variable of a shape: one there is, or a new operand."""
        fitting = [name for name, value in self.values.items() if np.shape(value) == shape]
        if fitting and self.chance(0.6):
            return str(self.one(fitting))
        return self.operand(shape)

    # steps

    def add(self, make: Callable[[Draft], str | None], op: str) -> bool:
        """Add a step if NumPy computes it, and now and then if it raises: then it is the last."""
        kept = len(self.operands), dict(self.values)
        target = f"t{len(self.steps)}"
        try:
            text = make(self)
        except TooLarge:
            text = None
        if text is None:
            self._forget(*kept)
            return False
        statement = text.replace("@@", target) if "@@" in text else f"{target} = {text}"
        names = dict(self.values)
        names.update(np=np, **HELPERS_PLAIN)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                exec(statement, {}, names)
                value = names[target]
                fine = _is_fine(value)
        except Exception as error:
            if self.chance(0.1) and not isinstance(error, NameError | SyntaxError | MemoryError):
                self.steps.append(Step(target, statement, op))
                self.raised, self.ended = error, True
                return True
            fine = False
        if not fine:
            self._forget(*kept)
            return False
        self.steps.append(Step(target, statement, op))
        self.values[target] = value
        # What is float16 here is float32 there: whatever follows would differ.
        self.ended = np.asarray(value).dtype == np.float16
        return True

    def _forget(self, operands: int, values: dict[str, Any]) -> None:
        self.operands, self.values = self.operands[:operands], values


class TooLarge(Exception):
    """An operand of more elements than programs have."""


def _is_fine(value: Any) -> bool:
    array = np.asarray(value)
    return (
        array.dtype.kind in "biufc"
        and array.dtype.char not in "gG"
        and array.size <= MOST
        and (array.ndim <= 5)
    )


def _broadcast(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    try:
        found = np.broadcast_shapes(one, other)
    except ValueError:
        return False
    return len(found) <= 5 and int(np.prod(found)) <= MOST
