"""Sketches: linear, the same in each format, about as large as the rows that are looked at."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import stored
from structarr._storage.sketches import sketch

RNG = np.random.default_rng(1)
FORMATS = ("csr", "csc", "coo", "dcsr", "dense", "vbl", "hash", "rle")


@pytest.mark.parametrize("shape", [(40, 30), (1, 200), (900, 7), (3000, 2000), (0, 4), (4, 0)])
def test_a_sketch_is_the_same_in_each_format_and_of_the_transpose(shape: tuple[int, int]) -> None:
    dense = sp.random_array(shape, density=0.02, format="csr", rng=RNG)
    for turned in (False, True):
        want = sketch(stored(sa.asarray(dense)), turned).sums
        for kind in FORMATS:
            one = stored(sa.asarray(dense).asformat(kind))
            np.testing.assert_allclose(sketch(one, turned).sums, want, rtol=1e-12, atol=1e-13)
        transposed = stored(sa.asarray(dense.T.tocsr()))
        np.testing.assert_allclose(
            sketch(transposed, not turned).sums, want, rtol=1e-12, atol=1e-13
        )


def test_the_sketch_of_a_sum_is_the_sum_of_the_sketches() -> None:
    a, b = (sp.random_array((500, 400), density=0.02, format="csr", rng=RNG) for _ in range(2))
    one, two, both = (sketch(stored(sa.asarray(m))).sums for m in (a, b, a - 3 * b))
    np.testing.assert_allclose(both, one - 3 * two, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "matrix",
    [
        sp.eye_array(100_000),
        sp.diags_array([1.0, -2, 1], offsets=[-1, 0, 1], shape=(5000, 5000)),
        sp.kron(sp.eye_array(64), np.ones((8, 8))),
        sp.csr_array(np.ones((200, 200))),
        sp.csr_array(np.ones((1, 50_000))),
        sp.csr_array(np.ones((3000, 30))),
        sp.random_array((1800, 1800), density=0.02, rng=RNG) * 1j,
    ],
)
def test_its_norm_is_about_that_of_the_rows_that_are_looked_at(matrix: sp.sparray) -> None:
    rows = matrix.shape[0]
    share = 1.0
    while rows * share >= 512:
        share /= 2
    norm = np.sqrt(sketch(stored(sa.asarray(matrix.tocsr()))).square)
    wanted = np.sqrt(share) * sp.linalg.norm(matrix)
    assert 0.6 * wanted < norm < 1.6 * wanted
