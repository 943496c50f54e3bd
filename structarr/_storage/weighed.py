"""Stored values with the number of elements that each stands for, without where these are."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from structarr._storage.coordinates import levels_above_leaf
from structarr._storage.nnz import standing
from structarr._storage.tensor import Tensor
from structarr.formats import Level
from structarr.formats.entries import Array


class Weighed(NamedTuple):
    """Values, in the order in which they are stored, and how many elements each is."""

    values: Array
    times: Array


def weighed(tensor: Tensor) -> Weighed | None:
    """
    Return the stored values of a tensor and how often each stands in it.

    None of formats that do not tell how often, or whose elements are computed of what is stored.

    Examples
    --------
    >>> from structarr import formats
    >>> rle = formats.parse("rle", ndim=1)
    >>> found = weighed(Tensor.checked(rle, (9,), 0.0, ([0, 2], [4, 9], [0.0, 3.0])))
    >>> found.values.tolist(), found.times.tolist()
    ([0.0, 3.0], [4, 5])
    """
    levels = levels_above_leaf(tensor)
    if not levels or prod(tensor.shape) > np.iinfo(np.int64).max:
        return None
    if any(type(one).evaluate is not Level.evaluate or one.is_rule for one, *_ in levels):
        return None
    found = standing(tensor, len(levels))
    if found is None:
        return None
    values = tensor.values_at(np.arange(found.children))
    if found.each is None:
        if not found.times:
            values = values[:0]
        return Weighed(values, np.full(len(values), found.times))
    times = found.each.astype(np.int64) * found.times
    there = times > 0
    return Weighed(values, times) if there.all() else Weighed(values[there], times[there])
