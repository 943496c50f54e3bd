"""Products of diagonals are diagonals: each of the one, moved by each of the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa


def _banded(shape: tuple[int, int], offsets: tuple[int, ...]) -> Any:
    dense = np.zeros(shape)
    random = np.random.default_rng(len(offsets))
    for offset in offsets:
        for i in range(max(-offset, 0), min(shape[0], shape[1] - offset)):
            dense[i, i + offset] = random.integers(1, 9)
    level = sa.formats.Diagonals(sa.formats.Element(), offsets)
    return dense, sa.asarray(dense, format=sa.formats.Dense(level))


@pytest.mark.parametrize("shapes", [((7, 7), (7, 7)), ((3, 9), (9, 4)), ((9, 2), (2, 9))])
def test_offsets_add_up(shapes: tuple[tuple[int, int], tuple[int, int]]) -> None:
    for left in ((0,), (-1, 0, 1), (-3, 1), (2,)):
        for right in ((0, 1), (-2, -1, 0), (-1, 3)):
            dense, a = _banded(shapes[0], left)
            other, b = _banded(shapes[1], right)
            product = (a @ b).compute()
            np.testing.assert_array_equal(product.todense(), dense @ other)
            level = product.format.levels[1]
            assert level.offsets == tuple(sorted({x + y for x in left for y in right}))
            np.testing.assert_array_equal((b.T @ a.T).todense(), (dense @ other).T)
            np.testing.assert_array_equal((a @ b + a @ b).todense(), 2 * (dense @ other))
            assert float((a @ b).sum()) == (dense @ other).sum()


def test_of_three() -> None:
    dense, a = _banded((8, 8), (-1, 0, 2))
    assert (a @ a @ a).compute().format.name == "dia"
    np.testing.assert_array_equal((a @ a @ a).todense(), dense @ dense @ dense)
    np.testing.assert_array_equal(((a @ a) * a).todense(), (dense @ dense) * dense)


def test_many_diagonals_are_listed() -> None:
    """More than a few hundred columns of a row would be stored, wherever they are."""
    dense, a = _banded((40, 40), tuple(range(-16, 17)))
    product = (a @ a).compute()
    assert product.format.name == "csr"
    np.testing.assert_array_equal(product.todense(), dense @ dense)


def test_unstored_elements_that_are_not_zero() -> None:
    dense, a = _banded((6, 6), (0, 1))
    filled = a + 1.0
    np.testing.assert_array_equal(np.asarray(filled @ filled), (dense + 1) @ (dense + 1))


@pytest.mark.parametrize("below", ["dia", "csr", "coo", "vbl", "rle", "dense", "triu"])
def test_above_what_is_appended(below: str) -> None:
    """The children of a row of diagonals are stored apart, so no list can follow their order."""
    dense, a = _banded((6, 6), (-4, -1, 0, 2))
    other = np.triu(_banded((6, 6), (-5, -3, 1, 3))[0]) if below == "triu" else dense.T @ dense
    b = sa.asarray(other, format=below)
    product = (a[..., None] * b[:, None, :]).compute()
    np.testing.assert_array_equal(product.todense(), dense[..., None] * other[:, None, :])
    np.testing.assert_array_equal(
        sa.einsum("ij,ik,il->ijkl", a, b, a).todense(),
        np.einsum("ij,ik,il->ijkl", dense, other, dense),
    )
    np.testing.assert_array_equal(
        sa.tensordot(a, b, axes=0).todense(), np.tensordot(dense, other, axes=0)
    )


def test_an_axis_of_a_diagonal_that_the_result_has_is_left() -> None:
    diagonal, A, B = np.diag([1.0, 2.0, 3.0]), np.arange(12.0).reshape(3, 4), np.ones((4, 2))
    given = (sa.asarray(diagonal, format="dia"), sa.asarray(A, format="csr"), sa.asarray(B))
    for text in ("ik,kj,jl->ikl", "ik,kj,jl->il", "ik,kj,jl->kl", "ik,kj,jl->l"):
        with sa.options(tier="interpreted"):
            found = sa.einsum(text, *given).todense()
            np.testing.assert_array_equal(found, np.einsum(text, diagonal, A, B))
