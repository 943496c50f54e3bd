"""What assignment and views share, and what they do not: the tables of docs/conventions.md."""

import copy
import operator
import pickle

import numpy as np
import pytest
import scipy.ndimage
import scipy.sparse

import structarr as sa

DATA = np.array([[0.0, 2, 0], [3, 0, 0], [0, 0, 1]])
FORMATS = ["dense", "csr", "csf", "rle", "bitmap", "coo", "band"]

VIEWS = {
    "row": lambda a: a[0],
    "slice": lambda a: a[1:, ::2],
    "all": lambda a: a[...],
    "transpose": lambda a: a.T,
    "reshape": lambda a: a.reshape(9),
    "same shape": lambda a: a.reshape(3, 3),
    "ravel": np.ravel,
    "flat": lambda a: a.flat,
    "real": lambda a: a.real,
    "positive": operator.pos,
    "squeeze": np.squeeze,
    "broadcast": lambda a: np.broadcast_to(a, (2, 3, 3)),
    "same broadcast": lambda a: np.broadcast_to(a, (3, 3)),
    "first of rows": lambda a: next(iter(a)),
    "same format": lambda a: a.asformat(a.format),
    "other format": lambda a: a.asformat("list"),
    "same dtype": lambda a: a.astype(a.dtype),
    "nothing rolled": lambda a: np.roll(a, 0),
    "nothing joined": lambda a: np.concatenate([a]),
    "nothing reduced": lambda a: np.apply_over_axes(np.sum, a, ()),
    "fill": lambda a: sa.with_fill(a, a.fill_value),
    "sum": lambda a: a + 1,
    "copy": lambda a: a.copy(),
    "np.copy": np.copy,
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda a: pickle.loads(pickle.dumps(a)),
    "asarray copy": lambda a: sa.asarray(a, copy=True),
}
SAME = {
    "name": lambda a: a,
    "asarray": sa.asarray,
    "its dtype": lambda a: sa.asarray(a, dtype=a.dtype),
    "its format": lambda a: sa.asarray(a, format=a.format),
    "compute": lambda a: a.compute(),
    "device": lambda a: a.to_device("cpu"),
}


def made(format, lazy):
    a = sa.asarray(DATA.copy(), format=format)
    return a * 1 if lazy else a


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("name", VIEWS)
def test_assignment_changes_no_other_array(name, lazy):
    with sa.options(tier="interpreted"):
        for format in FORMATS:
            a = made(format, lazy)
            b = VIEWS[name](a)
            before = VIEWS[name](sa.asarray(DATA)).todense()
            b[...] = 7
            assert np.array_equal(a.todense(), DATA), format
            b = VIEWS[name](a)
            a[...] = 9
            assert np.array_equal(b.todense(), before), format


@pytest.mark.parametrize("name", SAME)
def test_one_array_changes_under_all_its_names(name):
    for format in FORMATS:
        a = made(format, False)
        b = SAME[name](a)
        assert b is a
        b[0, 0] = 7
        assert float(a[0, 0]) == 7


IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ipow]
IN_PLACE += [operator.ifloordiv, operator.imod, operator.imatmul]


@pytest.mark.parametrize("operation", IN_PLACE)
def test_operators_in_place_make_another_array(operation):
    for format in FORMATS:
        a = b = made(format, False)
        row = a[0]
        a = operation(a, np.full((3, 3), 2.0))
        assert a is not b
        assert np.array_equal(b.todense(), DATA)
        assert np.array_equal(row.todense(), DATA[0])
        want = operation(DATA.copy(), np.full((3, 3), 2.0))
        assert np.array_equal(a.todense(), want, equal_nan=True)


SIZES = [3, 20_000]  # copied, and computed at once


@pytest.mark.parametrize("n", SIZES)
def test_an_array_shows_changes_of_the_memory_that_it_shares(n):
    x = np.zeros(n)
    shared, own = sa.asarray(x), sa.asarray(x, copy=True)
    later, computed = shared + 1, (shared + 1).compute()
    x[0] = 5
    assert float(shared[0]) == 5
    assert float(later[0]) == 6  # the one exception
    assert (float(own[0]), float(computed[0])) == (0, 1)
    shared[0] = 8
    assert x[0] == 5
    assert float(later[0]) == 6


@pytest.mark.parametrize("n", SIZES)
def test_operands_are_as_they_were_at_the_call(n):
    x, a = np.zeros(n), sa.asarray(np.zeros(n), format="list")
    results = [x + a, a - x, np.add(x, a), np.maximum(a, x), sa.where(a == 0, x, 1), np.flip(x + a)]
    results += [sa.concat([a, x])[n:], a * x]
    x[:] = 5
    assert all(not np.asarray(result).any() for result in results)


def test_scipys_memory():
    matrix = scipy.sparse.csr_array(DATA)
    shared, own = sa.asarray(matrix), sa.asarray(matrix, copy=True)
    matrix.data[0] = 5
    assert (float(shared[0, 1]), float(own[0, 1])) == (5, 2)
    shared[0, 1] = 6
    assert matrix.data[0] == 5


