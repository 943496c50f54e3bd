"""Counts of values: one kernel adds up what each element counts, a run of equal ones at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.core.dense_fallback import through
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.programs.run_programs import run
from structarr._api.reductions.reductions import max as max_over, min as min_over
from structarr._api.reductions.searching import argmax
from structarr._array import Array, NumPyArray, stored
from structarr._storage.density import check_size
from structarr._support.array_types import ArrayLike


@publish(np.bincount)
def bincount(x: ArrayLike, /, weights: ArrayLike | None = None, minlength: int = 0) -> Array:
    """
    Count how often each of the numbers 0, 1, 2, ... occurs in a vector.

    Parameters
    ----------
    x : array_like
        Vector of integers, none of them negative.
    weights : array_like, optional
        Weight of each number.
    minlength : int
        How many counts there are at least.

    Returns
    -------
    Array
        Dense, of int64, or of float64 with weights; computed at the call in time proportional to
        what is stored and to the number of counts.

    Raises
    ------
    ValueError
        If a number is negative, there is more than one axis, or there are not as many weights.
    TypeError
        If the elements are not integers.
    DensificationError
        If there are more counts than the option `densify_limit` allows.

    See Also
    --------
    unique_counts : Counts of the values that occur.
    histogram : Counts in bins.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.bincount(sa.asarray([0, 3, 0, 1, 0], format="list")).tolist()
    [3, 1, 0, 1]
    """
    array = as_array(x)
    counted = None if weights is None else as_array(weights)
    if not array.size:
        return through(np.bincount, array, counted, minlength)  # type: ignore[no-any-return]
    like = np.zeros((1,) * array.ndim, array.dtype)
    counts_like = None if counted is None else np.zeros((1,) * counted.ndim, counted.dtype)
    start = np.bincount(like, counts_like, minlength)  # raises NumPy's errors
    if counted is not None and counted.shape != array.shape:
        raise ValueError("The weights and list don't have the same length.")
    most = int(max_over(array))
    if int(min_over(array)) < 0:
        place = int(argmax(array < 0))
        raise ValueError(
            f"'list' argument must have no negative elements: x[{place}] is {int(array[place])}"
        )
    check_size(
        8 * (most + 1),
        f"a count for each number up to {most} in an array of shape {array.shape}",
        "count the numbers that occur, by np.unique(..., return_counts=True)",
        stored(array).nbytes,
    )
    counts = np.zeros(max(most + 1, len(start)), start.dtype)
    return added((array,), counted, counts)


def added(places: Sequence[Array], weights: Array | None, begun: NumPyArray) -> Array:
    """Counts to which one is added for each element at its place, or the element's weight."""
    index = f"[{', '.join('ijklmnopqr'[: places[0].ndim])}]" if places[0].ndim else ""
    target = ", ".join(f"p{k}{index}" for k in range(len(places)))
    operands: dict[str, Any] = {
        f"p{k}": one.astype(np.int64) if one.dtype.kind == "b" else one
        for k, one in enumerate(places)
    }
    if weights is not None:
        operands["w"] = weights
    what = "1" if weights is None else f"w{index}"
    return run(f"y[{target}] += {what}", out=begun, **operands)  # type: ignore[no-any-return]
