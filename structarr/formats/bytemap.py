"""Bytemap: a row that is scattered once and then looked up, with a mask of what is stored."""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import Expr, Fiber, Helper, Line, Lit, Store
from structarr.formats.entries import Array
from structarr.formats.scattered_row import ScatteredReading, ScatteredRow, ScatteredWriting
from structarr.formats.workspace import masked_row, unmask


class _Reading(ScatteredReading):
    def there(self, fiber: Fiber, i: Expr) -> Expr:
        """Whether anything is stored at an index."""
        mask: Expr = fiber.buffer("mask")[i]
        return Helper("bool", "rarely", (mask,)) if fiber.level.rare else mask


class _Writing(ScatteredWriting):
    def marks(self, fiber: Fiber, i: Expr) -> tuple[Line, ...]:
        """The mask at an index, set."""
        return (Store(fiber.buffer("mask"), i, Lit("bool", True)),)

    def untouch(self, fiber: Fiber, at: Expr) -> Line:
        """Clear the mask at the touched index of a number."""
        return unmask(fiber, at)


class Bytemap(ScatteredRow):
    """A scattered row whose `mask` says where anything is stored.

    Where it is rare that something is stored, a branch on that spares reading what it guards.
    """

    rare: bool = False
    buffers: ClassVar[tuple[str, ...]] = ("mask", "idx")
    flags: ClassVar[tuple[str, ...]] = ("mask",)
    reading = _Reading()
    writing = _Writing()

    def space(self, dim: int, touched: int, index: str, dtype: str) -> tuple[Array, ...]:
        """A mask, a list of indices, and values."""
        return masked_row(dim, index, dtype)
