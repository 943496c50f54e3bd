"""Objects of other libraries, each against the library itself: elements, formats and addresses."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr.errors import FormatError

MATRIX = sp.random_array((6, 8), density=0.3, rng=1, format="csr")
DENSE = MATRIX.toarray()
ROWS = [[3.0, 1.0], [], [5.0], [2.0, 2.0, 7.0]]


def shares(array: sa.Array, buffer: np.ndarray) -> bool:
    """Whether the stored values lie where a library has them."""
    own = array._tensor.buffers[-1]
    return bool(own.ctypes.data == buffer.ctypes.data)


# -------------------------------------------------------------------- awkward


def test_awkward_lists_are_ragged_rows() -> None:
    ak = pytest.importorskip("awkward")
    theirs = ak.Array(ROWS)
    ours = sa.asarray(theirs)
    assert ours.format == "ragged" and ours.shape == (4, 3) and ours.nstored == 6
    assert shares(ours, np.asarray(theirs.layout.content.data))
    assert ours.to("awkward").tolist() == ROWS
    deep = ak.Array([[[1], [2, 3]], [], [[], [4]]])
    assert sa.asarray(deep).to("awkward").tolist() == deep.tolist()
    assert sa.asarray(theirs[1:]).to("awkward").tolist() == ROWS[1:]
    assert sa.asarray(theirs[[3, 0]]).to("awkward").tolist() == [ROWS[3], ROWS[0]]
    assert sa.asarray(ak.to_regular(ak.Array([[1, 2], [3, 4]]))).format == "dense"


def test_statistics_leave_the_padding_out() -> None:
    ak = pytest.importorskip("awkward")
    theirs = ak.Array([row or [0.5] for row in ROWS])
    ours = sa.asarray(theirs)
    there = sa.stored(ours)
    for name in ("sum", "mean", "var", "std", "max", "min", "prod"):
        start = {"max": -np.inf, "min": np.inf}.get(name)
        initial = {} if start is None else {"initial": start}
        found = getattr(ours, name)(axis=1, where=there, **initial)
        np.testing.assert_allclose(found.todense(), getattr(ak, name)(theirs, axis=1))


@pytest.mark.parametrize("bad", ["records", "text", "missing", "mixed"])
def test_what_awkward_has_beyond_numbers_is_refused(bad: str) -> None:
    ak = pytest.importorskip("awkward")
    values = {"records": [{"x": 1}], "text": ["a"], "missing": [1, None], "mixed": [[1], 2]}
    with pytest.raises((FormatError, ValueError)):
        sa.asarray(ak.Array(values[bad]))


# ---------------------------------------------------------------------- Arrow


def test_arrow_arrays_of_each_kind() -> None:
    pa = pytest.importorskip("pyarrow")
    values = pa.array([1.0, 2.0, 3.0])
    assert shares(sa.asarray(values), values.to_numpy())
    lists = pa.array(ROWS)
    ours = sa.asarray(lists)
    assert ours.format == "ragged" and shares(ours, lists.values.to_numpy())
    assert ours.to("arrow").to_pylist() == ROWS
    assert sa.asarray(lists[1:3]).to("arrow").to_pylist() == ROWS[1:3]
    runs = pa.RunEndEncodedArray.from_arrays([3, 5], [1.5, 2.5])
    ours = sa.asarray(runs)
    assert ours.format == "rle" and ours.tolist() == [1.5] * 3 + [2.5] * 2
    assert ours.to("arrow").to_pylist() == runs.to_pylist()
    assert sa.asarray(runs[1:4]).tolist() == [1.5, 1.5, 2.5]
    texts = pa.array(["u", "v", None, "u"]).dictionary_encode()
    ours = sa.asarray(texts)
    assert str(ours.format).startswith("point") and ours.sum(axis=0).tolist() == [2, 1]
    assert ours.to("arrow").indices.to_pylist() == [0, 1, None, 0]
    square = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(6.0)), 3)
    assert sa.asarray(square).tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert sa.asarray(pa.chunked_array([[1, 2], [3]])).tolist() == [1, 2, 3]


def test_arrow_sparse_tensors() -> None:
    pa = pytest.importorskip("pyarrow")
    for name, theirs in {
        "csr": pa.SparseCSRMatrix.from_scipy(sp.csr_matrix(MATRIX)),
        "csc": pa.SparseCSCMatrix.from_scipy(sp.csc_matrix(MATRIX)),
        "coo": pa.SparseCOOTensor.from_dense_numpy(DENSE),
    }.items():
        ours = sa.asarray(theirs)
        assert ours.format == name
        np.testing.assert_array_equal(ours.todense(), DENSE)
        back = ours.to("arrow")
        assert type(back) is type(theirs)
        np.testing.assert_array_equal(back.to_tensor().to_numpy(), DENSE)


def test_arrow_by_the_c_data_interface_and_missing_values() -> None:
    pa = pytest.importorskip("pyarrow")
    assert pa.array(sa.asarray([1, 2, 3])).to_pylist() == [1, 2, 3]

    class Foreign:
        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return pa.array([4, 5]).__arrow_c_array__()

    assert sa.asarray(Foreign()).tolist() == [4, 5]
    with pytest.raises(ValueError, match="fill_value"):
        sa.asarray(pa.array([1.0, None]))
    assert sa.asarray(pa.array([1.0, None]), fill_value=0).tolist() == [1.0, 0.0]
    with pytest.raises(FormatError, match="dictionary_encode"):
        sa.asarray(pa.array(["a"]))
    table = pa.table({"a": [1, 2], "c": pa.array(["u", "v"]).dictionary_encode()})
    assert sa.asarray(table).tolist() == [[1, 1, 0], [2, 0, 1]]


def test_polars() -> None:
    pl = pytest.importorskip("polars")
    assert sa.asarray(pl.Series([1.0, 2.0])).tolist() == [1.0, 2.0]
    assert str(sa.asarray(pl.Series(["a", "b", "a"], dtype=pl.Categorical)).format).startswith(
        "point"
    )
    frame = pl.DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
    assert sa.asarray(frame).tolist() == frame.to_numpy().tolist()
    assert sa.asarray(ROWS).to("polars").to_list() == ROWS
    assert sa.asarray(pl.Series(ROWS)).format == "ragged"


def test_pandas_categories_are_points() -> None:
    pd = pytest.importorskip("pandas")
    found = sa.asarray(pd.Series(["u", "v", "u"], dtype="category"))
    assert str(found.format).startswith("point") and found.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert sa.asarray(pd.Series([5, 7], dtype="category")).tolist() == [5, 7]


# -------------------------------------------------------------- sparse arrays


def test_pydata_sparse() -> None:
    sparse = pytest.importorskip("sparse")
    theirs = sparse.COO.from_numpy(DENSE)
    for layout in ("coo", "gcxs", "dok"):
        ours = sa.asarray(theirs.asformat(layout))
        np.testing.assert_array_equal(ours.todense(), DENSE)
    for axes, name in ((0,), "csr"), ((1,), "csc"):
        gcxs = sparse.GCXS.from_numpy(DENSE, compressed_axes=axes)
        ours = sa.asarray(gcxs)
        assert ours.format == name and shares(ours, gcxs.data)
        back = ours.to("pydata_sparse", "gcxs")
        assert tuple(back.compressed_axes) == axes
        np.testing.assert_array_equal(back.todense(), DENSE)
    cube = sparse.random((4, 5, 6), density=0.2, random_state=0) + 2
    ours = sa.asarray(cube)
    assert ours.fill_value == 2 and ours.format == "coo"
    back = ours.to("pydata_sparse")
    assert back.fill_value == 2
    np.testing.assert_array_equal(back.todense(), cube.todense())
    array = sa.asarray(MATRIX)
    for found in (array + theirs, theirs + array, array * theirs, array @ theirs.T):
        assert isinstance(found, sa.Array)


def test_graphblas() -> None:
    gb = pytest.importorskip("graphblas")
    theirs = gb.Matrix.from_coo(*MATRIX.nonzero(), MATRIX.data, nrows=6, ncols=8)
    ours = sa.asarray(theirs)
    assert ours.format == "csr"
    np.testing.assert_array_equal(ours.todense(), DENSE)
    assert ours.to("graphblas").isequal(theirs, check_dtype=True)
    vector = gb.Vector.from_coo([1, 4], [2.0, 3.0], size=6)
    assert sa.asarray(vector).tolist() == [0, 2.0, 0, 0, 3.0, 0]
    assert sa.asarray(vector).to("graphblas").isequal(vector)
    costs = sa.asarray(theirs, fill_value=np.inf)
    assert np.isinf(costs.fill_value)


@pytest.mark.filterwarnings("ignore:Sparse")
def test_torch() -> None:
    torch = pytest.importorskip("torch", exc_type=ImportError)
    theirs = torch.from_numpy(DENSE)
    for made, name in (
        (theirs, "dense"),
        (theirs.to_sparse(), "coo"),
        (theirs.to_sparse_csr(), "csr"),
        (theirs.to_sparse_csc(), "csc"),
        (theirs.to_sparse_bsr((2, 2)), "bsr"),
    ):
        ours = sa.asarray(made)
        assert ours.format == name
        np.testing.assert_array_equal(ours.todense(), DENSE)
        back = ours.to("torch")
        assert back.layout == made.layout
        assert torch.equal(back.to_dense(), theirs)
        if name != "coo":
            values = made if name == "dense" else made.values()
            assert shares(ours, values.numpy())
    before = sa.asarray(theirs.to_sparse_csr())
    back = before.to("torch")
    back.values().mul_(2)
    np.testing.assert_array_equal(before.todense(), DENSE)


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    from jax.experimental import sparse

    small = DENSE.astype(np.float32)
    for kind, name, layout in (
        (sparse.BCOO, "coo", "bcoo"),
        (sparse.BCSR, "csr", "bcsr"),
    ):
        theirs = kind.fromdense(jax.numpy.asarray(small))
        ours = sa.asarray(theirs)
        assert ours.format == name
        np.testing.assert_array_equal(ours.todense(), small)
        back = ours.to("jax", layout)
        np.testing.assert_array_equal(np.asarray(back.todense()), small)


def test_numba_takes_the_buffers() -> None:
    numba = pytest.importorskip("numba")

    @numba.njit
    def total(a, x):  # type: ignore[no-untyped-def]
        out = np.zeros(a.shape[0])
        for row in range(a.shape[0]):
            for place in range(a.ptr[row], a.ptr[row + 1]):
                out[row] += a.val[place] * x[a.idx[place]]
        return out

    ours = sa.asarray(MATRIX)
    view = ours.to("numba")
    assert view.val.ctypes.data == MATRIX.data.ctypes.data and not view.idx.flags.writeable
    np.testing.assert_allclose(total(view, np.ones(8)), DENSE.sum(axis=1))
    assert sa.asarray(MATRIX, format="dcsr").to("numba")._fields == (
        *("shape", "ptr0", "idx0", "ptr1", "idx1", "val"),
    )


def test_binsparse_objects() -> None:
    class Foreign:
        def __init__(self, array: sa.Array) -> None:
            self.array = array

        def __binsparse__(self) -> object:
            return self.array.__binsparse__()

    for format in ("csr", "csc", "coo", "rle", "band", "dense"):
        ours = sa.asarray(Foreign(sa.asarray(MATRIX, format=format)))
        assert ours.format == format
        np.testing.assert_array_equal(ours.todense(), DENSE)


# ------------------------------------------------------------------- refusals


def test_unknown_objects_say_which_conversions_there_are() -> None:
    class Unknown:
        pass

    with pytest.raises(TypeError, match=r"Unknown is no array.*awkward.*__binsparse__"):
        sa.asarray(Unknown())
    with pytest.raises(FormatError, match=r"did you mean torch.*\.to_scipy"):
        sa.asarray([1]).to("torhc")  # type: ignore[arg-type]


@pytest.mark.parametrize("library", ["awkward", "arrow", "pydata_sparse", "graphblas", "polars"])
@pytest.mark.parametrize("format", ["csr", "rle", "band", "dense"])
def test_every_format_can_be_handed_on(library: str, format: str) -> None:
    package = {"arrow": "pyarrow", "pydata_sparse": "sparse"}.get(library, library)
    pytest.importorskip(package)
    ours = sa.asarray(np.tril(np.ones((4, 4))), format=format)
    if library == "polars" and format == "csr":
        with pytest.raises(Exception):  # noqa: B017  Polars has no sparse columns
            ours.to("polars")
        return
    back = sa.asarray(ours.to(library))  # type: ignore[arg-type]
    np.testing.assert_array_equal(back.todense(), ours.todense())
