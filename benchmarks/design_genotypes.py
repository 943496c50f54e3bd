"""Genotypes of two bits: products with a vector, beside int8 through BLAS."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.report import Row


def rows(seconds: float, quick: bool) -> Iterator[Row]:
    """Yield the rows of genotypes with and without missing codes."""
    return iter(())
