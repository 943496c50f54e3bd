"""Joins of several arrays whose one kernel would outgrow the budget of lowering."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import choices, plan
from structarr.formats import Element, Format, SparseVBL


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many statements were lowered for each kernel that is called."""
    found = []

    def counted(self: plan.Plan, *args: Any) -> Any:
        found.append(self.compiled.spent)
        return fill(self, *args)

    fill = plan.Plan.fill
    monkeypatch.setattr(plan.Plan, "fill", counted)
    return found


def test_joins_are_made_by_halves_beyond_the_budget(
    statements: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "BUDGET", 200)
    monkeypatch.setattr(choices, "_choices", {})
    blocks = Format(SparseVBL(SparseVBL(Element())), (0, 1))
    data = [np.array([[0.0, 1.0, 2.0], [3.0, 0.0, k]]) for k in range(3)]
    with sa.options(tier="interpreted"):
        given = [sa.asarray(one).asformat(blocks) for one in data]
        statements.clear()
        found = sa.concat(given, axis=1)
        np.testing.assert_array_equal(found.todense(), np.concatenate(data, axis=1))
        assert found.format == blocks
    assert len(statements) > 1
    assert max(statements) <= 200
