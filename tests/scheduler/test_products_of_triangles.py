"""Products of triangles and diagonals, whose structure is that of the paths between indices."""

import numpy as np
import pytest

import structarr as sa

N = 12
RANDOM = np.random.default_rng(3)
DENSE = RANDOM.random((N, N)) + 0.5
DATA = {
    "tril": np.tril(DENSE),
    "triu": np.triu(DENSE),
    "dia": np.triu(np.tril(DENSE, 1), -2),
    "csr": DENSE * (RANDOM.random((N, N)) < 0.2),
    "dense": DENSE,
    "symmetric": DENSE + DENSE.T,
    "band": np.triu(np.tril(DENSE, 2), -2),
}
RESULTS = {
    ("tril", "tril"): "tril",
    ("triu", "triu"): "triu",
    ("tril", "triu"): "dense",
    ("triu", "tril"): "dense",
    ("tril", "csr"): "csr",
    ("tril", "dense"): "dense",
    ("dia", "dia"): "dia",
}


@pytest.mark.parametrize("left", DATA)
@pytest.mark.parametrize("right", DATA)
@pytest.mark.parametrize("turned", [False, True])
def test_products_are_those_of_numpy(left: str, right: str, turned: bool) -> None:
    a, b = (sa.asarray(DATA[name], format=name) for name in (left, right))
    product = (a @ (b.T if turned else b)).compute()
    expected = DATA[left] @ (DATA[right].T if turned else DATA[right])
    assert np.allclose(np.asarray(product.todense()), expected)
    if not turned and (left, right) in RESULTS:
        assert str(product.format) == RESULTS[left, right]


@pytest.mark.parametrize("first", [-2, 0, 3])
@pytest.mark.parametrize("second", [-1, 0, 2])
@pytest.mark.parametrize("sides", [("lower", "lower"), ("upper", "upper"), ("lower", "upper")])
@pytest.mark.parametrize("shape", [(N, N, N), (5, N, 7), (7, 5, N)])
def test_triangles_end_at_the_sum_of_their_diagonals(
    first: int, second: int, sides: tuple[str, str], shape: tuple[int, int, int]
) -> None:
    cut = {"lower": np.tril, "upper": np.triu}
    rows, inner, columns = shape
    dense = (
        cut[sides[0]](DENSE[:rows, :inner], first),
        cut[sides[1]](DENSE[:inner, :columns], second),
    )
    formats = [
        sa.formats.Dense(sa.formats.Triangular(side=side, k=k))
        for side, k in zip(sides, (first, second), strict=True)
    ]
    a, b = (sa.asarray(one, format=fmt) for one, fmt in zip(dense, formats, strict=True))
    product = (a @ b).compute()
    assert np.allclose(np.asarray(product.todense()), dense[0] @ dense[1])
    if sides[0] == sides[1]:
        assert product.format.levels[1].details == (first + second,)
        assert not np.any(
            np.asarray(product.todense()) - cut[sides[0]](product.todense(), first + second)
        )


@pytest.mark.parametrize("side", ["lower", "upper"])
@pytest.mark.parametrize("offsets", [(0,), (-1, 0, 2), (3,)])
def test_diagonals_move_triangles(side: str, offsets: tuple[int, ...]) -> None:
    cut = {"lower": np.tril, "upper": np.triu}[side]
    lines = sum(np.diag(np.diag(DENSE, k), k) for k in offsets)
    fmt = sa.formats.Dense(sa.formats.Triangular(side=side, k=0))
    a, d = sa.asarray(cut(DENSE), format=fmt), sa.asarray(lines, format="dia")
    for left, right, dense in ((a, d, cut(DENSE) @ lines), (d, a, lines @ cut(DENSE))):
        product = (left @ right).compute()
        assert np.allclose(np.asarray(product.todense()), dense)
        furthest = max(offsets) if side == "lower" else min(offsets)
        assert product.format.levels[1].details == (furthest,)


def test_three_factors_and_other_semirings() -> None:
    a = sa.asarray(DATA["tril"], format="tril")
    cubed = (a @ a @ a).compute()
    assert np.allclose(np.asarray(cubed.todense()), np.linalg.matrix_power(DATA["tril"], 3))
    assert str(cubed.format) == "tril"
    infinite = np.where(DATA["tril"] > 0, DENSE, np.inf)
    b = sa.with_fill(a, np.inf)
    shortest = np.min(infinite[:, :, None] + infinite[None], axis=1)
    found = sa.matmul(b, b, semiring=sa.semirings.min_plus)
    assert np.allclose(np.asarray(found.todense()), shortest)
