"""Frames and series of pandas: in without densifying what is sparse, out with fills and blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import structarr as sa
from structarr.errors import DensificationError, FormatError

N = 6
ROWS = np.array([0, 0, 1, 2, 0, 3])


def sparse(values: Any, fill: Any = 0, kind: str = "integer") -> Any:
    return pd.arrays.SparseArray(values, fill_value=fill, kind=kind)


COLUMNS = {
    "int": np.arange(N),
    "int8": np.arange(N, dtype=np.int8),
    "bool": np.arange(N) % 2 == 0,
    "float32": np.linspace(0, 1, N, dtype=np.float32),
    "complex": np.arange(N) * 1j,
    "list": sparse(ROWS),
    "list of floats": sparse(ROWS / 2, 0.0),
    "list of bools": sparse(ROWS > 0, False),
    "blocks": sparse(ROWS, kind="block"),
    "blocks of floats": sparse(ROWS / 2, 0.0, "block"),
    "ones": sparse(np.where(ROWS > 0, 1, ROWS), 1),
    "nans": sparse(np.where(ROWS > 1, 0.5, np.nan), np.nan),
    "empty": sparse(np.zeros(N, int)),
    "full": sparse(ROWS + 1),
    "Int8": pd.array(ROWS, dtype="Int8"),
    "Float32": pd.array([0.5, None, 1, 2, None, 4], dtype="Float32"),
    "boolean": pd.array(ROWS > 0, dtype="boolean"),
    "numbers": pd.Categorical([3, 1, 3, 3, 1, 1]),
}


def plain(column: Any) -> Any:
    """What NumPy makes of a column, a nullable one by its own dtype."""
    dtype = getattr(column.dtype, "numpy_dtype", None)
    return np.asarray(column) if dtype is None else column.to_numpy(dtype, na_value=np.nan)


def same(found: sa.Array, wanted: Any) -> None:
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found.todense(), wanted)


@pytest.mark.parametrize("name", COLUMNS)
def test_a_series_and_an_extension_array(name: str) -> None:
    column = COLUMNS[name]
    wanted = plain(column) if name != "Float32" else np.array([0.5, np.nan, 1, 2, np.nan, 4], "f4")
    for form in (column, pd.Series(column), pd.Series(column, index=list("uvwxyz"), name="s")):
        same(sa.asarray(form), wanted)


@pytest.mark.parametrize("one", COLUMNS)
@pytest.mark.parametrize("other", ["int8", "list of floats", "blocks", "ones", "nans", "numbers"])
def test_two_columns_promote_as_numpy_does(one: str, other: str) -> None:
    frame = pd.DataFrame({"x": COLUMNS[one], "y": COLUMNS[other]})
    parts = [sa.asarray(COLUMNS[name]).todense() for name in (one, other)]
    found = sa.asarray(frame)
    same(found, np.stack(parts, axis=1))
    dense = pd.DataFrame(dict(enumerate(parts)))
    same(sa.asarray(dense), np.stack(parts, axis=1))


@pytest.mark.parametrize(
    ("names", "format"),
    [
        (["int", "float32", "Int8", "numbers"], "dense"),
        (["list", "list of floats"], "csc"),
        (["list", "blocks", "int"], "csc"),
        (["blocks", "blocks of floats"], "Dense(SparseVBL), order (1, 0)"),
        (["blocks", "int", "bool"], "Dense(SparseVBL), order (1, 0)"),
        (["nans", "float32"], "csc"),
        (["list", "ones", "bool"], "Dense(RunList), order (1, 0)"),
    ],
)
def test_formats_follow_from_the_columns_dtypes(names: list[str], format: str) -> None:
    frame = pd.DataFrame({name: COLUMNS[name] for name in names})
    found = sa.asarray(frame)
    if format == "dense":
        assert found._tensor.format.is_dense
    else:
        assert str(found.format) == format
    np.testing.assert_array_equal(
        found.todense(), np.stack([sa.asarray(COLUMNS[name]).todense() for name in names], axis=1)
    )


def test_fills_and_blocks_are_kept() -> None:
    assert sa.asarray(COLUMNS["ones"]).fill_value == 1
    assert np.isnan(sa.asarray(COLUMNS["nans"]).fill_value)
    blocks = sa.asarray(COLUMNS["blocks"])
    assert blocks.format == "vbl" and blocks.nstored == 3
    frame = pd.DataFrame({"x": COLUMNS["blocks"], "y": COLUMNS["blocks"]})
    index = sa.asarray(frame).to_pandas()[1].array.sp_index
    assert (index.blocs.tolist(), index.blengths.tolist()) == ([2, 5], [2, 1])


def test_wide_sparse_columns_are_not_densified() -> None:
    length = 10**9
    column = sa.from_coordinates([5, 10**8], [2.0, 3.0], length, format="list").to_pandas().array
    found = sa.asarray(column)
    assert found.shape == (length,) and found.nbytes < 100
    assert float((found * found).sum()) == 13
    back = found.to_pandas()
    assert back.array.sp_index.indices.tolist() == [5, 10**8]
    assert float((sa.ones(length) * column).sum()) == 5


def test_one_hot() -> None:
    codes = pd.Categorical(["b", "a", None, "b"], categories=["a", "b", "c"])
    for form in (codes, pd.Series(codes)):
        found = sa.from_pandas(form)
        assert str(found.format) == "point, leaf Pattern" and found.nbytes == 16
        same(found, pd.get_dummies(codes).to_numpy())
    frame = pd.DataFrame({"k": codes, "x": [1, 2, 3, 4], "l": pd.Categorical([5, 5, 6, 6])})
    found, dummies = sa.from_pandas(frame), pd.get_dummies(frame)
    assert found.format == "csc" and found.dtype == np.int64
    np.testing.assert_array_equal(found.todense(), dummies.to_numpy(dtype=int))
    back = found.to_pandas(columns=pd.get_dummies(frame.iloc[:0]).columns)
    assert list(back.columns) == list(dummies.columns)
    assert sa.from_pandas(frame, "float32", "csr").dtype == np.float32
    same(sa.from_pandas(frame["x"]), frame["x"].to_numpy())
    nothing = pd.Series(pd.Categorical([None, None], categories=[]))
    assert sa.from_pandas(nothing).shape == (2, 0)
    with pytest.raises(TypeError, match="pandas, not list"):
        sa.from_pandas([1])


def test_missing_values() -> None:
    whole = pd.Series(pd.array([1, None, 3], dtype="Int16"), name="w")
    with pytest.raises(ValueError, match=r"series 'w'.*row 1 is missing.*missing=0"):
        sa.asarray(whole)
    same(sa.from_pandas(whole, missing=-1), np.array([1, -1, 3], np.int16))
    filled = sa.asarray(whole, format="list", fill_value=7)
    assert filled.fill_value == 7 and filled.nstored == 2
    same(filled, np.array([1, 7, 3], np.int16))
    for unfit in (10**6, 0.5, np.nan, 1j):
        with pytest.raises(ValueError, match=r"series 'w'.*not exact in int16"):
            sa.from_pandas(whole, missing=unfit)
    frame = pd.DataFrame({"w": whole, "f": pd.array([None, 2.5, None], dtype="Float64")})
    found = sa.from_pandas(frame, missing=0)
    same(found, np.array([[1, 0], [0, 2.5], [3, 0]]))
    gaps = pd.Series(pd.Categorical([2, None, 4]))
    same(sa.from_pandas(pd.DataFrame({"g": gaps})), np.array([[1, 0], [0, 0], [0, 1]], bool))
    with pytest.raises(ValueError, match="missing"):
        sa.asarray(gaps)
    same(sa.asarray(gaps, fill_value=0), np.array([2, 0, 4]))


@pytest.mark.parametrize(
    "values",
    [
        ["u", "v"],
        pd.to_datetime(["2020", "2021"]),
        pd.Series([1, "v"], dtype=object),
        pd.interval_range(0, 2),
    ],
)
def test_what_is_no_number_is_refused_by_name(values: Any) -> None:
    frame = pd.DataFrame({"x": [1, 2], "the name": values})
    with pytest.raises(TypeError, match=r"column 'the name'.*category"):
        sa.asarray(frame)
    with pytest.raises(TypeError, match="'the name'"):
        sa.asarray(frame["the name"])


def test_the_keywords_of_asarray() -> None:
    frame = pd.DataFrame({"x": COLUMNS["list"], "y": COLUMNS["int"]})
    assert sa.asarray(frame, "float32", "csr").format == "csr"
    with pytest.raises(ValueError, match="copy"):
        sa.asarray(frame, copy=False)
    assert sa.asarray(frame, fill_value=0).fill_value == 0
    with pytest.raises(ValueError, match="with_fill"):
        sa.asarray(frame, fill_value=2)
    assert sa.asarray(COLUMNS["nans"], fill_value=np.nan).nstored == np.sum(ROWS > 1)
    plainly = pd.DataFrame(np.eye(3))
    assert np.shares_memory(sa.asarray(plainly), plainly.to_numpy())
    assert sa.asarray(plainly, copy=False).shape == (3, 3)
    copied = sa.asarray(COLUMNS["list"], copy=True)
    assert not np.shares_memory(copied._tensor.buffers[-1], COLUMNS["list"].sp_values)
    with sa.options(default_format="rle"):
        assert sa.asarray(frame).format == "csc"


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 2)])
def test_nothing(shape: tuple[int, int]) -> None:
    frame = pd.DataFrame(np.zeros(shape))
    same(sa.asarray(frame), np.zeros(shape))
    for sparsely in (True, False):
        assert sa.zeros(shape).to_pandas(sparse=sparsely).shape == shape
    emptied = pd.DataFrame({"x": COLUMNS["blocks"], "y": COLUMNS["list"]}).iloc[:0]
    same(sa.asarray(emptied), np.zeros((0, 2), int))


def test_operators_take_a_series_for_an_array() -> None:
    a, dense = sa.asarray([1.0, 0.0, 2.0], format="list"), np.array([1.0, 0.0, 2.0])
    series = pd.Series([1.0, 2.0, 3.0], index=list("xyz"))
    lists = pd.Series(sparse([0, 4, 5]))
    for other in (series, lists):
        for found, wanted in [
            (a * other, dense * other.to_numpy()),
            (other * a, dense * other.to_numpy()),
            (other - a, other.to_numpy() - dense),
            (np.multiply(other, a), dense * other.to_numpy()),
            (np.add(a, other), dense + other.to_numpy()),
            (np.concatenate([a, other]), np.concatenate([dense, other])),
            (a == other, dense == other.to_numpy()),
        ]:
            assert isinstance(found, sa.Array)
            np.testing.assert_array_equal(found.todense(), wanted)
    assert (a * lists).format == "list" and (sa.ones(3) * lists).format == "list"
    frame = pd.DataFrame(np.arange(9.0).reshape(3, 3))
    assert isinstance(a * frame, sa.Array) and isinstance(frame * a, sa.Array)
    np.testing.assert_array_equal(a @ frame, dense @ frame.to_numpy())
    np.testing.assert_array_equal(frame @ a, frame.to_numpy() @ dense)


def test_operators_hold_what_a_series_holds_now() -> None:
    lists = sparse(ROWS)
    product = sa.asarray(np.ones(N, int)) * lists
    lists.sp_values[:] = 0
    assert product.sum() == ROWS.sum()


@pytest.mark.parametrize("format", ["dense", "csr", "csc", "coo", "vbl", "rle", "bitmap", "dcsr"])
@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex128"])
@pytest.mark.parametrize("fill", [0, 1])
def test_there_and_back(format: str, dtype: str, fill: int) -> None:
    dense = np.array([[0, 1, 2], [1, 1, 0], [0, 0, 0], [1, 1, 1]]).astype(dtype)
    ours = sa.asarray(dense, format=format, fill_value=fill)
    for sparsely in (None, True, False):
        frame = ours.to_pandas(index=list("wxyz"), columns=list("abc"), sparse=sparsely)
        assert list(frame.columns) == list("abc") and list(frame.index) == list("wxyz")
        if sparsely or (sparsely is None and format in ("csr", "csc", "coo", "vbl", "dcsr")):
            kept = ours.fill_value
            assert set(frame.dtypes) == {pd.SparseDtype(dtype, np.dtype(dtype).type(kept).item())}
            assert sa.asarray(frame).fill_value == kept
            np.testing.assert_array_equal(frame.sparse.to_dense(), dense)
        same(sa.asarray(frame), dense)
        vector = ours[1].to_pandas(columns="name", sparse=sparsely)
        assert vector.name == "name"
        np.testing.assert_array_equal(np.asarray(vector), dense[1])


def test_what_pandas_has_no_place_for() -> None:
    with pytest.raises(FormatError, match="one or two axes, not 3"):
        sa.zeros((2, 2, 2)).to_pandas()
    with pytest.raises(DensificationError):
        sa.ones((10**6, 10**6)).to_pandas()
    with pytest.raises(ValueError):
        sa.zeros((2, 2)).to_pandas(columns=["a"])
    with pytest.raises(ValueError):
        sa.asarray(np.eye(2), format="csr").to_pandas(index=["a"])
