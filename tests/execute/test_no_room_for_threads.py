"""Where the system has no room for another thread's stack: Python raises RuntimeError there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend import behind
from structarr._execute import threads
from structarr._support.uninterrupted import MANY, heard, uninterrupted


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A context in which no thread can be started."""

    @contextmanager
    def refused() -> Iterator[None]:
        def start(self: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", start)
            yield

    return refused


def test_pieces_are_done_by_the_caller(full: Any) -> None:
    threads._pool.cache_clear()
    with full(), sa.options(threads=3):
        assert [*threads.mapped(lambda k: k * k, range(5))] == [0, 1, 4, 9, 16]
    with sa.options(threads=3):
        assert [*threads.mapped(lambda k: k * k, range(5))] == [0, 1, 4, 9, 16]


def test_what_may_be_unheard_is_done_by_the_caller(full: Any) -> None:
    """A sort, which another thread does so that an interrupt is heard."""
    with full(), sa.options(tier="interpreted"):
        assert heard(lambda: 42, MANY) == 42
        np.testing.assert_array_equal(
            np.sort(sa.asarray(np.arange(MANY)[::-1]))[:3].todense(), [0, 1, 2]
        )


def test_compilers_find_no_memory(full: Any) -> None:
    with full(), pytest.raises(MemoryError, match="stack of 64 MiB"):
        uninterrupted(lambda: 42)
    assert uninterrupted(lambda: 42) == 42


def test_work_behind_waits_for_room(full: Any) -> None:
    """Nobody waits for a thread that did not begin."""
    done: list[int] = []
    behind.settle()
    with full():
        behind.later(lambda: done.append(1))
        behind.settle()
        assert not done
    behind.later(lambda: done.append(2))
    behind.settle()
    assert done == [1, 2]
