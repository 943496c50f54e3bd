"""`options(memory_limit=)` holds for results, temporaries and pools together."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import numpy as np
import pytest

import structarr as sa
from structarr._execute import workspace_pool
from structarr._support import buffer_pool
from structarr._support.memory_account import Held, held
from structarr.errors import MemoryLimitError, StructarrError

MIB = 1 << 20


@pytest.fixture(autouse=True)
def before() -> Iterator[int]:
    """The bytes that are held before a test, without what waits."""
    gc.collect()
    buffer_pool.let_go()
    workspace_pool.let_go()
    with sa.options(tier="interpreted", threads=1):
        yield held()


def block(mib: int) -> np.ndarray:
    return buffer_pool.empty(mib * MIB, np.dtype(np.uint8))


def test_blocks_are_counted_as_long_as_they_are_held_or_wait(before: int) -> None:
    one = block(1)
    assert 0 <= held() - before - MIB < MIB // 8
    view = one[5:]
    del one
    assert held() - before >= MIB
    del view
    assert held() - before >= MIB  # it waits
    buffer_pool.let_go()
    assert held() == before


def test_beyond_the_limit_nothing_is_taken(before: int) -> None:
    with sa.options(memory_limit=before + 3 * MIB):
        one = block(2)
        count = held()
        with pytest.raises(
            MemoryLimitError, match=rf"{before + 3 * MIB} that memory_limit"
        ) as info:
            block(2)
        assert isinstance(info.value, MemoryError) and isinstance(info.value, StructarrError)
        assert held() == count
        del one
    assert block(2).size == 2 * MIB


def test_what_waits_is_freed_before_a_request_is_refused(before: int) -> None:
    with sa.options(memory_limit=before + 3 * MIB):
        del (one := [block(2)])[0]
        assert not one and held() >= before + 2 * MIB
        assert block(1).size == MIB
        assert held() < before + 3 * MIB


def test_workspaces_are_counted(before: int) -> None:
    places = np.arange(3), np.arange(3) * 100_000
    a = sa.from_coordinates(places, np.ones(3), (3, 400_000), format="csr")
    b = sa.asarray(np.eye(3), format="csr")
    (b @ a).compute()
    waiting = held() - before
    workspace_pool.let_go()
    assert held() - before < waiting


def test_a_refused_computation_gives_its_memory_back(before: int) -> None:
    a = sa.asarray(np.arange(30_000.0))
    with sa.options(memory_limit=before + 5 * 30_000 * 8 // 2):
        kept = (a + 1).compute()
        with pytest.raises(MemoryLimitError, match="save writes an expression"):
            sa.compute((a * 2)[::-1], a * 3, a * 4)
        count = held()
        np.testing.assert_array_equal(kept.todense(), np.arange(30_000.0) + 1)
    gc.collect()
    buffer_pool.let_go()
    assert held() <= count


def test_the_limit_is_an_option_of_its_context() -> None:
    with sa.options(memory_limit=0):
        with pytest.raises(MemoryLimitError):
            Held(1)
        assert sa.options.current.memory_limit == 0
        with sa.options(memory_limit=None):
            Held(1)
    with pytest.raises(ValueError, match="memory_limit must be at least 0"):
        sa.options(memory_limit=-1)
    with pytest.raises(TypeError, match="memory_limit must be an integer"):
        sa.options(memory_limit=1.5)


def test_results_are_freed_at_once_after_a_first_call(before: int) -> None:
    """What plans an expression does not keep its values until garbage is collected."""
    gc.disable()
    try:
        a = sa.asarray(np.arange(30_000.0))
        for _ in range(2):
            (a * 2 + 1).compute()
            buffer_pool.let_go()
            assert held() == before
    finally:
        gc.enable()


def test_garbage_is_collected_before_a_request_is_refused(before: int) -> None:
    cycle = [block(2)]
    cycle.append(cycle)  # type: ignore[arg-type]
    del cycle
    with sa.options(memory_limit=before + 3 * MIB):
        assert block(2).size == 2 * MIB
