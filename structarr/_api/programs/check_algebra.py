"""Whether the declared algebra of an operator holds on samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, product
from typing import Any, TypeAlias

import numpy as np

from structarr._compiler.backend.python.scalars import scalar_function
from structarr._compiler.ir.ops import Op, operator
from structarr._compiler.rules.constants import algebraic, literal
from structarr._support import dtypes
from structarr.errors import OperatorError

MOST = 16  # the number of samples whose triples are tried
USUAL = (0, 1, 0.5)
"""What facts are tried on where an operator is made: values of about every domain."""

# The fact, and two calls with their values, which must be equal.
Claim: TypeAlias = tuple[str, str, Any, str, Any]
Binary: TypeAlias = Callable[[Any, Any], Any]


def check_facts(op: Op, title: str, samples: Any) -> None:
    """Raise AssertionError with the first counterexample to a declared fact."""
    dtype = dtypes.check(np.asarray(samples).dtype)
    values = np.asarray(samples).ravel()[:MOST].tolist()
    told = _broken(op, title, values, dtype.name, strict=True)
    if told is not None:
        raise AssertionError(told)


def try_facts(name: str, title: str, samples: Any, dtype: str) -> None:
    """
    Refuse an operator some of whose facts does not hold on a few samples in a dtype.

    Samples that the dtype does not hold are left out, and those for which the function fails or
    returns NaN: they are not of its domain.
    """
    told = _broken(operator(name), title, held_by(dtype, samples), dtype, strict=False)
    if told is not None:
        raise OperatorError(
            f"{told} in {dtype}; if the fact holds for what the operator is used on, give such "
            "values as samples="
        )


def held_by(dtype: str, samples: Iterable[Any]) -> list[Any]:
    """The samples that a dtype holds, as numbers of its own."""
    return [value for one in samples if (value := literal(dtype, one).value) == one]


def _broken(op: Op, title: str, values: list[Any], dtype: str, strict: bool) -> str | None:
    """A counterexample to a declared fact; without `strict`, NaN is none."""
    if op.arity != 2:
        return None
    with np.errstate(all="ignore"):
        for fact, left, one, right, other in _claims(op, title, values, dtype, strict):
            rounds = fact.startswith(("associative", "distributes", "repeat")) or not strict
            if not (_same(one, other, rounds) or (not strict and (one != one or other != other))):
                told = f"{left} is {one}" + (
                    "" if right == str(other) else f" and {right} is {other}"
                )
                return f"{title} is declared {fact}, but {told}"
    return None


def _claims(op: Op, t: str, values: list[Any], dtype: str, strict: bool) -> Iterator[Claim]:
    f = _scalar(op, dtype, strict)
    yield from _about_one(op, t, f, values, dtype)
    for x, y in product(values, repeat=2):
        if op.commutative:
            yield "commutative", f"{t}({x}, {y})", f(x, y), f"{t}({y}, {x})", f(y, x)
        if op.repeat is not None:
            yield _repeated(op, t, f, x, y, dtype, strict)
    every = strict or len(values) < 3
    for x, y, z in product(values, repeat=3) if every else permutations(values, 3):
        if op.associative:
            left, right = f"{t}({t}({x}, {y}), {z})", f"{t}({x}, {t}({y}, {z}))"
            yield "associative", left, f(f(x, y), z), right, f(x, f(y, z))
        for name in op.distributes_over:
            g = _scalar(operator(name), dtype, strict)
            left = f"{t}({x}, {name}({y}, {z}))"
            right = f"{name}({t}({x}, {y}), {t}({x}, {z}))"
            yield f"distributes_over {name}", left, f(x, g(y, z)), right, g(f(x, y), f(x, z))


def _about_one(op: Op, t: str, f: Binary, values: list[Any], dtype: str) -> Iterator[Claim]:
    for fact, side in product(("identity", "annihilator"), ("left", "right")):
        declared = getattr(op, f"{side}_{fact}")
        if declared is None:
            continue
        value = algebraic(dtype, declared).value
        for x in values:
            one, other = (value, x) if side == "left" else (x, value)
            gives = x if fact == "identity" else value
            yield f"{side}_{fact}={value}", f"{t}({one}, {other})", f(one, other), str(gives), gives
    for x in values if op.idempotent else ():
        yield "idempotent", f"{t}({x}, {x})", f(x, x), str(x), x


def _repeated(op: Op, t: str, f: Binary, x: Any, y: Any, dtype: str, strict: bool) -> Claim:
    """Three updates by one value."""
    left = f"{t}({t}({t}({x}, {y}), {y}), {y})"
    value = f(f(f(x, y), y), y)
    if op.repeat == "once":
        return "repeat='once'", left, value, f"{t}({x}, {y})", f(x, y)
    assert op.repeat is not None
    times = _scalar(operator(op.repeat), dtype, strict)
    right = f"{t}({x}, {op.repeat}({y}, 3))"
    return f"repeat={op.repeat!r}", left, value, right, f(x, times(y, 3))


def _scalar(op: Op, dtype: str, strict: bool) -> Binary:
    """An operator as kernels compute it; without `strict`, it is NaN where its function fails."""
    ins, out = dtypes.resolve(op.name, (np.dtype(dtype),) * 2)
    function, result = scalar_function(op, ins, out), np.dtype(out).type
    own, (left, right) = np.dtype(dtype).type, (np.dtype(one).type for one in ins)

    def apply(x: Any, y: Any) -> Any:
        try:
            return result(function(left(own(x)), right(own(y)))).item()
        except Exception as error:
            if strict or isinstance(error, MemoryError):
                raise
            return np.nan

    return apply


def _same(one: Any, other: Any, rounds: bool) -> bool:
    if one == other or (one != one and other != other):
        return True
    near = rounds and isinstance(one, float | complex)
    return near and bool(np.isclose(one, other, rtol=1e-6, atol=1e-12))
