"""Joins of several arrays whose one kernel would outgrow the budget of lowering."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import choices, plan, program_choice
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


def test_of_views_beyond_the_budget_what_they_combine_is_computed_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    beyond = []

    def told(self: program_choice.Choice, *args: Any) -> Any:
        found = first(self, *args)
        beyond.append(found is None)
        return found

    first = program_choice.Choice._first
    monkeypatch.setattr(program_choice.Choice, "_first", told)
    monkeypatch.setattr(choices, "BUDGET", 400)
    monkeypatch.setattr(choices, "_choices", {})
    blocks = Format(SparseVBL(SparseVBL(Element())), (0, 1))
    data = [np.array([[0.0, 1.0, 2.0, k], [3.0, 0.0, k, 0.0]]) for k in range(4)]
    with sa.options(tier="interpreted"):
        given = [sa.asarray(one).asformat(blocks) for one in data]
        beyond.clear()
        joined = sa.concat([given[0] + given[1], given[2] + given[3]], axis=1)
        found = joined[:, 1::3].T[:, ::-1]
        want = np.concatenate([data[0] + data[1], data[2] + data[3]], axis=1)[:, 1::3].T[:, ::-1]
        np.testing.assert_array_equal(found.todense(), want)
    assert sum(beyond) == 1  # the view alone; nothing that it is a view of
