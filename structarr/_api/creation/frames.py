"""Arrays of objects of pandas, categories among them."""

from __future__ import annotations

from typing import Any

from structarr._api.creation.creation import asarray
from structarr._array import Array, Spec, of_tensor
from structarr._support.array_types import DTypeLike
from structarr.interop import pandas as frames


def from_pandas(
    obj: Any,
    /,
    dtype: DTypeLike | None = None,
    format: Spec | None = None,
    missing: Any = None,
) -> Array:
    """
    Make an array of a DataFrame, a Series or an array of pandas, with categories as one-hot.

    It is `asarray` but for columns of categories, each of which becomes a column of truth values
    for every category, after the other columns: those of ``pandas.get_dummies(obj)``.

    Parameters
    ----------
    obj : DataFrame, Series or ExtensionArray
        Of numbers, truth values, or categories.
    dtype : dtype_like, optional
        Of the result; None stands for what NumPy's promotion makes of the columns'.
    format : str, Level or Format, optional
        How to store the elements. None keeps the structure that `obj` has: "csc" with columns of
        categories, "point" for one series of them.
    missing : scalar, optional
        What stands for a missing value of a nullable dtype; None for NaN among floating-point
        numbers, and for a refusal elsewhere. A missing category is a row without a truth.

    Returns
    -------
    Array
        Of two axes for a frame or categories, else of one, in `format` or in the structure of
        `obj`; the columns are copied, in time proportional to what they store.

    Raises
    ------
    TypeError
        If a column holds something else, by name.
    ValueError
        If a value is missing and nothing stands for it.

    See Also
    --------
    asarray : Categories as their values.
    Array.to_pandas : The way back.

    Examples
    --------
    >>> import pandas as pd
    >>> import structarr as sa
    >>> colour = pd.Series(["red", "blue", None, "red"], dtype="category")
    >>> a = sa.from_pandas(colour)
    >>> a, a.nbytes
    (<structarr.Array shape=(4, 2) dtype=bool format=point, leaf Pattern nstored=4 fill=False
          .   True
       True      .
          .      .
          .   True>, 16)
    >>> a.tolist()
    [[False, True], [True, False], [False, False], [False, True]]
    """
    if not frames.is_pandas(obj):
        raise TypeError(f"from_pandas takes an object of pandas, not {type(obj).__name__}")
    array = of_tensor(frames.from_pandas(obj, missing, one_hot=True))
    return asarray(array, dtype, format)
