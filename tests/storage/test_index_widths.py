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


def test_lists_in_another_order_of_axes_widen(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = sa.asarray(np.eye(4)).asformat(sa.formats.parse("csr", 2, "int32"))
    bitmap = sa.asarray(np.eye(4)).asformat(sa.formats.parse("bitmap", 2, "int32"))
    monkeypatch.setitem(place.MOST, "int32", 2)
    for narrow in (rows, bitmap):
        wide = narrow.asformat("csc")
        assert wide.format.index == "int64"
        np.testing.assert_array_equal(wide.todense(), np.eye(4))
        with pytest.raises(sa.errors.FormatError, match=r"int32 positions.*int64"):
            narrow.asformat(sa.formats.parse("csc", 2, "int32"))


def test_results_of_one_pass_widen(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = _vector(), _vector()
    monkeypatch.setitem(place.MOST, "int32", 2)
    total, product = sa.compute(a + b, a * b)
    assert {total.format.index, product.format.index} == {"int64"}
    np.testing.assert_array_equal(total.todense(), [0.0, 4.0, 0.0, 6.0])
    np.testing.assert_array_equal(product.todense(), [0.0, 4.0, 0.0, 9.0])


def test_programs_of_loops_refuse_too_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = _vector(), _vector()
    monkeypatch.setitem(place.MOST, "int32", 2)
    with pytest.raises(sa.errors.FormatError, match=r"int32 positions.*int64"):
        sa.loops("c[i] = a[i] + b[i]", a=a, b=b)
