"""Places in sorted arrays, which are read where they lie."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np


def places_in(ascending: Any, values: Any, side: Literal["left", "right"] = "left") -> Any:
    """
    Return the places at which integers would be inserted into a sorted array of integers.

    NumPy's search converts both to a common dtype: of ten million coordinates of 32 bits it makes a
    copy, to find the place of one integer of 64. So the values are converted, where they fit.

    Parameters
    ----------
    ascending : ndarray of int
        The sorted array.
    values : int or array_like of int
        What is looked for.
    side : {"left", "right"}
        Whether a place is before equal elements, or behind them.

    Returns
    -------
    intp or ndarray of intp
        A place for each value.

    Examples
    --------
    >>> import numpy as np
    >>> int(places_in(np.array([2, 3, 5], np.int8), 3, "right"))
    2
    >>> places_in(np.array([2, 3, 5], np.int8), [0, 4, 1000]).tolist()
    [0, 2, 3]
    """
    wanted = np.asarray(values)
    narrow = wanted.astype(ascending.dtype)
    return np.searchsorted(ascending, narrow if (narrow == wanted).all() else wanted, side)
