"""NumPy's promotion in operators: the dtypes of operands and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol, TypeAlias
from weakref import WeakValueDictionary

import numpy as np

from structarr._support.caches import MOST

Scalar: TypeAlias = bool | int | float | complex
# An operand of NumPy's promotion: a dtype, or the type of a Python scalar (weak).
Operand: TypeAlias = "np.dtype[Any] | type[Scalar]"
Promotion: TypeAlias = Callable[[Sequence[Operand]], tuple[str, ...]]


def resolve(op_name: str, dtypes: tuple[Operand, ...]) -> tuple[tuple[str, ...], str]:
    """Return the dtypes that an operator's operands are cast to, and its result's.

    They are NumPy's, with one exception: where NumPy computes small integers or booleans in
    float16, float32 is used.

    Parameters
    ----------
    op_name : str
        The name of an operator.
    dtypes : tuple
        For each operand its dtype, or `bool`, `int`, `float` or `complex` for a Python scalar.

    Raises
    ------
    TypeError
        If the operator does not take such operands.
    """
    function = _outside.get(op_name)
    names = _own(op_name, dtypes) if function is None else function.promotion(dtypes)
    return names[:-1], names[-1]


@lru_cache(MOST)
def _own(op_name: str, dtypes: tuple[Operand, ...]) -> tuple[str, ...]:
    rule = _RULES.get(op_name)
    return rule(dtypes) if rule else _by_ufunc(op_name, dtypes)


def _by_ufunc(name: str, dtypes: Sequence[Operand]) -> tuple[str, ...]:
    ufunc = getattr(np, name)
    try:
        loop = ufunc.resolve_dtypes((*_anchored(dtypes), None))
    except TypeError:
        loop = ()
    if not loop or any(dtype.kind not in "biufc" for dtype in loop):
        raise TypeError(f"{name} is not defined for {_listed(dtypes)}")
    return _names(loop)


def _anchored(dtypes: Sequence[Operand]) -> Sequence[Operand]:
    """Make Python scalars strong where no array's dtype decides: NumPy would refuse them."""
    if any(isinstance(dtype, np.dtype) for dtype in dtypes):
        # NumPy has no weak bool, and bool is the least of all dtypes anyway.
        return [np.dtype(bool) if dtype is bool else dtype for dtype in dtypes]
    return [np.dtype(dtype) for dtype in dtypes]


def _listed(dtypes: Sequence[Operand]) -> str:
    return ", ".join(d.name if isinstance(d, np.dtype) else f"Python {d.__name__}" for d in dtypes)


def _names(dtypes: Sequence[np.dtype[Any]]) -> tuple[str, ...]:
    return tuple("float32" if dtype.char == "e" else dtype.name for dtype in dtypes)


def _where(dtypes: Sequence[Operand]) -> tuple[str, ...]:
    # The condition may have any dtype.
    name = common(dtypes[1:])
    return "bool", name, name, name


def common(dtypes: Sequence[Operand]) -> str:
    """Return the dtype in which operands meet."""
    weak = {bool: True, int: 0, float: 0.0, complex: 0j}
    choices = (d if isinstance(d, np.dtype) else weak[d] for d in dtypes)
    (name,) = _names([np.result_type(*choices)])
    return name


def _part(dtypes: Sequence[Operand]) -> tuple[str, ...]:
    (dtype,) = (np.dtype(d) for d in dtypes)
    return dtype.name, np.empty(0, dtype).real.dtype.name


def _angle(dtypes: Sequence[Operand]) -> tuple[str, ...]:
    (dtype,) = (np.dtype(d) for d in dtypes)
    # NumPy's angle of a real x is arctan2(0, x).
    name = dtype.name if dtype.kind == "c" else _by_ufunc("arctan2", (int, dtype))[0]
    return _part([np.dtype(name)])


def _round(dtypes: Sequence[Operand]) -> tuple[str, ...]:
    (dtype,) = (np.dtype(d) for d in dtypes)
    name = "float32" if dtype.kind == "b" else dtype.name
    return name, name


def _with_float(dtypes: Sequence[Operand]) -> tuple[str, ...]:
    """A complex number and a float by which its parts are scaled."""
    name, part = _part(dtypes[:1])
    return name, part, name


def _as(ufunc: str, kinds: str) -> Promotion:
    """The dtypes of one of NumPy's functions, of some kinds alone."""

    def promotion(dtypes: Sequence[Operand]) -> tuple[str, ...]:
        names = _by_ufunc(ufunc, dtypes)
        if np.dtype(names[-1]).kind not in kinds:
            raise TypeError(f"the semiring is not defined for {_listed(dtypes)}; convert first")
        return names

    return promotion


_RULES: dict[str, Promotion] = {
    "where": _where,
    "real": _part,
    "imag": _part,
    "angle": _angle,
    "round": _round,
    "counted": _with_float,
    "divide_parts": _with_float,
    "min_plus_multiply": _as("add", "iuf"),
    "max_plus_multiply": _as("add", "if"),
    "max_times_add": _as("maximum", "biuf"),
}


class Outside(Protocol):
    """The function of an operator from outside.

    Attributes
    ----------
    name : str
        The operator's.
    identity : scalar, optional
        What its reductions start with.
    """

    name: str
    identity: Scalar | None

    def promotion(self, operands: Sequence[Operand]) -> tuple[str, ...]:
        """The dtypes of the operands and, last, of the result."""


_outside: Final[WeakValueDictionary[str, Outside]] = WeakValueDictionary()


def declare(function: Outside) -> None:
    """Make the dtypes of an operator from outside known, for as long as its function lives."""
    _outside[function.name] = function


def outside(op_name: str) -> Outside | None:
    """The function of an operator from outside, or None."""
    return _outside.get(op_name)
