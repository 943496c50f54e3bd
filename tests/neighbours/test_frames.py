"""Frames of pandas, Polars and Arrow as one array of mixed structure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import structarr as sa
from structarr._lazy.node import nodes_of

N = 60


def frame() -> Any:
    random = np.random.default_rng(0)
    numbers = pd.DataFrame(random.random((N, 3)), columns=list("abc"))
    return numbers.assign(
        kind=pd.Categorical(random.choice(["x", "y", "z"], N), ["z", "y", "x", "unused"]),
        text=random.choice(["v", "u"], N),
        year=np.repeat(np.arange(3), N // 3),
        flag=random.random(N) < 0.5,
        count=random.integers(0, 9, N),
    )


def expected(df: Any) -> tuple[Any, list[str]]:
    """The columns of a frame by pandas."""
    parts, names = [], []
    for name, one in df.items():
        if one.dtype.kind in "biuf":
            parts.append(one.to_numpy(float)[:, None])
            names.append(name)
            continue
        hot = pd.get_dummies(one.astype("category"))
        parts.append(hot.to_numpy(float))
        names += [f"{name}[{category}]" for category in hot.columns]
    return np.concatenate(parts, axis=1), names


MAKERS = {"pandas": lambda df: df, "polars": pl.from_pandas, "arrow": pa.Table.from_pandas}


@pytest.mark.parametrize("maker", MAKERS)
def test_columns_and_names(maker: str) -> None:
    df = frame()
    if maker == "polars":  # its categories are those that there are, in alphabetical order
        df = df.drop(columns="kind")
    X, names, _ = sa.from_frame(MAKERS[maker](df))
    want, wanted = expected(df)
    assert list(names) == wanted
    assert X.dtype == np.float64
    np.testing.assert_array_equal(X.asformat("dense").todense(), want)


def test_polars_categories() -> None:
    categories = pl.Series("k", ["b", "a", None, "b"], dtype=pl.Categorical)
    with pytest.raises(ValueError, match="column 'k': the category of row 2 is missing"):
        sa.from_frame(categories.to_frame())
    X, names, _ = sa.from_frame(categories.to_frame(), missing_categories="zeros")
    dense = dict(zip(names, X.todense().T.tolist(), strict=True))
    assert dense == {"k[a]": [0, 1, 0, 0], "k[b]": [1, 0, 0, 1]}


def test_polars_categories_are_in_order_whatever_the_process_met_before() -> None:
    kinds = [["b", "a", "c"], ["q", "c", "b"], ["a", "q", "b"]]
    for values in kinds:  # all of which are of one table of the process
        df = pl.DataFrame({"k": values, "e": values}).with_columns(
            pl.col("k").cast(pl.Categorical), pl.col("e").cast(pl.Enum(["q", "c", "b", "a"]))
        )
        X, names, _ = sa.from_frame(df.select("k"))
        assert list(names) == [f"k[{one}]" for one in sorted(values)]
        assert (X.todense() == (np.array(values)[:, None] == np.array(sorted(values)))).all()
        assert sa.from_frame(df.select("e")).names == ("e[q]", "e[c]", "e[b]", "e[a]")


def test_types_that_arrow_has_not_are_refused() -> None:
    df = pl.DataFrame({"a": [1, 2]}).with_columns(pl.col("a").cast(pl.Int128))
    with pytest.raises(TypeError, match=r"pyarrow reads no such frame: .*i128.*leave out"):
        sa.from_frame(df)


def leaves(X: sa.Array) -> list[Any]:
    return [one.data for one in nodes_of(X._node) if one.kind == "leaf"]


def test_numbers_are_not_copied() -> None:
    df = frame()[["a", "b", "c", "kind"]]
    X = sa.from_frame(df).array
    block = next(one for one in leaves(X) if one.format.is_dense)
    assert block.shape == (N, 3)
    assert np.shares_memory(block.buffers[0], df["b"].to_numpy())
    table = pa.table({"a": np.arange(20.0)[::-1].copy(), "b": np.ones(20)[::-1].copy()})
    own = table["a"].chunk(0).to_numpy()
    assert any(np.shares_memory(one.buffers[-1], own) for one in leaves(sa.from_frame(table).array))


def test_structures() -> None:
    df = frame().assign(rare=pd.arrays.SparseArray(np.where(np.arange(N) % 9, 0, 1.5)))
    formats = {
        type(level).__name__
        for one in leaves(sa.from_frame(df).array)
        for level in one.format.levels
    }
    assert {"SparsePoint", "RunList", "SparseList", "Dense"} <= formats


def test_products_are_those_of_the_dense_array() -> None:
    df = frame()
    X, D = sa.from_frame(df).array, expected(df)[0]
    D = np.insert(D, 6, 0, axis=1) if D.shape[1] < X.shape[1] else D
    random = np.random.default_rng(1)
    w, b, r = random.random(N), random.random(X.shape[1]), random.random(N)
    np.testing.assert_allclose(X @ b, D @ b)
    np.testing.assert_allclose(X.T @ r, D.T @ r)
    np.testing.assert_allclose(X.T @ (w[:, None] * X), D.T @ (w[:, None] * D))
    np.testing.assert_allclose(X[[3, 1, 3]] @ b, D[[3, 1, 3]] @ b)


def test_a_frame_like_another() -> None:
    df = frame()
    design = sa.from_frame(df)
    few = df.iloc[:7].assign(text=["u"] * 7)
    again = sa.from_frame(few, like=design)
    assert again.names == design.names
    np.testing.assert_array_equal(again.array.todense()[:, 7:9], [[1, 0]] * 7)


BAD = {
    "column 'text': row 1 is of category 'w', which `like` has not seen": lambda df: df.assign(
        text=["u", "w"] * (N // 2)
    ),
    "column 'kind': the category of row 0 is missing": lambda df: df.assign(
        kind=pd.Categorical([None] * N, df["kind"].cat.categories)
    ),
    "column 'kind' has to be of categories": lambda df: df.assign(kind=1.0),
    "column 1 of the frame is 'c' where `like` has 'b'": lambda df: df.drop(columns="b"),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_frames_are_refused_by_name(message: str) -> None:
    df = frame()
    with pytest.raises(ValueError, match="^" + message.replace("[", r"\[")):
        sa.from_frame(BAD[message](df), like=sa.from_frame(df))


@pytest.mark.parametrize("maker", ["pandas", "arrow"])
def test_other_columns_are_refused_by_name(maker: str) -> None:
    df = pd.DataFrame({"when": pd.to_datetime(["2020-01-01"])})
    with pytest.raises(TypeError, match="column 'when'"):
        sa.from_frame(MAKERS[maker](df))
    with pytest.raises(ValueError, match="column 'n': the value in row 1 is missing"):
        sa.from_frame(pa.table({"n": [1, None]}))
    assert sa.from_frame(pa.table({"n": [1, None]}), missing=-1).array.tolist() == [[1], [-1]]
    assert np.isnan(sa.from_frame(pa.table({"n": [1.0, None]})).array.todense()[1, 0])
    with pytest.raises(TypeError, match="takes a frame"):
        sa.from_frame([1, 2])


def test_no_rows_and_no_columns() -> None:
    none = sa.from_frame(frame().iloc[:0]).array
    assert none.shape[0] == 0
    np.testing.assert_array_equal(none.T @ none, np.zeros((none.shape[1],) * 2))
    np.testing.assert_array_equal(none @ np.ones(none.shape[1]), [])
    assert sa.from_frame(pd.DataFrame(index=range(4))).array.shape == (4, 0)


def test_without_the_first_category() -> None:
    df = pd.DataFrame({"k": ["b", "a", "c"]})
    X, names, _ = design = sa.from_frame(df, drop_first=True)
    assert names == ("k[b]", "k[c]")
    assert X.tolist() == [[1, 0], [0, 0], [0, 1]]
    assert sa.from_frame(df.iloc[1:2], like=design).array.tolist() == [[0, 0]]


@pytest.mark.parametrize(
    "column", [pd.Series([1.0, 2.0]), pl.Series([1.0, 2.0]), pa.chunked_array([[1.0, 2.0]])]
)
def test_a_column_is_no_frame(column: Any) -> None:
    with pytest.raises(TypeError, match=r"a frame, not a column, as \w+ is: give a frame of it"):
        sa.from_frame(column)


NAN = [1.0, np.nan, 3.0]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pd.Series(NAN), [1, 7, 3]),
        (pd.Series(NAN, dtype="Float64"), [1, 7, 3]),
        (pd.Series(NAN, dtype="Int64"), [1, 7, 3]),
        (pd.arrays.SparseArray(NAN, fill_value=0.0), [1, 7, 3]),
        (pd.arrays.SparseArray(NAN), [1, 7, 3]),
        (pd.Series([1, 2, 3]), [1, 2, 3]),
    ],
)
def test_what_stands_for_missing_numbers_of_pandas(column: Any, values: list[int]) -> None:
    found = sa.from_frame(pd.DataFrame({"a": column}), missing=7).array
    assert found.todense()[:, 0].tolist() == values


def test_complex_numbers_are_refused_where_they_would_lose_a_part() -> None:
    df = pd.DataFrame({"z": [1j, 2.0]})
    with pytest.raises(TypeError, match="column 'z' is of complex128, which float64 does not hold"):
        sa.from_frame(df)
    assert sa.from_frame(df, dtype=complex).array.todense()[:, 0].tolist() == [1j, 2.0]


TEXTS = ["x", "y", "x"]
CODED = pa.array(TEXTS).dictionary_encode()


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(TEXTS, dtype=object),
        pd.Series(TEXTS, dtype="str"),
        pd.Series(TEXTS, dtype="string"),
        pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.string())),
        pd.Series(CODED.to_pandas()).astype(pd.ArrowDtype(CODED.type)),
    ],
)
def test_texts_of_pandas_by_any_dtype(column: Any) -> None:
    found = sa.from_frame(pd.DataFrame({"k": column}))
    assert found.names == ("k[x]", "k[y]")
    assert found.array.todense().tolist() == [[1, 0], [0, 1], [1, 0]]


NO_TEXTS = {
    "pandas": lambda: pd.DataFrame(
        {"a": pd.Series([], dtype=float), "k": pd.Series([], dtype=object)}
    ),
    "polars": lambda: pl.DataFrame({"a": [], "k": []}, {"a": pl.Float64, "k": pl.String}),
    "arrow": lambda: pa.table({"a": pa.array([], pa.float64()), "k": pa.array([], pa.string())}),
}


@pytest.mark.parametrize("maker", NO_TEXTS)
def test_texts_of_no_rows(maker: str) -> None:
    none = NO_TEXTS[maker]()
    assert sa.from_frame(none).array.shape == (0, 1)
    design = sa.from_frame(pd.DataFrame({"a": [1.0, 2.0, 3.0], "k": TEXTS}))
    empty = sa.from_frame(none, like=design).array
    assert empty.shape == (0, 3)
    np.testing.assert_array_equal(empty.T @ empty, np.zeros((3, 3)))


def test_a_column_of_no_texts_is_missing_all_of_them() -> None:
    with pytest.raises(ValueError, match="column 'k': the category of row 0 is missing"):
        sa.from_frame(pd.DataFrame({"k": pd.Series([None, None], dtype=object)}))


def test_categories_of_arrow_that_are_none_or_twice_the_same() -> None:
    codes = pa.array([0, 1, 2, None], pa.int32())
    table = pa.table({"k": pa.DictionaryArray.from_arrays(codes, ["x", None, "x"])})
    with pytest.raises(ValueError, match="column 'k': the category of row 1 is missing"):
        sa.from_frame(table)
    found = sa.from_frame(table, missing_categories="zeros")
    assert found.names == ("k[x]",)
    assert found.array.todense()[:, 0].tolist() == [1, 0, 1, 0]


def test_what_is_done_about_missing_categories_is_one_of_two() -> None:
    with pytest.raises(ValueError, match='has to be "refuse" or "zeros", not \'zero\''):
        sa.from_frame(pd.DataFrame({"k": TEXTS}), missing_categories="zero")  # type: ignore[arg-type]
