"""Whether the declared algebra of an operator holds on samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from structarr._compiler.ir.expr import Call
from structarr._compiler.ir.ops import Op, operator
from structarr._compiler.rules.constants import algebraic, evaluate, literal
from structarr._support import dtypes

MOST = 16  # the number of samples whose triples are tried

# The fact, and two calls with their values, which must be equal.
Claim: TypeAlias = tuple[str, str, Any, str, Any]
Binary: TypeAlias = Callable[[Any, Any], Any]


def check_facts(op: Op, title: str, samples: Any) -> None:
    """Raise AssertionError with the first counterexample to a declared fact."""
    dtype = dtypes.check(np.asarray(samples).dtype)
    values = np.asarray(samples).ravel()[:MOST].tolist()
    if op.arity != 2:
        return
    for fact, left, one, right, other in _claims(op, title, values, dtype.name):
        if not _same(one, other, rounds=fact.startswith(("associative", "distributes", "repeat"))):
            told = f"{left} is {one}" + ("" if right == str(other) else f" and {right} is {other}")
            raise AssertionError(f"{title} is declared {fact}, but {told}")


def _claims(op: Op, t: str, values: list[Any], dtype: str) -> Iterator[Claim]:
    f = _scalar(op, dtype)
    for x in values:
        yield from _about_one(op, t, f, x, dtype)
    for x, y in product(values, repeat=2):
        if op.commutative:
            yield "commutative", f"{t}({x}, {y})", f(x, y), f"{t}({y}, {x})", f(y, x)
        if op.repeat is not None:
            yield _repeated(op, t, f, x, y, dtype)
    for x, y, z in product(values, repeat=3):
        if op.associative:
            left, right = f"{t}({t}({x}, {y}), {z})", f"{t}({x}, {t}({y}, {z}))"
            yield "associative", left, f(f(x, y), z), right, f(x, f(y, z))
        for name in op.distributes_over:
            g = _scalar(operator(name), dtype)
            left = f"{t}({x}, {name}({y}, {z}))"
            right = f"{name}({t}({x}, {y}), {t}({x}, {z}))"
            yield f"distributes_over {name}", left, f(x, g(y, z)), right, g(f(x, y), f(x, z))


def _about_one(op: Op, t: str, f: Binary, x: Any, dtype: str) -> Iterator[Claim]:
    for fact in ("identity", "annihilator"):
        for side in ("left", "right"):
            declared = getattr(op, f"{side}_{fact}")
            if declared is None:
                continue
            value = algebraic(dtype, declared).value
            one, other = (value, x) if side == "left" else (x, value)
            gives = x if fact == "identity" else value
            yield f"{side}_{fact}={value}", f"{t}({one}, {other})", f(one, other), str(gives), gives
    if op.idempotent:
        yield "idempotent", f"{t}({x}, {x})", f(x, x), str(x), x


def _repeated(op: Op, t: str, f: Binary, x: Any, y: Any, dtype: str) -> Claim:
    """Three updates by one value."""
    left = f"{t}({t}({t}({x}, {y}), {y}), {y})"
    value = f(f(f(x, y), y), y)
    if op.repeat == "once":
        return "repeat='once'", left, value, f"{t}({x}, {y})", f(x, y)
    assert op.repeat is not None
    times = _scalar(operator(op.repeat), dtype)
    right = f"{t}({x}, {op.repeat}({y}, 3))"
    return f"repeat={op.repeat!r}", left, value, right, f(x, times(y, 3))


def _scalar(op: Op, dtype: str) -> Binary:
    """An operator as kernels compute it."""

    def apply(x: Any, y: Any) -> Any:
        operands = tuple(np.dtype(dtype).type(value) for value in (x, y))
        ins, out = dtypes.resolve(op.name, tuple(value.dtype for value in operands))
        args = tuple(literal(kind, value) for kind, value in zip(ins, operands, strict=True))
        return evaluate(Call(out, op, args)).value

    return apply


def _same(one: Any, other: Any, rounds: bool) -> bool:
    if rounds and isinstance(one, float | complex):
        return bool(np.isclose(one, other, rtol=1e-6, atol=1e-12, equal_nan=True))
    return bool(one == other or (one != one and other != other))
