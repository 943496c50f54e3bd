"""Operators of users: values, dtypes, structure, both tiers, the cache on disk, what is refused."""

from __future__ import annotations

import functools
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._support import dtypes
from structarr.errors import OperatorError

TIERS = pytest.mark.parametrize("tier", ["interpreted", "compiled"])
DTYPES = ("bool", "int8", "uint8", "int32", "uint64", "int64", "float32", "float64", "complex64")


@sa.operator
def module_level(a: Any, b: Any) -> Any:
    return a * a + b


@TIERS
@pytest.mark.parametrize("dtype", DTYPES)
def test_values_are_the_plain_functions(tier: str, dtype: str) -> None:
    x = np.array([1, 0, 3, 2], dtype)
    wanted = np.array([module_level.py_func(a, b) for a, b in zip(x, x[::-1], strict=True)])
    with sa.options(tier=tier):
        found = module_level(sa.asarray(x), x[::-1].copy())
        assert found.dtype == wanted.dtype
        assert np.array_equal(found.todense(), wanted)


@TIERS
def test_operands_are_broadcast_promoted_and_fused(tier: str) -> None:
    between = sa.operator(lambda low, x, high: min(max(low, x), high), name="between")
    a = sa.asarray(np.arange(6, dtype=np.int32).reshape(2, 3))
    with sa.options(tier=tier):
        found = between(1.5, a, np.array([[2], [9]])) * 2
        assert found.dtype == np.float64
        assert found.tolist() == [[3, 3, 4], [6, 8, 10]]
        assert between(1, a, 4).dtype == np.int32
    assert "between_" in sa.explain(between(1.5, a, 3)).kernel
    assert between(1, 7, 3) == 3  # on scalars it is the function


@TIERS
def test_an_annihilator_keeps_the_structure(tier: str) -> None:
    calls = sa.operator(lambda a, b: a * math.exp(b), name="calls", left_annihilator=0)
    a = sa.asarray([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]], format="csr")
    b = np.full((2, 3), 1.0)
    with sa.options(tier=tier):
        assert calls(a, b).format == "csr"
        assert calls(b, a).format == "dense"
        assert np.allclose(calls(a, b).todense(), a.todense() * np.e)
        assert np.allclose(calls(b, a).todense(), np.exp(a.todense()))


@TIERS
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("format", ["dense", "csr", "rle"])
def test_reductions_fold(tier: str, axis: Any, format: str) -> None:
    facts = {"associative": True, "commutative": True}
    either = sa.operator(lambda a, b: a + b - a * b, name="either", identity=0, **facts)
    x = np.array([[0.5, 0.0, 0.25, 0.25], [0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.0]])
    a = sa.asarray(x, format=format)
    with sa.options(tier=tier):
        wanted = _folded(either, x, axis)
        assert np.allclose(sa.reduce(either, a, axis=axis).todense(), wanted)
        kept = sa.reduce(either, a, axis=axis, keepdims=True, initial=0.5)
        assert kept.shape == np.sum(x, axis=axis, keepdims=True).shape
        assert np.allclose(kept.todense().ravel(), np.ravel(either.py_func(0.5, wanted)))


def _folded(op: sa.Operator, x: Any, axis: int | None) -> Any:
    if axis is None:
        return functools.reduce(op.py_func, x.ravel())
    return np.array([functools.reduce(op.py_func, row) for row in (x if axis else x.T)])


@TIERS
def test_the_order_along_an_axis_is_kept(tier: str) -> None:
    first = sa.operator(lambda a, b: a, name="first", associative=True)
    x = sa.asarray([[3.0, 0.0, 5.0], [0.0, 1.0, 2.0]], format="csr")
    with sa.options(tier=tier):
        assert sa.reduce(first, x, axis=1, initial=9).tolist() == [9, 9]
        last = sa.operator(lambda a, b: b, name="last", associative=True, right_identity=None)
        assert sa.reduce(last, x, axis=1, initial=9).tolist() == [5, 2]
        assert sa.reduce(last, x, axis=0, initial=9).tolist() == [0, 1, 2]


