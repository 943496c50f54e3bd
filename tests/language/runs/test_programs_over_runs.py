"""Programs over runs: that compiled loops do what the functions themselves do in plain Python."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import structarr as sa
from structarr import runs
from structarr.errors import ProgramError

TIERS = ("interpreted", "compiled")
FORMATS = ("sparse-rle", "rle", "packbits", "csr", "dense", "bitmap")


def _image(seed, shape=(7, 11), values=3):
    return np.random.default_rng(seed).integers(0, values, shape)


@sa.kernel
def doubled(A):
    found = sa.zeros(A.shape, dtype=np.int64)
    for i in range(A.shape[0]):
        for start, stop, value in runs(A[i]):
            found[i, start:stop] = 2 * value
    return found


@sa.kernel
def height(A):
    """How many rows up to each one an element has been set, one after the other."""
    found = sa.zeros(A.shape, dtype=np.int32)
    for i in range(A.shape[0]):
        if i == 0:
            for start, stop, _value in runs(A[0]):
                found[0, start:stop] = 1
        else:
            for start, stop, value, above in runs(A[i], found[i - 1]):
                if value != 0:
                    found[i, start:stop] = above + 1
    return found


@sa.kernel
def pieces(A, B):
    table = np.zeros((5, 5), np.int64)
    count = 0
    longest = 0.0
    for i in range(A.shape[0]):
        for start, stop, a, b in runs(A[i], B[i]):
            table[a, b] += stop - start
            count += 1
            longest = max(longest, float(stop - start))
    return table, count, longest


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("format", FORMATS)
def test_kernels_do_what_their_functions_do(tier, format):
    a, b = _image(0), _image(1, values=5)
    with sa.options(tier=tier):
        A, B = (sa.asarray(one, format=format) for one in (a, b))
        for function, given, plain in ((doubled, (A,), (a,)), (height, (A,), (a,))):
            got, wanted = function(*given), function.py_func(*plain)
            assert got.format == "sparse-rle" and got.dtype == wanted.dtype
            np.testing.assert_array_equal(got.todense(), wanted.todense())
        for got, wanted in zip(pieces(A, B), pieces.py_func(a, b), strict=True):
            np.testing.assert_array_equal(got, wanted)
            assert type(got) is type(wanted)


def test_adjoining_runs_of_one_value_are_one():
    A = sa.asarray(np.repeat([[1, 2, 0]], 4, axis=1))
    one = sa.kernel(_ones)(A)
    assert one.nstored == 1 and one.todense().tolist() == [[1] * 8 + [0] * 4]


def _ones(A):
    found = sa.zeros(A.shape, dtype=np.int64)
    for start, stop, _value in runs(A[0]):
        found[0, start:stop] = 1
    return found


@pytest.mark.parametrize("tier", TIERS)
def test_room_grows_and_states_begin_again(tier):
    with sa.options(tier=tier):
        A = sa.asarray(np.ones((1, 1000), np.int8), format="sparse-rle")
        counts = np.zeros(1, np.int64)
        found = _every_other(A, counts)
    assert found.nstored == 500 and counts[0] == 500
    np.testing.assert_array_equal(found.todense()[0], np.arange(1000) % 2)


@sa.kernel
def _every_other(A, counts):
    found = sa.zeros(A.shape, dtype=np.int64)
    for start, stop, _value in runs(A[0]):
        for x in range(start, stop):
            if x % 2 == 1:
                found[0, x : x + 1] = 1
                counts[0] += 1
    return found


def _root(parent, node):
    while parent[node] != node:
        node = parent[node]
    return node


def _parity(x):
    if x % 2 == 0:
        return 10
    return 20


@sa.kernel
def called(A, parent):
    total = 0
    for i in range(A.shape[0]):
        for _start, _stop, value in runs(A[i]):
            total += _root(parent, value) * _parity(i)
    return total


@pytest.mark.parametrize("tier", TIERS)
def test_plain_functions_are_compiled_along(tier):
    a, parent = _image(2), np.array([0, 0, 1])
    with sa.options(tier=tier):
        assert called(sa.asarray(a), parent) == called.py_func(a, parent)


@sa.kernel
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@sa.kernel
def filled(rows, lo, hi):
    for i in range(rows.shape[0]):
        rows[i, lo[i] : hi[i]] = 7
    return rows


@pytest.mark.parametrize("tier", TIERS)
def test_loops_without_runs_have_state_too(tier):
    with sa.options(tier=tier):
        assert collatz(27) == 111 == collatz.py_func(27)
        rows = filled(np.zeros((3, 5), np.uint8), np.array([0, 2, 4]), np.array([1, 2, 5]))
    assert rows.tolist() == [[7, 0, 0, 0, 0], [0] * 5, [0, 0, 0, 0, 7]]


def test_volumes_and_single_rows_have_runs():
    volume = _image(3, (2, 3, 5))
    assert _total(sa.asarray(volume)) == volume.sum()
    assert _row_total(sa.asarray(volume[0, 0])) == volume[0, 0].sum()


@sa.kernel
def _total(A):
    total = 0
    for z in range(A.shape[0]):
        for y in range(A.shape[1]):
            for start, stop, value in runs(A[z, y]):
                total += value * (stop - start)
    return total


@sa.kernel
def _row_total(A):
    total = 0
    for start, stop, value in runs(A):
        total += value * (stop - start)
    return total


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "uint32", "float32", "float64"])
def test_values_keep_their_dtypes(dtype):
    a = _image(4).astype(dtype)
    found = _copied(sa.asarray(a))
    assert found.dtype == dtype
    np.testing.assert_array_equal(found.todense(), a)


@sa.kernel
def _copied(A):
    found = sa.zeros(A.shape, dtype=A.dtype)
    for i in range(A.shape[0]):
        for start, stop, value in runs(A[i]):
            found[i, start:stop] = value
    return found


def test_arrays_without_elements_and_fills_other_than_zero():
    assert _copied(sa.asarray(np.zeros((0, 4)))).shape == (0, 4)
    assert _copied(sa.asarray(np.zeros((3, 0)))).shape == (3, 0)
    ones = sa.asarray(np.array([[1, 1, 5]]), format="sparse-rle", fill_value=1)
    assert _copied(ones).todense().tolist() == [[0, 0, 5]]  # runs are of what is not the fill


def test_runs_are_those_of_plain_python():
    assert list(runs([0, 3, 3, 0])) == [(1, 3, 3)]
    assert list(runs([])) == []
    with pytest.raises(ValueError, match="equally long"):
        runs([1], [1, 2])
    with pytest.raises(ValueError, match="one axis"):
        runs([[1]])


def test_texts_of_loops_can_be_read():
    doubled(sa.asarray(_image(0)))
    assert any("put_run(found__ptr" in one for one in doubled.sources)
    assert repr(doubled) == "<structarr kernel doubled over runs>"
    assert doubled.__doc__ is None and doubled.__name__ == "doubled"
    with pytest.raises(TypeError, match="its attribute `sources`"):
        sa.explain(doubled)


# ------------------------------------------------------------------------- refusals


def _outside(A):
    total = 0
    for i in range(A.shape[0] + 1):
        for _start, _stop, value in runs(A[i]):
            total += value
    return total


def _backward(A):
    found = sa.zeros(A.shape, dtype=np.int64)
    for i in range(A.shape[0]):
        for _start, _stop, value in runs(A[i]):
            found[0, 0:1] = value
    return found


def _unequal(A):
    total = 0
    B = A[:, 1:]
    for _start, _stop, a, b in runs(A[0], B[0]):
        total += a * b
    return total


def _divides(A):
    total = 0
    for start, _stop, value in runs(A[0]):
        total += value // start
    return total


def _beyond(A):
    found = sa.zeros(A.shape, dtype=np.int64)
    for start, stop, value in runs(A[0]):
        found[0, start + 1 : stop + 1] = value
    return found


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        (_outside, IndexError, "index 1 is out of bounds for axis 0 of A, of length 1"),
        (_backward, ProgramError, "runs are written in the order of rows"),
        (_unequal, ValueError, "as long as each other, not 3 and 2"),
        (_divides, ZeroDivisionError, "division by zero"),
        (_beyond, IndexError, "index 4 is out of bounds for axis 1 of found, of length 3"),
    ],
)
def test_errors_of_kernels_show_their_place(tier, function, kind, message):
    with sa.options(tier=tier), pytest.raises(kind, match=message) as told:
        sa.kernel(function)(sa.asarray(np.array([[1, 2, 3]])))
    assert f"in {function.__name__}" in str(told.value)


def _unbound(A):
    for i in range(A.shape[0]):
        for _start, _stop, value in runs(A[i]):
            last = value
    return last


def _maybe(A):
    total = 0
    for _start, _stop, value in runs(A[0]):
        if value > 1:
            found = value
        total += found
    return total


def _becomes_float(A):
    total = 0
    for _start, _stop, value in runs(A[0]):
        total += value / 2
    return total


def _wrong_targets(A):
    total = 0
    for start, _stop in runs(A[0]):
        total += start
    return total


def _unknown(A):
    total = 0
    for _start, _stop, value in runs(A[0]):
        total += np.median(value)
    return total


def _elements(A):
    total = 0
    for _start, _stop, value in runs(A[0]):
        total += A[0, value]
    return total


def _written_twice(A):
    found = sa.zeros(A.shape, dtype=np.int64)
    for start, stop, value in runs(A[0]):
        found[0, start:stop] = value
    for start, stop, value in runs(A[0]):
        found[0, start:stop] = value
    return found


def _float_into_integers(A):
    found = sa.zeros(A.shape, dtype=np.int64)
    for start, stop, value in runs(A[0]):
        found[0, start:stop] = value * 0.5
    return found


def _again(x):
    return _again(x - 1) if x > 0 else 0


def _recursive(A):
    total = 0
    for _start, _stop, value in runs(A[0]):
        total += _again(value)
    return total


def _text(A):
    name = "a"
    total = 0
    for _start, _stop, _value in runs(A[0]):
        total += len(name)
    return total


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (_unbound, "last is read after this loop: give it a value before"),
        (_maybe, "found may have no value here"),
        (_becomes_float, "total is a whole number and would become a float"),
        (_wrong_targets, "with a value for each row"),
        (_unknown, "median is no function of programs over runs"),
        (_elements, "A is stored as runs: read its rows by"),
        (_written_twice, "found holds something already"),
        (_float_into_integers, "a float does not go into int64"),
        (_recursive, "a function that calls itself is not supported"),
        (_text, "name is str"),
    ],
)
def test_what_is_not_of_the_language_is_refused(function, message):
    with pytest.raises(ProgramError, match=message):
        sa.kernel(function)(sa.asarray(np.array([[1, 2, 3]])))


def test_states_are_arrays_that_the_loop_may_write_into():
    a = np.zeros((4, 5), np.int64)
    with pytest.raises(ProgramError, match="not contiguous"):
        filled(a[:, ::2], np.zeros(4, np.int64), np.ones(4, np.int64))
    with pytest.raises(ProgramError, match="share memory"):
        filled(a, a[:, 0].copy(), a.reshape(-1)[:4])
    a.flags.writeable = False
    with pytest.raises(ProgramError, match="read-only"):
        filled(a, np.zeros(4, np.int64), np.ones(4, np.int64))
    with pytest.raises(TypeError, match="complex128"):
        _total(sa.asarray(np.ones((1, 1, 2), np.complex128)))
    with pytest.raises(OverflowError, match=r"2\*\*63"):
        _row_total(sa.asarray(np.array([1 << 63], np.uint64)))


def test_the_kernel_of_the_last_call_is_not_taken_for_other_kinds():
    """Values of another kind, dtype or order, functions, and arrays that nobody may write."""
    a, b = _image(0), _image(1, values=5)
    rows, others = sa.asarray(a, format="sparse-rle"), sa.asarray(b, format="sparse-rle")
    for one, other in ((rows, others), (a, b), (rows, a), (rows.astype(np.int8), others)):
        for _ in range(2):
            table, count, longest = pieces(one, other)
            wanted = pieces.py_func(np.asarray(one), np.asarray(other))
            np.testing.assert_array_equal(table, wanted[0])
            assert (count, longest) == wanted[1:]
    state = np.zeros((3, 4))
    for given in (state, state.astype(np.int32), np.asfortranarray(state), state):
        if given.flags.c_contiguous:
            marked(given, 1)
            assert given[1].all()
        else:
            with pytest.raises(ProgramError, match="is not contiguous"):
                marked(given, 1)
    state.flags.writeable = False
    with pytest.raises(ProgramError, match="is read-only"):
        marked(state, 1)
    with pytest.raises(ProgramError, match="whole number"):
        marked(np.zeros((3, 4)), 1.0)


@sa.kernel
def marked(state, row):
    for _ in range(1):
        state[row, 0:4] = 1


def test_a_program_does_not_keep_what_it_was_called_for():
    state = np.zeros((3, 4))
    marked(state, 1)
    marked(state, 1)
    kept = weakref.ref(state)
    del state
    gc.collect()
    assert kept() is None
