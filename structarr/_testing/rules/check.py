"""The check of rules: both sides computed by the evaluator of the oracle, and by kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._array import Array
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.missing import Missing
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ruleset import Rule, RuleSet, brief
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.defaults import rules_with
from structarr._compiler.rules.engine import simplifier
from structarr._testing.oracle.values import Scope, value
from structarr._testing.rules.clauses import fail
from structarr._testing.rules.examples import examples, numbers
from structarr.errors import RuleError

Expressions = Iterable[Callable[[], Any]]


def check(rules: RuleSet, samples: Any, expressions: Expressions, rounding: float) -> None:
    """Raise AssertionError with the first clause that a rule breaks."""
    wanted = None if samples is None else np.asarray(samples)
    given = list(expressions)
    for rule in rules.rules:
        met = 0
        for left in examples(rule):
            if wanted is None or all(var.dtype == wanted.dtype for var in left.every(Var)):
                met += _check(rule, rules, left, wanted, rounding)
        if given or not met:
            met += _computed(rule, rules, given, rounding)
        if not met:
            raise ValueError(
                f"nothing was found to which rule {rule.name!r} applies: give check_rules "
                "functions that compute such arrays, as expressions="
            )


def _check(rule: Rule, rules: RuleSet, left: Expr, samples: Any, rounding: float) -> bool:
    """Check a rule on one expression; tell whether it applies."""
    right = _made(rule, left)
    if right is None or right is left:
        return False
    if not isinstance(right, Expr):
        fail(rule, "node", f"of {brief(left)} it makes {right!r}")
    if right is not _made(rule, left):
        fail(rule, "same", f"of {brief(left)} it makes {brief(right)}, and then another")
    if right.dtype not in (left.dtype, Missing.dtype):
        fail(rule, "dtype", f"of {brief(left)} it makes {right.dtype}")
    new = set(right.every(Var)) - set(left.every(Var))
    if new:
        fail(rule, "variables", f"of {brief(left)} it makes {brief(right)}")
    _same(rule, left, left, right, samples, rounding, "")
    for strict in (False, True):
        told = ", strictly" if strict else ""
        plain = simplifier(rules_with(None, strict))(left)
        _same(rule, left, plain, _simplified(rule, rules, left, strict), samples, rounding, told)
    return True


def _made(rule: Rule, left: Node) -> Any:
    try:
        return rule.rewrite(left)
    except Exception as error:
        fail(rule, "runs", f"on {brief(left)} it raised {type(error).__name__}: {error}")


def _simplified(rule: Rule, rules: RuleSet, left: Expr, strict: bool) -> Any:
    try:
        return simplifier(rules_with(rules, strict))(left)
    except RuleError as error:
        fail(rule, "ends", str(error))


def _same(
    rule: Rule, left: Expr, one: Expr, other: Expr, samples: Any, rounding: float, told: str
) -> None:
    """Compare two sides on all numbers."""
    found = left.every(Var)
    few = len(found) > 2
    each = [numbers(var.dtype, few) if samples is None else samples for var in found]
    for values in product(*each):
        scope = Scope({}, {var: at for var, at in zip(found, values, strict=True)})
        try:
            before = value(one, scope)
        except (ValueError, TypeError, ZeroDivisionError):
            continue  # what NumPy refuses, as negative powers of integers, has no value
        after = value(other, scope)
        if not _equal(before, after, rounding):
            pairs = zip(found, values, strict=True)
            at = ", ".join(f"{var.name} = {number}" for var, number in pairs)
            dtype = f" of {found[0].dtype}" if found else ""
            fail(
                rule, "values", f"for {at}{dtype}{told} it makes {after} of {before}, {brief(left)}"
            )


def _equal(one: Any, other: Any, rounding: float) -> bool:
    """Whether two numbers are the same to the bit, or as near as rounding is granted."""
    if isinstance(one, np.complexfloating):
        parts = ((one.real, other.real), (one.imag, other.imag))
        return all(_equal(left, right, rounding) for left, right in parts)
    if one != one or other != other:
        return bool(one != one and other != other)
    if one == other:
        zeros = isinstance(one, np.floating) and one == 0 and not rounding
        return not zeros or np.signbit(one) == np.signbit(other)
    return bool(rounding and abs(one - other) <= rounding * max(abs(one), abs(other)))


# ------------------------------------------------------------------ arrays


def _computed(rule: Rule, rules: RuleSet, given: Expressions, rounding: float) -> int:
    """Compute arrays with the rule and without; tell how often it applied."""
    met = 0

    def counted(node: Any) -> Node | None:
        nonlocal met
        new = _made(rule, node)
        met += new is not None and new is not node
        return new  # type: ignore[no-any-return]

    watched = RuleSet(
        tuple(replace(one, rewrite=counted) if one is rule else one for one in rules.rules)
    )
    for strict in (False, True):
        for compute in given or _arrays():
            with sa.options(strict_ieee=strict, tier="interpreted"):
                want = _dense(compute())
                try:
                    with sa.options(rules=watched):
                        got = _dense(compute())
                except RuleError as error:
                    fail(rule, _clause(str(error)), str(error))
            if got.shape != want.shape or got.dtype != want.dtype:
                fail(rule, "dtype", f"an array of {got.dtype}{got.shape}, not {want.dtype}")
            pairs = zip(got.reshape(-1), want.reshape(-1), strict=True)
            if not all(_equal(one, other, rounding) for one, other in pairs):
                fail(rule, "values", f"{got.tolist()}, not {want.tolist()}")
    return met


def _clause(message: str) -> str:
    """The clause that an error of the engine is about."""
    told = {"come to an end": "ends", "makes a": "node", "must return": "node", "makes": "dtype"}
    return next((clause for part, clause in told.items() if part in message), "runs")


def _dense(found: Any) -> Any:
    return found.todense() if isinstance(found, Array) else np.asarray(found)


def _arrays() -> Iterator[Callable[[], Any]]:
    """Small programs of all kinds of loops, over none, one and a few elements."""
    for n in (0, 1, 5):
        yield from (partial(program, n) for program in (_range, _spaced, _applied, _summed))
        for fmt in ("dense", "list", "rle", "band"):
            yield from (partial(program, n, fmt) for program in _OF_VECTORS)


def _dense_vector(n: int) -> Any:
    return np.arange(float(n)) - 2


def _vector(n: int, fmt: Any) -> Any:
    dense = _dense_vector(n)
    return sa.asarray(np.where(dense % 2 == 0, dense, 0.0), format=fmt)


def _matrix(n: int) -> Any:
    dense = _dense_vector(n)
    return sa.asarray(np.outer(np.where(dense > 0, dense, 0.0), dense), format="csr")


def _range(n: int) -> Any:
    return sa.arange(n).sum()


def _spaced(n: int) -> Any:
    return sa.arange(0.0, 2.0 * n, 2.0).sum()


def _applied(n: int) -> Any:
    return _matrix(n) @ _dense_vector(n)


def _summed(n: int) -> Any:
    return _matrix(n).sum(axis=0)


_OF_VECTORS: Final[tuple[Callable[[int, str], Any], ...]] = (
    lambda n, fmt: _vector(n, fmt) + 1.0,
    lambda n, fmt: _vector(n, fmt) * _dense_vector(n),
    lambda n, fmt: (_vector(n, fmt) * _dense_vector(n)).sum(),
    lambda n, fmt: _vector(n, fmt).astype("int64").sum(),
    lambda n, fmt: sa.max(_vector(n, fmt), initial=-7.0),
    lambda n, fmt: (_vector(n, fmt) > 1).any(),
)
