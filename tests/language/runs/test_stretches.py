"""Statements over stretches of states, element by element, and bits of numbers."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import trailing_zeros
from structarr.errors import ProgramError

TIERS = ("interpreted", "compiled")


def moved(values, k):
    return k + values[0]


@sa.kernel
def combined(a, b, c, d, n):
    for i in range(n):
        a[i, 1:5] = a[i, 1:5] & b[i, 0:4] | b[0, 0]
        a[i, b[i, 0] & 3 : 5] ^= -1
        a[i, 3:3] += b[i, 3:3]
        a[i, 0:4] = a[i, 1:5] + i
        c[0:3] = np.sqrt(abs(c[0:3])) + b[i, 0:3]
        d[0:3] = (b[i, 0:3] < a[i, 0:3]) | d[1:4]
    return a, c, d


@sa.kernel
def by_numbers(a, b):
    for _i in range(1):
        a[0:3] = a[0:3] * a[1] + moved(b, a[2])
        a[b[0] : b[0] + 2] = -b[1:3]
    return a


@sa.kernel
def extremes(a, b, c, d):
    for i in range(len(a) - 1):
        a[i : i + 1] = np.maximum(a[i : i + 1], b[i])
        b[0:2] = np.minimum(b[0:2], b[1:3] + 1)
        c[0:4] = np.minimum(c[0:4], np.maximum(c[1:5], i))
        d[0:2] = np.minimum(d[0:2], d[1:3]) | np.maximum(d[0:2], a[0:2] > 1)
        c[4] = np.maximum(c[4], c[0])
    return a, b, c, d


@sa.kernel
def ones(words, places):
    count = 0
    for i in range(len(words)):
        rest = words[i]
        while rest != 0:
            bit = trailing_zeros(rest)
            places[count] = 64 * i + bit
            count += 1
            rest = rest & (-2 << bit) if bit < 63 else 0
    return count


@pytest.mark.parametrize("tier", TIERS)
def test_operators_are_applied_to_each_element(tier):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-(2**40), 2**40, (3, 8)) for _ in range(2))
    states = (a, b, rng.standard_normal(4), np.array([False, True, False, True]))
    with sa.options(tier=tier):
        found = combined(*[one.copy() for one in states], 3)
    plain = combined.py_func(*[one.copy() for one in states], 3)
    for got, wanted in zip(found, plain, strict=True):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("tier", TIERS)
def test_extremes_are_those_of_numpy(tier):
    a, b = np.array([5, -3, 2, 9], np.int32), np.array([1, 7, -(2**40)])
    c = np.array([3.0, np.nan, -1.0, np.inf, -0.0])
    states = (a, b, c, np.array([False, True, False]))
    with sa.options(tier=tier):
        found = extremes(*[one.copy() for one in states])
    plain = extremes.py_func(*[one.copy() for one in states])
    for got, wanted in zip(found, plain, strict=True):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("tier", TIERS)
def test_numbers_are_read_before_what_they_are_combined_with_is_written(tier):
    a, b = np.array([2, 3, 5, 7]), np.array([2, 11, 13])
    with sa.options(tier=tier):
        found = by_numbers(a.copy(), b)
    assert found.tolist() == by_numbers.py_func(a.copy(), b).tolist() == [13, 16, -11, -13]


@pytest.mark.parametrize("tier", TIERS)
def test_bits_are_found_from_the_lowest(tier):
    words = np.array([0, 1, -1, -(2**63), 2**63 - 1, 40])
    places = np.zeros(64 * len(words), np.int64)
    with sa.options(tier=tier):
        count = ones(words, places)
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    np.testing.assert_array_equal(places[:count], np.flatnonzero(bits))
    assert trailing_zeros(0) == 64 and trailing_zeros(np.int64(-(2**63))) == 63


@sa.kernel
def twice(a, b, n):
    for i in range(n):
        a[i : i + 3] = (a[i : i + 3] ^ b[i : i + 3]) + (a[i : i + 3] & b[i : i + 3])
        a[b[i] & 1 : 3] = b[b[i] & 1 : 3] - a[b[i] & 1 : 3]
        b[i] += 1
    return a, b


@pytest.mark.parametrize("tier", TIERS)
def test_stretches_that_are_named_twice_are_one(tier):
    a, b = np.arange(8), np.arange(8)[::-1].copy()
    with sa.options(tier=tier):
        found = twice(a.copy(), b.copy(), 4)
    for got, wanted in zip(found, twice.py_func(a.copy(), b.copy(), 4), strict=True):
        np.testing.assert_array_equal(got, wanted)
    (text,) = twice.sources
    assert text.count("stretch_at(") == 4  # once for each array of a statement


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "bool"])
def test_stretches_of_any_dtype(tier, dtype):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 2, (3, 8)).astype(dtype) for _ in range(2))

    @sa.kernel
    def program(a, b, n):
        for i in range(n):
            a[i, 1:6] = a[i, 1:6] ^ b[n - 1 - i, 2:7]
            a[i, 0:8] |= b[i, 0:8]
        return a

    with sa.options(tier=tier):
        found = program(a.copy(), b, 3)
    wanted = program.py_func(a.copy(), b, 3)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, wanted)


def _beyond(a, b):
    for i in range(2):
        a[i : i + 3] = b[i : i + 3] + 1


def _before(a, b):
    for i in range(2):
        a[0:2] = b[i - 1 : i + 1] + 1


def _longer(a, b):
    for i in range(1):
        a[i : i + 2] = b[i : i + 3] + 1


def _behind(a, b):
    for i in range(1):
        a[i + 1 : i + 3] = a[i : i + 2] + b[0:2]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        (_beyond, IndexError, "index 4 is out of bounds for axis 0 of a, of length 3"),
        (_before, IndexError, "index -1 is out of bounds for axis 0 of b, of length 3"),
        (_longer, ValueError, "stretches of one statement are equally long, not 2 and 3"),
        (_behind, ProgramError, "a stretch begins 1 elements before one of the same array"),
    ],
)
def test_stretches_that_are_refused(tier, function, kind, message):
    with sa.options(tier=tier), pytest.raises(kind, match=message):
        sa.kernel(function)(np.zeros(3, np.int64), np.zeros(3, np.int64))
