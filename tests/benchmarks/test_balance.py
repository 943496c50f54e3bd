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


def test_pieces_of_a_power_law_are_balanced(data: Path) -> None:
    rows = [row for row in balance.rows(data, False) if row.variant != "256 steps"]
    ratios = {row.case.partition(" ")[2]: row.ratio for row in rows}
    assert ratios.keys() == balance.OPERATIONS.keys()
    for name in ("a @ x", "x @ a", "(a * a[::-1]).sum(axis=1)"):
        assert ratios[name] > 0.85
