"""Running results in every format, beside NumPy's of the dense array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._testing.forcing import witnessed

FORMATS = ("csr", "csc", "dcsr", "band", "vbl", "rle", "sparse-rle", "packbits", "bitmap", "dense")
UFUNCS = (np.maximum, np.minimum, np.fmax, np.fmin, np.logical_or, np.logical_and, np.logical_xor)
RUNNING: dict[str, Callable[[Any, int], Any]] = {
    "cumsum": lambda a, axis: np.cumsum(a, axis=axis),
    "cumprod": lambda a, axis: np.cumprod(a, axis=axis),
    "nancumsum": lambda a, axis: np.nancumsum(a, axis=axis),
    "nancumprod": lambda a, axis: np.nancumprod(a, axis=axis),
    **{f.__name__: lambda a, axis, f=f: f.accumulate(a, axis=axis) for f in UFUNCS},
    "of a map": lambda a, axis: np.cumsum(2 * a, axis=axis),
    "mapped": lambda a, axis: 3 * np.cumsum(a, axis=axis) + a,
    "together": lambda a, axis: np.cumsum(a, axis=axis) - np.maximum.accumulate(a, axis=axis),
    "along both": lambda a, axis: np.cumsum(np.maximum.accumulate(a, axis=1 - axis), axis=axis),
    "of no elements": lambda a, axis: np.cumulative_sum(a, axis=axis, include_initial=True),
    "of a part": lambda a, axis: np.cumsum(a[1:, ::2], axis=axis),
    "a part": lambda a, axis: np.cumsum(a, axis=axis)[1:, ::2],
}


def check(what: str, name: str, fill: float, axis: int) -> None:
    random = np.random.default_rng(7)
    data = np.where(random.random((4, 6)) < 0.4, random.integers(-3, 4, (4, 6)) + 0.5, fill)
    with sa.options(tier="interpreted"):
        found = RUNNING[what](sa.asarray(data, format=name, fill_value=fill), axis)
        expected = RUNNING[what](data, axis)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.todense(), expected)


@pytest.mark.parametrize("what", RUNNING)
def test_running_results_are_numpys(what: str) -> None:
    check(what, "csr", 0, 0)
    check(what, "sparse-rle", 0, 1)


@pytest.mark.long
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("fill", [0, 1, np.nan])
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("what", RUNNING)
def test_they_are_so_in_every_format(what: str, name: str, fill: float, axis: int) -> None:
    check(what, name, fill, axis)


@pytest.mark.parametrize("fill", [0, -1, 2])
def test_fibers_that_store_nothing_are_left_out(fill: int) -> None:
    data = np.full((2, 3, 2), fill)
    data[1, 1, 1], data[0, 2, 1] = 3, 1
    a = sa.asarray(data, format="csf", fill_value=fill)
    with sa.options(tier="interpreted"):
        for axis in range(3):
            for ufunc in (np.maximum, np.minimum, np.add):
                found = ufunc.accumulate(a, axis=axis)
                np.testing.assert_array_equal(found.todense(), ufunc.accumulate(data, axis=axis))
            assert np.maximum.accumulate(a, axis=axis).nstored <= 6


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (1, 1)])
def test_of_no_elements_there_are_none(shape: tuple[int, int]) -> None:
    for name in ("csr", "dense"):
        a = sa.zeros(shape).asformat(name)
        for axis in (0, 1):
            assert np.cumsum(a, axis=axis).todense().shape == shape
            longer = np.cumulative_prod(a, axis=axis, include_initial=True).todense()
            expected = np.cumulative_prod(np.zeros(shape), axis=axis, include_initial=True)
            np.testing.assert_array_equal(longer, expected)


def test_the_signs_of_dense_zeros_are_numpys() -> None:
    data = np.array([-0.0, -0.0, 0.0, -0.0])
    assert sa.cumsum(data).todense().tobytes() == np.cumsum(data).tobytes()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool", "float32", "complex64"])
def test_dtypes_are_numpys(dtype: str) -> None:
    data = np.array([[0, 1, 0], [3, 0, 1]]).astype(dtype)
    a = sa.asarray(data, format="csr")
    for ufunc in (np.add, np.multiply, np.maximum, np.logical_or, np.subtract):
        if ufunc is np.subtract and dtype == "bool":
            continue
        found, expected = ufunc.accumulate(a, axis=1), ufunc.accumulate(data, axis=1)
        assert found.dtype == expected.dtype, ufunc
        np.testing.assert_array_equal(found.todense(), expected)


def test_a_scan_is_computed_when_it_is_looked_at_and_fused() -> None:
    a = sa.asarray(np.eye(5), format="csr")
    text = str(sa.explain(3 * np.cumsum(2 * a, axis=1)).kernel)
    assert text.count("def kernel") == 1 and "C1_stop" in text


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "rle", "dense"])
def test_scans_take_any_format_that_is_asked_for(format: str) -> None:
    data = np.random.default_rng(0).integers(0, 3, (2, 3, 4)).astype(float)
    with sa.options(tier="interpreted"):
        for axis in (0, 1):
            found = np.cumsum(sa.asarray(data[0], format="csr"), axis=axis).asformat(format)
            np.testing.assert_array_equal(found.todense(), np.cumsum(data[0], axis=axis))
        for axis in (0, 1, 2):
            found = np.cumsum(sa.asarray(data), axis=axis).asformat("csf")
            np.testing.assert_array_equal(found.todense(), np.cumsum(data, axis=axis))


def test_threads_do_not_cut_a_scanned_loop() -> None:
    data = np.random.default_rng(0).random(30)
    with sa.options(tier="interpreted"), witnessed(lambda call: None, 0, 3):
        np.testing.assert_array_equal(sa.cumsum(data), np.cumsum(data))
        for axis in (0, 1):
            found = sa.cumsum(data.reshape(6, 5), axis=axis)
            np.testing.assert_array_equal(found, np.cumsum(data.reshape(6, 5), axis=axis))
