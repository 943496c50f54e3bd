"""A kernel that is one call of a helper: loops over buffers that no expression stands for."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from structarr._compiler.build.kernel import build
from structarr._compiler.build.params import Param


def call(name: str, inputs: tuple[Any, ...], outputs: tuple[Any, ...], work: float) -> Any:
    """
    Call a helper of `structarr._compiler.runtime`, compiled where that pays.

    Parameters
    ----------
    name : str
        The helper's.
    inputs, outputs : tuple of numpy.ndarray or int
        Its arguments; it writes to the latter alone. Arrays are one-dimensional and C-contiguous.
    work : float
        An estimate of the number of innermost steps.

    Examples
    --------
    >>> call("bisect", (np.array([1, 3, 5]), 4, 0, 3), (), 3)
    2
    """
    args = (*inputs, *outputs)
    names = ", ".join(f"a{k}" for k in range(len(args)))
    params = tuple([_param(k, _dtype(arg), k >= len(inputs)) for k, arg in enumerate(args)])
    return build(f"def kernel({names}):\n    return {name}({names})\n", params)(args, work)


def _dtype(arg: Any) -> np.dtype[Any] | None:
    return arg.dtype if isinstance(arg, np.ndarray) else None


@cache
def _param(place: int, dtype: np.dtype[Any] | None, writable: bool) -> Param:
    if dtype is None:
        return Param(f"a{place}", "int64", False, False, True)
    return Param(f"a{place}", dtype.name, True, writable, dtype.name in ("int32", "int64"))
