"""Positions and coordinates that outgrow int32 get int64."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._execute import place


def _vector(index: str = "int32") -> sa.Array:
    spec = sa.formats.parse("list", 1, index)
    return sa.asarray([0.0, 2.0, 0.0, 3.0]).asformat(spec)


def test_an_extent_beyond_int32_widens() -> None:
    ones = sa.ones((2**31 + 5, 1))
    wide = (ones * _vector()).compute()
    assert wide.format.index == "int64"
    assert wide.shape == (2**31 + 5, 4)
    assert wide.nbytes < 1000


def test_more_entries_than_positions_count_widen(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = _vector(), _vector()
    monkeypatch.setitem(place.MOST, "int32", 2)
    both = a + b
    assert both.format.index == "int64"
    assert np.array_equal(both.todense(), [0.0, 4.0, 0.0, 6.0])


def test_an_explicit_format_too_narrow_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = sa.formats.parse("list", 1, "int32")
    a, b = _vector(), _vector()
    monkeypatch.setitem(place.MOST, "int32", 2)
    with pytest.raises(sa.errors.FormatError, match=r"int32 positions.*int64"):
        (a + b).asformat(spec).compute()


def test_a_format_by_name_keeps_the_width_of_coordinates(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = sa.asarray(np.arange(4.0)).asformat(sa.formats.parse("list", 1, "int32"))
    for name in ("list", "hash", "vbl", "sparse-rle"):
        assert (vector * 2).asformat(name).format.index == "int32"
    assert sa.asarray(np.arange(4.0), format="list").format.index == "int64"
    monkeypatch.setitem(place.MOST, "int32", 2)
    wide = vector.asformat("vbl")
    assert wide.format.index == "int64"
    np.testing.assert_array_equal(wide.todense(), np.arange(4.0))
