"""Conversions without copies: at which addresses the buffers of both sides lie.

Values are shared wherever the layouts agree. Coordinates and offsets are shared when nobody can
write them, and copied when somebody can. The others copy for a reason: pandas' and PyTorch's
results may be written to, and SuiteSparse:GraphBLAS owns its memory.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa

MATRIX = sp.random_array((6, 8), density=0.3, rng=1, format="csr")
DENSE = MATRIX.toarray()
VALUES = np.arange(5.0)


def fixed(array: Any) -> Any:
    """A copy over memory that nobody can write."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def at(buffer: Any) -> int:
    return int(np.asarray(buffer).__array_interface__["data"][0])


def inside(part: Any, whole: Any) -> bool:
    """Whether a buffer begins within another one."""
    return at(whole) <= at(part) < at(whole) + np.asarray(whole).nbytes


# ----------------------------------------------------- from others: object, and theirs of our parts


def pandas_series() -> Any:
    pd = pytest.importorskip("pandas")
    series = pd.Series(VALUES, copy=False)
    return series, {-1: series.to_numpy()}


def pandas_frame() -> Any:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(DENSE)
    return frame, {-1: frame.to_numpy()}


def pandas_sparse() -> Any:
    pd = pytest.importorskip("pandas")
    array = pd.arrays.SparseArray([0.0, 1.0, 0.0, 2.0])
    return array, {-1: array.sp_values}


def polars_series() -> Any:
    pl = pytest.importorskip("polars")
    series = pl.Series(VALUES)
    return series, {-1: series.to_numpy()}


def polars_lists() -> Any:
    pl = pytest.importorskip("polars")
    series = pl.Series([[1.0, 2.0], [], [3.0]])
    theirs = series.to_arrow()
    return series, {-1: theirs.values.to_numpy(), 0: np.asarray(theirs.offsets)}


def in_fixed_memory(array: Any) -> Any:
    """An array of Arrow's read from a message, whose bytes nobody can write."""
    pa = import_module("pyarrow")
    sink = pa.BufferOutputStream()
    batch = pa.record_batch([array], names=["x"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    message = pa.py_buffer(sink.getvalue().to_pybytes())
    return pa.ipc.open_stream(message).read_next_batch().column(0)


def arrow_array() -> Any:
    pa = pytest.importorskip("pyarrow")
    array = pa.array(VALUES)
    return array, {-1: array.to_numpy()}


def arrow_lists() -> Any:
    pa = pytest.importorskip("pyarrow")
    array = in_fixed_memory(pa.array([[1.0, 2.0], [], [3.0]]))
    return array, {-1: array.values.to_numpy(), 0: np.asarray(array.offsets)}


def arrow_lists_of_lists() -> Any:
    pa = pytest.importorskip("pyarrow")
    array = in_fixed_memory(pa.array([[[1.0], [2.0, 5.0]], [], [[3.0]]]))
    inner = array.values
    offsets = {0: np.asarray(array.offsets), 1: np.asarray(inner.offsets)}
    return array, {-1: inner.values.to_numpy(), **offsets}


def arrow_runs() -> Any:
    pa = pytest.importorskip("pyarrow")
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([3, 5], pa.int32()), pa.array([1.5, 2.5]))
    array = in_fixed_memory(runs)
    return array, {-1: array.values.to_numpy(), 1: np.asarray(array.run_ends)}


def arrow_categories() -> Any:
    pa = pytest.importorskip("pyarrow")
    array = in_fixed_memory(pa.array(["u", "v", "u"]).dictionary_encode())
    return array, {0: array.indices.to_numpy()}


def arrow_fixed_lists() -> Any:
    pa = pytest.importorskip("pyarrow")
    array = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(6.0)), 3)
    return array, {-1: array.values.to_numpy()}


def arrow_tensor() -> Any:
    pa = pytest.importorskip("pyarrow")
    return pa.Tensor.from_numpy(DENSE), {-1: DENSE}


def arrow_matrix(name: str) -> Callable[[], Any]:
    def make() -> Any:
        pa = pytest.importorskip("pyarrow")
        kind = {"csr": pa.SparseCSRMatrix, "csc": pa.SparseCSCMatrix}[name]
        matrix = kind.from_scipy({"csr": sp.csr_matrix, "csc": sp.csc_matrix}[name](MATRIX))
        return matrix, {-1: matrix.to_numpy()[0]}

    return make


