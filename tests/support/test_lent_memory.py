"""Memory that waits beyond some bytes is lent: it stays with the process, and is written again."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator

import numpy as np
import pytest

import structarr as sa
from structarr._support import buffer_pool, lent_memory
from structarr._support.lent_memory import PAGE, lend
from structarr._support.memory_account import held

BYTE = np.dtype(np.uint8)
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes memory that is lent")


@pytest.fixture(autouse=True)
def nothing_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(buffer_pool, "_waiting", deque())
    monkeypatch.setattr(buffer_pool, "KEPT", 3 * PAGE)
    yield
    buffer_pool.let_go()


def waiting() -> list[tuple[int, bool]]:
    return [(one.size // PAGE, one.lent) for one in buffer_pool._waiting]


def forgotten(*pages: int) -> list[int]:
    """The addresses of blocks that are made and forgotten in this order."""
    blocks = [buffer_pool.empty(count * PAGE, BYTE) for count in pages]
    found = [one.__array_interface__["data"][0] for one in blocks]
    while blocks:
        del blocks[0]
    return found


@linux
def test_the_oldest_blocks_are_lent_and_taken_back() -> None:
    old, *_ = forgotten(4, 2, 2)
    assert waiting() == [(4, True), (2, True), (2, False)]
    again = buffer_pool.zeros(4 * PAGE, BYTE)
    assert again.__array_interface__["data"][0] == old and not again.any()
    again.fill(7)
    del again
    assert waiting() == [(2, True), (2, True), (4, True)]


@linux
def test_what_was_lent_may_hold_anything_and_holds_what_is_written() -> None:
    block = np.full(4 * PAGE, 3, np.uint8)
    address = block.__array_interface__["data"][0]
    assert lend(address, block.nbytes)
    assert {*np.unique(block[PAGE:-PAGE])} <= {0, 3}
    block.fill(5)
    assert (block == 5).all()
    assert not lend(address, PAGE // 2)  # no whole page is in it


@linux
def test_no_more_is_lent_than_a_share_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer_pool, "installed", lambda: 6 * PAGE * buffer_pool.LENT)
    forgotten(2, 2, 2, 2)
    assert waiting() == [(2, True), (2, True), (2, False)]


@pytest.mark.parametrize("platform", ["win32", "darwin", "linux"])
def test_systems_that_take_none_have_it_freed(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lent_memory, "_advise", lambda: None)
    forgotten(4, 2)
    assert waiting() == [(2, False)]
    monkeypatch.undo()
    monkeypatch.setattr(lent_memory.sys, "platform", platform)
    lent_memory._advise.cache_clear()
    assert (lent_memory._advise() is None) == (platform != "linux" or sys.platform != "linux")
    lent_memory._advise.cache_clear()


def test_lent_memory_counts_and_is_freed_at_a_limit() -> None:
    buffer_pool.let_go()
    before = held()
    forgotten(4, 2, 2)
    with sa.options(memory_limit=before + 9 * PAGE):
        block = buffer_pool.empty(8 * PAGE, BYTE)
    assert block.nbytes == 8 * PAGE and not waiting()
