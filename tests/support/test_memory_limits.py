"""What would take more memory than there is, is refused before any of it is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._execute import place
from structarr._support import memory
from structarr.errors import DensificationError


def test_the_least_of_what_is_told_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_SYSTEM", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    assert memory.available() == memory.UNKNOWN
    (tmp_path / "meminfo").write_text("MemTotal:   9 kB\nMemAvailable:      8 kB\n")
    assert memory.available() == 8192
    (tmp_path / "memory.current").write_text("1000\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.available() == 8192
    (tmp_path / "memory.max").write_text("4000\n")
    assert memory.available() == 3000
    (tmp_path / "memory.max").write_text("500\n")
    assert memory.available() == 0


def test_a_list_that_does_not_fit_is_refused_with_its_estimate() -> None:
    n = 10**6
    column = sa.from_coordinates((np.arange(n), np.zeros(n, int)), np.ones(n), (n, 3), format="csr")
    with pytest.raises(DensificationError, match=r"may take \d{14} bytes, and \d+ are available"):
        (column @ column.T).compute()
    assert (column @ column.T).sum() == float(n) ** 2  # which needs no product


def test_an_estimate_knows_how_long_rows_are(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = sp.random_array((300, 300), density=0.5, format="csr", rng=np.random.default_rng(0))
    a = sa.asarray(dense)
    most = (300 * 300 + 1) * (a.dtype.itemsize + np.dtype(a.format.index).itemsize)
    monkeypatch.setattr(place, "available_for", lambda size: most)
    # The pairs that meet are 75 times as many; one to spare, in one piece.
    with sa.options(densify_limit=10**5, threads=1):
        np.testing.assert_allclose((a @ a).todense(), (dense @ dense).toarray())
        monkeypatch.setattr(place, "available_for", lambda size: most - 1)
        with pytest.raises(DensificationError, match="compute it in parts"):
            (a @ a).compute()


def test_the_system_is_asked_now_and_then_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted() -> int:
        asked.append(1)
        return 1000

    monkeypatch.setattr(memory, "available", counted)
    monkeypatch.setattr(memory, "_lately", {})
    now = [5.0]
    monkeypatch.setattr(memory, "monotonic", lambda: now[0])
    assert [memory.available_for(10) for _ in range(5)] == [1000] * 5 and len(asked) == 1
    assert memory.available_for(500) == 1000 and len(asked) == 2  # a large part
    now[0] += 2 * memory.RECENT
    assert memory.available_for(10) == 1000 and len(asked) == 3
