"""array_api_extra on our arrays, of which it does not know, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import array_api_extra as xpx
import numpy as np
import pytest
from result_pairs import pairs

import structarr as sa
from structarr.errors import FormatError

FORMATS = ["dense", "list", "csc", "rle", "band", "bitmap"]
MATRIX = np.array([[0.0, 2.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0], [3.0, 2.0, 0.0, 2.0]])
VECTOR = np.array([0, 3, 0, 0, 1, 3])
NANS = np.where(MATRIX == 2, np.nan, MATRIX)


def ours(dense: Any, format: str) -> sa.Array:
    try:
        return sa.asarray(dense, format=format)
    except FormatError:  # not for so many axes
        return sa.asarray(dense)


def same(found: Any, wanted: Any) -> None:
    for one, other in pairs(found, wanted):
        assert isinstance(one, sa.Array)
        assert one.shape == np.shape(other)
        assert one.dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one.todense(), other, rtol=1e-14)


# Each is called with array_api_extra, the namespace, and MATRIX, VECTOR and NANS of that.
CALLS: dict[str, Callable[[ModuleType, Any, Any, Any, Any], Any]] = {
    "angle": lambda xpx, xp, a, v, n: xpx.angle(a * 1j, deg=True),
    "apply_where": lambda xpx, xp, a, v, n: xpx.apply_where(
        a > 0, a, lambda x: 1 / x, lambda x: x - 1
    ),
    "apply_where, two arrays": lambda xpx, xp, a, v, n: xpx.apply_where(
        a != 0, (a, a * 2), lambda x, y: x + y, fill_value=-1.0
    ),
    "at set": lambda xpx, xp, a, v, n: xpx.at(a, 0).set(7.0),
    "at set of a mask": lambda xpx, xp, a, v, n: xpx.at(a)[a == 2].set(9.0),
    "at add": lambda xpx, xp, a, v, n: xpx.at(a)[:, 1].add(1.0),
    "at multiply": lambda xpx, xp, a, v, n: xpx.at(a)[1:, :].multiply(2.0, copy=True),
    "at min": lambda xpx, xp, a, v, n: xpx.at(a)[:, 1:].min(0.5),
    "at max": lambda xpx, xp, a, v, n: xpx.at(v, v == 0).max(2),
    "at power": lambda xpx, xp, a, v, n: xpx.at(v)[1:3].power(2),
    "atleast_nd": lambda xpx, xp, a, v, n: xpx.atleast_nd(v, ndim=3),
    "cov": lambda xpx, xp, a, v, n: xpx.cov(a),
    "create_diagonal": lambda xpx, xp, a, v, n: xpx.create_diagonal(v, offset=-1),
    "create_diagonal of a stack": lambda xpx, xp, a, v, n: xpx.create_diagonal(a, offset=1),
    "deg2rad": lambda xpx, xp, a, v, n: xpx.deg2rad(a),
    "rad2deg": lambda xpx, xp, a, v, n: xpx.rad2deg(a),
    "diag_indices": lambda xpx, xp, a, v, n: xpx.diag_indices(3, xp=xp),
    "expand_dims": lambda xpx, xp, a, v, n: xpx.expand_dims(a, axis=(0, -1)),
    "isclose": lambda xpx, xp, a, v, n: xpx.isclose(a, a + 1e-9 * (a > 0)),
    "isclose of NaN": lambda xpx, xp, a, v, n: xpx.isclose(n, n, equal_nan=True),
    "isin": lambda xpx, xp, a, v, n: xpx.isin(v, v[:2]),
    "isin, inverted": lambda xpx, xp, a, v, n: xpx.isin(v, xp.asarray([3, 4]), invert=True),
    "kron": lambda xpx, xp, a, v, n: xpx.kron(a, a[:2, :1]),
    "lazy_apply": lambda xpx, xp, a, v, n: xpx.lazy_apply(
        lambda x: x * 2, a, shape=a.shape, dtype=a.dtype
    ),
    "lazy_apply to NumPy": lambda xpx, xp, a, v, n: xpx.lazy_apply(
        lambda x: np.cumsum(x, axis=0), a, shape=a.shape, dtype=a.dtype, as_numpy=True
    ),
    "nan_to_num": lambda xpx, xp, a, v, n: xpx.nan_to_num(n, fill_value=4.0),
    "nanmax": lambda xpx, xp, a, v, n: xpx.nanmax(n, axis=1),
    "nanmin": lambda xpx, xp, a, v, n: xpx.nanmin(n, axis=0),
    "nanmean": lambda xpx, xp, a, v, n: xpx.nanmean(n, axis=1),
    "nansum": lambda xpx, xp, a, v, n: xpx.nansum(n),
    "nunique": lambda xpx, xp, a, v, n: xpx.nunique(v),
    "one_hot": lambda xpx, xp, a, v, n: xpx.one_hot(v, 4),
    "one_hot, axis": lambda xpx, xp, a, v, n: xpx.one_hot(v, 4, dtype=xp.int8, axis=0),
    "pad": lambda xpx, xp, a, v, n: xpx.pad(a, ((1, 0), (2, 1)), constant_values=5.0),
    "partition": lambda xpx, xp, a, v, n: xp.sort(xpx.partition(v, 2)),
    "argpartition": lambda xpx, xp, a, v, n: xp.sort(xp.take(v, xpx.argpartition(v, 2))),
    "searchsorted": lambda xpx, xp, a, v, n: xpx.searchsorted(xp.asarray([0, 1, 2]), v),
    "searchsorted, right": lambda xpx, xp, a, v, n: xpx.searchsorted(xp.sort(v), v, side="right"),
    "setdiff1d": lambda xpx, xp, a, v, n: xpx.setdiff1d(v, v[:3]),
    "sinc": lambda xpx, xp, a, v, n: xpx.sinc(a / 3),
    "tril_indices": lambda xpx, xp, a, v, n: xpx.tril_indices(3, m=4, xp=xp),
    "triu_indices": lambda xpx, xp, a, v, n: xpx.triu_indices(4, offset=1, xp=xp),
    "union1d": lambda xpx, xp, a, v, n: xpx.union1d(v, v[1:3] + 1),
    "unravel_index": lambda xpx, xp, a, v, n: xpx.unravel_index(v, (2, 3)),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", CALLS)
def test_a_function(name: str, format: str) -> None:
    call = CALLS[name]
    plain = [dense.copy() for dense in (MATRIX, VECTOR, NANS)]
    wanted = call(xpx, np, *plain)
    made = [ours(dense, format) for dense in (MATRIX, VECTOR, NANS)]
    same(call(xpx, sa, *made), wanted)
    for array, dense in zip(made, plain, strict=True):  # at() changes its array
        np.testing.assert_array_equal(array.todense(), dense)


def test_dtypes_and_shapes() -> None:
    assert xpx.default_dtype(sa) == np.float64
    assert xpx.default_dtype(sa, "integral") == np.int64
    assert xpx.broadcast_shapes((3, 1), (4,)) == (3, 4)


@pytest.mark.parametrize("format", FORMATS)
def test_at_in_place(format: str) -> None:
    array = ours(MATRIX, format)
    assert xpx.at(array)[0, :].set(5.0, copy=False) is array
    assert array[0].tolist() == [5.0] * 4


def test_none_of_it_works_on_what_is_not_stored() -> None:
    """10^9 elements, two of which are stored."""
    places = [5, 10**8]
    wide = sa.from_coordinates(places, [2.0, 3.0], 10**9, format="list")
    assert int(xpx.nunique(wide)) == 3
    assert xpx.union1d(wide, wide).tolist() == [0.0, 2.0, 3.0]
    assert float(xpx.nansum(wide)) == 5
    assert xpx.at(wide)[3].set(1.0).nstored == 3
