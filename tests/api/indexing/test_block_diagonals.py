"""Blocks along the diagonal, as SciPy makes them."""

import numpy as np
import pytest
import scipy.linalg

import structarr as sa

RANDOM = np.random.default_rng(2)


@pytest.mark.parametrize("format", ["csr", "coo", "csc", "dense", "rle", "tril"])
def test_blocks_are_those_of_scipy(format: str) -> None:
    blocks = [np.tril(RANDOM.random((k, k))) * (RANDOM.random((k, k)) < 0.7) for k in (3, 1, 4)]
    made = sa.block_diag([sa.asarray(one, format=format) for one in blocks])
    assert np.array_equal(np.asarray(made.todense()), scipy.linalg.block_diag(*blocks))


def test_many_shapes_and_dtypes() -> None:
    blocks = [np.ones((2, 3), np.int8), 2.5, np.array([1, 2]), np.ones((0, 2)), np.ones((2, 0))]
    made = sa.block_diag([sa.asarray(blocks[0], format="csr"), *blocks[1:]])
    assert np.array_equal(np.asarray(made.todense()), scipy.linalg.block_diag(*blocks))
    assert made.dtype == np.float64
    assert sa.block_diag([sa.eye(2, dtype="int8"), sa.eye(1, dtype="int16")]).dtype == np.int16


def test_what_has_no_diagonal_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one block"):
        sa.block_diag([])
    with pytest.raises(ValueError, match="block 1 has 3 axes"):
        sa.block_diag([sa.eye(2), np.ones((1, 2, 3))])


def test_products_never_need_the_whole() -> None:
    blocks = [RANDOM.random((3, 2)) for _ in range(4)]
    x = RANDOM.random(8)
    made = sa.block_diag([sa.asarray(one, format="csr") for one in blocks])
    assert np.allclose(np.asarray(made @ x), scipy.linalg.block_diag(*blocks) @ x)
