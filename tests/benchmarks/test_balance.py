"""The balance of pieces, as the benchmark of scaling counts it."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from benchmarks import balance


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One graph of a power law, with a node that knows all others."""
    rng = np.random.default_rng(0)
    n = 400
    share = np.minimum(12 / np.arange(1, n + 1), 1.0)[:, None]
    graph = (rng.random((n, n)) < share).astype(float)
    (tmp_path / "graphs").mkdir()
    sp.save_npz(tmp_path / "graphs" / "power.npz", sp.csr_array(graph))
    return tmp_path


def test_pieces_of_a_power_law_are_balanced(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "FORMATS", ("csr", "coo", "vbl"))
    rows = [row for row in balance.rows(data, False) if row.variant != "256 steps"]
    ratios = {tuple(row.case.split(" ", 2)[1:]): row.ratio for row in rows}
    assert {name for _, name in ratios} == balance.OPERATIONS.keys()
    for (format, name), ratio in ratios.items():
        # Not divided: blocks that are multiplied element by element, and products by dots.
        apart = {("vbl", "a * a[::-1]"), ("coo", "a @ a.T")}
        assert ratio > 0.85 or (format, name) in apart, (format, name)
