"""Conversions of special values to every dtype, stored, as fills and as numbers, against NumPy."""

import numpy as np
import pytest

import structarr as sa

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES += ["float32", "float64", "complex64", "complex128"]
REAL = [0.0, -0.0, 1.5, -1.5, np.nan, np.inf, -np.inf, 127.9, 128.0, 256.0, 300.0, -129.0, -300.0]
REAL += [65536.0, 2.0**31, -(2.0**31) - 1024, 2.0**32, 2.0**33 + 1024, 2.0**62, 2.0**63, -(2.0**63)]
REAL += [2.0**64, -(2.0**64), 1e30, -1e30, 1e-40]


def special(dtype):
    """Values at which conversions are apt to go wrong."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return np.array([True, False])
    if kind.kind in "iu":
        bounds = np.iinfo(kind)
        return np.array([bounds.min, bounds.max, 0, 1, bounds.max // 2 + 1, 3, 127], kind)
    if kind.kind == "f":
        return np.array(REAL, kind)
    parts = [complex(a, b) for a in (0.0, 1.0, np.nan, np.inf) for b in (1.0, np.nan, -np.inf)]
    return np.array([*map(complex, REAL), *parts], kind)


def converted(values, dtype):
    """NumPy's conversion, one by one: of many at once it goes other ways to uint32."""
    if values.dtype.kind == "c" and np.dtype(dtype).kind not in "cb":
        values = values.real  # NumPy would warn
    with np.errstate(all="ignore"):
        parts = [values[k : k + 1].astype(dtype) for k in range(len(values))]
    return np.concatenate(parts)


def same(found, want, signs=True):
    """Whether two arrays are equal to the bit, up to the payload of NaN."""
    found, want = np.asarray(found), np.asarray(want)
    equal = bool(((found == want) | ((found != found) & (want != want))).all())
    if signs and want.dtype.kind == "f":
        known = want == want
        equal &= np.array_equal(np.signbit(found)[known], np.signbit(want)[known])
    return found.dtype == want.dtype and equal


def check_stored(source, target, format):
    values = special(source)
    fill = {} if format == "dense" else {"fill_value": values.dtype.type(1)}
    a = sa.asarray(values, format=format, **fill)
    assert same(a.astype(target).todense(), converted(values, target))


def check_fill(source, target, value):
    values = np.array([value, value], source)
    want = converted(values, target)
    for a in (sa.asarray(values, format="list", fill_value=values[0]), sa.full(2, values[0])):
        assert same(a.astype(target).todense(), want)
    assert same(sa.asarray(values[0]).astype(target).todense(), want[0])


@pytest.mark.parametrize("target", DTYPES)
def test_stored_values_become_those_of_numpy(target):
    with sa.options(tier="interpreted", strict_ieee=True):
        for source in DTYPES:
            check_stored(source, target, "dense")


@pytest.mark.parametrize("target", ["uint8", "uint64"])
def test_compiled_kernels_convert_as_interpreted_ones_do(target):
    with sa.options(tier="compiled", strict_ieee=True):
        check_stored("float64", target, "dense")


@pytest.mark.parametrize("target", ["bool", "int16", "uint64", "float32"])
@pytest.mark.parametrize("value", [-np.inf, np.inf, np.nan, -0.0, -300.0, 2.0**40])
def test_fills_and_numbers_become_those_of_numpy(target, value):
    with sa.options(tier="interpreted", strict_ieee=True):
        check_fill("float64", target, value)


@pytest.mark.parametrize("format", ["dense", "list", "rle", "bitmap", "coo"])
@pytest.mark.parametrize("fill", [-np.inf, np.inf, np.nan, 0.0])
def test_the_truth_of_special_values_is_that_of_numpy(format, fill):
    x = np.array([-np.inf, np.inf, np.nan, 0.0, -np.inf, 1.0])
    questions = [np.all, np.any, np.logical_not, np.count_nonzero, lambda v: v.astype(bool)]
    questions += [lambda v: np.where(v, 1, 2), lambda v: np.logical_and(v, True)]
    questions += [lambda v: np.nonzero(v)[0]]
    with sa.options(tier="interpreted"):
        a = sa.asarray(x, format=format, fill_value=fill)
        b = sa.full(3, fill)
        for asked in questions:
            assert np.array_equal(np.asarray(asked(a)), asked(x))
            assert np.array_equal(np.asarray(asked(b)), asked(np.full(3, fill)))


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_places_wrap_around_in_narrow_integers(tier):
    data = np.arange(300).astype("i1")
    with sa.options(tier=tier):
        made = sa.loops("y[i] = A[i] + i", A=sa.asarray(data)).todense()
    assert np.array_equal(made, data + np.arange(300).astype("i1"))


@pytest.mark.long
@pytest.mark.parametrize("target", DTYPES)
@pytest.mark.parametrize("source", DTYPES)
def test_every_value_of_every_dtype(source, target):
    for tier in ("interpreted", "compiled"):
        with sa.options(tier=tier, strict_ieee=True):
            for format in ("dense", "list", "rle", "bitmap", "coo", "band", "packbits"):
                check_stored(source, target, format)
    with sa.options(tier="interpreted", strict_ieee=True):
        for value in special(source):
            check_fill(source, target, value)
