"""NumPy's own functions on dense copies of arrays, as far as `densify_limit` allows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._api.core.dense import densified
from structarr._api.core.operands import as_array
from structarr._api.core.out import deliver
from structarr._api.core.publish import publish
from structarr._array import Array


def through(twin: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """
    Call one of NumPy's functions with dense arrays in the place of ours, and lift what it returns.

    Raises
    ------
    DensificationError
        If an array is larger than the option ``densify_limit``; the message names the function.
    """
    name = twin.__name__
    return lifted(twin(*dense(args, name), **dense(kwargs, name)))


def dense(value: Any, name: str) -> Any:
    """Return a function's arguments with NumPy's arrays in the place of ours, in containers too."""
    if isinstance(value, Array):
        return densified(value, name)
    if type(value) in (list, tuple):
        return type(value)(dense(part, name) for part in value)
    if type(value) is dict:
        return {key: dense(part, name) for key, part in value.items()}
    return value


def lifted(value: Any) -> Any:
    """Return a value with our arrays in the place of NumPy's, in tuples and lists too."""
    if isinstance(value, (np.ndarray, np.generic)):
        half = value.dtype == np.float16  # not supported by formats
        return as_array(value.astype(np.float32) if half else value)
    if isinstance(value, tuple):
        parts = [lifted(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if type(value) is list:
        return [lifted(part) for part in value]
    return value


def published(twin: Callable[..., Any], says: str) -> Callable[..., Any]:
    """Publish a function of NumPy that has no structured meaning."""

    def function(*args: Any, **kwargs: Any) -> Any:
        target = kwargs.pop("out", None)
        return deliver(through(twin, *args, **kwargs), target)

    function.__name__ = function.__qualname__ = twin.__name__
    function.__doc__ = (
        f"{says}.\n\n"
        f"As `numpy.{twin.__name__}`, on dense arrays: above the option ``densify_limit`` it\n"
        "raises DensificationError."
    )
    return publish(twin, how="dense")(function)
