"""NumPy's ``like=``: its functions that make arrays, making ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._api.core.publish import publish
from structarr._api.creation.creation import asarray
from structarr._api.creation.diagonals import eye
from structarr._api.creation.full import full, ones, zeros
from structarr._api.creation.ranges import arange
from structarr._api.creation.triangular import tri
from structarr._api.shape.reshaping import reshape
from structarr._array import Array


@publish(np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray)
def asarray_like(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None
) -> Array:
    """Make an array of an array-like."""
    return asarray(a, dtype=dtype, copy=copy, device=device)


@publish(np.array)
def array_like(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
) -> Array:
    """Make an array of an array-like, with new axes in front if there are too few."""
    made = asarray(object, dtype=dtype, copy=copy or None)
    return reshape(made, (1,) * (ndmin - made.ndim) + made.shape) if made.ndim < ndmin else made


@publish(np.require)
def require_like(a: Any, dtype: Any = None, requirements: Any = None) -> Array:
    """Make an array of an array-like; requirements of memory have no meaning here."""
    return asarray(a, dtype=dtype)


@publish(np.zeros, np.empty)
def zeros_of(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Array:
    """Make an array of zeros."""
    return zeros(shape, dtype=dtype, device=device)


@publish(np.ones)
def ones_of(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Array:
    """Make an array of ones."""
    return ones(shape, dtype=dtype, device=device)


@publish(np.full)
def full_of(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None
) -> Array:
    """Make an array of one value."""
    return full(shape, fill_value, dtype=dtype, device=device)


@publish(np.eye)
def eye_of(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = float,
    order: Any = "C",
    *,
    device: Any = None,
) -> Array:
    """Make a matrix of ones on a diagonal."""
    return eye(N, M, k=k, dtype=dtype, device=device)


@publish(np.identity)
def identity_of(n: int, dtype: Any = None) -> Array:
    """Make a square matrix of ones on the main diagonal."""
    return eye(n, dtype=dtype)


@publish(np.tri)
def tri_of(N: int, M: int | None = None, k: int = 0, dtype: Any = float) -> Array:
    """Make a matrix of ones on and below a diagonal."""
    return tri(N, M, k=k, dtype=dtype)


publish(np.arange)(arange)


def _made(twin: Callable[..., Any]) -> None:
    """Publish a function that reads or computes all elements."""

    @publish(twin, how="dense")
    def make(*args: Any, **kwargs: Any) -> Array:
        return asarray(twin(*args, **kwargs))


for _twin in (
    *(np.frombuffer, np.fromfile, np.fromfunction, np.fromiter, np.fromstring),
    *(np.genfromtxt, np.loadtxt),
):
    _made(_twin)
