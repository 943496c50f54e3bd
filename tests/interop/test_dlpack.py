"""Memory handed over by DLPack, both ways, and the one device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.errors import DensificationError

DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
]
DATA = np.array([[0, 2, 0], [1, 1, 0]])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("format", ["dense", "csr", "rle", "band", "bitmap", "coo"])
@pytest.mark.parametrize("copy", [None, True, False])
def test_numpy_takes_ours(dtype: str, format: str, copy: bool | None) -> None:
    ours = sa.asarray(DATA.astype(dtype), format=format)
    found = np.from_dlpack(ours, copy=copy)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, DATA.astype(dtype))
    shared = format == "dense" and copy is False
    assert found.flags.writeable is not shared
    assert (format == "dense" and np.shares_memory(found, np.asarray(ours, copy=False))) is shared
    if found.flags.writeable:
        found[0, 1] = 0
        np.testing.assert_array_equal(ours.todense(), DATA.astype(dtype))


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (1, 1, 1, 2)])
def test_shapes_without_much_in_them(shape: tuple[int, ...]) -> None:
    for copy in (None, True, False):
        assert np.from_dlpack(sa.ones(shape), copy=copy).shape == shape
        assert np.from_dlpack(sa.asarray(np.ones(shape)), copy=copy).shape == shape
        assert sa.from_dlpack(np.ones(shape), copy=copy).shape == shape


def test_axes_in_another_order() -> None:
    ours = sa.asarray(np.asfortranarray(DATA))
    found = np.from_dlpack(ours, copy=False)
    assert found.strides == np.asfortranarray(DATA).strides
    np.testing.assert_array_equal(np.from_dlpack(sa.asarray(DATA).T), DATA.T)


def test_who_cannot_be_told_of_read_only_memory_gets_a_copy() -> None:
    class Old:
        """An exporter of before DLPack 1.0."""

        def __dlpack__(self, **kwargs: Any) -> Any:
            return ours.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return ours.__dlpack_device__()

    ours = sa.asarray(DATA)
    found = np.from_dlpack(Old())
    assert not np.shares_memory(found, np.asarray(ours, copy=False))


def test_what_is_refused() -> None:
    ours = sa.asarray(DATA)
    assert ours.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError, match=r"\(2, 0\)"):
        ours.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError, match="stream must be None"):
        ours.__dlpack__(stream=1)
    with pytest.raises(DensificationError, match="densify_limit"):
        np.from_dlpack(sa.ones((10**6, 10**6)))
    with pytest.raises(AttributeError, match="__dlpack__"):
        sa.from_dlpack([1, 2])
    with pytest.raises(TypeError, match="float16"):
        sa.from_dlpack(np.ones(2, np.float16))


def test_ours_takes_numpys() -> None:
    dense = DATA.astype(float)
    for copy in (None, False):
        assert np.shares_memory(sa.from_dlpack(dense, copy=copy), dense)
    assert not np.shares_memory(sa.from_dlpack(dense, copy=True), dense)
    reversed_ = sa.from_dlpack(dense[::-1])
    np.testing.assert_array_equal(reversed_.todense(), dense[::-1])
    with pytest.raises(ValueError, match="copy"):
        sa.from_dlpack(dense[:, ::-1], copy=False)


def test_ours_takes_its_own_as_it_is() -> None:
    ours = sa.asarray(DATA, format="csr")
    for copy in (None, False, True):
        taken = sa.from_dlpack(ours, copy=copy)
        assert taken is not ours and taken.format == "csr"
        taken[0, 0] = 9
        np.testing.assert_array_equal(ours.todense(), DATA)


def test_one_device() -> None:
    a = sa.asarray(DATA, format="csr", device="cpu")
    assert a.device == "cpu" and a.to_device("cpu") is a and a.to_device("cpu", stream=None) is a
    assert a.astype("float32", device="cpu").dtype == np.float32
    assert sa.from_dlpack(DATA, device="cpu").shape == (2, 3)
    info = sa.__array_namespace_info__()
    assert info.devices() == ("cpu",) and info.default_device() == "cpu"
    for wrong in (
        lambda: a.to_device("gpu"),
        lambda: a.to_device("cpu", stream=1),
        lambda: a.astype("float32", device="gpu"),
        lambda: sa.asarray(DATA, device="gpu"),
        lambda: sa.from_dlpack(DATA, device="gpu"),
        lambda: sa.zeros(3, device="gpu"),
        lambda: sa.arange(3, device="gpu"),
    ):
        with pytest.raises(ValueError):
            wrong()
