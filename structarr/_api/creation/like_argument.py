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
from structarr._support.array_types import DTypeLike, Order


@publish(np.array)
def array_like(
    object: Any,
    dtype: DTypeLike | None = None,
    *,
    copy: Any = True,
    order: Order = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
) -> Array:
    """Make an array of an array-like, with new axes in front if there are too few."""
    made = asarray(object, dtype=dtype, copy=copy or None)
    return reshape(made, (1,) * (ndmin - made.ndim) + made.shape) if made.ndim < ndmin else made


# The other functions, with NumPy's arguments by position; orders and requirements of memory have no
# meaning here.
publish(np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray)(
    lambda a, dtype=None, order=None, *, device=None, copy=None: asarray(
        a, dtype=dtype, copy=copy, device=device
    )
)
publish(np.require)(lambda a, dtype=None, requirements=None: asarray(a, dtype=dtype))
publish(np.zeros, np.empty)(
    lambda shape, dtype=None, order="C", *, device=None: zeros(shape, dtype=dtype, device=device)
)
publish(np.ones)(
    lambda shape, dtype=None, order="C", *, device=None: ones(shape, dtype=dtype, device=device)
)
publish(np.full)(
    lambda shape, fill_value, dtype=None, order="C", *, device=None: full(
        shape, fill_value, dtype=dtype, device=device
    )
)
publish(np.eye)(
    lambda N, M=None, k=0, dtype=float, order="C", *, device=None: eye(
        N, M, k=k, dtype=dtype, device=device
    )
)
publish(np.identity)(lambda n, dtype=None: eye(n, dtype=dtype))
publish(np.tri)(lambda N, M=None, k=0, dtype=float: tri(N, M, k=k, dtype=dtype))
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
