"""array_api_compat on our arrays, of which it does not know."""

from __future__ import annotations

import array_api_compat as compat
import numpy as np
import pytest

import structarr as sa

FORMATS = ["dense", "csc", "rle", "band", "bitmap"]
MATRIX = np.array([[0.0, 2.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0], [3.0, 2.0, 0.0, 2.0]])


@pytest.mark.parametrize("format", FORMATS)
def test_an_array_is_known(format: str) -> None:
    a = sa.asarray(MATRIX, format=format)
    assert compat.is_array_api_obj(a) and compat.is_writeable_array(a)
    assert not compat.is_lazy_array(a) and not compat.is_numpy_array(a)
    assert compat.array_namespace(a, a, 2.0) is sa
    assert compat.device(a) == "cpu" and compat.to_device(a, "cpu") is a
    assert compat.size(a) == 12


def test_the_namespace() -> None:
    assert not compat.is_numpy_namespace(sa)
    assert compat.array_namespace(sa.zeros(3), api_version="2024.12") is sa
    with pytest.raises(TypeError, match="Multiple namespaces"):
        compat.array_namespace(sa.zeros(3), np.zeros(3))
