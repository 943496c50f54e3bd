"""Replays whose intermediate results store more or less than those of the noted call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import replay, replay_table


def test_intermediates_of_other_counts_are_picked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal counts of factors: their product stores one row, or an element in each of many rows."""
    replay_table._recorded.clear()
    anew: list[Any] = []
    plain = replay.picked

    def picked(*given: Any) -> Any:
        anew.append(given)
        return plain(*given)

    monkeypatch.setattr(replay, "picked", picked)
    row, column = np.zeros((16, 16)), np.zeros((16, 16))
    row[3], column[:, 3] = 2.0, 3.0
    with sa.options(tier="interpreted"):
        for again, (one, other) in enumerate(((row, column), (row, column), (column, row))):
            left, right = (sa.asarray(part, format="csr") for part in (one, other))
            found = ((left @ right + left) @ right).todense()
            np.testing.assert_allclose(found, (one @ other + one) @ other)
            assert bool(anew) == (again == 2)
