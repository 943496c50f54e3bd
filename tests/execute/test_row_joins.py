"""Joins of more than two stored arrays along their outermost levels copy buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute.steps import Together
from structarr._storage import joined_rows
from structarr._storage.joined_rows import joined

FORMATS = ("csr", "csc", "coo", "dcsr", "vbl", "rle", "bitmap", "sparse-rle", "ragged", "packbits")


def parts(axis: int, dtype: str, lengths: tuple[int, ...]) -> list[np.ndarray]:
    """Matrices with some of their elements, and of some lengths along an axis."""
    random = np.random.default_rng(len(lengths))
    made = []
    for length in lengths:
        shape = (length, 7) if axis == 0 else (7, length)
        dense = np.where(random.random(shape) < 0.4, random.integers(1, 5, shape), 0)
        made.append(dense.astype(dtype))
    return made


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex64"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.sampled(8)
def test_values_and_formats_are_those_of_joins_of_two(format: str, axis: int, dtype: str) -> None:
    for lengths in ((3, 0, 5), (1, 2, 3, 4, 0, 2, 6)):
        dense = parts(axis, dtype, lengths)
        if format == "ragged":
            dense = [np.sort(one != 0, axis=1)[:, ::-1].astype(dtype) for one in dense]
        arrays = [sa.asarray(one, format=format) for one in dense]
        two = np.concatenate(arrays[:2], axis=axis).compute()
        for _ in range(2):  # planned, and replayed
            found = np.concatenate(arrays, axis=axis).compute()
            np.testing.assert_array_equal(np.asarray(found), np.concatenate(dense, axis=axis))
            assert found.format == two.format
            assert found.dtype == two.dtype


def rows(count: int) -> list[Any]:
    return [sa.asarray(np.eye(4, k=k % 3), format="csr").compute() for k in range(count)]


def test_buffers_are_copied_once() -> None:
    from structarr._execute.executor import Executor

    executor = Executor()
    step = executor.planner.plan(np.concatenate(rows(9))._node)
    assert isinstance(step, Together)
    assert len(step.tensors) == 9
    executor.finish()


def test_other_fills_and_dtypes_are_joined_by_kernels() -> None:
    one, other, third = rows(3)
    mixed = np.concatenate([one, other + 1.0, third.astype("float32")])
    wanted = np.concatenate([np.asarray(k) for k in (one, other + 1.0, third)])
    np.testing.assert_array_equal(np.asarray(mixed), wanted)


def test_what_is_joined_is_its_own() -> None:
    arrays = rows(4)
    before = [np.asarray(one).copy() for one in arrays]
    whole = np.concatenate(arrays).compute()
    whole[:] = 7.0
    for one, kept in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(np.asarray(one), kept)


def test_positions_without_room_are_joined_by_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_rows.dtypes, "largest", lambda dtype: 10)
    assert joined(*[stored(one) for one in rows(4)]) is None
