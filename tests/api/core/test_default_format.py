"""The format of new arrays, as an option."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr.errors import FormatError

MADE: list[Callable[[Any], Any]] = [
    lambda xp: xp.asarray([[0.0, 2.0], [0.0, -1.0]]),
    lambda xp: xp.asarray(np.arange(24).reshape(2, 3, 4) % 3),
    lambda xp: xp.zeros((2, 3)),
    lambda xp: xp.ones((4,), dtype=xp.int8),
    lambda xp: xp.full((2, 2), 7),
    lambda xp: xp.full((0, 3), 1.5),
    lambda xp: xp.zeros_like(xp.ones((2, 1))),
    lambda xp: xp.eye(3, 4),
    lambda xp: xp.tri(3),
    lambda xp: xp.arange(5),
    lambda xp: xp.arange(3, dtype=xp.complex64),
    lambda xp: xp.linspace(0, 1, 7),
    lambda xp: xp.from_dlpack(np.arange(4)),
]


@pytest.mark.parametrize("name", ["list", "rle", "csf", "coo", "band", "auto"])
@pytest.mark.parametrize("make", MADE)
def test_new_arrays_are_stored_in_it(name: str, make: Callable[[Any], Any]) -> None:
    wanted = make(np)
    with sa.options(default_format=name):
        found = make(sa)
    assert name == "auto" or found.format == name
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found.todense(), wanted)


def test_where_it_is_for_other_axes_arrays_are_stored_as_ever() -> None:
    with sa.options(default_format="csr"):
        assert sa.asarray([[0, 1]]).format == "csr"
        assert sa.asarray([0, 1]).format == "dense"
        assert sa.zeros(3).format == "constant"
        assert sa.asarray(2.0).format == "dense"


def test_what_has_a_structure_or_is_told_one_keeps_it() -> None:
    ours = sa.asarray([1, 1, 2], format="rle")
    with sa.options(default_format="list"):
        assert sa.asarray(ours) is ours
        assert sa.asarray(scipy.sparse.eye_array(2, format="csc")).format == "csc"
        assert sa.asarray([0, 1], format="dense").format == "dense"
        shared = np.arange(3)
        assert sa.asarray(shared, copy=False).format == "dense"
        assert sa.asarray(ours * 2).format == "rle"


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(FormatError, match="did you mean list"):
        sa.options(default_format="lists")
    with pytest.raises(TypeError, match="default_format"):
        sa.options(default_format=3)
