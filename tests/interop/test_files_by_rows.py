"""Expressions are saved some rows at a time under a limit of memory, with the same content."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.creation import rows_to_files
from structarr._array import stored
from structarr._execute.plan import Plan
from structarr._storage.tensor import Tensor
from structarr._support import buffer_pool
from structarr._support.memory_account import held
from structarr.errors import FormatError, MemoryLimitError
from structarr.interop import files_by_rows

RNG = np.random.default_rng(0)
DENSE = np.where(RNG.random((70, 9)) < 0.3, RNG.integers(1, 9, (70, 9)), 0).astype(float)
DENSE[[0, 30, 69]] = 0
OTHER = np.roll(DENSE, 1, axis=0)

EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "map": lambda a, b: a * 2,
    "sum": lambda a, b: a + b,
    "product": lambda a, b: a * b,
    "matmul": lambda a, b: a @ b.T,
    "row sums": lambda a, b: (a * b).sum(axis=1),
    "column sums": lambda a, b: a.sum(axis=0),
    "shifted": lambda a, b: a + 1,
    "stack": lambda a, b: sa.stack([a, b]),
    "everything": lambda a, b: (a * b).sum(),
}


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted", memory_limit=2**40):
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.npz"


@pytest.mark.parametrize(
    "format", ["csr", "csc", "dense", "ragged", "coo", "dcsr", "bitmap", "vbl", "band"]
)
@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.sampled(2)
def test_content_is_that_of_the_whole(path: Path, name: str, format: str) -> None:
    a, b = [sa.asarray(one, format=format) for one in (DENSE, OTHER)]
    make = EXPRESSIONS[name]
    sa.save(path, make(a, b))
    got = sa.load(path)
    whole = make(a, b).compute()
    sa.save(path, whole)
    wanted = sa.load(path)
    assert stored(got).format == stored(wanted).format
    for one, other in zip(stored(got).buffers, stored(wanted).buffers, strict=True):
        assert one.dtype == other.dtype and one.tobytes() == other.tobytes()
    assert os.listdir(path.parent) == ["a.npz"]


def test_it_is_computed_some_rows_at_a_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = [sa.asarray(one, format="csr") for one in (DENSE, OTHER)]
    rows: list[int] = []
    save_rows = files_by_rows.save_rows

    def noted(path: Any, shape: Any, parts: Iterator[Tensor]) -> None:
        save_rows(path, shape, (rows.append(one.shape[0]) or one for one in parts))

    monkeypatch.setattr(files_by_rows, "save_rows", noted)
    monkeypatch.setattr(rows_to_files, "SHARE", 2**60)
    sa.save(path, a + b)
    assert rows == [2] * 35
    np.testing.assert_array_equal(sa.load(path).todense(), DENSE + OTHER)
    rows.clear()
    monkeypatch.setattr(rows_to_files, "SHARE", 1)
    sa.save(path, a + b)
    assert rows == [2, 4, 8, 16, 32, 8]
    with sa.options(memory_limit=None):
        sa.save(path, a - b)
    assert rows == [2, 4, 8, 16, 32, 8]


def test_what_is_larger_than_the_limit_is_written(path: Path) -> None:
    n = 40_000
    a = sa.asarray(np.arange(2.0 * n).reshape(200, -1))
    gc.collect()  # what other tests have left would be freed at the limit
    sa.clear_cache()
    with sa.options(memory_limit=held() + a.nbytes // 2):
        with pytest.raises(MemoryLimitError):
            (a * 2 + 1).compute()
        sa.save(path, a * 2 + 1)
    wanted = np.arange(2.0 * n).reshape(200, -1) * 2 + 1
    np.testing.assert_array_equal(np.asarray(sa.load(path, mmap=True)), wanted)


def test_rows_of_a_product_take_room_by_what_they_store(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A product of slices of unknown counts would have room for all columns in each row."""
    n = 2000
    rows = np.arange(n)
    a = (
        sa.from_coordinates(
            (np.repeat(rows, 2), np.stack([rows, (rows + 7) % n], 1).ravel()),
            np.ones(2 * n),
            (n, n),
        )
        .asformat("csr")
        .compute()
    )
    asked: list[int] = []
    real = rows_to_files.value
    monkeypatch.setattr(
        rows_to_files, "value", lambda node: asked.append(node.shape[0]) or real(node)
    )
    sa.clear_cache()
    with sa.options(memory_limit=held() + 60_000):
        sa.save(path, a @ a)
    assert len(asked) <= rows_to_files.PARTS
    np.testing.assert_array_equal(sa.load(path).todense(), a.todense() @ a.todense())


def test_rows_that_do_not_fit_are_tried_in_smaller_parts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = [sa.asarray(one, format="csr") for one in (DENSE, OTHER)]
    monkeypatch.setattr(rows_to_files, "PARTS", 2)
    real = Plan.__call__
    least = [5]

    def limited(self: Plan, given: Any, shape: tuple[int, ...]) -> Any:
        if shape[0] > least[0]:
            raise MemoryLimitError("no")
        return real(self, given, shape)

    monkeypatch.setattr(Plan, "__call__", limited)
    sa.save(path, a + b)
    np.testing.assert_array_equal(sa.load(path).todense(), DENSE + OTHER)
    before = path.read_bytes()
    least[0] = 0
    with pytest.raises(MemoryLimitError):
        sa.save(path, a - b)
    assert path.read_bytes() == before and os.listdir(path.parent) == ["a.npz"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, MemoryLimitError])
def test_what_fails_between_rows_leaves_the_file_as_it_was(
    path: Path, error: type[BaseException]
) -> None:
    sa.save(path, sa.asarray(DENSE))
    before = path.read_bytes()
    first = stored(sa.asarray(DENSE[:4], format="csr"))

    def parts() -> Iterator[Tensor]:
        yield first
        raise error

    with pytest.raises(error):
        files_by_rows.save_rows(path, DENSE.shape, parts())
    assert path.read_bytes() == before and os.listdir(path.parent) == ["a.npz"]


def test_rows_of_another_kind_are_refused(path: Path) -> None:
    parts = [stored(sa.asarray(DENSE[:4], format=format)) for format in ("csr", "dense")]
    with pytest.raises(FormatError, match="compute the array before it is saved"):
        files_by_rows.save_rows(path, (8, 9), parts)


def test_more_entries_than_positions_count_are_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = stored(sa.asarray(DENSE[1:20], format="csr"))
    monkeypatch.setattr(files_by_rows, "MOST", {part.format.index: 2 * part.nstored})
    with pytest.raises(FormatError, match="positions can count"):
        files_by_rows.save_rows(path, (57, 9), [part] * 3)
    files_by_rows.save_rows(path, (38, 9), [part] * 2)


@pytest.mark.parametrize("limit", [None, 2**40])
def test_a_full_disk_leaves_the_file_as_it_was(path: Path, limit: int | None) -> None:
    resource = pytest.importorskip("resource")
    sa.save(path, sa.asarray(DENSE))
    before = path.read_bytes()
    a = sa.asarray(np.arange(30_000.0).reshape(100, -1))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with sa.options(memory_limit=limit), pytest.raises(OSError, match="is unchanged") as info:
            sa.save(path, a + 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert str(path) in str(info.value)
    assert path.read_bytes() == before and os.listdir(path.parent) == ["a.npz"]


def test_memory_of_rows_is_given_back(path: Path) -> None:
    a = sa.asarray(np.arange(200_000.0).reshape(10, -1))
    buffer_pool.let_go()
    before = held()
    sa.save(path, a + 1)
    buffer_pool.let_go()
    assert held() == before