@TIERS
def test_runs_are_reduced_at_once_where_declared(tier: str) -> None:
    def add(a: Any, b: Any) -> Any:
        return a + b

    facts = {"identity": 0, "associative": True, "commutative": True}
    slow = sa.operator(add, name="slow", **facts)
    fast = sa.operator(add, name="fast", repeat="multiply", **facts)
    x = sa.asarray(np.repeat([1.0, 2.0], 50), format="rle")
    with sa.options(tier=tier):
        assert float(sa.reduce(slow, x)) == float(sa.reduce(fast, x)) == 150
    assert sa.explain(sa.reduce(slow, x)).kernel.count("for ") == 2
    assert sa.explain(sa.reduce(fast, x)).kernel.count("for ") == 1


@TIERS
def test_argmin_is_a_reduction_of_pairs(tier: str) -> None:
    """A pair of a value and an index is one complex number: indices are exact up to 2**53."""
    nothing = complex(np.inf, np.inf)
    pair = sa.operator(
        lambda x, i: complex(x, i) if x < np.inf else complex(np.inf, np.inf),
        name="pair",
        left_annihilator=np.inf,
    )
    least = sa.operator(
        lambda a, b: a if a.real < b.real or (a.real == b.real and a.imag <= b.imag) else b,
        name="least",
        identity=nothing,
        associative=True,
        commutative=True,
        idempotent=True,
    )
    rng = np.random.default_rng(0)
    x = np.where(rng.random((20, 30)) < 0.2, rng.integers(1, 5, (20, 30)), np.inf)
    x[:, 7] = 3
    a = sa.asarray(x, format="csr", fill_value=np.inf)
    with sa.options(tier=tier):
        found = sa.reduce(least, pair(a, sa.arange(30)), axis=1)
        assert np.array_equal(found.todense().imag, x.argmin(axis=1))
        assert np.array_equal(found.todense().real, x.min(axis=1))
    least.check([1 + 2j, 1 + 1j, 2, 0])


def test_the_result_may_be_declared() -> None:
    assert sa.operator(lambda a: a, dtype="int8")(sa.asarray([1.5])).dtype == np.int8
    halves = sa.operator(lambda a: a / 2, dtype=lambda given: np.result_type(given, np.float32))
    assert halves(sa.asarray(np.array([3], np.int8))).tolist() == [1.5]
    assert halves(sa.asarray(np.array([3], np.int8))).dtype == np.float32
    branches = sa.operator(lambda a: 0 if a > 1 else a * 0.5)
    assert branches(sa.asarray([3, 1])).tolist() == [0, 0.5]


def test_equal_names_do_not_meet() -> None:
    def made(factor: float) -> sa.Operator:
        return sa.operator(lambda x: x * factor, name="scaled")

    a = sa.asarray([1.0, 2.0])
    assert made(2.0)(a).tolist() == [2.0, 4.0]
    assert made(3.0)(a).tolist() == [3.0, 6.0]
    assert made(2.0).op is made(2.0).op
    assert made(2.0).op is not made(3.0).op
    assert made(0.0).op is not made(-0.0).op


FACTOR = 2.0


def test_what_a_function_refers_to_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def scaled(x: Any) -> Any:
        return x * FACTOR

    before = sa.operator(scaled)
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    a = sa.asarray([1.0])
    for tier in ("interpreted", "compiled"):
        with sa.options(tier=tier):
            assert before(a).tolist() == [2.0]
            assert sa.operator(scaled)(a).tolist() == [5.0]


def helper(x: Any) -> Any:
    return math.sqrt(abs(x)) + 1


@TIERS
def test_functions_may_call_functions_and_operators(tier: str) -> None:
    outer = sa.operator(lambda x: helper(x) + module_level(x, 1) + np.floor(x), name="outer")
    with sa.options(tier=tier):
        assert outer(sa.asarray([4.0, 0.5])).tolist() == [3 + 17 + 4, helper(0.5) + 1.25]


def test_operators_pickle_by_reference() -> None:
    assert pickle.loads(pickle.dumps(module_level)) is module_level


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"commutative": True}, r"commutative, but minus\(1, 2\) is -1 and minus\(2, 1\) is 1"),
        ({"associative": True}, r"associative, but minus\(minus\(1, 1\), 1\) is -1 and"),
        ({"idempotent": True}, r"idempotent, but minus\(1, 1\) is 0$|idempotent, but .* and 1 is"),
        ({"identity": 0}, r"left_identity=0, but minus\(0, 1\) is -1"),
        ({"annihilator": 5}, r"left_annihilator=5, but minus\(5, 1\) is 4"),
        ({"distributes_over": "add"}, r"distributes_over add, but"),
        ({"repeat": "power"}, r"repeat='power', but"),
    ],
)
def test_declared_facts_are_checked(facts: dict[str, Any], said: str) -> None:
    minus = sa.operator(lambda a, b: a - b, name="minus", samples=(), **facts)
    with pytest.raises(AssertionError, match=said):
        sa.testing.check_operator(minus, [1, 2, 3])


