"""Constants of a dtype: conversion as NumPy has it, equality, and operators applied to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._compiler.ir.expr import Call, Cast, Expr, Lit
from structarr._compiler.ir.ops import functions
from structarr._compiler.runtime import HELPERS
from structarr._compiler.runtime._constructors import CONSTRUCTORS
from structarr._support.caches import room
from structarr.errors import OperatorError

_NAMESPACE: dict[str, Any] = {"np": np, **CONSTRUCTORS, **HELPERS}
_CODE: dict[str, Any] = {}

_ITEMS = {"bool": bool, "float64": float, "complex128": complex}
"""Python's types that hold exactly what the dtypes do."""


def literal(dtype: str, value: Any, structural: bool = False) -> Lit:
    """A constant of a dtype, converted as NumPy would."""
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) is _ITEMS.get(dtype):
        return Lit(dtype, value, structural)
    if isinstance(value, complex) and not dtype.startswith("complex") and dtype != "bool":
        value = value.real  # as astype does, but without its warning
    with np.errstate(all="ignore"):
        return Lit(dtype, np.array(value).astype(dtype).item(), structural)


def algebraic(dtype: str, value: Any, structural: bool = False) -> Lit:
    """A constant of an operator's algebra in a dtype: an infinity is the bound of its order."""
    if not (isinstance(value, float) and np.isinf(value)):
        return literal(dtype, value, structural)
    if not is_exact(dtype):
        bound = complex(value, value) if dtype.startswith("complex") else value
        return literal(dtype, bound, structural)
    if dtype == "bool":
        return Lit(dtype, value > 0, structural)
    bounds = np.iinfo(dtype)
    return Lit(dtype, bounds.max if value > 0 else bounds.min, structural)


def is_exact(dtype: str) -> bool:
    """Whether arithmetic of this dtype rounds nothing and knows no NaN."""
    return not dtype.startswith(("float", "complex"))


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
    """The value of a call of constants, by the text that kernels run."""
    ins = tuple(arg.dtype for arg in call.args)
    text = call.op.source(ins, call.dtype).format(*(f"a{k}" for k in range(len(ins))))
    code = _CODE.get(text)
    if code is None:
        code = room(_CODE)[text] = compile(text, "<constant>", "eval")
    values = {
        f"a{k}": np.dtype(arg.dtype).type(arg.value)  # type: ignore[attr-defined]
        for k, arg in enumerate(call.args)
    }
    with np.errstate(all="ignore"):
        try:
            result = eval(code, _NAMESPACE, values | functions((call.op.name,)))
        except Exception as error:
            if call.op.function is None:
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
