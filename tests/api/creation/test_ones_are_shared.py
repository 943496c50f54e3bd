"""Matrices of ones by a rule share their buffers, which nobody writes."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex64"])
def test_what_is_assigned_to_one_is_not_in_another(dtype: str) -> None:
    for make, plain in ((sa.eye, np.eye), (sa.tri, np.tri)):
        a, b = make(4, 5, k=1, dtype=dtype), make(4, 5, k=1, dtype=dtype)
        a[0, 1] = 0
        a[2, 3] = 0
        c = make(6, dtype=dtype)
        np.testing.assert_array_equal(b.todense(), plain(4, 5, k=1, dtype=dtype))
        np.testing.assert_array_equal(c.todense(), plain(6, dtype=dtype))
        assert a[0, 1] == 0 and a[2, 3] == 0
        assert b.dtype == c.dtype == np.dtype(dtype)


def test_buffers_are_those_of_all_of_a_kind() -> None:
    one, other = (sa.eye(n)._tensor for n in (3, 70))
    assert one is not None and other is not None
    assert all(a is b for a, b in zip(one.buffers, other.buffers, strict=True))
    assert not any(buffer.flags.writeable for buffer in one.buffers)