def test_true_facts_pass() -> None:
    longest = sa.operator(
        lambda a, b: max(a, b),
        name="longest",
        identity=-np.inf,
        annihilator=np.inf,
        commutative=True,
        associative=True,
        idempotent=True,
        distributes_over=("minimum", "maximum"),
    )
    sa.testing.check_operator(longest)
    longest.check(np.array([1.5, -2.0, np.inf]))


def unpackable(*values: Any) -> Any:
    return values


@pytest.mark.parametrize(
    ("function", "error", "said"),
    [
        (np.hypot, TypeError, "plain Python function"),
        (unpackable, TypeError, r"without \* and \*\*"),
        (lambda: 1, TypeError, "takes 0 operands"),
        (lambda a, b, c, d: 1, TypeError, "takes 4 operands"),
        (lambda a: there_is_no_such_name, OperatorError, "'there_is_no_such_name'"),  # noqa: F821
    ],
)
def test_what_is_no_operator(function: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        sa.operator(function)


def test_facts_are_about_two_operands() -> None:
    with pytest.raises(ValueError, match="idempotent is a fact about two operands"):
        sa.operator(lambda a: a, idempotent=True)
    with pytest.raises(TypeError, match="declared twice"):
        sa.operator(lambda a, b: a, identity=1, left_identity=1)
    with pytest.raises(ValueError, match="identifier"):
        sa.operator(lambda a: a, name="two words")
    with pytest.raises(TypeError, match="takes 2 operands, not 1"):
        module_level(sa.asarray([1.0]))


@pytest.mark.parametrize(
    "function", [lambda a: (a, a), lambda a: "text", lambda a: None, lambda a: [a]]
)
def test_a_result_must_be_a_number(function: Callable[..., Any]) -> None:
    with pytest.raises(OperatorError, match="must return a number"):
        sa.operator(function)(sa.asarray([1.0]))


def test_what_numba_does_not_take_is_said_of_the_operator() -> None:
    strange = sa.operator(lambda a: float(f"{a:.2f}"), name="strange")
    a = sa.asarray([1.251])
    with sa.options(tier="interpreted"):
        assert strange(a).tolist() == [1.25]
    with (
        sa.options(tier="compiled"),
        pytest.raises(OperatorError, match=r"(?s)strange cannot be compiled by Numba.*interpreted"),
    ):
        strange(a).compute()


@TIERS
def test_results_that_do_not_fit_are_refused(tier: str) -> None:
    rare = sa.operator(lambda a: a * 0.5 if a > 10 else a, name="rare")
    with sa.options(tier=tier), pytest.raises(OperatorError, match="rare returns floating-point"):
        rare(sa.asarray([11, 1])).compute()


def test_functions_must_take_the_fill() -> None:
    logarithm = sa.operator(lambda x: math.log(x), name="logarithm")
    with pytest.raises(OperatorError, match=r"logarithm_\w+ fails for 0\.0.*math domain error"):
        logarithm(sa.asarray([0.0, 2.0], format="list")).compute()


def test_reductions_that_have_no_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    a = sa.asarray([[1.0, 2.0]])
    plain = sa.operator(lambda a, b: a - b, name="plain")
    ordered = sa.operator(lambda a, b: b, name="ordered", associative=True)
    with pytest.raises(TypeError, match="plain is not declared associative"):
        sa.reduce(plain, a)
    with pytest.raises(TypeError, match=r"not declared commutative.*2 axes"):
        sa.reduce(ordered, a, initial=0)
    with pytest.raises(ValueError, match="without an identity"):
        sa.reduce(ordered, a, axis=0)
    with monkeypatch.context() as patch, pytest.raises(TypeError, match="ordered cannot reduce"):
        other = {"float64": np.dtype(np.float32), "float32": np.dtype(np.float64)}
        patch.setattr(dtypes, "resolve", lambda _, given: (None, other[str(given[0])]))
        sa.reduce(ordered, a, axis=0, initial=0)
    with pytest.raises(TypeError, match="no operator"):
        sa.reduce("sum", a)
    with pytest.raises(TypeError, match="subtract is not associative"):
        sa.reduce(np.subtract, a)
    assert float(sa.reduce(np.maximum, a)) == 2
    assert float(sa.reduce("add", a, initial=4)) == 7


PROGRAM = """
import sys
import numpy as np
import structarr as sa
from structarr._compiler.backend.kernel import statistics
table = np.array([1.0])
def scaled(x):
    return x * K
def looked_up(x):
    return x + table[0]
for name in sys.argv[1:]:
    K = 3.0 if name == "scaled_by_3" else 2.0
    chosen = looked_up if name == "looked_up" else scaled
    before = statistics()["loaded"]
    with sa.options(tier="compiled"):
        found = sa.operator(chosen)(sa.asarray([1.0, 2.0])).tolist()
    print(found, statistics()["loaded"] - before)
"""


def test_the_cache_on_disk_serves_equal_functions_alone(tmp_path: Path) -> None:
    def run(*names: str) -> list[str]:
        env = {**os.environ, "STRUCTARR_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-c", PROGRAM, *names]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert run("scaled", "looked_up") == ["[2.0, 4.0] 0", "[2.0, 3.0] 0"]
    # An array stands in no digest.
    assert run("scaled", "scaled_by_3", "looked_up") == [
        "[2.0, 4.0] 1",
        "[3.0, 6.0] 0",
        "[2.0, 3.0] 0",
    ]


def repeated(a: Any) -> Any:
    return repeated(a - 1) if a > 0 else a


def test_an_operator_may_not_call_itself() -> None:
    def inner(a: Any) -> Any:
        return inner(a - 1) if a > 0 else a

    said = "calls itself; write a loop instead"
    with pytest.raises(OperatorError, match=f"repeated {said}"):
        sa.operator(repeated)
    with pytest.raises(OperatorError, match=f"inner {said}"):
        sa.operator(inner)
    text = "import structarr\n@structarr.operator\ndef early(a): return early(a - 1)"
    with pytest.raises(OperatorError, match=f"early {said}"):
        exec(text, {})
    text = "def outer(own):\n    @own\n    def early(a): return early(a - 1)\nouter(own)"
    with pytest.raises(OperatorError, match=f"early {said}"):
        exec(text, {"own": sa.operator})


def halved(a: Any) -> Any:
    return np.float64(a) / 2


def twice_halved(a: Any) -> Any:
    return halved(halved(a))


def test_an_operator_has_functions_ufuncs_and_sets() -> None:
    log1p = np.log1p

    def mixed(a: Any) -> Any:
        doubled = lambda x: x * 2  # noqa: E731
        known = 1.0 if a in {1.0, 2.0} else 0.0
        return known + doubled(log1p(a)) + halved(a) + twice_halved(a)

    values = np.array([0.0, 1.0, 2.0, 3.0])
    with sa.options(tier="interpreted"):
        found = sa.operator(mixed)(sa.asarray(values, format="list")).todense()
    np.testing.assert_allclose(found, [mixed(one) for one in values], rtol=1e-15)


def test_each_result_must_be_a_number() -> None:
    rare = sa.operator(lambda a: "many" if a > 10 else a, name="rare")
    with (
        sa.options(tier="interpreted"),
        pytest.raises(OperatorError, match="rare must return a number"),
    ):
        rare(sa.asarray([1, 11])).compute()


@TIERS
def test_operands_may_be_numbers_of_the_text(tier: str) -> None:
    """Fills of 1 are known to kernels, which call the operator of literals."""
    times = sa.operator(lambda a, b: a * b, name="times", annihilator=0, commutative=True)
    diagonal = sa.asarray(np.ones((3, 3), int), fill_value=1).asformat(
        sa.formats.Dense(sa.formats.Diagonals())
    )
    points = sa.asarray(np.ones((3, 3), int), fill_value=1, format="dcsr")
    with sa.options(tier=tier):
        found = sa.reduce("bitwise_or", times(diagonal, points), axis=0)
        assert found.tolist() == [1, 1, 1]