def by_the_c_interface() -> Any:
    pa = pytest.importorskip("pyarrow")
    held = pa.array(VALUES)

    class Foreign:
        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return held.__arrow_c_array__()

    return Foreign(), {-1: held.to_numpy()}


def awkward_lists() -> Any:
    ak = pytest.importorskip("awkward")
    offsets, values = fixed(np.array([0, 2, 2, 3])), np.arange(3.0)
    content = ak.contents.NumpyArray(values)
    lists = ak.Array(ak.contents.ListOffsetArray(ak.index.Index64(offsets), content))
    return lists, {-1: values, 0: offsets}


def pydata_coo() -> Any:
    sparse = pytest.importorskip("sparse")
    coo = sparse.COO.from_numpy(DENSE)
    coo.coords = fixed(coo.coords)
    return coo, {-1: coo.data, 1: coo.coords[0], 2: coo.coords[1]}


def pydata_gcxs(axis: int) -> Callable[[], Any]:
    def make() -> Any:
        sparse = pytest.importorskip("sparse")
        gcxs = sparse.GCXS.from_numpy(DENSE, compressed_axes=(axis,))
        gcxs.indices, gcxs.indptr = fixed(gcxs.indices), fixed(gcxs.indptr)
        return gcxs, {-1: gcxs.data, 0: gcxs.indptr, 1: gcxs.indices}

    return make


def torch_tensor(layout: str) -> Callable[[], Any]:
    def make() -> Any:
        torch = pytest.importorskip("torch", exc_type=ImportError)
        dense = torch.from_numpy(DENSE.copy())
        made = {
            "dense": lambda: dense,
            "csr": dense.to_sparse_csr,
            "csc": dense.to_sparse_csc,
            "bsr": lambda: dense.to_sparse_bsr((2, 2)),
            "coo": lambda: dense.to_sparse().coalesce(),
        }[layout]()
        return made, {-1: (made if layout == "dense" else made.values()).numpy()}

    return make


def scipy_csr() -> Any:
    matrix = sp.csr_array(MATRIX)
    matrix.indices, matrix.indptr = fixed(matrix.indices), fixed(matrix.indptr)
    return matrix, {-1: matrix.data, 0: matrix.indptr, 1: matrix.indices}


INTO: dict[str, Callable[[], Any]] = {
    "pandas series": pandas_series,
    "pandas frame": pandas_frame,
    "pandas sparse array": pandas_sparse,
    "polars series": polars_series,
    "polars lists": polars_lists,
    "arrow array": arrow_array,
    "arrow lists": arrow_lists,
    "arrow lists of lists": arrow_lists_of_lists,
    "arrow runs": arrow_runs,
    "arrow categories": arrow_categories,
    "arrow lists of one length": arrow_fixed_lists,
    "arrow tensor": arrow_tensor,
    "arrow csr": arrow_matrix("csr"),
    "arrow csc": arrow_matrix("csc"),
    "arrow's C interface": by_the_c_interface,
    "awkward lists": awkward_lists,
    "pydata coo": pydata_coo,
    "pydata csr": pydata_gcxs(0),
    "pydata csc": pydata_gcxs(1),
    **{f"torch {name}": torch_tensor(name) for name in ("dense", "csr", "csc", "bsr", "coo")},
    "scipy csr": scipy_csr,
}


@pytest.mark.parametrize("name", INTO)
def test_what_comes_in_is_not_copied(name: str) -> None:
    theirs, parts = INTO[name]()
    buffers = sa.asarray(theirs)._tensor.buffers
    for place, part in parts.items():
        assert at(buffers[place]) == at(part), f"buffer {place} was copied"


