"""Design matrices: the columns of a frame side by side, each in its own structure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

import numpy as np

from structarr._api.creation.creation import asarray
from structarr._api.creation.one_hot import one_hot
from structarr._api.shape.joining import concat
from structarr._array import Array, of_tensor
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr._support.array_types import DTypeLike
from structarr.interop import frames
from structarr.interop.frames import FrameColumn

RUNS = 8
"""A sorted column with at most one run for so many rows is stored by its runs."""


class Term(NamedTuple):
    """A column of a frame, and the categories that have columns in the array, if it has any.

    `base` is the category without one, as it is where no other is.
    """

    name: str
    categories: tuple[Any, ...] | None = None
    base: Any = None

    @property
    def names(self) -> list[str]:
        """The names of its columns in the array."""
        if self.categories is None:
            return [self.name]
        return [f"{self.name}[{one}]" for one in self.categories]


class Design(NamedTuple):
    """The columns of a frame side by side, the name of each, and what the frame had for them."""

    array: Array
    names: tuple[str, ...]
    terms: tuple[Term, ...]


def from_frame(
    frame: Any,
    /,
    *,
    like: Design | None = None,
    dtype: DTypeLike = np.float64,
    missing: Any = None,
    missing_categories: Literal["refuse", "zeros"] = "refuse",
    drop_first: bool = False,
) -> Design:
    """
    Put the columns of a frame side by side in one array, each in its own structure.

    Parameters
    ----------
    frame : DataFrame or Table
        Of pandas or Polars, or what else hands out Arrow's memory, such as a table of pyarrow.
        Its n rows hold numbers, truth values, categories and strings, which are categories too.
    like : Design, optional
        That of a former frame: the columns and their categories have to be the same.
    dtype : dtype_like, optional
        Of the array; elements are converted as they are computed with.
    missing : scalar, optional
        What stands for a missing number, as NaN is in frames of pandas; None for NaN among
        floating-point numbers, and for a refusal elsewhere.
    missing_categories : {"refuse", "zeros"}
        Whether a row without a category is an error, or has zeros in the columns of all.
    drop_first : bool
        Whether the first category has no column, so that the columns do not add up to ones.

    Returns
    -------
    Design
        `array` of shape (n, k), lazy, `names` of its k columns, and `terms`, the columns of the
        frame. Categories are "point", numbers dense, sparse columns lists, and sorted columns with
        few values runs. Numbers are not copied, but for those of Arrow's truth values.

    Raises
    ------
    TypeError
        If it is no frame, or a column holds something else, by name; so do complex numbers, unless
        `dtype` is complex.
    ValueError
        If a value is missing, a category is not among those of `like`, or columns are not those of
        `like`; the message names the column and the first row.

    See Also
    --------
    from_pandas : Values alone, of lists by columns.
    one_hot : Categories of codes.

    Notes
    -----
    Takes time in proportion to the rows of categories; numbers are looked at to find sorted ones.
    Sums and products of the array are computed column block by column block, and nothing is put
    together before: ``X @ b``, ``X.T @ r``, ``X.T @ (w[:, None] * X)``, ``((X - mu) / s) @ b``.

    Examples
    --------
    >>> import pandas as pd
    >>> import structarr as sa
    >>> df = pd.DataFrame({"size": [1.5, 2.0, 0.5], "kind": ["a", "b", "a"]})
    >>> X, names, _ = sa.from_frame(df)
    >>> names
    ('size', 'kind[a]', 'kind[b]')
    >>> (X @ [2.0, 10.0, 20.0]).tolist()
    [13.0, 24.0, 11.0]
    """
    if missing_categories not in ("refuse", "zeros"):
        raise ValueError(
            f'missing_categories has to be "refuse" or "zeros", not {missing_categories!r}'
        )
    kind = dtypes.check(dtype)
    columns = frames.columns_of(frame, missing)
    if like is not None:
        _check_names([one.name for one in columns], [one.name for one in like.terms])
    terms, parts = [], []
    for number, column in enumerate(columns):
        if column.values.dtype.kind == "c" and kind.kind != "c":
            raise TypeError(
                f"column {column.name!r} is of {column.values.dtype}, which {kind} does not hold: "
                "give dtype=complex, or a frame of its real and imaginary parts"
            )
        term = _term(column, drop_first) if like is None else like.terms[number]
        terms.append(term)
        parts.append(_codes(column, term, missing_categories, like is not None))
    names = tuple([name for term in terms for name in term.names])
    arrays = list(_arrays(parts, terms))
    if not arrays:
        made = asarray(np.zeros((len(frame), 0), kind))
    else:
        made = concat(arrays, axis=1, dtype=kind, casting="unsafe")
    return Design(made, names, tuple(terms))


def _check_names(names: Sequence[str], wanted: Sequence[str]) -> None:
    if names == wanted:
        return
    pairs = zip([*names, None], [*wanted, None], strict=False)
    place, (own, other) = next((k, pair) for k, pair in enumerate(pairs) if pair[0] != pair[1])
    raise ValueError(
        f"column {place} of the frame is {own!r} where `like` has {other!r}: give the frame "
        f"columns {', '.join(wanted)}, in this order"
    )


def _term(column: FrameColumn, drop_first: bool) -> Term:
    if column.categories is None:
        return Term(column.name)
    if drop_first and column.categories:
        return Term(column.name, column.categories[1:], column.categories[0])
    return Term(column.name, column.categories)


def _codes(column: FrameColumn, term: Term, missing: str, known: bool) -> FrameColumn:
    """A column whose codes are the places among a term's categories; -1 of the base, or of none."""
    if (column.categories is None) != (term.categories is None):
        what = "categories" if term.categories is not None else "numbers"
        raise ValueError(f"column {term.name!r} has to be of {what}, as in `like`")
    if column.categories is None or term.categories is None:
        return column
    codes = column.values
    absent = codes < 0
    if absent.any() and missing != "zeros":
        raise ValueError(
            f"column {term.name!r}: the category of row {int(np.argmax(absent))} is missing; fill "
            'it in, or give missing_categories="zeros"'
        )
    if column.categories == term.categories:
        return column
    places = {one: k for k, one in enumerate(term.categories)}
    if term.base is not None:
        places[term.base] = -1
    table = np.array([places.get(one, -2) for one in column.categories] + [-1], np.int32)
    moved = table[codes]
    unseen = moved == -2
    if known and unseen.any():
        row = int(np.argmax(unseen))
        raise ValueError(
            f"column {term.name!r}: row {row} is of category {column.categories[codes[row]]!r}, "
            f"which `like` has not seen; it has {_some(term.categories)}"
        )
    return FrameColumn(column.name, moved, term.categories)