def test_what_is_handed_out():
    a = sa.asarray(DATA, format="csr")
    for dense in (a.todense(), np.array(a), np.asarray(a, dtype="float32"), a.__array__(copy=True)):
        dense[:] = 7
        assert np.array_equal(a.todense(), DATA)
    for dense in (np.asarray(a), a.__array__(), np.asarray(a, dtype=a.dtype)):
        with pytest.raises(ValueError, match="read-only"):
            dense[:] = 7
    assert np.asarray(a.sum()).flags.writeable  # as of NumPy's scalars
    matrix = a.to_scipy()
    with pytest.raises(ValueError, match="read-only"):
        matrix.data[0] = 7
    view = np.asarray(sa.asarray(DATA), copy=False)
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 7
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        np.asarray(a, copy=False)


@pytest.mark.parametrize("make", [lambda a: a, np.empty_like, lambda a: a.copy()])
def test_functions_in_c_do_not_write_into_a_copy(make):
    a = sa.asarray(DATA, format="csr")
    with pytest.raises(ValueError, match="read-only"):
        scipy.ndimage.gaussian_filter(a, 1, output=make(a))
    assert np.array_equal(a.todense(), DATA)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="it asks for a dtype")
def test_an_array_is_no_dtype():
    """SciPy takes outputs that are not NumPy's for dtypes."""
    output = np.zeros_like(sa.asarray(DATA, format="csr"), dtype="int32")
    for take in (np.dtype, lambda x: np.empty(2, x), lambda x: scipy.ndimage.label(x, output=x)):
        with pytest.raises(TypeError, match="Cannot construct a dtype from an array"):
            take(output)
    assert np.empty_like(output, dtype=output.dtype).dtype == "int32"


def test_what_asarray_gave_may_stand_for_its_array():
    a = sa.asarray(DATA, format="csr")
    given = np.asarray(a)
    assert np.may_share_memory(given, a) and np.may_share_memory(a, given)
    assert not np.shares_memory(given, a)
    assert not np.may_share_memory(np.array(a), a)
    assert not np.may_share_memory(given[:1], a)
    assert not np.may_share_memory(a, sa.asarray(DATA, format="csr", copy=True))
    x = np.zeros(3)
    assert np.may_share_memory(sa.asarray(x), x)


DENSE = np.arange(1.0, 10).reshape(3, 3)
DENSE_RESULTS = {
    "product": lambda a, d: a @ d,
    "vector": lambda a, d: a @ d[0],
    "sum": lambda a, d: a.sum(axis=0),
    "of vectors": lambda a, d: sa.asarray(d) * 2,
    "transposed": lambda a, d: (a @ d).compute().T,
    "row": lambda a, d: (a @ d).compute()[1],
    "reshaped": lambda a, d: (a @ d).compute().reshape(9),
    "by NumPy": lambda a, d: sa.asarray(d) @ sa.asarray(d),
    "scanned": lambda a, d: np.cumsum(sa.asarray(d), axis=0),
    "sorted": lambda a, d: np.argsort(sa.asarray(d), axis=0),
    "large": lambda a, d: sa.asarray(np.ones((200, 200))) * 2,
}


@pytest.mark.parametrize("name", DENSE_RESULTS)
def test_a_view_of_a_dense_result_can_never_be_written(name):
    with sa.options(tier="interpreted"):
        result = DENSE_RESULTS[name](sa.asarray(DATA, format="csr"), DENSE.copy())
        view = np.asarray(result)
        before = view.copy()
        for one in (view, view[...], view.view(), view.T):
            assert not one.flags.writeable
            with pytest.raises(ValueError, match="WRITEABLE"):
                one.flags.writeable = True
        for fresh in (np.array(result), result.todense(), np.asarray(result, dtype="float32")):
            fresh[...] = 7
        assert np.array_equal(view, before) and np.array_equal(np.asarray(result), before)
        result[...] = 5  # another value for the array, and none for the view
        assert np.array_equal(view, before)


def test_a_view_outlives_the_memory_of_its_result():
    with sa.options(tier="interpreted"):
        view = np.asarray(sa.asarray(np.ones((200, 200))) * 2)
        others = [(sa.asarray(np.ones((200, 200))) * k).compute() for k in (3, 4)]
    assert len(others) == 2 and (view == 2).all()


def test_memory_of_others_is_copied_though_an_expression_leaves_it_as_it_is():
    x = np.ones((2, 3))
    for array in (sa.asarray(x), sa.asarray(x).T, sa.asarray(x)[...], sa.asarray(x).reshape(6)):
        dense = np.asarray(array)
        x[0, 0] = 9
        assert dense.flat[0] == 1 and not np.shares_memory(dense, x)
        x[0, 0] = 1


def test_a_cast_to_the_same_dtype_without_a_copy_is_the_array_itself():
    a = sa.asarray(DATA, format="csr")
    assert a.astype(a.dtype, copy=False) is a and sa.astype(a, a.dtype, copy=False) is a
    for other in (a.astype(a.dtype), a.astype("float32", copy=False)):
        assert other is not a


def test_results_are_written_into_numpys_arrays_alone():
    a, out = sa.asarray(DATA, format="csr"), np.zeros((3, 3))
    assert np.add(a, 1, out=out) is out
    assert np.array_equal(out, DATA + 1)
    with pytest.raises(TypeError, match="out must be a NumPy array"):
        np.add(a, 1, out=a)


def test_what_was_made_without_a_copy_is_refused_where_one_is_needed():
    assert sa.asarray(DATA, copy=False).todense().tolist() == DATA.tolist()
    for given in ({"format": "csr"}, {"dtype": "float32"}):
        with pytest.raises(ValueError, match="copy"):
            sa.asarray(DATA, copy=False, **given)
