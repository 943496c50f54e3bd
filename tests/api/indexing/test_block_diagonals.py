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


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "bsr", "bitmap"])
@pytest.mark.parametrize("around", [0.0, -0.0, 2.0, np.nan])
@pytest.mark.parametrize("axis", [0, 1])
def test_two_padded_matrices_are_joined(format: str, around: float, axis: int) -> None:
    plain = [RANDOM.integers(0, 3, (4, 4)).astype(float) for _ in range(2)]
    parts = [sa.asarray(one, format=format, fill_value=around) for one in plain]
    widths = [[(0, 0), (0, 0)], [(0, 0), (0, 0)]]
    widths[0][1 - axis], widths[1][1 - axis] = (0, 3), (2, 1)
    for value in (0.0, 2.0):
        made = sa.concatenate(
            [
                sa.pad(one, width, constant_values=value)
                for one, width in zip(parts, widths, strict=True)
            ],
            axis=axis,
        )
        want = np.concatenate(
            [
                np.pad(one, width, constant_values=value)
                for one, width in zip(plain, widths, strict=True)
            ],
            axis=axis,
        )
        assert np.array_equal(np.asarray(made.todense()), want)
        assert np.array_equal(np.asarray((2 * made).sum(axis=0)), 2 * want.sum(axis=0))


def test_one_kernel_joins_two_blocks_of_lists() -> None:
    blocks = [sa.asarray(RANDOM.integers(0, 2, (3, 3)), format=one) for one in ("csr", "coo")]
    for one in blocks:
        assert ", j))" in str(sa.explain(sa.block_diag([one, one.copy()])).cin)


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
