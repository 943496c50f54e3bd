"""A result of a kernel: its buffers are allocated before a call and trimmed after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from structarr._compiler.backend.python.host import straight
from structarr._compiler.ir.expr import Expr, Lit
from structarr._compiler.ir.given import FillArg, Given, ScalarArg
from structarr._compiler.ir.node import substitute
from structarr._compiler.ir.variables import Var
from structarr._compiler.options import current
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.engine import RuleSet, simplifier
from structarr._execute.allocation import allocation_of, prefilled
from structarr._scheduler.compiled import Result
from structarr._scheduler.counts import Children, Count, Elements
from structarr._scheduler.operands import Operands
from structarr._storage.density import check_size
from structarr._storage.memo import OWN
from structarr._storage.row_parts import is_placed, is_stretch
from structarr._storage.tensor import Tensor
from structarr._support import buffer_pool
from structarr._support.caches import room
from structarr._support.dtypes import zero
from structarr._support.memory import available_for
from structarr.errors import DensificationError, FormatError
from structarr.formats.base import Format
from structarr.formats.entries import Array

MOST = {index: int(np.iinfo(index).max) for index in ("int32", "int64")}  # the most positions
MOST_FILLS = 64  # the most fills that are remembered of a result; beyond, all are forgotten


def too_narrow(fmt: Format) -> FormatError:
    """The error of a result that may store more entries than its positions count."""
    return FormatError(
        f"the result may store more entries than {fmt.index} positions can count; "
        "ask for a format of int64 positions"
    )


class Place:
    """The place of one result of a kernel, allocated before a call and trimmed after it."""

    __slots__ = (
        "_rules",
        "allocation",
        "appends",
        "dtype",
        "fill",
        "fills",
        "format",
        "is_begun",
        "is_counted",
        "is_one",
        "is_placed",
        "is_stretch",
        "lengths",
        "make",
        "result",
        "start",
        "uninitialized",
        "unknown",
        "used",
        "width",
    )

    lengths: Callable[..., list[int] | None]
    make: Callable[..., list[Array]]
    used: Callable[..., list[int]]

    def __init__(
        self,
        result: Result,
        dtype: np.dtype[Any],
        rules: RuleSet,
        lengths: tuple[Given, ...],
    ) -> None:
        self.result = result
        self._rules = rules
        self.format = result.format
        self.dtype = dtype
        self.fill = _constant(result.fill, dtype)
        self.unknown = result.fill.every(Var)
        self.fills: dict[tuple[bytes, ...], Any] = {}
        self.start = None if result.start is None else _constant(result.start, dtype)
        known = self.fill if result.start is None else self.start
        self.allocation = code = allocation_of(result, dtype, known, lengths)
        wanted = [part.length for part in code.parts if part.length is not None]
        sized = [*code.bounds, f"if not guard({code.elements}): return None"]
        self.lengths = straight(
            "T, G, K, S, guard, ready", sized, f"[{', '.join(wanted)}]", code.names
        )
        places = count()
        made = [
            part.made if part.length is None else part.made.format(n=f"L[{next(places)}]")
            for part in code.parts
        ]
        self.make = straight("L, start, ready", (), f"[{', '.join(made)}]", code.names)
        appends = any(level.writing.appends for level in result.format.levels)
        self.appends = appends and result.shares is None
        self.used = straight("W, S", code.trims, f"[{', '.join(code.used)}]", code.names)
        # Whether the bounds of its lengths go through buffers of the operands.
        self.is_counted = any(
            not isinstance(one, Children | Elements)
            for bound in result.bounds
            if bound is not None
            for one in bound.every(Count)
        )
        levels = self.format.levels
        inner = [name in level.uninitialized for level in levels[:-1] for name in level.buffers]
        # Whether its rows are stretches of one buffer, and whether all begins with a value, and no
        # mark is set, which pieces may write.
        dense = self.format.is_dense and len(code.parts) == 1 and result.shares is None
        self.is_one = dense  # whether it is one buffer
        self.is_stretch = dense and is_stretch(levels)
        self.is_placed = bool(levels[:-1]) and is_placed(levels) and result.shares is None
        begins = dense or self.is_placed
        self.is_begun = begins and prefilled(levels) and not result.overwritten
        # The bytes of an element and, where elements are listed, of its coordinate.
        self.width = dtype.itemsize + self.appends * np.dtype(result.format.index).itemsize
        # Whether each buffer may hold anything where the kernel does not write.
        self.uninitialized = (*inner, *[not prefilled(levels) for _ in levels[-1].buffers])

    def bare(self, lengths: Sequence[int]) -> list[Array]:
        """The buffers of a result that pieces begin."""
        *marks, values = lengths
        made = [buffer_pool.empty(size, np.dtype(bool)) for size in marks]
        return [*made, buffer_pool.empty(values, self.dtype)]

    def begin(self, given: Operands, buffers: Sequence[Array]) -> None:
        """Begin a part of such buffers: nothing is stored."""
        *marks, values = buffers
        for one in marks:
            one.fill(False)
        values.fill(self.start_of(given))

    def operators(self, operator: str) -> list[str]:
        """The operators that combine its buffers as pieces have them, of that of its values."""
        marks = sum([len(level.flags) for level in self.format.levels])
        return [*["logical_or"] * marks, operator]

    def made(self, given: Operands, shape: tuple[int, ...], buffers: Sequence[Array]) -> Tensor:
        """The result of a call, of its buffers."""
        fill = self.fill_of(given)
        return Tensor(self.format, shape, self.dtype, fill, tuple(buffers), {OWN: True})

    def fill_of(self, given: Operands) -> Any:
        """The fill, which may depend on the call's scalars."""
        if self.fill is not None:
            return self.fill
        return self.fill_by(*[_value_of(var, given) for var in self.unknown])

    def fill_by(self, *known: Any) -> Any:
        """The fill by what it depends on."""
        key = tuple([value.tobytes() for value in known])
        found = self.fills.get(key)
        if found is None:
            found = room(self.fills, MOST_FILLS)[key] = self._evaluated(known)
        return found

    def start_of(self, given: Operands) -> Any:
        """The value of all elements before the kernel writes any."""
        return self.fill_of(given) if self.start is None else self.start

    def _evaluated(self, known: Sequence[Any]) -> Any:
        table: dict[Any, Any] = {
            var: literal(var.dtype, value) for var, value in zip(self.unknown, known, strict=True)
        }
        value = simplifier(self._rules)(substitute(self.result.fill, table))
        assert isinstance(value, Lit), value
        return self.dtype.type(value.value)

    def guard(self, given: Operands, shape: tuple[int, ...]) -> Callable[[int], bool]:
        """A check of the bytes of the elements; false if positions cannot count these."""

        def check(entries: int) -> bool:
            if self.appends and entries > MOST[self.format.index]:
                return False
            size = entries * self.width
            if size > current().densify_limit:
                self._check_size(given, size, shape)
            return True

        return check

    def _check_size(self, given: Operands, size: int, shape: tuple[int, ...]) -> None:
        """Refuse a result beyond the memory left, or a dense one that no operand announces."""
        what, left = f"the result of shape {shape}", available_for(size)
        if size > left:
            buffer_pool.let_go()
            left = available_for(size)
        if size > left:
            raise DensificationError(
                f"{what} may take {size} bytes, and {left} are available; "
                "reduce it or multiply it by a mask before it is looked at, compute it in parts, "
                f"or try all the same with structarr.options(densify_limit={size})"
            )
        if not self.appends:
            largest = max((tensor.nbytes for tensor in given.tensors), default=0)
            check_size(size, what, "ask for another format", announced=4 * largest)


def _constant(expr: Expr, dtype: np.dtype[Any]) -> Any:
    if not isinstance(expr, Lit):
        return None
    value, plain = dtype.type(expr.value), zero(dtype)
    return plain if value.tobytes() == plain.tobytes() else value


def _value_of(var: Var, given: Operands) -> Any:
    if isinstance(var, ScalarArg):
        return given.scalars[var.number]
    assert isinstance(var, FillArg)
    return given.tensors[var.number].fill
