"""Calls of kernels on views: a call of lengths that are known reads the buffers of what they view.

Each is made until its code is written, and compared with NumPy's at each call.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute.whole_call import _beyond_buffers

CALLS = 12
"""More than those after which the code of a call is written."""

FORMATS = ("csr", "csc", "dcsr", "coo", "point", "band", "rle", "dense", "bitmap")
EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "turned product": lambda a, b, x: a.T @ x,
    "turned sum": lambda a, b, x: a.T.sum(axis=0),
    "both turned": lambda a, b, x: a.T + b.T,
    "turned twice": lambda a, b, x: a.T[:, None].transpose(2, 1, 0) * 2.0,
    "expanded": lambda a, b, x: a[:, None, :] * b[None, :, :],
    "lists of turned": lambda a, b, x: a.T * b.T,
    "with itself": lambda a, b, x: a.T @ a,
    "matrix product": lambda a, b, x: a.T @ b,
    "after a step": lambda a, b, x: (a * b).T @ x,
    "a fill of its own": lambda a, b, x: (a.T * x[:, None] + 1.0) * b.T,
    "dense in another shape": lambda a, b, x: a @ np.outer(x, x) - 2.0 * (b @ np.outer(x, x)),
    "rows beside turned": lambda a, b, x: a.T[1:4] @ (b @ x),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_calls_on_views_are_numpys(name: str, format: str) -> None:
    random, call = np.random.default_rng(0), EXPRESSIONS[name]
    with sa.options(tier="compiled"):
        for turn in range(CALLS):
            a, b = np.zeros((2, 9, 9))
            for one in (a, b):
                one[np.arange(9), random.permutation(9)] = random.integers(1, 9, 9)
            x = random.integers(-4, 5, 9).astype(float)
            stored = [sa.asarray(one, format=format) for one in (a, b)]
            found = call(*stored, x)
            np.testing.assert_array_equal(np.asarray(found), call(a, b, x), err_msg=str(turn))
            again = call(*stored, x)  # of operands that may remember views by now
            np.testing.assert_array_equal(np.asarray(again), call(a, b, x))


def test_views_are_not_made_for_what_reads_buffers() -> None:
    a, x = np.diag(np.arange(1.0, 6)), np.arange(5.0)
    with sa.options(tier="compiled"):
        for _ in range(CALLS):
            stored = sa.asarray(a, format="csr")
            np.testing.assert_array_equal(stored.T @ x, a @ x)
    assert ("view", (1, 0)) not in stored._tensor.memo


def test_an_interpreted_call_is_given_views() -> None:
    a, x = np.triu(np.arange(25.0).reshape(5, 5)), np.arange(5.0)
    for tier in ("compiled", "interpreted", "compiled"):
        with sa.options(tier=tier):
            for _ in range(CALLS):
                np.testing.assert_array_equal(sa.asarray(a, format="csr").T @ x, a.T @ x)


def test_a_sum_under_jit_reads_the_base() -> None:
    step = sa.jit(lambda a, x: (a.T @ x, a @ x))
    random = np.random.default_rng(1)
    for _ in range(CALLS):
        a, x = np.where(random.random((6, 6)) < 0.3, 2.0, 0), random.integers(0, 5, 6).astype(float)
        turned, plain = step(sa.asarray(a, format="csr"), x)
        np.testing.assert_array_equal(turned, a.T @ x)
        np.testing.assert_array_equal(plain, a @ x)


@pytest.mark.parametrize(
    ("text", "beyond"),
    [
        ("B0 = t0.buffers", False),
        ("fill = fills.get((t0.fill.tobytes(), ))", False),
        ("if x: return otherwise(Operands([view0(t0), t1]))", False),
        ("K = [t0.memo.get('by axis') or counts_by_axis(t0)]", True),
        ("n = t0.shape[1]", True),
        ("n = t10.shape[1]", False),
    ],
)
def test_what_a_call_asks_of_a_view_is_known(text: str, beyond: bool) -> None:
    assert _beyond_buffers(0, text) == beyond
