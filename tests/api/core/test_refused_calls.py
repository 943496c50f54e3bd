"""Calls that are refused: by which error, and what it says."""

import numpy as np
import pytest

import structarr as sa
from structarr import errors

NAMES = {
    "np": np,
    "sa": sa,
    "a": sa.asarray(np.arange(6.0).reshape(2, 3), format="csr"),
    "v": sa.asarray([0.0, 1.0, 2.0], format="list"),
    "c": sa.asarray([1j, 2]),
    "m": sa.asarray([True, False, True]),
}

REFUSED = {
    "sa.roll(v, [[0, 1]], 0)": (ValueError, "shift and axis must be integers or sequences"),
    "sa.select([m], [v, v])": (
        ValueError,
        "list of cases must be same length as list of conditions",
    ),
    "sa.select([], [])": (ValueError, "select with an empty condition list is not possible"),
    "sa.choose([0,1], [])": (ValueError, "need at least one array to choose from"),
    "sa.isposinf(c)": (
        TypeError,
        "This operation is not supported for complex128 values because it",
    ),
    "np.exp(v, out=[1])": (TypeError, "out must be a NumPy array, not list"),
    "sa.sum(v, out=[1])": (TypeError, "out must be a NumPy array, not list"),
    "sa.diags([np.ones((2,2))],[0])": (
        ValueError,
        "each of the diagonals must be a vector or a number",
    ),
    "sa.from_pandas([1])": (TypeError, "from_pandas takes an object of pandas, not list"),
    "sa.nan_to_num(c, posinf=float('inf'))": (
        TypeError,
        "nan_to_num of complex128 takes finite numbers in place of others",
    ),
    'sa.finfo("float32").nothing': (AttributeError, "'finfo' object has no attribute 'nothing'"),
    "sa.insert(v,[0.5],1)": (
        IndexError,
        "arrays used as indices must be of integer (or boolean) type",
    ),
    "sa.insert(v,[[0]],1)": (
        ValueError,
        "index array argument obj to insert must be one dimensional or scalar",
    ),
    "sa.insert(v,np.ones((2,2),bool),1)": (
        ValueError,
        "boolean array argument obj to insert must be one dimensional",
    ),
    'sa.pad(v,1,mode="constant",reflect_type="even")': (
        ValueError,
        "unsupported keyword arguments for mode 'constant': {'reflect_type'}",
    ),
    'sa.pad(v,1,mode="reflect",reflect_type="odd")': (
        NotImplementedError,
        'pad: reflect_type must be "even"',
    ),
    'sa.pad(sa.asarray(np.zeros((0,))),1,mode="edge")': (
        ValueError,
        "can't extend empty axis 0 using modes other than 'constant' or 'empty'",
    ),
    "sa.pad(v,((1,2,3),))": (
        ValueError,
        "pad_width ((1, 2, 3),) does not fit 1 axes: give a number, a pair, or",
    ),
    'sa.take(v,[0],mode="no")': (ValueError, 'mode must be "raise", "wrap" or "clip", not \'no\''),
    "sa.take_along_axis(a,[0],axis=0)": (
        ValueError,
        "`indices` and `arr` must have the same number of dimensions",
    ),
    "sa.compress([[True]],v)": (ValueError, "condition must be a 1-d array"),
    "sa.nonzero(sa.asarray(3))": (ValueError, "Calling nonzero on 0d arrays is not allowed: use"),
    "sa.cov(np.ones((2,2,2)))": (ValueError, "m has more than 2 dimensions"),
    "sa.cov(np.ones((2,2)),np.ones((2,2,2)))": (ValueError, "y has more than 2 dimensions"),
    "sa.cov(np.ones((2,3)),fweights=np.ones((2,2),int))": (
        RuntimeError,
        "cannot handle multidimensional fweights",
    ),
    "sa.cov(np.ones((2,3)),fweights=np.ones(2,int))": (
        RuntimeError,
        "incompatible numbers of samples and fweights",
    ),
    "sa.vdot(v,[1.,2.])": (ValueError, "vdot: operands of 3 and 2 elements; give as many"),
    "sa.cross(sa.asarray(3.),v)": (ValueError, "At least one array has zero dimension"),
    'sa.operator(lambda a,b:a+b,identity="x")': (
        TypeError,
        "left_identity must be a number, not 'x'",
    ),
    "sa.warmup(3)": (TypeError, "warmup takes arrays, not int"),
    "sa.average(np.ones((2,3)),axis=(0,1),weights=np.ones((3,2)))": (
        ValueError,
        "Shape of weights must be consistent with shape of a along specified",
    ),
    "sa.gradient(v,np.ones((2,2)))": (ValueError, "distances must be either scalars or 1d"),
    "sa.gradient([1.])": (
        ValueError,
        "Shape of array too small to calculate a numerical gradient, at least",
    ),
    "sa.reduce(sa.operator(lambda a: -a), v)": (
        TypeError,
        "reduce takes an operator of two operands; function has 1",
    ),
    "sa.sum(v, where=np.ones((2,2),bool))": (
        ValueError,
        "shape mismatch: objects cannot be broadcast to a single shape. ",
    ),
    "sa.histogram(v, weights=[1.])": (ValueError, "weights should have the same shape as a."),
    "sa.searchsorted(sa.asarray(3.), 1)": (
        ValueError,
        "x1 must be a vector, not of 0 axes; give a.ravel()",
    ),
    "sa.stack([])": (ValueError, "need at least one array to stack"),
    'sa.reshape(a,(3,2),order="x")': (ValueError, "order must be 'C', 'F' or 'A', not 'x'"),
    'sa.meshgrid([1],[2],indexing="x")': (ValueError, "indexing must be 'xy' or 'ij', not 'x'"),
    "sa.reshape(a,(3,2),copy=False)": (
        ValueError,
        "reshape from (2, 3) to (3, 2) moves data: leave copy out",
    ),
    "sa.rot90(v)": (np.exceptions.AxisError, "axis 1 is out of bounds for array of dimension 1"),
    "sa.rot90(a,axes=(0,))": (ValueError, "len(axes) must be 2."),
    "sa.fliplr(v)": (ValueError, "Input must be >= 2-d."),
    "sa.diff(sa.asarray(3.))": (ValueError, "diff requires input that is at least one dimensional"),
    "sa.array_split(v,0)": (ValueError, "number sections must be larger than 0."),
    "sa.hsplit(sa.asarray(3.),1)": (
        ValueError,
        "hsplit only works on arrays of 1 or more dimensions",
    ),
    "sa.vsplit(v,1)": (ValueError, "vsplit only works on arrays of 2 or more dimensions"),
    "sa.dsplit(a,1)": (ValueError, "dsplit only works on arrays of 3 or more dimensions"),
    "sa.unstack(sa.asarray(3.))": (ValueError, "Input array must be at least 1-d."),
    "sa.min(sa.asarray([],dtype=float))": (
        ValueError,
        "zero-size array to reduction operation minimum which has no identity;",
    ),
    "np.bitwise_and(v,v)": (TypeError, "bitwise_and is not defined for float64, float64"),
    "sa.bitwise_and(v,v)": (TypeError, "bitwise_and is not defined for float64, float64"),
    'sa.asarray(a,format="symmetric")': (
        errors.FormatError,
        "format symmetric is for square matrices, not shape (2, 3)",
    ),
    'sa.asarray(np.ones((2,3)),format="hermitian")': (
        errors.FormatError,
        "format hermitian is for square matrices, not shape (2, 3)",
    ),
    'sa.asarray([1.,2.],format=sa.formats.Function(op="add",count=1))': (
        errors.FormatError,
        "format Function(op='add', count=1): Function cannot be written",
    ),
    "np.frompyfunc(lambda p, q: p, 2, 1).reduce(v)": (
        TypeError,
        "ufunc '<lambda> (vectorized)' is not supported for structarr arrays: it is none of",
    ),
    "sa.from_ragged([3., 1.], [0, 1, 2], shape=(3, 1))": (
        ValueError,
        "shape (3, 1) does not fit the offsets, of (2, 1)",
    ),
    "sa.from_ragged([[3.], [1.]], [0, 1, 2])": (
        errors.FormatError,
        "values must have one axis, not shape (2, 1)",
    ),
    "sa.put_along_axis(a, [[[0]]], 1, axis=1)": (
        ValueError,
        "`indices` and `arr` must have the same number of dimensions",
    ),
    "sa.put_along_axis(a, [[0]], 1, axis=None)": (
        ValueError,
        "when axis=None, `indices` must have one dimension",
    ),
    "sa.cov(a, fweights=[1.5, 1, 1])": (TypeError, "fweights must be integer"),
    "sa.linalg.solve(sa.asarray([[1., 0, 0], [2, 0, 0], [0, 0, 3]], format='csr'), np.ones(3))": (
        np.linalg.LinAlgError,
        "Singular matrix",
    ),
    "sa.linalg.solve(sa.asarray([[1., 1, 0], [1, 1, 0], [0, 0, 1]], format='band'), np.ones(3))": (
        np.linalg.LinAlgError,
        "Singular matrix",
    ),
    "sa.linalg.solve(sa.asarray(triangle(60), format='csr'), np.ones(60))": (
        np.linalg.LinAlgError,
        "Singular matrix",
    ),
    "sa.kernel(unmade)(np.ones(3))": (
        errors.ProgramError,
        "z is returned, but never assigned",
    ),
    "sa.masks.from_rle([{'size': [-1, 3], 'counts': []}])": (
        ValueError,
        "a size is not negative: -1 by 3",
    ),
    "sa.loops('y[i] = x[i]', x=object())": (TypeError, "x: object is no array"),
    "sa.kernel(rows_of)(sa.asarray(3))": (ValueError, "a number has no runs"),
    "sa.gallop(2.5)": (TypeError, "gallop takes an array, not float"),
    "sa.spy(sa.asarray(3))": (ValueError, "spy draws arrays with axes; print a scalar instead"),
    "sa.spy(a, bins=0)": (ValueError, "bins and most must be at least 1, not 0 and"),
    "sa.sum(a, where=np.ones((5, 2, 3), bool))": (
        ValueError,
        "where of shape (5, 2, 3) does not broadcast to the array's shape (2, 3)",
    ),
    "sa.histogramdd(np.ones((3, 2)), bins=2, weights=[1, 2])": (
        ValueError,
        "The weights and list don't have the same length.",
    ),
    "sa.digitize(v, 3)": (ValueError, "object of too small depth for desired array"),
    "sa.gcd(np.array([1], np.uint64), sa.asarray([1]))": (
        TypeError,
        "gcd is not defined for uint64, int64",
    ),
    "a.toarray(out=np.zeros((3, 3)))": (ValueError, "out has shape (3, 3), the array (2, 3)"),
    "sa.zeros((2**40, 2**40, 4), format='csf')": (
        errors.FormatError,
        "the result may store more entries than int64 positions can count",
    ),
    "sa.formats.Diagonals(sa.formats.Dense(sa.formats.Element())).known": (
        errors.FormatError,
        "level Diagonals: the offsets are not decided",
    ),
    "sa.formats.Tiles(sa.formats.Dense(sa.formats.Element())).sides": (
        errors.FormatError,
        "level Tiles: the height and width are not decided",
    ),
    "sa.formats.OneBit().literals('float64')": (
        errors.FormatError,
        "level OneBit: the values are not decided",
    ),
}


def triangle(n: int) -> np.ndarray:
    """A lower triangle too wide to be a band, of which one element on the diagonal is missing."""
    made = np.diag(np.full(n, 2.0))
    made[:, 0] = made[-1] = 1
    made[n // 2, n // 2] = 0
    return made


def unmade(x: np.ndarray) -> object:
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i]
    return z  # noqa: F821


def rows_of(x: object) -> int:
    total = 0
    for _start, _stop, value in sa.runs(x):
        total += value
    return total


NAMES |= {"rows_of": rows_of, "triangle": triangle, "unmade": unmade}


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_said(call: str) -> None:
    kind, said = REFUSED[call]
    with pytest.raises(kind) as caught:
        eval(call, dict(NAMES))
    assert type(caught.value) is kind
    assert str(caught.value).startswith(said)
