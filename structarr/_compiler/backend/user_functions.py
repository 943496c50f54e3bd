"""Functions of users on scalars, as kernels call them: typed, checked, and in one arithmetic.

Numba widens whole numbers to 64 bits and takes a literal for a double; NumPy does neither. So that
both tiers compute the same, a function always sees 64 bits: `int64` (or `uint64`), `float64`,
`complex128`, or booleans. The dtype of results is declared, or that of results for small numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pickle import PicklingError
from types import FunctionType
from typing import Any

import numpy as np

from structarr._compiler.ir import kernel
from structarr._compiler.ir.expr import Call
from structarr._compiler.ir.ops import Scalar, has_operators_from_outside
from structarr._support import dtypes
from structarr._support.by_value import by_value
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
_KINDS: dict[type, str] = {
    **{kind: np.dtype(kind).kind for kind in (bool, int, float, complex)},
    **{kind: np.dtype(kind).kind for kind in np.ScalarType if issubclass(kind, np.generic)},
}
_SAMPLES = (1, 0, 2, 3)  # ones first: they must be in every function's domain


def widened(dtype: str) -> str:
    """The dtype of 64 bits in which a function takes an operand."""
    if dtype in NARROW:
        return "int64"
    return {"float32": "float64", "complex64": "complex128"}.get(dtype, dtype)


def called(functions: Iterable[kernel.Function]) -> tuple[Function, ...]:
    """The functions of users that a kernel calls."""
    if not has_operators_from_outside():
        return ()
    exprs = (expr for one in functions for expr in one.expressions())
    found = {call.op.function: None for expr in exprs for call in expr.every(Call)}
    return tuple([function for function in found if isinstance(function, Function)])


def is_rule(dtype: Any) -> bool:
    """Whether a declared dtype is a function of dtypes; NumPy's types can be called, too."""
    return callable(dtype) and not isinstance(dtype, type)


def _restored(name: str, *parts: Any) -> Any:
    """The function of a pickle; that of this process if it has it."""
    known = dtypes.outside(name)
    if known is None:
        known = Function(name, *parts)
        dtypes.declare(known)
    return known


class _Undefined(OperatorError):
    """A function that has no result for ones of a dtype."""


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
    dtype : dtype_like or callable, optional
        Of results: a dtype, or a function from the operands' common dtype to one; inferred without.
    tries : callable, optional
        Called once with each dtype that operands and results have in common, to refuse some.
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
        tries: Callable[[str], None] | None = None,
    ) -> None:
        self.name = name
        self.title = title
        self.python = python
        self.stable = stable
        self.identity = identity
        self._arity = arity
        self._dtype = dtype
        self._tries = tries
        self._tried: set[str] = set()
        self._dtypes: dict[str, np.dtype[Any]] = {}  # of results, by those of operands

    def __repr__(self) -> str:
        return f"Function({self.name})"

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.stable:
            raise PicklingError(
                f"{self.title} refers to an array, an object or a module beyond NumPy and math, so "
                "that another process may have an operator of its name: pickle the operator itself"
            )
        parts = (self.name, self.title, self.python, self.stable, self._arity)
        return by_value(_restored, *parts, self.identity, self._dtype, self._tries)

    def __call__(self, *args: Any) -> Any:
        """Call the function as the interpreted tier does."""
        wide = [_NATIVE[type(arg)](arg) if type(arg) in _NATIVE else arg for arg in args]
        try:
            result = self.python(*wide)
        except Exception as error:
            error.add_note(f"in the operator {self.title}{tuple(arg.item() for arg in wide)}")
            raise
        self.check(WIDE[type(wide[0])], _KINDS.get(type(result), "O"))
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
        if self._dtype is None and RANKS[kind] > RANKS[self._inferred(operand).kind]:
            says = {1: "floating-point", 2: "complex"}[RANKS[kind]]
            raise OperatorError(
                f"operator {self.title} returns {says} numbers for some {operand} operands and "
                "others for the first that were tried; declare dtype="
            )

    def promotion(self, operands: Sequence[dtypes.Operand]) -> tuple[str, ...]:
        """The dtype to which the operands are promoted together, and that of the result."""
        operand = dtypes.common(operands)
        result = self._result(operand).name
        if self._tries is not None and operand == result and operand not in self._tried:
            self._try(operand, self._tries)
        return (operand,) * len(operands) + (result,)

    def _try(self, operand: str, tries: Callable[[str], None]) -> None:
        self._tried.add(operand)  # before, as it asks for the promotion again
        try:
            tries(operand)
        except OperatorError:
            self._tried.remove(operand)
            raise

    def closes(self, operand: str) -> bool:
        """Whether results have the dtype of their operands; False where there are none."""
        try:
            return self._result(operand).name == operand
        except OperatorError as error:
            if isinstance(error, _Undefined):
                return False
            raise
        except Exception:  # of a declared function of dtypes, which may take some alone
            return False

    def _result(self, operand: str) -> np.dtype[Any]:
        if self._dtype is None:
            return self._inferred(operand)
        given = self._dtype(np.dtype(operand)) if is_rule(self._dtype) else self._dtype
        try:
            return dtypes.check(given)
        except TypeError as error:
            raise OperatorError(
                f"operator {self.title}: dtype= gives {given!r} for {operand}: {error}"
            ) from error

    def _inferred(self, operand: str) -> np.dtype[Any]:
        """The dtype of results, by those for small numbers."""
        if operand not in self._dtypes:
            self._dtypes[operand] = self._found(np.dtype(operand))
        return self._dtypes[operand]

    def _found(self, operand: np.dtype[Any]) -> np.dtype[Any]:
        found: dict[Any, None] = {}
        with np.errstate(all="ignore"):
            for values in product(map(operand.type, _SAMPLES), repeat=self._arity):
                try:
                    found[self._kind(self.python(*values))] = None
                except (OperatorError, MemoryError):
                    raise
                except Exception as error:
                    if not found:
                        raise _Undefined(
                            f"operator {self.title} fails for ones of dtype {operand}: "
                            f"{type(error).__name__}: {error}; declare dtype= for it"
                        ) from error
        return dtypes.check(dtypes.common(list(found)))

    def _kind(self, result: Any) -> Any:
        """The dtype of a result, or the type of a weak one."""
        if type(result) in (bool, int, float, complex):
            return type(result)
        if isinstance(result, np.generic) and result.dtype.kind in RANKS:
            return result.dtype
        raise OperatorError(f"operator {self.title} returns {result!r}; it must return a number")
