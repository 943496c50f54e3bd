"""Eager mode: operations are computed at the call, with the same results."""

import contextvars
import operator
from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr import Array
from structarr._compiler.options import EAGER

DENSE = np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 4.0]])

OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "number": lambda a: a * 2,
    "reflected": lambda a: 1 + a,
    "two arrays": lambda a: a + a,
    "unary": np.exp,
    "comparison": lambda a: a > 1,
    "NumPy's function": lambda a: np.sum(a, axis=0),
    "method": lambda a: a.max(axis=1),
    "product": operator.matmul,
    "product again": lambda a: a @ a,
    "vector": lambda a: a @ np.ones(3),
    "cast": lambda a: a.astype("float32"),
    "running sums": lambda a: np.cumsum(a, axis=1),
    "joined": lambda a: np.concatenate([a, a]),
    "chosen": lambda a: np.where(a > 1, a, 5),
    "variance": lambda a: np.var(a, axis=1),
    "variance without NaN": lambda a: np.nanvar(a, axis=1),
    "deviation": np.std,
    "mean": lambda a: np.mean(a, axis=0),
    "covariance": np.cov,
    "norm": np.linalg.norm,
    "convolution": lambda a: np.convolve(a[0], [1.0, 2.0]),
    "einsum": lambda a: np.einsum("ij,jk->ik", a, a),
}
OPERATIONS["product"] = lambda a: a @ a.T


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("format", ["dense", "csr"])
def test_an_operation_is_computed_at_the_call(name: str, format: Any) -> None:
    a, call = sa.asarray(DENSE, format=format), OPERATIONS[name]
    for _ in range(2):  # the second call finds what the first has noted
        with sa.options(eager=True, tier="interpreted"):
            result = call(a)
        assert isinstance(result, Array) and result._tensor is not None
        np.testing.assert_allclose(result.todense(), call(DENSE))


def test_views_stay_lazy() -> None:
    a = sa.asarray(DENSE, format="csr")
    with sa.options(eager=True, tier="interpreted"):
        for view in (a.T, a[1:], sa.broadcast_to(a, (10**6, 3, 3))):
            assert view._tensor is None


def test_composed_functions_form_nothing_between_their_operations() -> None:
    a = sa.from_coordinates(([0, 5], [3, 10**6]), [1.0, 2.0], (10**5, 10**7), format="coo")
    want = sa.var(a).item()
    with sa.options(eager=True, tier="interpreted", densify_limit=2**20):
        assert sa.var(a).item() == want
        assert sa.nanvar(a).item() == pytest.approx(want)


def test_an_error_is_raised_by_the_operation_that_is_to_blame() -> None:
    wide = sa.asarray(np.ones((10**4, 1))) * 1.5
    with sa.options(densify_limit=2**16, tier="interpreted"):
        lazy = wide.reshape(1, -1) + np.arange(100.0)[:, None]
        assert lazy._tensor is None
        with sa.options(eager=True), pytest.raises(sa.errors.DensificationError):
            sa.asarray(sa.eye(10**4)) + 1.5 + sa.exp(wide)


def test_the_option_is_of_the_context() -> None:
    found: list[bool] = []

    def compute() -> None:
        found.append((sa.asarray(DENSE) * 2)._tensor is not None)

    with sa.options(eager=True, tier="interpreted"):
        for target in (compute, lambda: contextvars.copy_context().run(compute)):
            thread = Thread(target=target)
            thread.start()
            thread.join()
        inside = contextvars.copy_context()
    inside.run(compute)
    compute()
    assert found == [False, False, True, False]


def test_a_traced_function_is_traced_as_a_whole() -> None:
    @sa.jit
    def total(a: Array) -> Array:
        return (a * 2).sum()

    with sa.options(eager=True, tier="interpreted"):
        assert total(sa.asarray(DENSE)).item() == 18.0


def test_what_was_computed_eagerly_costs_later_calls_nothing() -> None:
    a = sa.asarray(DENSE, format="csr")
    traced = sa.jit(lambda a, x: a @ x)
    before = len(EAGER)
    with sa.options(eager=True, tier="interpreted"):
        a * 2
        traced(a, np.ones(3))
        context = contextvars.copy_context()
        assert len(EAGER) > before
    assert len(EAGER) > before  # a context has them yet
    assert context.run(lambda: (a * 2)._tensor) is not None
    del context
    assert len(EAGER) == before
    sa.set_options(eager=True)
    assert (a * 3)._tensor is not None
    sa.set_options(eager=False)
    assert len(EAGER) == before and (a * 3)._tensor is None
