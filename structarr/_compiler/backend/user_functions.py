"""Functions of users on scalars, as kernels call them: typed, checked, and in one arithmetic.

Numba widens whole numbers to 64 bits and takes a literal for a double; NumPy does neither. So that
both tiers compute the same, a function always sees 64 bits: `int64` (or `uint64`), `float64`,
`complex128`, or booleans. The dtype of results is declared, or that of results for small numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from types import FunctionType
from typing import Any

import numpy as np

from structarr._compiler.ir import kernel
from structarr._compiler.ir.expr import Call
from structarr._compiler.ir.ops import Scalar
from structarr._support import dtypes
from structarr.errors import OperatorError

_NATIVE: dict[type, Any] = {
    bool: np.bool_,
    int: np.int64,
    float: np.float64,
    complex: np.complex128,
}
WIDE: dict[type, str] = {
    np.bool_: "bool",
    np.int64: "int64",
    np.uint64: "uint64",
    np.float64: "float64",
    np.complex128: "complex128",
}
RANKS = {"b": 0, "i": 0, "u": 0, "f": 1, "c": 2}
"""What fits without loss into what, by kinds of dtypes: whole, real, complex."""
NARROW = frozenset({"int8", "int16", "int32", "uint8", "uint16", "uint32"})
"""Integers that Numba's arithmetic widens to 64 bits; native ones wrap around as they are."""
_SAMPLES = (1, 0, 2, 3)  # ones first: they must be in every function's domain


def widened(dtype: str) -> str:
    """The dtype of 64 bits in which a function takes an operand."""
    if dtype in NARROW:
        return "int64"
    return {"float32": "float64", "complex64": "complex128"}.get(dtype, dtype)


def called(functions: Iterable[kernel.Function]) -> tuple[Function, ...]:
    """The functions of users that a kernel calls."""
    exprs = (expr for one in functions for expr in one.expressions())
    found = {call.op.function: None for expr in exprs for call in expr.every(Call)}
    return tuple([function for function in found if isinstance(function, Function)])


def is_rule(dtype: Any) -> bool:
    """Whether a declared dtype is a function of dtypes; NumPy's types can be called, too."""
    return callable(dtype) and not isinstance(dtype, type)


class Function:
    """
    A scalar function that kernels call.

    Parameters
    ----------
    name : str
        As kernels call it; no other function has it.
    title : str
        As its author calls it.
    python : function
        The function itself, frozen.
    stable : bool
        Whether the name means the same in another process, so that kernels may be kept.
    arity : int
        The number of operands.
    identity : scalar, optional
        What reductions start with.
    dtype : dtype or callable, optional
        Of results: a dtype, or a function from the operands' common dtype to one; inferred without.
    """

    def __init__(
        self,
        name: str,
        title: str,
        python: FunctionType,
        stable: bool,
        arity: int,
        identity: Scalar | None = None,
        dtype: Any = None,
    ) -> None:
        self.name = name
        self.title = title
        self.python = python
        self.stable = stable
        self.identity = identity
        self._arity = arity
        self._dtype = dtype
        self._ranks: dict[str, int] = {}  # of what is returned, for operands of 64 bits

    def __repr__(self) -> str:
        return f"Function({self.name})"

    def __call__(self, *args: Any) -> Any:
        """Call the function as the interpreted tier does."""
        wide = [_NATIVE[type(arg)](arg) if type(arg) in _NATIVE else arg for arg in args]
        try:
            result = self.python(*wide)
        except Exception as error:
            error.add_note(f"in the operator {self.title}{tuple(arg.item() for arg in wide)}")
            raise
        kind = getattr(result, "dtype", np.dtype(type(result))).kind
        self.check(WIDE[type(wide[0])], kind if np.ndim(result) == 0 else "O")
        return result

    def check(self, operand: str, kind: str) -> None:
        """
        Refuse what the function returns where it would not fit its dtype.

        Parameters
        ----------
        operand : str
            The dtype of the operands, of 64 bits.
        kind : str
            The kind of what was returned, as of `numpy.dtype.kind`.
        """
        if kind not in RANKS:
            raise OperatorError(f"operator {self.title} must return a number for every operand")
        if self._dtype is None and RANKS[kind] > self._rank(operand):
            says = {1: "floating-point", 2: "complex"}[RANKS[kind]]
            raise OperatorError(
                f"operator {self.title} returns {says} numbers for some {operand} operands and "
                "others for the first that were tried; declare dtype="
            )

    def _rank(self, operand: str) -> int:
        if operand not in self._ranks:
            self._ranks[operand] = RANKS[self._inferred(np.dtype(operand)).kind]
        return self._ranks[operand]

    def promotion(self, operands: Sequence[dtypes.Operand]) -> tuple[str, ...]:
        """The dtype to which the operands are promoted together, and that of the result."""
        operand = dtypes.common(operands)
        return (operand,) * len(operands) + (self._result(np.dtype(operand)).name,)

    def _result(self, operand: np.dtype[Any]) -> np.dtype[Any]:
        if self._dtype is None:
            return self._inferred(operand)
        return dtypes.check(self._dtype(operand) if is_rule(self._dtype) else self._dtype)

    def _inferred(self, operand: np.dtype[Any]) -> np.dtype[Any]:
        """The dtype of results, by those for small numbers."""
        found: list[Any] = []
        for values in product(_SAMPLES, repeat=self._arity):
            try:
                with np.errstate(all="ignore"):
                    result = self.python(*map(operand.type, values))
            except Exception as error:
                if found:
                    continue
                raise OperatorError(
                    f"operator {self.title} fails for ones of dtype {operand}: "
                    f"{type(error).__name__}: {error}; declare dtype= for it"
                ) from error
            found.append(self._kind(result))
        return dtypes.check(dtypes.common(found))

    def _kind(self, result: Any) -> Any:
        """The dtype of a result, or the type of a weak one."""
        if type(result) in (bool, int, float, complex):
            return type(result)
        if isinstance(result, np.generic) and result.dtype.kind in RANKS:
            return result.dtype
        raise OperatorError(f"operator {self.title} returns {result!r}; it must return a number")
