"""Index arithmetic is canonical, and what the emitter prints means the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from example_counts import examples
from hypothesis import given, strategies as st

from structarr._compiler.backend.expression_source import Expressions
from structarr._compiler.ir.conditions import Not, eq, le, lt
from structarr._compiler.ir.expr import (
    INDEX,
    Call,
    Expr,
    Lit,
    Min,
    Sum,
    index_lit,
    maximum,
    minimum,
)
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.runtime import HELPERS

ENV = {"x": 3, "y": -2, "z": 5}
X, Y, Z = (Var(INDEX, name) for name in ENV)
Pair = tuple[Any, int]  # an index expression and its value

PAIRS: st.SearchStrategy[Pair] = st.one_of(
    st.sampled_from([(Var(INDEX, name), value) for name, value in ENV.items()]),
    st.integers(-4, 4).map(lambda n: (index_lit(n), n)),
)
ARITHMETIC = [
    lambda a, b: (a[0] + b[0], a[1] + b[1]),
    lambda a, b: (a[0] - b[0], a[1] - b[1]),
    lambda a, b: (a[0] * b[0], a[1] * b[1]),
    lambda a, b: (minimum(a[0], b[0]), min(a[1], b[1])),
    lambda a, b: (maximum(a[0], b[0]), max(a[1], b[1])),
]


def indices() -> st.SearchStrategy[Pair]:
    return st.recursive(
        PAIRS,
        lambda inner: st.builds(lambda f, a, b: f(a, b), st.sampled_from(ARITHMETIC), inner, inner),
        max_leaves=10,
    )


@examples(6)
@given(indices())
def test_printed_index_expressions_mean_themselves(pair: Pair) -> None:
    assert eval(Expressions().text(pair[0]), dict(ENV)) == pair[1]


COMPARISONS = [
    (le, lambda a, b: a <= b),
    (lt, lambda a, b: a < b),
    (eq, lambda a, b: a == b),
]


@examples(6)
@given(indices(), indices(), st.sampled_from(COMPARISONS), st.booleans())
def test_printed_conditions_mean_themselves(
    left: Pair, right: Pair, comparison: Any, negated: bool
) -> None:
    make, meaning = comparison
    cond, want = make(left[0], right[0]), meaning(left[1], right[1])
    if negated:
        cond, want = Not(cond), not want
    assert eval(Expressions().text(cond), dict(ENV)) == want


VALUES = {"a": 2.5, "b": -3.0, "c": 0.5}
NAMESPACE: dict[str, Any] = {"np": np, "float64": np.float64, **HELPERS}


def numbers() -> st.SearchStrategy[Any]:
    leaves = st.one_of(
        st.sampled_from([(Var("float64", n), v) for n, v in VALUES.items()]),
        st.sampled_from([-1.5, 2.0, -0.25]).map(lambda v: (Lit("float64", v), v)),
    )

    def grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        binary = ["add", "subtract", "multiply", "maximum", "minimum"]
        return st.one_of(
            st.builds(_applied, st.sampled_from(binary), inner, inner),
            st.builds(_applied, st.sampled_from(["negative", "absolute", "square"]), inner),
        )

    return st.recursive(leaves, grow, max_leaves=8)


def _applied(op: str, *parts: Any) -> Any:
    call = Call("float64", OPS[op], tuple(part[0] for part in parts))
    return call, float(getattr(np, op)(*(part[1] for part in parts)))


@examples(4)
@given(numbers())
def test_printed_values_mean_themselves(pair: tuple[Expr, float]) -> None:
    with np.errstate(all="ignore"):
        values = {name: np.float64(value) for name, value in VALUES.items()}
        assert eval(Expressions().text(pair[0]), {**NAMESPACE, **values}) == pair[1]


def test_equal_sums_are_one_node() -> None:
    assert X + Y + 3 is 3 + (Y + X)
    assert (X + 5) - 5 is X
    assert X - X is Lit(INDEX, 0)
    assert (X + Y) * 2 is X * 2 + Y * 2
    assert X * Lit(INDEX, 3) is X + X + X
    assert isinstance(X + 1, Sum)


def test_constants_enter_minima() -> None:
    assert minimum(X, Y) + 1 is minimum(X + 1, Y + 1)
    assert minimum(X, minimum(Y, 4), 2) is minimum(X, Y, 2)
    assert isinstance(minimum(X, Y), Min)
    assert minimum(X, X) is X
    assert maximum(3, 5) is Lit(INDEX, 5)