def _some(categories: Sequence[Any]) -> str:
    shown = ", ".join(map(repr, categories[:5]))
    return shown + (", ..." if len(categories) > 5 else "")


def _arrays(columns: Sequence[FrameColumn], terms: Sequence[Term]) -> Iterator[Array]:
    """The arrays of columns; numbers that lie side by side in memory are one."""
    for dense, group in groupby(columns, key=_is_dense):
        if dense:
            yield from _numbers([one.values for one in group])
            continue
        for one in group:
            if one.categories is not None:
                yield one_hot(one.values, len(one.categories))
            elif isinstance(one.values, Tensor):
                yield of_tensor(one.values)
            else:
                yield asarray(one.values, format="rle")[:, None]


def _is_dense(column: FrameColumn) -> bool:
    values = column.values
    if column.categories is not None or isinstance(values, Tensor):
        return False
    if values.dtype.kind not in "iuf" or len(values) < RUNS:
        return True
    steps = np.count_nonzero(values[1:] != values[:-1])
    return not (steps * RUNS < len(values) and bool((values[1:] >= values[:-1]).all()))


def _numbers(columns: Sequence[Any]) -> Iterator[Array]:
    """As few matrices as hold neighbouring columns without a copy."""
    start = 0
    for stop in range(1, len(columns) + 1):
        if stop == len(columns) or frames.side_by_side(columns[start : stop + 1]) is None:
            yield asarray(frames.side_by_side(columns[start:stop]))
            start = stop
