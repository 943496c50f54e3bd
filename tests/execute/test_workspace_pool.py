"""Workspaces wait for the next call: clean, one call's at a time, and not too many."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import allocation, choices, workspace_pool
from structarr.formats.base import Format
from structarr.formats.bytemap import Bytemap
from structarr.formats.element import Element
from structarr.formats.gapped import Gapped, Unmistakable
from structarr.formats.hashed_row import HashedRow
from structarr.formats.pattern import Pattern
from structarr.formats.workspace import Workspace

LEVELS = (
    Workspace(Element()),
    HashedRow(Element()),
    Bytemap(Element()),
    Bytemap(Pattern(), True),
    Gapped(Unmistakable()),
)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[workspace_pool.Wanted]:
    """What is given back, each of which must be as clean as a new one."""
    found: list[workspace_pool.Wanted] = []
    give = workspace_pool.give

    def checked(space: workspace_pool.Space) -> None:
        one = space.wanted
        names = (*one.level.buffers, "val")
        fresh = one.level.space(one.dim, one.touched, one.positions, one.dtype)
        for name, buffer, new in zip(names, space.buffers, fresh, strict=False):
            if name in ("mask", "table") or (name == "val" and isinstance(one.level, Gapped)):
                assert buffer.tobytes() == new.tobytes(), (one, name)
        found.append(one)
        give(space)

    monkeypatch.setattr(workspace_pool, "give", checked)
    monkeypatch.setattr(workspace_pool, "_waiting", {})
    monkeypatch.setattr(workspace_pool, "_bytes", 0)
    return found


def _matrix(seed: int, rows: int, columns: int, count: int) -> Any:
    random = np.random.default_rng(seed)
    dense = np.zeros((rows, columns))
    dense[random.integers(0, rows, count), random.integers(0, columns, count)] = 1.5
    return dense


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_kernels_leave_workspaces_as_they_found_them(
    tier: str, given: list[workspace_pool.Wanted]
) -> None:
    with sa.options(tier=tier):
        for seed in range(3):
            left, right = _matrix(seed, 60, 300, 400), _matrix(seed + 9, 300, 300, 900)
            a, b = sa.asarray(left, format="csr"), sa.asarray(right, format="csr")
            x = np.where(np.arange(300) % 40, 0.0, 2.0)
            listed = sa.asarray(x, format="list")
            np.testing.assert_allclose((a @ b).todense(), left @ right)
            np.testing.assert_allclose((a @ listed).todense(), left @ x)
            np.testing.assert_allclose(((a @ b) * a).todense(), (left @ right) * left)
            found = np.einsum("ij,jk,ki->", b, b, b)
            np.testing.assert_allclose(float(found), np.einsum("ij,jk,ki->", right, right, right))
    assert {type(one.level) for one in given} >= {Workspace, Gapped}
    assert len(set(given)) < len(given)  # the same workspace more than once


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: type(level).__name__)
def test_what_waits_is_taken_once(level: Any, given: list[workspace_pool.Wanted]) -> None:
    one = workspace_pool.wanting(Format(level, (0,), "int32"), "float64")(100, 20)
    first, second = workspace_pool.take(one), workspace_pool.take(one)
    assert not any(np.shares_memory(a, b) for a in first.buffers for b in second.buffers)
    workspace_pool.give(first)
    assert workspace_pool.take(one) is first
    assert workspace_pool._bytes == 0


def test_what_waits_is_bounded(
    given: list[workspace_pool.Wanted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_pool, "KEPT", 4000)
    wanting = workspace_pool.wanting(Format(LEVELS[0], (0,)), "float64")
    wanted = [wanting(dim, dim) for dim in (100, 101, 900)]
    held = [workspace_pool.take(one) for one in wanted]
    for one in held:
        workspace_pool.give(one)
        assert workspace_pool._bytes <= 4000
        waiting = [space for each in workspace_pool._waiting.values() for space in each]
        assert workspace_pool._bytes == sum(b.nbytes for space in waiting for b in space.buffers)
    assert not workspace_pool._waiting  # the last is too large to wait, and the others were let go


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_what_is_given_up_is_not_given_back(
    tier: str, given: list[workspace_pool.Wanted], monkeypatch: pytest.MonkeyPatch
) -> None:
    dense = _matrix(1, 50, 50, 300)
    a = sa.asarray(dense, format="csr")
    with sa.options(tier=tier):
        np.testing.assert_allclose((a @ a).todense(), dense @ dense)
        given.clear()
        single = a.astype(np.float32).compute()
        empty = np.empty

        def cramped(size: int, dtype: Any) -> Any:
            return empty(9 if dtype == np.float32 else size, dtype)

        monkeypatch.setattr(allocation, "_SMALL", {"empty": cramped, "zeros": np.zeros})
        monkeypatch.setattr(choices, "_choices", {})  # without the code of other tests
        with pytest.raises((RuntimeError, IndexError), match=r"outgrow|out of bounds"):
            (single @ single).compute()
        assert not given
        monkeypatch.undo()
        np.testing.assert_allclose((a @ a).todense(), dense @ dense)


def test_threads_never_share_a_workspace() -> None:
    dense = _matrix(3, 80, 80, 900)
    a = sa.asarray(dense, format="csr")
    wanted = dense @ dense
    start = Barrier(4)

    def work(_: int) -> bool:
        start.wait()
        return all(np.allclose((a @ a).todense(), wanted) for _ in range(30))

    with sa.options(tier="compiled"), ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))
