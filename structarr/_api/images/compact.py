"""Labels numbered from 1 on, and other values in the place of labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import labelled, values_of, with_values
from structarr._api.images.windows import by_rows
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike


def relabel(labels: ArrayLike, /) -> tuple[Array, Any]:
    """
    Number labels from 1 on in the order of their values, leaving out those that are not there.

    Parameters
    ----------
    labels : array_like
        Integers of any dtype; 0 is the background.

    Returns
    -------
    numbered : Array
        The same regions as int32, in format "sparse-rle", computed at the call; it shares their
        coordinates.
    values : numpy.ndarray
        The label that each number stands for: ``values[0]`` is that of 1.

    Raises
    ------
    TypeError
        If labels are not integers.

    See Also
    --------
    map_labels : Puts values in the place of labels.
    label : Numbers connected components.

    Notes
    -----
    It takes time for each run: that of sorting their labels where these spread widely.

    Examples
    --------
    >>> from structarr import ndimage
    >>> numbered, values = ndimage.relabel([0, 40, 40, 7])
    >>> numbered.todense(), values
    (array([0, 2, 2, 1], dtype=int32), array([ 7, 40]))
    """
    own = labelled(labels)
    given = values_of(own)
    values, numbers = _ranked(given)
    return with_values(own, numbers + np.int32(1)), values


def _ranked(given: Any) -> tuple[Any, Any]:
    """The values that there are, ascending, and for each given one its place among them."""
    if not len(given):
        return given.copy(), np.zeros(0, np.int32)
    if given.dtype == np.bool_:
        return np.ones(1, np.bool_), np.zeros(len(given), np.int32)
    least, most = int(given.min()), int(given.max())
    if most - least > 4 * len(given):
        values, places = np.unique(given, return_inverse=True)
        return values, places.astype(np.int32)
    table = np.zeros(most - least + 1, np.int32)
    first = given.dtype.type(least)
    # Of narrow integers a difference has no room; of those without signs none is below 0.
    shifted = given - first if given.dtype.kind == "u" else given.astype(np.int64) - least
    table[shifted] = 1
    values = np.flatnonzero(table)
    table[values] = np.arange(len(values), dtype=np.int32)
    return values.astype(given.dtype) + first, table[shifted]


def map_labels(labels: ArrayLike, values: Any, /) -> Array:
    """
    Put ``values[k]`` in the place of each label `k`.

    Parameters
    ----------
    labels : array_like
        Integers from 0 on; 0 is the background.
    values : array_like
        A value for each label, of any real dtype or bool; ``values[0]``, that of the background,
        must be 0.

    Returns
    -------
    Array
        Of the dtype of `values`, in format "sparse-rle", computed at the call; adjacent runs that
        become equal are one.

    Raises
    ------
    IndexError
        If there is no value for a label.
    ValueError
        If the background would not be 0.

    See Also
    --------
    relabel : Numbers labels from 1 on.

    Notes
    -----
    It takes time for each run.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.map_labels([0, 1, 2, 3], [0, 5, 5, 0]).todense()
    array([0, 5, 5, 0])
    """
    own = labelled(labels)
    table = np.ascontiguousarray(values)
    if table.ndim != 1 or not len(table) or table[0] != 0:
        raise ValueError("values are a list of one for each label, that of label 0 being 0")
    if own.dtype == np.bool_:
        own = with_values(own, values_of(own).astype(np.int8))
    return by_rows(_mapped, own, table)


@kernel
def _mapped(rows: Any, values: Any) -> Any:
    """Rows of other values."""
    found = zeros(rows.shape, dtype=values.dtype)
    for i in range(rows.shape[0]):
        for start, stop, label in runs(rows[i]):
            found[i, start:stop] = values[label]
    return found
