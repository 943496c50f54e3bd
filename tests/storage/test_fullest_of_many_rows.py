"""Whether a column of many rows stores much: a sample of rows tells it of most matrices."""

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._storage import statistics
from structarr._storage.statistics import SAMPLED, fullest, stores_few

random = np.random.default_rng(0)
ROWS, WIDTH = 3_000, 40


def _with_column(share: float, chosen: str) -> sp.csr_array:
    """Few elements everywhere, and one column of which so much is stored."""
    dense = random.random((ROWS, WIDTH)) < 0.02
    count = int(share * ROWS)
    order = {
        "at random": random.permutation(ROWS),
        "first": np.arange(ROWS),
        "last": np.arange(ROWS)[::-1],
        "by turns": np.argsort(np.arange(ROWS) % 8, kind="stable"),
    }[chosen]
    dense[:, 7] = False
    dense[order[:count], 7] = True
    return sp.csr_array(dense.astype(float))


@pytest.mark.parametrize("tier", ["compiled", "interpreted"])
@pytest.mark.parametrize("chosen", ["at random", "first", "last", "by turns"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.45, 0.55, 0.7, 0.9, 1.0])
def test_full_columns_are_found(share: float, chosen: str, tier: str) -> None:
    matrix = _with_column(share, chosen)
    with sa.options(tier=tier):
        for enough in (0.5, 0.75, 15 / 16):
            tensor = sa.asarray(matrix).compute()._tensor
            assert (fullest(tensor, 0, enough) <= enough) == (share <= enough)
        exact = np.diff(matrix.tocsc().indptr).max() / ROWS
        assert fullest(tensor, 0) == pytest.approx(exact)  # whatever is known of bounds


def test_few_rows_are_looked_at_where_columns_store_little(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    call = statistics.call
    monkeypatch.setattr(
        statistics, "call", lambda name, *args: names.append(name) or call(name, *args)
    )
    tensor = sa.asarray(_with_column(0.1, "at random")).compute()._tensor
    assert fullest(tensor, 0, 0.5) == 0.5
    assert names == ["most_of_rows"]


def test_products_with_full_columns_stay_exact() -> None:
    """What cancels in a full column must not be rounded at the size of that column."""
    matrix = sp.csr_array(_with_column(0.8, "by turns") * 1e9)
    means, x = np.zeros(WIDTH), random.random(WIDTH)
    means[7] = 1e9
    a = sa.asarray(matrix)
    np.testing.assert_allclose((a - means) @ x, (matrix.toarray() - means) @ x, rtol=1e-12)


@pytest.mark.parametrize("length", [512, 513, 1000, 4181 * 3, 10**6, 10**9])
def test_sampled_rows_are_spread_and_have_no_period(length: int) -> None:
    rows = statistics._sampled(length)
    assert len(rows) == SAMPLED and rows.min() >= 0 and rows.max() < length
    assert (np.diff(rows) > 0).all()
    assert (rows * SAMPLED // length == np.arange(SAMPLED)).mean() > 0.9
    for period in (2, 3, 4, 5, 8):
        assert np.bincount(rows % period, minlength=period).max() < SAMPLED * (1 / period + 0.25)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.55, 1.0])
@pytest.mark.parametrize("row", [0.1, 0.45, 0.6, 1.0])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
def test_what_is_seen_soon_is_so(share: float, row: float, axes: tuple[int, ...]) -> None:
    matrix = sp.lil_array(_with_column(share, "at random"))
    matrix[5] = np.arange(WIDTH) < row * WIDTH
    for turned in (False, True):
        stored = matrix.T.tocsc() if turned else matrix.tocsr()
        along = tuple(1 - axis for axis in axes) if turned else axes
        tensor = sa.asarray(stored).compute()._tensor
        seen = stores_few(tensor, along, 0.5)
        few = [(share, row)[axis] <= 0.5 for axis in axes]
        assert not seen or all(few)
        assert [fullest(tensor, axis, 0.5) <= 0.5 for axis in along] == few
    diagonals = sa.asarray(sp.eye_array(3), format="dia").compute()._tensor
    assert stores_few(diagonals, axes, 0.5)
    assert not stores_few(diagonals, axes, 0.2)


@pytest.mark.parametrize(("row", "is_soon"), [(30, True), (400, False)])
def test_long_rows_are_seen_soon_unless_their_hulls_are_sooner(row: int, is_soon: bool) -> None:
    places = np.sort((np.arange(row) * 2 + np.arange(1000)[:, None]) % 1000, axis=1)
    ptr = np.arange(1001) * row
    matrix = sp.csr_array((np.ones(1000 * row), places.ravel(), ptr), (1000, 1000))
    tensor = sa.asarray(matrix).compute()._tensor
    assert stores_few(tensor, (0, 1), 0.5) == is_soon
    assert fullest(tensor, 0, 0.5) <= 0.5
