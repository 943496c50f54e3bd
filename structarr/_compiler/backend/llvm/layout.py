"""Where objects of Python's and NumPy's keep what machine code reads of them."""

from __future__ import annotations

from typing import Final

TYPE: Final = 8
"""Where an object keeps its type."""

DATA, AXES, LENGTHS, STRIDES = 16, 24, 32, 40
"""Where an array keeps its buffer, number of axes, lengths and strides."""
