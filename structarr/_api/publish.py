"""Registration of NumPy's twins: what NumPy calls when it is given one of our arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from structarr._array import FUNCTIONS, UFUNC_METHODS

F = TypeVar("F", bound=Callable[..., Any])


def publish(*twins: Any) -> Callable[[F], F]:
    """
    Make NumPy's functions `twins` lead to the decorated one, which takes their arguments.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> np.sum(sa.asarray([1, 2, 3]))
    <structarr.Array shape=() dtype=int64 lazy: .compute() or print() computes it>
    """

    def register(function: F) -> F:
        FUNCTIONS.update(dict.fromkeys(twins, function))
        return function

    return register


def publish_method(name: str) -> Callable[[F], F]:
    """Make a method that all ufuncs have lead to the decorated function."""

    def register(function: F) -> F:
        UFUNC_METHODS[name] = function
        return function

    return register
