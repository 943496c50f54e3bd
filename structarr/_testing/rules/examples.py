"""Expressions that a rule may match, in every dtype, and numbers to compute them on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import numpy as np

from structarr._compiler.ir.expr import Call, Cast, Expr, Lit
from structarr._compiler.ir.ops import OPS, Op, operator_named
from structarr._compiler.ir.ruleset import Rule
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.patterns import build, variables
from structarr._support import dtypes
from structarr.formats.entries import Array

DTYPES: Final = (
    *("bool", "int8", "uint8", "int32", "int64", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)
MIXED: Final = (("int64", "float64"), ("bool", "int64"), ("float32", "float64"), ("int8", "int64"))
INNER: Final = ("add", "multiply", "subtract", "negative", "maximum", "square", "exp", "log")


def examples(rule: Rule) -> Iterator[Expr]:
    """Expressions of the rule's head: of its pattern, or small ones of its operator."""
    if rule.left is not None:
        yield from _of_pattern(rule.left)
    elif rule.head is Call:
        names = list(OPS) if rule.op is None else [rule.op]
        for name, dtype in product(names, DTYPES):
            if (op := operator_named(name)) is not None:
                yield from _of_operator(op, dtype)
    elif rule.head is Cast:
        yield from (Cast(to, Var(of, "x")) for to, of in product(DTYPES, repeat=2) if to != of)


def _of_pattern(pattern: Any) -> Iterator[Expr]:
    names = sorted(variables(pattern))
    kinds = [(dtype,) * len(names) for dtype in DTYPES]
    if len(names) == 2:
        kinds += [*MIXED, *(pair[::-1] for pair in MIXED)]
    for given in kinds:
        found: dict[str, Expr] = {name: Var(d, name) for name, d in zip(names, given, strict=True)}
        try:
            made = build(pattern, found)
        except TypeError:  # the operator is not defined for the dtype
            continue
        if isinstance(made, Expr):
            yield made


def _of_operator(op: Op, dtype: str) -> Iterator[Expr]:
    """The operator on variables, on constants and on small expressions."""
    x, y = Var(dtype, "x"), Var(dtype, "y")
    parts: list[Expr] = [x, y, *(literal(dtype, value) for value in (0, 1, 2))]
    for name in INNER:
        made = _call(OPS[name], (x, y)[: OPS[name].arity])
        parts += [] if made is None else [made]
    for args in product(parts, repeat=op.arity) if op.arity < 3 else ():
        found = _call(op, args)
        if found is not None and not all(isinstance(arg, Lit) for arg in args):
            yield found


def _call(op: Op, args: tuple[Expr, ...]) -> Expr | None:
    try:
        ins, out = dtypes.resolve(op.name, tuple(np.dtype(arg.dtype) for arg in args))
    except TypeError:
        return None
    pairs = zip(ins, args, strict=True)
    cast = tuple(arg if arg.dtype == dtype else Cast(dtype, arg) for dtype, arg in pairs)
    return Call(out, op, cast)


def numbers(dtype: str, few: bool) -> Array:
    """Numbers of a dtype at which rules go wrong."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.array([False, True])
    if kind in "iu":
        bounds = np.iinfo(dtype)
        found = [0, 1, 3, bounds.max, bounds.min, *([-1, -2] if kind == "i" else [])]
        return np.array(found[:5] if few else [*found, 2, 7], dtype)
    part = np.dtype(dtype).type(0).real.dtype
    most = float(np.finfo(part).max)
    plain = [0.0, -0.0, 1.0, np.nan, -np.inf, *([] if few else [np.inf, -1.5, 3.0, most])]
    if kind == "f":
        return np.array(plain, dtype)
    return np.array([complex(one, two) for one in plain[:5] for two in (0.0, -0.0, 2.0)], dtype)
