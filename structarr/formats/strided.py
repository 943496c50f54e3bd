"""Strided: a mode of an all-dense tensor, read or written in any order of its modes."""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import Expr, Fiber
from structarr.formats.base import Level
from structarr.formats.reading import Located
from structarr.formats.writing import Placed


def _child(fiber: Fiber, index: Expr) -> Fiber:
    return fiber.child(fiber.pos + index * fiber.level.stride)


class Strided(Level):
    """The child at index i is `i * stride` further on."""

    stride: Expr
    arithmetic: ClassVar[bool] = True
    reading = Located(_child)
    writing = Placed(_child)
