"""Plans for many elements made for few: thresholds below which they are never worth it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from structarr._execute import counted_marks, dense_values, joined_lists, relaid_operands
from structarr._scheduler import (
    columns_apart,
    many_lists,
    seen_counts,
    split_sums,
    weighted_products,
)

_FEW: Final[tuple[tuple[Any, str, float], ...]] = (
    *((split_sums, name, 0.0) for name in ("GAIN", "SKETCHED", "REFILL", "REFILLED")),
    *((module, "STRETCH", 8) for module in (columns_apart, joined_lists, weighted_products)),
    (many_lists, "MOST", 3),
    (seen_counts, "LEAST", 0),
    (dense_values, "FEW", 0),
    (counted_marks, "MANY", 1),
    (relaid_operands, "LARGE", 1),
)


@contextmanager
def for_few() -> Iterator[None]:
    """Within, sums are split and vectors are cut into stretches however short they are."""
    kept = [getattr(module, name) for module, name, _ in _FEW]
    for module, name, value in _FEW:
        setattr(module, name, value)
    try:
        yield
    finally:
        for (module, name, _), value in zip(_FEW, kept, strict=True):
            setattr(module, name, value)
