"""Constants of a dtype: conversion as NumPy has it, equality, and operators applied to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._compiler.backend.python.scalars import scalar_function
from structarr._compiler.ir.dtypes import COMPLEX, INEXACT
from structarr._compiler.ir.expr import Call, Cast, Expr, Lit
from structarr.errors import OperatorError

_ITEMS = {"bool": bool, "float64": float, "complex128": complex}
"""Python's types that hold exactly what the dtypes do."""

_BOUNDS = {
    name: (int(np.iinfo(name).min), int(np.iinfo(name).max))
    for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
}
"""The bounds between which integers of Python are what NumPy makes of them."""


def literal(dtype: str, value: Any, structural: bool = False) -> Lit:
    """A constant of a dtype, converted as NumPy would."""
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) is _ITEMS.get(dtype):
        return Lit(dtype, value, structural)
    if type(value) is int and dtype in _BOUNDS:
        least, most = _BOUNDS[dtype]
        if least <= value <= most:
            return Lit(dtype, value, structural)
    if isinstance(value, complex) and dtype not in COMPLEX and dtype != "bool":
        value = value.real  # as astype does, but without its warning
    with np.errstate(all="ignore"):
        return Lit(dtype, np.array(value).astype(dtype).item(), structural)


def algebraic(dtype: str, value: Any, structural: bool = False) -> Lit:
    """A constant of an operator's algebra in a dtype: an infinity is the bound of its order."""
    if not (isinstance(value, float) and np.isinf(value)):
        return literal(dtype, value, structural)
    if not is_exact(dtype):
        bound = complex(value, value) if dtype in COMPLEX else value
        return literal(dtype, bound, structural)
    if dtype == "bool":
        return Lit(dtype, value > 0, structural)
    bounds = np.iinfo(dtype)
    return Lit(dtype, bounds.max if value > 0 else bounds.min, structural)


def is_exact(dtype: str) -> bool:
    """Whether arithmetic of this dtype rounds nothing and knows no NaN."""
    return dtype not in INEXACT


def same_constant(left: Expr, right: Expr) -> bool:
    """Whether two expressions are the same value, structural or not; -0.0 equals 0.0."""
    if left is right:
        return True
    if isinstance(left, Cast) and isinstance(right, Cast):
        return left.dtype == right.dtype and same_constant(left.arg, right.arg)
    if isinstance(left, Call) and isinstance(right, Call):
        same = (
            left.dtype == right.dtype and left.op is right.op and len(left.args) == len(right.args)
        )
        return same and all(map(same_constant, left.args, right.args))
    if not (isinstance(left, Lit) and isinstance(right, Lit) and left.dtype == right.dtype):
        return False
    a, b = left.value, right.value
    return bool(a == b or (a != a and b != b))


def evaluate(call: Call) -> Lit:
    """The value of a call of constants, as the interpreted tier computes it."""
    function = scalar_function(call.op, tuple([arg.dtype for arg in call.args]), call.dtype)
    values = [np.dtype(arg.dtype).type(arg.value) for arg in call.args]  # type: ignore[attr-defined]
    with np.errstate(all="ignore"):
        try:
            result = function(*values)
        except Exception as error:
            if call.op.function is None or isinstance(error, MemoryError):
                raise
            raise OperatorError(_undefined(call, error)) from error
    structural = any(arg.structural for arg in call.args)  # type: ignore[attr-defined]
    return literal(call.dtype, result, structural)


def _undefined(call: Call, error: Exception) -> str:
    """The message for an operator from outside that fails on constants."""
    values = ", ".join(str(arg.value) for arg in call.args if isinstance(arg, Lit))
    return (
        f"operator {call.op.name} fails for {values}, a constant or what stands where nothing is "
        f"stored: {type(error).__name__}: {error}; it must return a number for every operand"
    )
