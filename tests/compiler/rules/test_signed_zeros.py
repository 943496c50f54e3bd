"""Under `strict_ieee` zeros keep their signs in every format, stored or computed."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._storage.conform import differs

FORMATS = ("dense", "csr", "csc", "dcsr", "coo", "vbl", "band", "hash", "bitmap", "rle")
FORMATS += ("sparse-rle", "packbits")
OPERATORS = (np.add, np.subtract, np.multiply, np.divide, np.maximum, np.copysign)
X = np.array([[0.0, -0.0, -0.0, 1.0], [-2.0, 0.0, np.nan, -0.0], [-0.0, -0.0, 0.0, np.inf]])
Y = np.array([[-0.0, -0.0, 3.0, 0.0], [0.0, -1.0, -0.0, -0.0], [2.0, 0.0, 0.0, -0.0]])


def _agree(got: sa.Array, want: np.ndarray) -> None:
    found = np.asarray(got.todense())
    np.testing.assert_array_equal(found, want)
    number = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(found[number]), np.signbit(want[number]))


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
def test_conversions_keep_the_signs_of_zeros(source, target):
    with sa.options(strict_ieee=True):
        stored = sa.asarray(X).asformat(source)
        _agree(stored, X)
        _agree(stored.asformat(target), X)
        _agree(stored.T.asformat(target), X.T)


QUICK = ("dense", "csr", "coo", "rle", "bitmap", "packbits")


@pytest.mark.parametrize(
    "left", [pytest.param(f, marks=[] if f in QUICK else pytest.mark.long) for f in FORMATS]
)
def test_operators_keep_the_signs_of_zeros(left):
    with sa.options(strict_ieee=True), np.errstate(all="ignore"):
        a = sa.asarray(X).asformat(left)
        _agree(-a, -X)
        for right in ("dense", left):
            b = sa.asarray(Y).asformat(right)
            for operator in OPERATORS:
                _agree(operator(a, b), operator(X, Y))
                _agree(operator(a, b).asformat("csr"), operator(X, Y))
                _agree(operator(a, b).asformat("rle"), operator(X, Y))


def test_complex_zeros_keep_the_signs_of_both_parts():
    x = np.array([complex(re, im) for re in (0.0, -0.0) for im in (0.0, -0.0, 1.0)])
    with sa.options(strict_ieee=True):
        for format in ("list", "rle"):
            found = np.asarray(sa.asarray(x).asformat(format).todense())
            np.testing.assert_array_equal(np.signbit(found.real), np.signbit(x.real))
            np.testing.assert_array_equal(np.signbit(found.imag), np.signbit(x.imag))


def test_no_format_is_chosen_that_would_lose_a_sign():
    for row in ([0.0, -0.0], [-0.0, -0.0, 1.0], [2.0, 2.0, -0.0, 0.0]):
        with sa.options(strict_ieee=True, default_format="auto"):
            _agree(sa.asarray(row), np.array(row))
    assert sa.asarray([0.0, -0.0]).asformat("constant").tolist() == [0.0, 0.0]


def test_by_default_a_list_does_not_store_zeros_of_either_sign():
    assert sa.asarray(X).asformat("csr").nstored == np.count_nonzero(X)


def test_what_differs_from_a_fill():
    values = np.array([0.0, -0.0, 1.0, np.nan])
    assert differs(values, np.float64(0.0)).tolist() == [False, True, True, True]
    assert differs(values, np.float64(-0.0)).tolist() == [True, False, True, True]
    assert differs(values, np.float64(np.nan)).tolist() == [True, True, True, False]
    assert differs(np.array([0, 3]), np.int64(0)).tolist() == [False, True]


def test_zero_is_added_to_what_is_given() -> None:
    for zero in (0.0, -0.0):
        given = np.array([-0.0, 0.0, 1.0])
        with sa.options(tier="interpreted"):
            found = sa.loops(f"for i in range(3):\n    y[i] += {zero}", y=given).todense()
        np.testing.assert_array_equal(np.signbit(found), np.signbit(given + zero))
