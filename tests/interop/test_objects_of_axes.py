"""Objects that offer both NumPy's interface and Arrow's array of their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa


class Image:
    """As Pillow's images: Arrow's array has one axis, whatever they have."""

    def __init__(self, pixels: Any) -> None:
        self._pixels = pixels

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self._pixels.__array_interface__  # type: ignore[no-any-return]

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        raise AssertionError("its axes would be lost")


def test_they_have_the_axes_that_numpy_sees() -> None:
    pixels = np.arange(12).reshape(3, 4)
    np.testing.assert_array_equal(sa.asarray(Image(pixels)).todense(), pixels)
    assert sa.asarray(Image(pixels > 4), format="sparse-rle").shape == (3, 4)
    np.testing.assert_array_equal((sa.asarray(pixels) + Image(pixels)).todense(), 2 * pixels)
