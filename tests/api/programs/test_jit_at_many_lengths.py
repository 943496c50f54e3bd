"""Calls under `jit` at lengths that few calls had: what the function reads is looked up once."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.jit import captured

SCALE = 2.0


def operands(length: int) -> tuple[Any, np.ndarray]:
    """Operands of lengths and counts of one magnitude, for those that are used here."""
    dense = np.arange(length * 4.0).reshape(length, 4) % 3
    return sa.asarray(dense, format="csr"), np.arange(4.0)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Each look at what a function reads."""
    found: list[object] = []
    reads: Callable[..., Any] = captured.reads

    def noted(*args: Any) -> Any:
        found.append(args)
        return reads(*args)

    monkeypatch.setattr(captured, "reads", noted)
    return found


def test_bytecode_is_not_read_at_each_length(looks: list[object]) -> None:
    function = sa.jit(lambda a, x: SCALE * (a @ x))
    for length in (44, 45, 46, 44, 45, 46):
        a, x = operands(length)
        np.testing.assert_array_equal(function(a, x), 2 * (a.todense() @ x))
    assert len(looks) <= 2  # of a trace, and of calls without one


def test_what_changes_around_a_function_is_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    function = sa.jit(lambda a, x: SCALE * (a @ x))
    for length, scale in ((44, 2.0), (45, 2.0), (46, 3.0), (45, 4.0), (46, 4.0)):
        monkeypatch.setitem(globals(), "SCALE", scale)
        a, x = operands(length)
        np.testing.assert_array_equal(function(a, x), scale * (a.todense() @ x))


def test_a_function_that_changes_what_it_reads_is_refused_at_any_length() -> None:
    count = [0.0]

    def function(a: Any, x: Any) -> Any:
        if a.shape[0] > 44:
            count[0] += 1
        return a @ x + count[0]

    traced = sa.jit(function)
    traced(*operands(44))
    for length in (45, 46):
        with pytest.raises(sa.errors.TraceError, match="changes what it reads"):
            traced(*operands(length))
