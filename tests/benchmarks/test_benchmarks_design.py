"""The benchmark of design matrices: its tables, and that results are compared."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from benchmarks import design, design_genotypes
from benchmarks.design_cases import Codes, Table, _decoded, generated
from benchmarks.report import row


def small() -> Table:
    random = np.random.default_rng(0)
    codes = [Codes(random.integers(0, n, 40).astype(np.int32), n) for n in (3, 5)]
    return Table("small", (*codes, random.random((40, 2))))


def test_tables_are_what_scipy_has() -> None:
    table = small()
    np.testing.assert_array_equal(table.ours().todense(), table.scipy().toarray())
    assert table.ours().shape == table.shape


def test_cases_have_a_share_of_the_rows() -> None:
    tables = {table.name: table.shape for table in generated(1e-4)}
    assert tables["dense"] == (400, 10)
    assert tables["dense_cat"] == (300, 2005)
    assert len(tables) == 8


def test_categories_are_decoded() -> None:
    hot = np.array([[1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 0]])
    found = list(_decoded(sp.csr_array(hot)))
    assert [one.count for one in found] == [2, 2]
    assert found[0].values.tolist() == [0, 1, -1]


def test_rows_are_checked() -> None:
    rows = [one for one in design._products(small(), 0.001) if one.peer != "tabmat"]
    assert {one.case for one in rows} == {
        f"small {case}" for case in ("matvec", "transpose", "sandwich", "standardized")
    }
    assert all(one.checked for one in rows)
    assert {one.variant for one in rows} == {"anew", "reused", "bytes peak"}


def test_genotypes_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(design_genotypes, "race", lambda calls, seconds: dict.fromkeys(calls, 1.0))
    rows = list(design_genotypes.rows(0.001, quick=True))
    assert all(one.checked for one in rows)
    assert rows[0].ratio == pytest.approx(4, rel=1e-4)


def test_summary_is_a_mean_over_families() -> None:
    rows = [
        row(case, "anew", 1.0, "tabmat", ratio, True)
        for case, ratio in (("a matvec", 4.0), ("b matvec", 1.0), ("a sandwich", 8.0))
    ]
    assert design.summary(rows) == "beside tabmat: geometric mean 4.00, least 1.00 (b matvec)"
    assert "not installed" in design.summary([])
