"""A target whose kernels run beside interpreted ones, and must leave the same bits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.numba.source import source
from structarr._compiler.runtime.vectors import LOOPS, SCALARS
from structarr.targets import PYTHON, Function, Param, TextTarget

ROUNDED: Final = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "power"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "logaddexp", "logaddexp2", "hypot", "absolute"),
    *(f"arc{name}" for name in ("sin", "cos", "tan", "tan2", "sinh", "cosh", "tanh")),
)
"""Functions that may be rounded otherwise: NumPy has its own, of single floats above all."""

_HELPERS: Final = "|".join([*LOOPS, *SCALARS, "vector_power", "scalar_power", "radd"])
_ROUNDS: Final = re.compile(rf"np\.({'|'.join(ROUNDED)})\(|\*\*|_complex\(|\b({_HELPERS})\(")


_SCRATCH: Final = re.compile(r"\blist_marked\((\w+)")
"""Buffers of which more is written than is read, by one way to sort them and not by others."""


class DifferentBits(AssertionError):
    """A kernel that leaves other bits than the same one interpreted."""


class Beside:
    """
    A target beside the interpreted tier.

    Parameters
    ----------
    target : TextTarget
        What is compared.

    Attributes
    ----------
    compared, rounded : int
        How many kernels are compared to the bit, and how many are not, as they add in any order,
        or call a function that may be rounded otherwise.
    """

    def __init__(self, target: TextTarget) -> None:
        self.compared = self.rounded = 0
        self._target = target

    def __repr__(self) -> str:
        return f"Beside({self._target!r})"

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Callable[..., Any]:
        """The kernel of the target, which compares itself."""
        made = self._target.build(functions, params)
        return self._beside(made, PYTHON.build(functions, params), source(functions), params)

    def build_text(self, text: str, params: tuple[Param, ...]) -> Callable[..., Any]:
        """The kernel of a text, which compares itself."""
        made = self._target.build_text(text, params)
        return self._beside(made, PYTHON.build_text(text, params), text, params)

    def _beside(
        self,
        made: Callable[..., Any],
        python: Callable[..., Any],
        text: str,
        params: tuple[Param, ...],
    ) -> Callable[..., Any]:
        if _ROUNDS.search(text):
            self.rounded += 1
            return made
        self.compared += 1
        scratch = {*_SCRATCH.findall(text)}
        names = [*filter(None, text.partition("(")[2].partition(")")[0].split(", "))]

        def kernel(*args: Any) -> Any:
            is_array = [param.array for param in params]
            own = [one.copy() if k else one for one, k in zip(args, is_array, strict=True)]
            wanted, found = _outcome(python, own), _outcome(made, args)
            if not same_bits(wanted, found):
                raise DifferentBits(f"{found}, and {wanted} interpreted\n{text}")
            for name, one, other in zip(names, args, own, strict=True):
                if name not in scratch and not same_bits(one, other):
                    raise DifferentBits(f"{name} is\n{one}\nand\n{other}\ninterpreted\n{text}")
            if isinstance(found, Exception):
                raise found
            return found

        return kernel


def _outcome(kernel: Callable[..., Any], args: Sequence[Any]) -> Any:
    """What a kernel returns, or the error that it raises."""
    try:
        return kernel(*args)
    except (IndexError, RuntimeError, MemoryError) as error:
        return error


def same_bits(one: Any, other: Any) -> bool:
    """Whether values are the same to the bit; NaN is as good as NaN, an error as one like it."""
    if isinstance(one, Exception) or isinstance(other, Exception):
        return type(one) is type(other) and one.args == other.args
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same_bits, one, other))
    if one is None or other is None:
        return one is other
    a, b = np.asarray(one), np.asarray(other)
    if a.shape != b.shape or a.dtype.kind != b.dtype.kind:
        return False
    if a.dtype.kind == "c":
        return same_bits(a.real, b.real) and same_bits(a.imag, b.imag)
    if a.dtype.kind != "f":
        return np.array_equal(a, b)
    is_alike = np.array_equal(np.signbit(a) & (a == a), np.signbit(b) & (b == b))
    return is_alike and np.array_equal(a, b, equal_nan=True)
