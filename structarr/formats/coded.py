"""Coded levels: every element is one of a few values, and stored as some bits that say which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    OPS,
    Call,
    Do,
    Expr,
    Fiber,
    Helper,
    Line,
    Lit,
    Node,
    Set,
    Store,
    Var,
    eq,
)
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, Written, differ, segments
from structarr.formats.kinds import COMPUTED, Kind
from structarr.formats.reading import Located
from structarr.formats.writing import InPlace
from structarr.looplets import Context


def _place(fiber: Fiber, i: Expr) -> tuple[Expr, Expr, Expr]:
    """The byte with which a fiber begins, the first bit of an element from there, and how many."""
    level: Coded = fiber.level
    width = Helper(INDEX, "quotient", (fiber.dim * level.bits + 7, Lit(INDEX, 8)))
    return fiber.pos * width, i * level.bits, Lit(INDEX, level.bits)


def _coded(fiber: Fiber, i: Expr) -> Expr:
    """The value of an element: chosen by its code, as machines choose several at once.

    They look up one after the other in a table.
    """
    level: Coded = fiber.level
    code = Helper(INDEX, "code_at", (fiber.buffer("code"), *_place(fiber, i)))
    dtype, found = fiber.tensor.dtype, fiber.fill
    for number, value in enumerate(level.literals(dtype), 1):
        found = Call(dtype, OPS["where"], (eq(code, Lit(INDEX, number)), value, found))
    return found


class _Writing(InPlace):
    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """A local variable for the value, whose code `commit` stores."""
        value = ctx.fresh(f"{fiber.tensor.name.lower()}_v", fiber.tensor.dtype, result=True)
        ctx.emit(Set(value, fiber.fill if fiber.tensor.start is None else fiber.tensor.start))
        return value

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """Store the code of the value."""
        assert isinstance(child, Var)
        level: Coded = fiber.level
        code: Expr = Lit(INDEX, 0)
        for number, value in enumerate(level.literals(fiber.tensor.dtype), 1):
            found = ctx.differ(child, value)
            code = Call(INDEX, OPS["where"], (found, code, Lit(INDEX, number)))
        args = (fiber.buffer("code"), *_place(fiber, lo), code)
        ctx.emit(Do(Helper(INDEX, "put_code", args)))

    def block(self, fiber: Fiber) -> Expr:
        """None of its own: the children are those of all fibers."""
        return Lit(INDEX, 0)

    def total(self, fiber: Fiber, fibers: Expr) -> Expr:
        """One for each code."""
        level: Coded = fiber.level
        return Lit(INDEX, 1 << level.bits)

    def finish(self, fiber: Fiber, fibers: Expr, skipped: bool) -> tuple[Line, ...]:
        """The values of the codes; that of code 0 is the fill."""
        level: Coded = fiber.level
        values = fiber.child(Lit(INDEX, 0)).buffer("val")
        literals = enumerate(level.literals(fiber.tensor.dtype), 1)
        return tuple([Store(values, Lit(INDEX, number), value) for number, value in literals])


class Coded(Level):
    """Element i of fiber p is the value of its code, `bits` of the bits of `code`.

    Fibers begin with a byte each. Code 0 is the fill; `others` are the values of the codes from 1
    on, as text. None stands for those that an array turns out to have.
    """

    others: tuple[str, ...] | None = None
    bits: ClassVar[int]
    buffers: ClassVar[tuple[str, ...]] = ("code",)
    octets: ClassVar[tuple[str, ...]] = ("code",)
    kind: ClassVar[Kind] = COMPUTED
    leafy: ClassVar[bool] = True
    is_partial: ClassVar[bool] = True
    reading = Located(_coded)
    writing = _Writing()

    def literals(self, dtype: str) -> Sequence[Lit]:
        """The values of the codes from 1 on, in a kernel."""
        if self.others is None:
            raise FormatError(f"level {type(self).__name__}: the values are not decided")
        return [Lit(dtype, value.item()) for value in told(self.others, np.dtype(dtype))]

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """The bytes of all fibers."""
        return (fibers * self._width(dim),)

    def children(self, fibers: int, dim: int) -> int:
        """One for each code."""
        return 1 << self.bits

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index, with the child of its code."""
        rows = buffers[0].reshape(-1, self._width(dim))[fibers.position] if dim else buffers[0]
        fiber, coordinate, _ = segments(fibers.position, np.full(len(fibers.position), dim))
        return Entries(fiber, coordinate, decoded(rows, dim, self.bits).reshape(-1))

    def concrete(self, entries: Written, dim: int) -> Level:
        """The values of the entries."""
        if self.others is not None:
            return self
        found = np.unique(entries.value)[: (1 << self.bits) - 1]
        return self.replace(others=tuple([repr(value.item()) for value in found]))

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries of further values."""
        assert self.others is not None
        known = np.zeros(len(entries.value), bool)
        for value in told(self.others, entries.value.dtype):
            known |= ~differ(entries.value, value)
        shown = ", ".join(self.others)
        return np.flatnonzero(~known), (
            f"is a further value: {self.bits} bits an element tell {1 << self.bits}, and there are "
            f"{shown} beside the fill"
        )

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """As many bytes as the fibers take."""
        checks.length(buffers[0], "code", fibers * self._width(dim))
        return 1 << self.bits

    def _width(self, dim: int) -> int:
        """The bytes of a fiber."""
        return (dim * self.bits + 7) // 8


def told(values: tuple[str, ...], dtype: np.dtype[Any]) -> Array:
    """Values from their texts."""
    if dtype.kind == "b":
        return np.array([value == "True" for value in values], dtype)
    read = {"f": float, "c": complex}.get(dtype.kind, int)
    return np.array([read(value) for value in values], dtype)


def decoded(code: Array, dim: int, bits: int) -> Array:
    """The codes of rows of bytes."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    every = (code[..., None] >> shifts) & np.uint8((1 << bits) - 1)
    # Of no rows a length of -1 would not be known.
    whole = every.reshape(*code.shape[:-1], code.shape[-1] * len(shifts))
    found: Array = whole[..., :dim].astype(np.int64)
    return found


def encoded(codes: Array, bits: int) -> Array:
    """Rows of bytes of codes, which are rows of uint8."""
    per = 8 // bits
    rows, dim = codes.shape
    padded = np.zeros((rows, -(-dim // per), per), np.uint8)
    padded.reshape(rows, -1)[:, :dim] = codes
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    found: Array = np.bitwise_or.reduce(padded << shifts, axis=2)
    return found
