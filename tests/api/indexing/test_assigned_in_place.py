"""Values are written where they are, if nobody else has them; whoever has them keeps them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import stored
from structarr._support.sole_owner import COUNTED, is_only_thread

pytestmark = pytest.mark.skipif(not COUNTED, reason="references are not counted")

FORMATS = ["dense", "csr", "csc", "coo", "dia", "bsr"]
DENSE = np.diag(np.arange(1.0, 9.0)) + np.diag(np.arange(1.0, 8.0), 1)


def _made(format: str, size: int = 8) -> sa.Array:
    """A new array whose buffers nobody else has."""
    dense = np.kron(np.eye(size // 8), DENSE)
    return (sa.asarray(dense.copy(), format=format) * 1.0).compute()


def _memory(array: sa.Array) -> int:
    return stored(array).buffers[-1].__array_interface__["data"][0]


@pytest.mark.parametrize("format", FORMATS)
def test_stored_elements_of_an_array_of_its_own_are_written_in_place(format: str) -> None:
    a = _made(format)
    before, expected = _memory(a), DENSE.copy()
    places = np.array([1, 4, 6])
    a[2, 2] = expected[2, 2] = 50.0
    a[places, places] = expected[places, places] = np.array([7.0, 8.0, 9.0])
    assert _memory(a) == before
    assert np.array_equal(a.todense(), expected)


def test_pooled_memory_is_written_in_place() -> None:
    a = _made("dense", 256)
    before = _memory(a)
    a[3, 4] = 5.0
    assert _memory(a) == before
    assert a[3, 4] == 5.0


@pytest.mark.parametrize("format", FORMATS)
def test_a_sum_that_was_known_of_the_old_value_is_not_of_the_new_one(format: str) -> None:
    a = _made(format)
    assert a.sum() == DENSE.sum() and a.max() == 8.0
    a[0, 0] = 100.0
    assert a.sum() == DENSE.sum() + 99.0 and a.max() == 100.0


KEEPERS: dict[str, Callable[[sa.Array], Any]] = {
    "a lazy expression": lambda a: a + 0.0,
    "a view": lambda a: a.T,
    "another view": lambda a: a[1:],
    "a diagonal": lambda a: a.diagonal(),
    "a computed view": lambda a: a.T.compute(),
    "a copy of the object": lambda a: a.__copy__(),
    "NumPy's view": np.asarray,
    "a memoryview": lambda a: memoryview(stored(a).buffers[-1]),
    "SciPy's view": lambda a: a.to_scipy(),
    "the tensor": stored,
    "a part of the buffer": lambda a: stored(a).buffers[-1][1:],
}


def _seen(kept: Any) -> Any:
    """What somebody sees who kept something."""
    if sp.issparse(kept):
        return kept.toarray()
    return kept.buffers[-1].copy() if hasattr(kept, "buffers") else np.array(kept)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("keeper", KEEPERS)
def test_who_has_the_old_value_keeps_it(format: str, keeper: str) -> None:
    expected = _seen(KEEPERS[keeper](_made(format)))
    a = _made(format)
    kept = KEEPERS[keeper](a)
    a[2, 2] = 50.0
    assert np.array_equal(_seen(kept), expected)
    assert a[2, 2] == 50.0


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia", "bsr"])
def test_a_matrix_of_scipy_keeps_its_values(format: str) -> None:
    theirs = sp.coo_array(DENSE).asformat(format)
    a = sa.asarray(theirs).compute()
    a[2, 2] = 50.0
    assert theirs.toarray()[2, 2] == 3.0 and a[2, 2] == 50.0
    b = sa.asarray(theirs).compute()
    del theirs
    before = _memory(b)
    b[2, 2] = 60.0
    assert _memory(b) == before and b[2, 2] == 60.0


def test_a_value_made_of_the_array_is_read_before() -> None:
    a = _made("dia")
    places = np.arange(8)
    a[places, places] = a.diagonal()[::-1]
    assert np.array_equal(np.diag(a.todense()), np.diag(DENSE)[::-1])
    x = sa.asarray(np.arange(6)) + 0
    x[1:] = x[:-1]
    assert x.tolist() == [0, 0, 1, 2, 3, 4]


def test_memory_of_a_file_that_nobody_can_write_is_left_alone(tmp_path: Any) -> None:
    np.save(tmp_path / "x.npy", np.arange(5.0))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    x = sa.asarray(mapped)
    del mapped
    x[2] = 9.0
    assert x.tolist() == [0, 1, 9, 3, 4]
    assert np.load(tmp_path / "x.npy").tolist() == [0, 1, 2, 3, 4]


def test_nothing_is_written_in_place_beside_other_threads() -> None:
    a, end = _made("csr"), threading.Event()
    other = threading.Thread(target=end.wait)
    other.start()
    try:
        before = stored(a).buffers[-1]
        memory = _memory(a)
        del before
        assert not is_only_thread()
        a[2, 2] = 50.0
        assert _memory(a) != memory and a[2, 2] == 50.0
    finally:
        end.set()
        other.join()


def test_what_fails_leaves_the_value() -> None:
    x = (sa.asarray([1.0, 2.0, 3.0]) * 1.0).compute()
    with pytest.raises(ValueError, match="broadcast"):
        x[:2] = [1.0, 2.0, 3.0]
    with pytest.raises(IndexError):
        x[5] = 1.0
    assert x.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    "key",
    [
        (1,),
        (slice(None), 2),
        (Ellipsis, slice(None, None, -1)),
        (slice(3, 0, -2), None, 1),
        ([0, 2], slice(1, 3)),
        ([0, 2, 0], [1, 1, 1]),
        (slice(2, 2),),
        (slice(-7, -5, -2), None, ...),  # nothing, from before the first element on
        (np.array([[0], [2]]), np.array([1, 3])),
    ],
)
def test_dense_arrays_take_values_as_numpy_does(order: Any, key: Any) -> None:
    dense = np.asarray(np.arange(20.0).reshape(4, 5), order=order)
    a = (sa.asarray(dense) + 0.0).compute()
    expected = np.asarray(dense, order="C").copy()
    value = np.arange(expected[key].size, dtype=float).reshape(expected[key].shape) + 100
    a[key] = value
    expected[key] = value
    assert np.array_equal(a.todense(), expected)
    a[key] = -1.0
    expected[key] = -1.0
    assert np.array_equal(a.todense(), expected)
