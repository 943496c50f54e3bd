"""Calls so long that the main thread only waits: other threads do all pieces, and they end."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._execute import call_size
from structarr._testing.fuzz.pieces import in_pieces

OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a @ x": lambda a, b, x: a @ x,
    "x @ a": lambda a, b, x: x @ a,
    "a + b": lambda a, b, x: a + b,
    "a * b": lambda a, b, x: a * b,
    "2 * a": lambda a, b, x: 2 * a,
    "a.sum(axis=1)": lambda a, b, x: a.sum(axis=1),
    "a.sum()": lambda a, b, x: a.sum(),
}


@pytest.fixture
def ends() -> Iterator[None]:
    """The test is interrupted if it waits for ever."""
    timer = threading.Timer(120, _thread.interrupt_main)
    timer.start()
    yield
    timer.cancel()


@pytest.mark.usefixtures("ends")
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("threads", [2, 3])
def test_they_end(name: str, format: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_size, "PATIENCE", 0.0)
    monkeypatch.setattr(call_size, "STILL", 0.0)
    own, other = (sp.random_array((400, 300), density=0.2, format="csr", rng=k) for k in (1, 2))
    a, b = (sa.asarray(one).asformat(format) for one in (own, other))
    x = np.arange(400.0 if name == "x @ a" else 300.0)
    wanted = OPERATIONS[name](own.toarray(), other.toarray(), x)
    with in_pieces(), sa.options(threads=threads, tier="compiled"):
        for _ in range(4):
            np.testing.assert_allclose(np.asarray(OPERATIONS[name](a, b, x)), wanted)
