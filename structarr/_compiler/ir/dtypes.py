"""Kinds of dtypes, by the names that nodes have of them."""

from __future__ import annotations

from typing import Final

FLOATS: Final = frozenset(("float32", "float64"))
COMPLEX: Final = frozenset(("complex64", "complex128"))
INEXACT: Final = FLOATS | COMPLEX
"""The dtypes whose arithmetic rounds, and that have a NaN."""
