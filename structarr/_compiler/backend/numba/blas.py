"""Numba's functions of arrays without SciPy's linear algebra, which kernels do not call."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


def import_without_blas() -> None:
    """
    Import Numba's functions of arrays.

    They look whether SciPy is there, by importing `scipy.linalg`, which takes a quarter of what the
    first kernel of a process waits for Numba. SciPy is there, as this package requires it. What
    calls BLAS for a user looks again.
    """
    linalg = import_module("numba.np.linalg")
    looks: Any = getattr(linalg, "ensure_blas", None)
    if looks is None:
        return
    vars(linalg)["ensure_blas"] = lambda: None
    try:
        arraymath: ModuleType = import_module("numba.np.arraymath")
    finally:
        vars(linalg)["ensure_blas"] = looks
    vars(arraymath)["ensure_blas"] = looks
