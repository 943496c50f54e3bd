"""Our arrays by the names that Dask's own tests of pydata/sparse use."""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa
import structarr.dask  # which they do not, and which tells Dask of our arrays


class _OfArrays(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, sa.Array)


class COO(metaclass=_OfArrays):
    """Stands for `sparse.COO`: instances are our arrays."""

    @staticmethod
    def from_numpy(x: Any, fill_value: Any = None) -> sa.Array:
        return sa.asarray(np.asarray(x), format="coo" if np.ndim(x) else None)
