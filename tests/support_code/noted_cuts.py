"""The cuts of calls that are made in pieces."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias

import pytest

from structarr._execute import program_choice
from structarr._execute.partition_cuts import Cut

Cuts: TypeAlias = list[list[Cut]]


def noted_cuts(monkeypatch: pytest.MonkeyPatch, *runners: str) -> Cuts:
    """The cuts of each call from now on that is made by one of some functions, by their names."""
    found: Cuts = []

    def noted(run: Any, plans: Any, split: Any, cuts: Any, given: Any, shapes: Any) -> Any:
        found.append(cuts)
        return run(plans, split, cuts, given, shapes)

    for name in runners:
        run = getattr(program_choice, name)
        monkeypatch.setattr(program_choice, name, partial(noted, run))
    return found
