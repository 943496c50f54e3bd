"""Operations of every day that SciPy's matrices lack, for our other formats beside NumPy."""

from __future__ import annotations

from typing import Final

TABLE: Final = """
# order
* sa.sort(a, axis=1)
sa.sort(a, axis=0)
sa.argsort(a, axis=1, kind="stable")
* sa.median(a)
sa.median(a, axis=1)
sa.median(a, axis=0)
sa.quantile(a, 0.9, axis=1)
sa.unique(a)
sa.unique(a, return_counts=True)
sa.histogram(a, 10)[0]

# places and scans
* sa.repeat(a, 2, axis=0)
sa.repeat(a, 2, axis=1)
sa.tile(a, (2, 2))
sa.delete(a, [1, 3], axis=1)
sa.insert(a, 3, 1.0, axis=0)
sa.argwhere(a)
sa.flatnonzero(a > 0.5)
* sa.cumsum(a, axis=1)
sa.cumsum(a, axis=0)
sa.diff(a, axis=1)
sa.diff(a, axis=0)
"""
"""In the notation of `everyday_operations`, without spellings of SciPy."""