def test_coordinates_that_somebody_can_write_are_copied() -> None:
    """Kernels read memory where checked coordinates say, so that these must stay as they are."""
    sparse = pytest.importorskip("sparse")
    ak = pytest.importorskip("awkward")
    pa = pytest.importorskip("pyarrow")
    gcxs = sparse.GCXS.from_numpy(DENSE, compressed_axes=(0,))
    assert not inside(sa.asarray(gcxs)._tensor.buffers[1], gcxs.indices)
    lists = ak.Array([[1.0, 2.0], [3.0]])
    assert not inside(sa.asarray(lists)._tensor.buffers[0], lists.layout.offsets.data)
    memory = bytearray(np.array([0, 2, 3], np.int32).tobytes())
    offsets = pa.Array.from_buffers(pa.int32(), 3, [None, pa.py_buffer(memory)])
    rows = pa.ListArray.from_arrays(offsets, pa.array([1.0, 2.0, 3.0]))
    ours = sa.asarray(rows)
    memory[4:8] = np.array([99], np.int32).tobytes()
    assert ours.tolist() == [[1.0, 2.0], [3.0, 0.0]]


# ------------------------------------------------------- to others: format, and theirs of our parts

OUT: dict[str, tuple[str, str, Callable[[Any], dict[int, Any]]]] = {
    "arrow dense": ("arrow", "dense", lambda x: {-1: x.to_numpy()}),
    "arrow lists": ("arrow", "ragged", lambda x: {-1: x.values.to_numpy(), 0: x.offsets}),
    "arrow runs": ("arrow", "rle", lambda x: {-1: x.values.to_numpy(), 1: x.run_ends}),
    "arrow csr": ("arrow", "csr", lambda x: dict(zip((-1, 0, 1), x.to_numpy(), strict=True))),
    "arrow csc": ("arrow", "csc", lambda x: dict(zip((-1, 0, 1), x.to_numpy(), strict=True))),
    "arrow coo": ("arrow", "coo", lambda x: {-1: x.to_numpy()[0]}),
    "polars dense": ("polars", "dense", lambda x: {-1: x.to_numpy()}),
    "polars lists": ("polars", "ragged", lambda x: {-1: x.to_arrow().values.to_numpy()}),
    "awkward lists": (
        *("awkward", "ragged"),
        lambda x: {-1: x.layout.content.data, 0: x.layout.offsets.data},
    ),
    "pydata csr": ("pydata_sparse", "csr", lambda x: {-1: x.data, 0: x.indptr, 1: x.indices}),
    "pydata coo": ("pydata_sparse", "coo", lambda x: {-1: x.data}),
    **{
        f"numba {name}": ("numba", name, lambda x: dict(enumerate(x[1:])))
        for name in ("dense", "csr", "csc", "coo", "bsr", "dia", "rle", "band", "bitmap", "triu")
    },
    "binsparse": ("", "csr", lambda x: dict(enumerate(x[1][:3]))),
}


@pytest.mark.parametrize("name", OUT)
def test_what_goes_out_is_not_copied(name: str) -> None:
    library, format, parts = OUT[name]
    package = {"arrow": "pyarrow", "pydata_sparse": "sparse"}.get(library, library)
    if package:
        pytest.importorskip(package)
    content = {
        "rle": np.repeat([1.0, 2.0], 3),
        "ragged": np.tri(4),
        "triu": np.triu(np.ones((4, 4))),
    }.get(format, VALUES if library in ("arrow", "polars") and format == "dense" else DENSE)
    ours = sa.asarray(content, format=format)  # type: ignore[call-overload]
    options = ("gcxs",) if name == "pydata csr" else ()
    theirs = ours.to(library, *options) if library else ours.__binsparse__()  # type: ignore[arg-type]
    buffers = ours._tensor.buffers
    for place, part in parts(theirs).items():
        assert at(buffers[place]) == at(part), f"buffer {place} was copied"
        if isinstance(part, np.ndarray) and library in ("pydata_sparse", "numba"):
            assert not part.flags.writeable, f"buffer {place} can be written"


def test_numpys_protocols_share_dense_elements() -> None:
    ours = sa.asarray(DENSE.copy()) * 1
    dense = ours.compute()._tensor.buffers[-1]
    assert at(np.asarray(ours, copy=False)) == at(dense)
    assert at(np.from_dlpack(ours, copy=False)) == at(dense)
    assert at(sa.from_dlpack(DENSE)._tensor.buffers[-1]) == at(DENSE)
    assert at(sa.asarray(memoryview(VALUES))._tensor.buffers[-1]) == at(VALUES)
