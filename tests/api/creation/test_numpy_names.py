"""NumPy's names: all of them are there, or have a reason; those that make arrays take a format."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._support.numpys_own import ABSENT, NAMES

PUBLIC = {name for name in dir(np) if not name.startswith("_")}


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with sa.options(tier="interpreted"):
        yield


def test_every_name_of_numpy_is_there_or_has_a_reason() -> None:
    assert sorted(PUBLIC - {*dir(sa)} - {*ABSENT}) == []
    assert sorted({*ABSENT} & {*dir(sa)}) == []
    assert all(ABSENT.values())


def test_numpys_own_objects_are_the_same() -> None:
    assert all(getattr(sa, name) is getattr(np, name) for name in NAMES & PUBLIC)
    assert sa.promote_types("int8", "float32") == np.float32
    assert sa.issubdtype(sa.asarray([1.0]).dtype, sa.floating)


def test_absent_names_say_why() -> None:
    with pytest.raises(AttributeError, match=r"float16.*use float32"):
        sa.float16  # noqa: B018


MAKERS: dict[str, Any] = {
    "array": lambda xp: xp.array([[0, 2], [3, 0]], ndmin=3),
    "identity": lambda xp: xp.identity(3, "int8"),
    "fromfunction": lambda xp: xp.fromfunction(lambda i, j: i - j, (3, 2)),
    "fromiter": lambda xp: xp.fromiter(range(4), float),
    "frombuffer": lambda xp: xp.frombuffer(b"abcd", "uint16"),
    "fromstring": lambda xp: xp.fromstring("1 2 3", sep=" "),
    "loadtxt": lambda xp: xp.loadtxt(["1 2", "3 4"]),
    "genfromtxt": lambda xp: xp.genfromtxt(["1 2", "3 4"]),
    "indices": lambda xp: xp.indices((2, 3)),
    "hanning": lambda xp: xp.hanning(5),
    "hamming": lambda xp: xp.hamming(5),
    "bartlett": lambda xp: xp.bartlett(5),
    "blackman": lambda xp: xp.blackman(5),
    "kaiser": lambda xp: xp.kaiser(5, 2.0),
    "transpose": lambda xp: xp.transpose(xp.array([[1, 2, 3]])),
    "around": lambda xp: xp.around(xp.array([1.26, 2.0]), 1),
    "amax": lambda xp: xp.amax(xp.array([1, 3]), axis=0),
}


@pytest.mark.parametrize("name", MAKERS)
def test_functions_make_what_numpys_make(name: str) -> None:
    found, wanted = MAKERS[name](sa), MAKERS[name](np)
    assert isinstance(found, sa.Array)
    np.testing.assert_array_equal(found.todense(), wanted)
    assert found.dtype == np.asarray(wanted).dtype


@pytest.mark.parametrize("name", ["diag_indices", "tril_indices", "triu_indices"])
def test_indices_of_matrices(name: str) -> None:
    matrix = sa.asarray(np.arange(9).reshape(3, 3))
    found = matrix[getattr(sa, name)(3)]
    np.testing.assert_array_equal(found.todense(), matrix.todense()[getattr(np, name)(3)])


FORMATTED: dict[str, Any] = {
    "zeros": lambda **options: sa.zeros((4, 4), **options),
    "ones": lambda **options: sa.ones((4, 4), **options),
    "full": lambda **options: sa.full((4, 4), 7, **options),
    "empty": lambda **options: sa.empty((4, 4), **options),
    "zeros_like": lambda **options: sa.zeros_like(np.ones((4, 4)), **options),
    "full_like": lambda **options: sa.full_like(np.ones((4, 4)), 3, **options),
    "eye": lambda **options: sa.eye(4, **options),
    "identity": lambda **options: sa.identity(4, **options),
    "tri": lambda **options: sa.tri(4, **options),
}


@pytest.mark.parametrize("name", FORMATTED)
@pytest.mark.parametrize("format", ["csr", "rle", "dense", "bitmap"])
def test_functions_that_make_arrays_take_a_format(name: str, format: str) -> None:
    made = FORMATTED[name](format=format)
    assert made.format == format
    np.testing.assert_array_equal(made.todense(), FORMATTED[name]().todense())
    assert sa.arange(5, format="rle").format == sa.linspace(0, 1, 5, format="rle").format == "rle"


@pytest.mark.parametrize("format", ["csr", "rle", "dense"])
@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_put_along_axis(format: str, axis: int | None) -> None:
    dense = np.arange(12.0).reshape(3, 4) % 5
    array = sa.asarray(dense, format=format)
    before = array + 0
    places = np.array([3, -1]) if axis is None else np.argmax(dense, axis=axis, keepdims=True)
    sa.put_along_axis(array, places, 99, axis)
    wanted = dense.copy()
    np.put_along_axis(wanted, places, 99, axis)
    np.testing.assert_array_equal(array.todense(), wanted)
    np.testing.assert_array_equal(before.todense(), dense)
    np.put_along_axis(array, places, 1, axis)
    assert (array.todense() != wanted).sum() == places.size


@pytest.mark.parametrize("format", ["csr", "rle", "dense"])
def test_sliding_windows(format: str) -> None:
    dense = np.arange(24.0).reshape(4, 6) % 5
    array, own = sa.asarray(dense, format=format), np.lib.stride_tricks.sliding_window_view
    for window, axis in ((3, 1), ((2, 3), None), ((2, 2), (1, 1)), ((4,), (0,)), (1, -1)):
        found = sa.lib.stride_tricks.sliding_window_view(array, window, axis)
        np.testing.assert_array_equal(found.todense(), own(dense, window, axis))
        np.testing.assert_array_equal(own(array, window, axis).todense(), own(dense, window, axis))
    for window, axis in ((7, 1), ((2, 2), 1), (-1, 0)):
        with pytest.raises(ValueError):
            sa.lib.stride_tricks.sliding_window_view(array, window, axis)
    with pytest.raises(ValueError, match="values"):
        sa.lib.stride_tricks.sliding_window_view(array, 2, 0, writeable=True)
