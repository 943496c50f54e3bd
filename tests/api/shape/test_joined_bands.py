"""Bands beside each other: nothing between them is stored, and no room is taken for it."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

N = 30_000  # between bands side by side lie 7 GB


def band(dtype: str = "float64") -> sa.Array:
    """A matrix of three diagonals."""
    return sa.diags([[1] * (N - 1), [2] * N, [3] * (N - 1)], [-1, 0, 1], dtype=dtype).asformat(
        "band"
    )


@pytest.mark.parametrize("axis", [0, 1])
def test_bands_are_joined(axis: int) -> None:
    a = band()
    joined = sa.concat([a, a * 2, a], axis=axis)
    assert joined.nstored == 3 * a.nstored
    corner = joined[:3, :3], joined[-2:, -2:]
    np.testing.assert_array_equal(corner[0].todense(), [[2, 3, 0], [1, 2, 3], [0, 1, 2]])
    np.testing.assert_array_equal(corner[1].todense(), [[2, 3], [1, 2]])


@pytest.mark.parametrize("axis", [0, 1])
def test_a_band_is_rolled(axis: int) -> None:
    a = band()
    rolled = np.roll(a, 5, axis=axis)
    assert rolled.nstored == a.nstored
    assert rolled[5, 0].item() == (2 if axis == 0 else 0)
    assert rolled[0, 5].item() == (0 if axis == 0 else 2)


def test_triangles_of_a_band() -> None:
    a = band("int32")
    lower = np.tril(a)
    assert lower.nstored == 2 * N - 1
    np.testing.assert_array_equal(lower[:2, :3].todense(), [[2, 0, 0], [1, 2, 0]])
