"""Contractions in which what meets a zero adds nothing, and the arrays among arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def arrays_of(args: Any) -> list[Any]:
    """The arrays among arguments, in sequences as well."""
    found = []
    for one in args:
        if type(one) in (tuple, list):
            found += arrays_of(one)
        elif isinstance(one, np.ndarray):
            found.append(one)
    return found


def each(value: Any, function: Callable[[Any], Any]) -> Any:
    """A function of each of several values, where those are NumPy's."""
    if isinstance(value, tuple | list):
        parts = [each(one, function) for one in value]
        return parts if type(value) is list else tuple(parts)
    return function(value) if isinstance(value, np.ndarray | np.generic) else value


def contracted(call: Any, args: Any, kwargs: Any) -> Any:
    """Products of which those with a zero are zero: another value where that is open."""
    found = call(*args, **kwargs)
    arrays = arrays_of(args)
    if all(np.isfinite(one).all() for one in arrays) or np.asarray(found).dtype.kind not in "fc":
        return found

    def finite(one: Any) -> Any:
        return np.where(np.isfinite(one), one, 0).astype(one.dtype)

    less = call(*each(args, finite), **kwargs)
    if len(arrays) == 2 and all(one.dtype.kind in "biuf" for one in arrays):
        return _without_zeros(lambda *pair: call(*_put(args, pair), **kwargs), arrays, less)
    return np.where(np.isfinite(found), found, np.where(np.isfinite(less), less, 0))


def with_every_term(call: Any, args: Any, kwargs: Any, found: Any) -> Any:
    """A contraction of two real arrays that is NaN where one of its terms is."""
    arrays = arrays_of(args)
    if len(arrays) != 2 or any(one.dtype.kind not in "biuf" for one in arrays):
        return found
    if all(np.isfinite(one).all() for one in arrays):
        return found

    def pairs(*chosen: Any) -> Any:
        return np.asarray(call(*_put(args, [one.astype(float) for one in chosen]), **kwargs)) > 0

    a, b = arrays
    nans = pairs(np.isnan(a), np.ones(b.shape)) | pairs(np.ones(a.shape), np.isnan(b))
    nans |= pairs(np.isinf(a), b == 0) | pairs(a == 0, np.isinf(b))
    return np.where(nans, np.nan, np.asarray(found)).astype(np.asarray(found).dtype)


def _put(args: Any, arrays: Any) -> Any:
    """Arguments with other arrays."""
    left = iter(arrays)
    return each(args, lambda one: next(left) if isinstance(one, np.ndarray) else one)


def _without_zeros(call: Callable[..., Any], arrays: list[Any], finite: Any) -> Any:
    """A contraction of two arrays to which what meets a zero adds nothing, not even a NaN."""

    def pairs(*chosen: Any) -> Any:
        return np.asarray(call(*[one.astype(float) for one in chosen]))

    (a, b), (x, y) = arrays, [np.isfinite(one) for one in arrays]

    def infinite(left: Any, right: Any) -> Any:
        return pairs(left, right) - pairs(left & x, right & y)

    plus = infinite(a > 0, b > 0) + infinite(a < 0, b < 0) > 0
    minus = infinite(a > 0, b < 0) + infinite(a < 0, b > 0) > 0
    nans = pairs(np.isnan(a), b != 0) + pairs(a != 0, np.isnan(b)) > 0
    value = np.where(plus, np.inf, np.where(minus, -np.inf, np.asarray(finite)))
    return np.where(nans | (plus & minus), np.nan, value).astype(np.asarray(finite).dtype)
