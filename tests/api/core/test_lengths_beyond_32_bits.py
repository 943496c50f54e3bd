"""Arrays of 2**40 rows are computed with as few entries are; one true case beyond 2**31."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._support.memory_account import held

N, M = 2**40, 2**41
ROWS = np.array([0, 5, 2**31, 2**33 + 1, N // 2, N - 1])
COLUMNS = np.array([1, 2**31 - 1, 2**32, 2**35, M - 2, M - 1])
A, B = [
    np.where(rng.random((6, 6)) < 0.5, rng.integers(1, 9, (6, 6)), 0).astype(float)
    for rng in map(np.random.default_rng, (0, 1))
]
FORMATS = ("coo", "dcsr", "dcsc", "csf")


def large(dense: np.ndarray, format: str) -> sa.Array:
    """An array that has the entries of a small one, far from each other."""
    i, j = np.nonzero(dense)
    places = ROWS[i], COLUMNS[j]
    return sa.from_coordinates(places, dense[i, j], (N, M)).asformat(format)


def small(array: sa.Array) -> np.ndarray:
    """The entries of a large array, near each other."""
    found = np.zeros((6, 6))
    array = array.compute()
    rows, columns = map(np.asarray, sa.nonzero(array))
    for row, column in zip(rows, columns, strict=True):
        place = np.flatnonzero(row == ROWS)[0], np.flatnonzero(column == COLUMNS)[0]
        found[place] = float(array[int(row), int(column)])
    return found


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"):
        yield


WHOLE: dict[str, tuple[Callable[..., Any], np.ndarray]] = {
    "map": (lambda a, b: a**2 * 3, A**2 * 3),
    "product": (lambda a, b: a * b, A * B),
    "sum": (lambda a, b: a - 2 * b, A - 2 * B),
    "maximum": (lambda a, b: sa.maximum(a, b), np.maximum(A, B)),
    "choice": (lambda a, b: sa.where(a > 3, a, b), np.where(A > 3, A, B)),
    "transposed twice": (lambda a, b: (a.T + b.T).T, A + B),
    "triangle": (lambda a, b: sa.triu(a), np.where(ROWS[:, None] <= COLUMNS, A, 0)),
    "dtype": (lambda a, b: a.astype("int32"), A),
    "from lists": (lambda a, b: a.asformat("coo"), A),
    "from columns": (lambda a, b: a.asformat("dcsc"), A),
    "from rows": (lambda a, b: a.asformat("dcsr"), A),
    "joined and cut": (lambda a, b: sa.concatenate([b, a])[N:], A),
    "rolled twice": (lambda a, b: sa.roll(sa.roll(a, 2**34 + 7, axis=1), -(2**34) - 7, axis=1), A),
    "flipped twice": (lambda a, b: sa.flip(a)[::-1, ::-1], A),
    "chosen": (lambda a, b: a[ROWS[:, None], COLUMNS], A),
}
PARTS: dict[str, tuple[Callable[..., Any], Any]] = {
    "all": (lambda a, b: (a * b).sum(), (A * B).sum()),
    "rows": (lambda a, b: a.sum(axis=1)[N - 1], A[5].sum()),
    "columns": (lambda a, b: a.sum(axis=0)[M - 1], A[:, 5].sum()),
    "extreme": (lambda a, b: a.max(axis=1)[N // 2], A[4].max()),
    "place of the extreme": (lambda a, b: sa.argmax(a, axis=1)[N - 1], COLUMNS[A[5].argmax()]),
    "mean": (lambda a, b: a.mean() * N * M, A.sum()),
    "matmul": (lambda a, b: (a @ b.T)[2**33 + 1, 2**31], (A @ B.T)[3, 2]),
    "matmul by columns": (lambda a, b: (a.T @ b)[2**35, M - 1], (A.T @ B)[3, 5]),
    "contraction": (lambda a, b: sa.einsum("ij,ij->i", a, b)[N - 1], (A * B)[5].sum()),
    "slice": (lambda a, b: a[2**31 :, 2**32 :].sum(), A[2:, 2:].sum()),
    "step": (lambda a, b: a[::5].sum(), A[ROWS % 5 == 0].sum()),
    "backwards": (lambda a, b: a[::-1][0].sum(), A[5].sum()),
    "column": (lambda a, b: a[:, M - 2].sum(), A[:, 4].sum()),
    "stacked": (lambda a, b: sa.stack([a, b])[1, N - 1].sum(), B[5].sum()),
    "padded": (lambda a, b: sa.pad(a, ((1, 1), (0, 0)))[N].sum(), A[5].sum()),
    "reshaped": (lambda a, b: a[:, : 2**20].reshape(2**60)[1], A[0, 0]),
    "outer": (lambda a, b: (a[:, 1][:, None] * b[5])[5, M - 1], A[1, 0] * B[1, 5]),
    "sorted": (lambda a, b: sa.sort(a, axis=1)[N - 1, M - 1], A[5].max()),
    "program": (
        lambda a, b: sa.loops("y[i] += A[i, j] * B[i, j]", A=a, B=b)[N - 1],
        (A * B)[5].sum(),
    ),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.sampled(4)
def test_results(name: str, format: str) -> None:
    make, wanted = WHOLE[name]
    found = make(large(A, format), large(B, format))
    np.testing.assert_array_equal(found.todense() if name == "chosen" else small(found), wanted)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", PARTS)
@pytest.mark.sampled(4)
def test_elements_of_results(name: str, format: str) -> None:
    make, wanted = PARTS[name]
    assert float(make(large(A, format), large(B, format))) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize("format", FORMATS)
def test_files(format: str, tmp_path: Path) -> None:
    sa.save(tmp_path / "a.npz", large(A, format))
    for mmap in (False, True):
        np.testing.assert_array_equal(small(sa.load(tmp_path / "a.npz", mmap=mmap) * 1), A)


@pytest.mark.long
def test_more_than_2_to_the_31_stored_bytes(tmp_path: Path) -> None:
    """Five GiB, half of them in memory: a kernel's places, a file's, and the number of elements."""
    n = 2**31 + 2**20
    array = np.zeros((2**10 + 1, n // (2**10 + 1)), np.int8)
    array[0, 1], array[-1, -2], array[-1, -1] = 1, 2, 3
    path = tmp_path / "a.npz"
    with sa.options(tier="compiled"):
        a = sa.asarray(array)
        assert a.nbytes > 2**31 and float(a.sum(dtype="int64")) == 6
        assert int(a[-1, -1]) == 3 and int(sa.argmax(a)) == array.size - 1
        listed = a.asformat("coo")
        assert listed.nstored == 3 and float((listed * a).sum(dtype="int64")) == 14
        with sa.options(memory_limit=held() + 2**29):
            sa.save(path, a * 2)
        del a, array
        b = sa.load(path, mmap=True)
        assert b.nbytes > 2**31 and int(b[-1, -2]) == 4 and int(b[0, 1]) == 2
        assert int(b[-1].sum(dtype="int64")) == 10
