"""The oracle's productions, each by an example that is computed by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir import cin, conditions, expr as ir, missing
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._testing.oracle.operators import applied
from structarr._testing.oracle.statements import evaluate
from structarr._testing.oracle.values import MISSING, OutOfBounds, Scope, Unchecked, value

INT, FLOAT = "int64", "float64"
K, J = ir.Index("k"), ir.Index("j")
X = np.array([10.0, 20.0, 30.0, 40.0])


def lit(number: Any) -> ir.Lit:
    return ir.Lit({int: INT, float: FLOAT, bool: "bool"}[type(number)], number)


def tensor(name: str, *dims: int, role: str = "in", start: float | None = None) -> cin.Tensor:
    fill, lengths = lit(0.0), tuple(map(lit, dims))
    return cin.Tensor(name, None, FLOAT, fill, lengths, role, None if start is None else lit(start))


def read(array: cin.Tensor, *indices: ir.Expr) -> cin.Access:
    return cin.Access(FLOAT, array, indices)


def call(name: str, *args: ir.Expr, dtype: str = FLOAT) -> ir.Call:
    return ir.Call(dtype, OPS[name], args)


def loop(index: ir.Index, hi: Any, body: cin.Stmt, lo: Any = 0) -> cin.Loop:
    return cin.Loop(index, ir.index_lit(lo), ir.index_lit(hi), body)


x, y, s = tensor("x", 4), tensor("y", 4, role="out"), tensor("s", role="out")
p = cin.Tensor("p", None, INT, lit(0), (lit(4),))


def written(stmt: cin.Stmt, start: float = 0.0, **named: Any) -> list[float]:
    """What a program makes of y, which begins with one number everywhere."""
    out, variables = np.full(4, start), {Var(INT, name): one for name, one in named.items()}
    evaluate(stmt, {x: X, y: out, p: np.array([3, 0, 9, 1])}, variables)
    return out.tolist()


def at(expr: ir.Expr, i: int = 1, j: int = 2, **named: Any) -> Any:
    """The value of an expression of the two indices, of x and p."""
    arrays = {x: X, p: np.array([3, 0, 9, 1])}
    variables = {one: named[one.name] for one in expr.every(Var)}
    return value(expr, Scope(arrays, variables, {K: i, J: j}))


VALUES: dict[str, tuple[ir.Expr, Any]] = {
    "literal": (lit(2.5), 2.5),
    "scalar": (Var("float32", "scalar0"), np.float32(0.1)),
    "index as a value": (ir.Cast(FLOAT, K + J), 3.0),
    "sum": (ir.scale(K, 3) - J + 7, 8),
    "product": (ir.multiply(K + 1, J), 4),
    "quotient, rounded down": (ir.floor_div(K - 4, 2), -2),
    "least": (ir.minimum(K, J, 5), 1),
    "most": (ir.maximum(K, J - 9), 1),
    "at most": (conditions.le(J, K), False),
    "equal": (conditions.eq(J, K + 1), True),
    "all": (conditions.both(conditions.le(K, J), conditions.eq(K, J)), False),
    "all of nothing": (conditions.TRUE, True),
    "not": (conditions.Not(conditions.eq(K, J)), True),
    "cast": (ir.Cast("int8", lit(300)), 44),
    "cast of an infinity to truth": (ir.Cast("bool", lit(-np.inf)), True),
    "access": (read(x, K), 20.0),
    "access of a value": (cin.Access(FLOAT, lit(7.0), ()), 7.0),
    "access at what is read": (read(x, cin.Access(INT, p, (K,))), 10.0),
    "call": (call("subtract", read(x, J), read(x, K)), 10.0),
    "choice": (call("where", conditions.le(K, J), read(x, K), read(x, J)), 20.0),
    "protocol": (read(x, cin.Protocol(J, "gallop")), 30.0),
    "offset": (read(x, cin.Offset(J, lit(2))), 10.0),
    "window": (read(x, K + 1), 30.0),
    "toeplitz": (read(x, K + J), 40.0),
    "stride": (read(x, cin.Stride(K, 2, lit(1))), 40.0),
    "permit, inside": (read(x, cin.Permit(J, lit(4))), 30.0),
    "permit, outside": (read(x, cin.Permit(J + 5, lit(4))), MISSING),
    "permit, before": (read(x, cin.Permit(K - 2, lit(4))), MISSING),
    "permit of the whole mode": (read(x, cin.Permit(J + 2)), MISSING),
    "permit of a permit": (read(x, cin.Permit(cin.Offset(cin.Permit(J, lit(2)), J))), MISSING),
    "what is computed with what is missing": (
        call("multiply", lit(0.0), read(x, cin.Permit(J + 5))),
        MISSING,
    ),
    "missing": (missing.MISSING, MISSING),
    "coalesce": (missing.Coalesce(FLOAT, (read(x, cin.Permit(J + 5)), lit(5.0), lit(6.0))), 5.0),
    "coalesce of what is there": (missing.Coalesce(FLOAT, (read(x, K), lit(5.0))), 20.0),
    "within": (read(x, cin.Within(J, lit(4), 0)), 30.0),
    "edge": (read(x, cin.Padded(J + 5, "edge", lit(4), 0)), 40.0),
    "circular": (read(x, cin.Padded(K - 2, "circular", lit(4), 0)), 40.0),
    "reflect": (read(x, cin.Padded(K - 2, "reflect", lit(4), 0)), 20.0),
    "symmetric": (read(x, cin.Padded(K - 2, "symmetric", lit(4), 0)), 10.0),
    "a choice not taken, outside": (
        call("where", conditions.le(J, K), read(x, cin.Within(J + 5, lit(4), 0)), lit(1.0)),
        1.0,
    ),
    "differs from a fill": (ir.Helper("bool", "differ", (lit(np.nan), lit(np.nan))), False),
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    expr, want = VALUES[name]
    got = at(expr, scalar0=0.1)
    assert got is want if want is MISSING else got == want


def test_an_index_that_is_checked_is_told() -> None:
    with pytest.raises(OutOfBounds) as error:
        at(read(x, cin.Within(J + 5, lit(4), 3)))
    assert error.value.args == (3, 7, 4)


def test_nothing_is_read_outside_unchecked() -> None:
    with pytest.raises(Unchecked):
        at(read(x, K - 2))


add, store = OPS["add"], cin.Assign
STATEMENTS: dict[str, tuple[cin.Stmt, list[float]]] = {
    "assignment": (loop(K, 4, store(read(y, K), None, read(x, K))), [10, 20, 30, 40]),
    "the last value stays": (loop(K, 4, store(read(y, lit(0)), None, read(x, K))), [40, 1, 1, 1]),
    "update": (loop(K, 4, store(read(y, K), add, read(x, K))), [11, 21, 31, 41]),
    "update by any operator": (
        loop(K, 4, store(read(y, K), OPS["minimum"], lit(-2.0))),
        [-2, -2, -2, -2],
    ),
    "part of an extent": (loop(K, 3, store(read(y, K), None, lit(5.0)), lo=1), [1, 5, 5, 1]),
    "extent that depends on an index": (
        loop(K, 4, loop(J, K, store(read(y, K), add, lit(1.0)))),
        [1, 2, 3, 4],
    ),
    "extent that ends before it begins": (
        loop(K, lit(1), store(read(y, K), None, lit(5.0)), lo=3),
        [1, 1, 1, 1],
    ),
    "several": (
        cin.Multi((store(read(y, lit(0)), None, lit(2.0)), store(read(y, lit(1)), None, lit(3.0)))),
        [2, 3, 1, 1],
    ),
    "sieve": (
        loop(K, 4, cin.Sieve(conditions.le(K, 1), store(read(y, K), None, lit(9.0)))),
        [9, 9, 1, 1],
    ),
    "sieve of what is missing": (
        loop(K, 4, cin.Sieve(read(x, cin.Permit(K + 3)), store(read(y, K), None, lit(9.0)))),
        [9, 1, 1, 1],
    ),
    "pass": (cin.Pass((y,)), [1, 1, 1, 1]),
    "what is missing is not assigned": (
        loop(K, 4, store(read(y, K), None, read(x, cin.Permit(K + 2)))),
        [30, 40, 1, 1],
    ),
    "scatter": (
        loop(
            K,
            4,
            cin.Sieve(
                conditions.le(cin.Access(INT, p, (K,)), 3),
                store(read(y, cin.Within(cin.Access(INT, p, (K,)), lit(4), 0)), None, read(x, K)),
            ),
        ),
        [20, 40, 1, 10],
    ),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str) -> None:
    stmt, want = STATEMENTS[name]
    assert written(stmt, 1.0) == want


def test_an_extent_is_a_length_of_the_call() -> None:
    stmt = loop(K, Var(INT, "i_n"), store(read(y, K), None, lit(5.0)))
    assert written(stmt, i_n=2) == [5, 5, 0, 0]


def test_temporaries_begin_anew() -> None:
    """for i: y[i] = t where (for j: t += x[j])"""
    t = tensor("t", role="temp", start=1.0)
    producer = loop(J, K, store(read(t), add, read(x, J)))
    stmt = loop(K, 4, cin.Where(store(read(y, K), None, read(t)), producer, (t,)))
    assert written(stmt) == [1, 11, 31, 61]


def test_workspaces_are_rows() -> None:
    """for i: (for j: y[j] += W[j]) where (for j: W[j] = x[j])"""
    w = tensor("W", 4, role="temp")
    producer = loop(J, 4, store(read(w, J), None, read(x, J)))
    consumer = loop(J, 4, store(read(y, J), add, read(w, J)))
    assert written(loop(K, 2, cin.Where(consumer, producer, (w,)))) == [20, 40, 60, 80]


def test_users_operators_are_their_functions() -> None:
    clipped = sa.operator(lambda a, b: min(a * b, 500), name="clipped_for_oracle")
    assert applied(clipped.op, (np.int8(100), np.int8(100)), "int64") == 500


def test_operators_promote_as_the_program_says() -> None:
    assert applied(OPS["add"], (np.int8(100), np.int8(100)), "int8") == -56
    assert applied(OPS["add"], (np.True_, np.True_), "bool") == np.True_
    assert applied(OPS["divide"], (np.float64(1), np.float64(0)), FLOAT) == np.inf


def test_infinities_of_semirings_are_bounds() -> None:
    most = np.iinfo("int8").max
    assert applied(OPS["min_plus_multiply"], (np.int8(most), np.int8(-5)), "int8") == most
