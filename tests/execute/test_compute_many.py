"""Several results at once: what they have in common once, and one pass where loops agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._execute import plan

RNG = np.random.default_rng(3)
DENSE = np.where(RNG.random((9, 7)) < 0.4, RNG.integers(1, 5, (9, 7)), 0).astype(float)
FORMATS = ("dense", "csr", "csc", "dcsr", "coo", "bitmap", "band", "vbl", "rle", "sparse-rle")
RESULTS: dict[str, Callable[..., Any]] = {
    "sum": lambda x: x.sum(),
    "sums of rows": lambda x: x.sum(axis=1),
    "sums of columns": lambda x: x.sum(axis=0),
    "squares": lambda x: (x * x).sum(axis=0),
    "greatest": lambda x: x.max(axis=1),
    "any": lambda x: (x > 2).any(axis=0),
    "doubled": lambda x: x * 2,
    "one more": lambda x: x + 1,
    "exponential": lambda x: np.exp(x),
}


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many results each kernel that ran had; none is compiled, whose calls are not counted."""
    found: list[int] = []
    plain = plan.Plan.fill

    def counted(self: plan.Plan, given: Any, outs: Any) -> Any:
        found.append(len(outs))
        return plain(self, given, outs)

    monkeypatch.setattr(plan.Plan, "fill", counted)
    with sa.options(tier="interpreted"):
        yield found


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("shape", [(9, 7), (1, 7), (9, 0)])
def test_the_results_are_those_of_each_alone(format: str, shape: tuple[int, int]) -> None:
    dense = DENSE[: shape[0], : shape[1]]
    x = sa.asarray(dense, format=format)
    names = [name for name in RESULTS if dense.size or name != "greatest"]
    for tier in ("interpreted", "auto"):
        with sa.options(tier=tier):
            got = sa.compute(*[RESULTS[name](x) for name in names])
            for name, one in zip(names, got, strict=True):
                alone = RESULTS[name](x).compute()
                np.testing.assert_allclose(one.todense(), RESULTS[name](dense), err_msg=name)
                assert one.format == alone.format, name
                assert one.dtype == alone.dtype


def test_one_pass_over_what_all_of_them_read(kernels: list[int]) -> None:
    x = sa.asarray(DENSE, format="csr")
    kernels.clear()
    sa.compute(x.sum(axis=0), x.sum(axis=1), (x * x).sum(), x * 2)
    assert kernels == [4]


def test_extremes_across_rows_are_computed_alone(kernels: list[int]) -> None:
    x = sa.asarray(DENSE, format="csr")
    kernels.clear()
    sa.compute(x.max(axis=0), x.min(axis=0), x.sum(axis=0), x.sum(axis=1), (x > 2).any(axis=0))
    assert sorted(kernels)[-3:] == [1, 1, 3]  # of columns each by itself: to count takes longer
    kernels.clear()
    sa.compute(x.max(axis=1), x.min(axis=1))
    assert kernels == [2]


def test_a_part_in_common_is_computed_once(kernels: list[int]) -> None:
    a, x = sa.asarray(DENSE, format="csr"), sa.asarray(np.arange(7.0))
    y = a @ x
    kernels.clear()
    double, negative = sa.compute(np.exp(y), -(a @ x))
    assert kernels == [1, 2]  # the product, and both functions of it
    np.testing.assert_allclose(double.todense(), np.exp(DENSE @ np.arange(7.0)))
    np.testing.assert_allclose(negative.todense(), -(DENSE @ np.arange(7.0)))


def test_a_result_that_another_is_made_of(kernels: list[int]) -> None:
    a = sa.asarray(DENSE, format="csr")
    square = a @ a.T
    kernels.clear()
    whole, total = sa.compute(square, square.sum())
    assert kernels == [1, 1]  # the product, and its sum
    assert float(total) == pytest.approx((DENSE @ DENSE.T).sum())
    np.testing.assert_allclose(whole.todense(), DENSE @ DENSE.T)


def test_a_sum_that_stands_twice_in_an_expression_is_made_once(kernels: list[int]) -> None:
    a = sa.asarray(sp.random_array((9, 9), density=0.5, format="csr", rng=np.random.default_rng(0)))
    x = sa.asarray(np.arange(9.0))
    got = (np.exp(a @ x) / (1 + np.exp(a @ x))).compute()
    assert kernels == [1, 1]
    want = np.exp(a.todense() @ np.arange(9.0))
    np.testing.assert_allclose(got.todense(), want / (1 + want))


def test_the_same_array_twice() -> None:
    a = sa.asarray(DENSE, format="csr")
    total = a.sum()
    one, other = sa.compute(total, total)
    assert one is other
    assert float(one) == DENSE.sum()


@pytest.mark.parametrize("shape", [(0, 0), (3, 4)])
@pytest.mark.parametrize("name", ["dense", "csr", "csc"])
def test_an_extreme_of_an_array_with_a_number_that_is_stored(
    name: str, shape: tuple[int, int]
) -> None:
    data = np.resize([0.0, 1.0, 2.0], shape)
    number = np.array(1.0)
    unlike = sa.asarray(data, format=name) != sa.asarray(number)
    both = sa.compute(unlike, sa.all(unlike, axis=0))
    wanted = data != number
    np.testing.assert_array_equal(both[0].todense(), wanted)
    np.testing.assert_array_equal(both[1].todense(), wanted.all(axis=0))
