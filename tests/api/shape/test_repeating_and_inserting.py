"""repeat, delete, insert, append, pad and piecewise of every format, beside NumPy."""

import numpy as np
import pytest

import structarr as sa

MATRIX = np.array([[1.0, 0, 0, 2], [0, 0, 3, 0], [0, 5, 0, 0]])
VECTOR = np.array([0.0, 1, 0, 3, 0])
FORMATS = ["dense", "list", "csc", "coo", "csf", "rle", "bitmap", "hash", "vbl", "constant"]
REPEATS = [0, 1, 3, [2], [1, 0, 2], [0, 1, 2, 3], [1, 2, 0, 1, 1], -1, [1, -1, 1], [], [[1, 2]]]
PLACES = [0, -1, 1, 7, [0, 2], [-1, 0], [1, 1], [], np.array([], int), np.int64(1), [5, 0]]
PLACES += [slice(0, 2), slice(None, None, 2), slice(None, None, -2), slice(3, 1, -1), slice(None)]
PLACES += [np.array([True, False, True]), np.array([True, False, True, False, False])]
VALUES = [9, 0, [7, 8], [[1], [2]], [1, 2, 3], [1, 2, 3, 4], 300.5]


REFUSALS = (ValueError, IndexError, TypeError)


def same(function, a, x):
    """What NumPy returns, or an error where it raises one."""
    try:
        want = function(x)
    except REFUSALS:
        with pytest.raises(REFUSALS):
            function(a)
        return
    found = function(a)
    assert found.dtype == want.dtype
    assert found.shape == want.shape
    assert np.array_equal(found.todense(), want)


def arrays(format):
    for x in (MATRIX, VECTOR, MATRIX[:, :0], VECTOR[:0], np.full((2, 3), 4.0)):
        if (format == "constant" and len(np.unique(x)) > 1) or (format == "csc" and x.ndim < 2):
            continue
        yield sa.asarray(x, format=format), x


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("format", FORMATS)
def test_repeat(format):
    for a, x in arrays(format):
        for axis in (None, *range(x.ndim), -1):
            for times in REPEATS:
                same(lambda v, times=times, axis=axis: np.repeat(v, times, axis=axis), a, x)


@pytest.mark.parametrize("format", FORMATS)
def test_delete(format):
    for a, x in arrays(format):
        for axis in (None, *range(x.ndim)):
            for obj in PLACES:
                same(lambda v, obj=obj, axis=axis: np.delete(v, obj, axis=axis), a, x)


@pytest.mark.parametrize("format", FORMATS)
def test_insert(format):
    for a, x in arrays(format):
        for axis in (None, x.ndim - 1):
            for obj in PLACES[::2]:
                for value in VALUES[::2]:
                    same(lambda v: np.insert(v, obj, value, axis=axis), a, x)  # noqa: B023


def check_pad(format, mode, length):
    x = VECTOR[1 : length + 1] if format != "constant" else np.full(length, 2.0)
    x = np.resize(x, (2, length))
    a = sa.asarray(x, format=format)
    for width in ((0, 1), (3, 0), (length - 1, length), (2 * length + 1, 3 * length)):
        same(lambda v, width=width: np.pad(v, ((0, 0), width), mode), a, x)
        same(lambda v, width=width: np.pad(v, (width, (1, 0)), mode), a, x)


@pytest.mark.parametrize("mode", ["edge", "wrap", "reflect", "symmetric"])
def test_pad_by_copies_of_any_width(mode):
    for length in (1, 2, 5):
        x = np.resize(VECTOR[1 : length + 1], length)
        a = sa.asarray(x, format="list")
        for width in ((0, 1), (3, 0), (length - 1, length), (2 * length + 1, 3 * length)):
            same(lambda v, width=width: np.pad(v, width, mode), a, x)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["edge", "wrap", "reflect", "symmetric"])
@pytest.mark.parametrize("format", FORMATS)
def test_pad_by_copies_in_every_format(format, mode):
    for length in (1, 2, 5):
        check_pad(format, mode, length)


def check_piecewise(arrays, number=slice(None)):
    conditions = [lambda v: [v > 0], lambda v: [v > 0, v < 0], lambda v: [v <= 0, v == 5]]
    conditions += [lambda v: v > 1]
    functions = [[7.0, lambda p: p], [lambda p: -p, lambda p: p * 0 + 3, 9], [lambda p: p * 2 + 1]]
    functions += [[lambda p: p.sum(), lambda p: p + 1]]
    for a, x in arrays:
        for condition in conditions[number]:
            for chosen in functions[number]:
                same(lambda v: np.piecewise(v, condition(v), chosen), a, x)  # noqa: B023


@pytest.mark.parametrize("format", ["dense", "list", "rle", "bitmap"])
def test_piecewise(format):
    for number in (0, 1, 3):
        check_piecewise(list(arrays(format))[:1], slice(number, number + 1))


@pytest.mark.long
@pytest.mark.parametrize("format", FORMATS)
def test_every_piecewise(format):
    check_piecewise(arrays(format))


def test_what_leaves_something_out_keeps_its_format():
    a = sa.asarray(MATRIX, format="csr")
    for b in (np.repeat(a, 2, 1), np.delete(a, 1, 1), np.insert(a, 1, 7, 0), np.pad(a, 9, "edge")):
        assert b.format == "csr"
    assert np.piecewise(a, [a > 1], [7.0, lambda part: part]).format == "csr"


def test_coordinates_grow_wider_where_an_axis_outgrows_them():
    a = sa.from_coordinates(
        (np.array([0, 2**31 - 2], "int32"),), np.ones(2), (2**31 - 1,), format="list"
    )
    b = np.pad(np.repeat(a, 3), 5, "wrap")
    assert b.shape == (3 * (2**31 - 1) + 10,)
    assert np.flatnonzero(b).tolist()[:8] == [2, 3, 4, 5, 6, 7, 6442450943, 6442450944]
    assert b.nstored == 12
