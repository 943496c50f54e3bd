"""The mask and the list of touched indices, by which rows of temporaries are cleared."""

from __future__ import annotations

import numpy as np

from structarr._compiler.runtime.marked import words_of_marks
from structarr.cin import Expr, Fiber, Line, Lit, Store
from structarr.formats.entries import Array


def unmask(fiber: Fiber, at: Expr) -> Line:
    """The line that clears the mask at the touched index of a number."""
    return Store(fiber.buffer("mask"), fiber.buffer("idx")[at], Lit("bool", False))


def masked_row(dim: int, index: str, dtype: str) -> tuple[Array, ...]:
    """A clear mask, and room for a list of indices and for values."""
    mask = np.zeros(8 * words_of_marks(dim), np.bool_)
    return mask, np.empty(dim + 1, index), np.empty(dim, dtype)
