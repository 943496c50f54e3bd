"""Inner loops end where a boolean is settled, with the result of going on."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa


def _kernel(lazy: sa.Array) -> str:
    return str(sa.explain(lazy).kernel)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dense", "band"])
def test_any_and_all_of_rows_and_columns(format: str) -> None:
    random = np.random.default_rng(0)
    array = np.tril(np.triu(random.integers(-2, 3, (7, 9)).astype(float), -2), 3)
    array[1:3] = 0
    array[:, 4] = 1
    stored = sa.asarray(array, format=format)
    with sa.options(tier="interpreted"):
        for axis in (None, 0, 1):
            for limit in (-3.0, 0.0, 1.0, 3.0):
                got = (stored > limit).any(axis=axis), (stored > limit).all(axis=axis)
                wanted = (array > limit).any(axis=axis), (array > limit).all(axis=axis)
                for one, other in zip(got, wanted, strict=True):
                    np.testing.assert_array_equal(np.asarray(one), other)


@pytest.mark.usefixtures("as_shipped")
def test_a_row_ends_early_and_a_whole_goes_on() -> None:
    a = sa.asarray([[0.0, 1.0, 2.0], [0.0, 0.0, 3.0]], format="csr")
    assert "if c_sum:" in _kernel((a > 0).any(axis=1))
    assert "if c_sum:" not in _kernel((a > 0).any())
    dense = sa.asarray([[0.0, 1.0, 2.0], [0.0, 0.0, 3.0]])
    assert "break" in _kernel((dense > 0).all(axis=1))


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "bitmap", "rle", "vbl", "dia"])
def test_loops_of_loops_end_where_a_whole_is_settled(format: str, tier: str) -> None:
    random = np.random.default_rng(1)
    one = np.where(random.random((6, 7)) < 0.4, random.integers(1, 3, (6, 7)), 0).astype(float)
    a, x = sa.asarray(one, format=format), np.arange(7.0)
    with sa.options(tier=tier):
        for place in (None, (0, 6), (3, 2), (5, 0)):
            other = one.copy()
            if place is not None:
                other[place] += 1.0
            b = sa.asarray(other, format=format)
            assert sa.allclose(a, b) == (place is None)
            assert bool((a != b).any()) == (place is not None)
            assert bool((a @ x == b @ x).all()) == bool((one @ x == other @ x).all())
            assert bool((a + b > 3).any()) == bool((one + other > 3).any())


@pytest.mark.usefixtures("as_shipped")
def test_rows_behind_one_that_settles_a_whole_are_not_gone_along() -> None:
    one = np.zeros((6, 7))
    one[:, ::2] = 1.0
    a, b = sa.asarray(one, format="csr"), sa.asarray(2.0 * one, format="csr")
    assert "\n        if bool_(not c_sum):\n            break" in _kernel(sa.isclose(a, b).all())
    assert "\n        if c_sum:\n            break" in _kernel(sa.isclose(a, b).any())
