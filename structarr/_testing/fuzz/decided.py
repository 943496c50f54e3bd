"""The values that one operand decides alone, by operator: the algebra of fills, dense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from structarr.formats.entries import Array


def _where(condition: Callable[[Array, Array], Array], value: Any) -> Callable[..., Any]:
    def decide(left: Array, right: Array, found: Any) -> Any:
        found = np.asarray(found)
        return np.where(condition(left, right), value, found).astype(found.dtype)

    return decide


def _either(value: Any) -> Callable[..., Any]:
    return _where(lambda left, right: (left == value) | (right == value), value)


def _left_zero(left: Array, right: Array, found: Any) -> Any:
    parts = found if type(found) is tuple else (found,)
    done = tuple(
        np.where(np.broadcast_to(left == 0, np.shape(one)), 0, one).astype(np.asarray(one).dtype)
        for one in parts
    )
    return done if type(found) is tuple else done[0]


def _product(left: Array, right: Array, found: Any) -> Any:
    """0 * x = 0 and 1 * x = x, also of complex numbers that are not finite."""
    found = np.where(left == 1, right, np.where(right == 1, left, found))
    return _either(0)(left, right, found)


def _quotient(left: Array, right: Array, found: Any) -> Any:
    """0 / x = 0 and x / 1 = x, also of complex numbers that are not finite."""
    return _left_zero(left, right, np.where(right == 1, left, found))


def _infinite(left: Array, right: Array, found: Any) -> Any:
    found = np.asarray(found)
    for value in (np.inf, -np.inf):
        found = np.where((left == value) | (right == value), value, found).astype(found.dtype)
    return found


DECIDES: Final[dict[str, Callable[..., Any]]] = {
    "multiply": _product,
    "divide": _quotient,
    "true_divide": _quotient,
    "floor_divide": _left_zero,
    "remainder": _left_zero,
    "mod": _left_zero,
    "fmod": _left_zero,
    "divmod": _left_zero,
    "power": _where(lambda left, right: (left == 1) | (right == 0), 1),
    "float_power": _where(lambda left, right: (left == 1) | (right == 0), 1),
    "add": _infinite,
    "subtract": lambda left, right, found: _infinite(left, np.subtract(0, right), found),
    "maximum": _either(np.inf),
    "minimum": _either(-np.inf),
    "logaddexp": _either(np.inf),
    "logaddexp2": _either(np.inf),
}


def averaged(call: Any, args: Any, kwargs: Any) -> Any:
    """A weighted average in whose products a zero decides, and in its quotient a sum that is zero.

    >>> zeros, weights = np.zeros(2), np.array([1.0, -np.inf])
    >>> abs(float(averaged(np.average, (zeros,), {"weights": weights})))
    0.0
    """
    found = np.asarray(call(*args, **kwargs))
    array, weights = (np.asarray(one) for one in (args[0], kwargs["weights"]))
    if array.shape != weights.shape or found.dtype.kind not in "fc":
        return found
    array, weights = array.astype(found.dtype), weights.astype(found.dtype)
    axis = args[1] if len(args) > 1 else kwargs.get("axis")
    total = _product(array, weights, array * weights).sum(axis=axis)
    scale = weights.sum(axis=axis)
    return _quotient(total, scale, np.asarray(total / scale)).astype(found.dtype)
