"""A result of a kernel: its buffers are allocated before a call and trimmed after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign
from typing import Any

import numpy as np

from structarr._compiler.backend.python.host import straight
from structarr._compiler.ir.expr import Expr, Lit, Var
from structarr._compiler.ir.given import FillArg, Given, ScalarArg
from structarr._compiler.ir.node import substitute
from structarr._compiler.options import current
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.engine import RuleSet, simplifier
from structarr._execute import buffer_pool
from structarr._execute.bound_values import COUNTS, python_of
from structarr._scheduler.compiled import Result
from structarr._scheduler.operands import Operands
from structarr._storage.density import check_size
from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.dtypes import zero
from structarr._support.memory import available
from structarr.errors import DensificationError, FormatError
from structarr.formats.base import Format, Level
from structarr.formats.entries import Array

MOST = {index: int(np.iinfo(index).max) for index in ("int32", "int64")}  # the most positions
MOST_FILLS = 64  # the most fills that are remembered of a result; beyond, all are forgotten
KEEP = 1.5  # the maximum over-allocation before buffers are trimmed by copying


def too_narrow(fmt: Format) -> FormatError:
    """The error of a result that may store more entries than its positions count."""
    return FormatError(
        f"the result may store more entries than {fmt.index} positions can count; "
        "ask for a format of int64 positions"
    )


class Place:
    """The place of one result of a kernel, allocated before a call and trimmed after it."""

    __slots__ = (
        "_fills",
        "_rules",
        "_unknown",
        "_width",
        "appends",
        "dtype",
        "fill",
        "format",
        "lengths",
        "make",
        "result",
        "start",
        "uninitialized",
        "used",
    )

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
        self._unknown = result.fill.every(Var)
        self._fills: dict[tuple[bytes, ...], Any] = {}
        self.start = None if result.start is None else _constant(result.start, dtype)
        self.lengths, self.make = _allocator(result, dtype, lengths)
        self.appends = any(level.writing.appends for level in result.format.levels)
        self.used = _trimmer(result)
        levels = self.format.levels
        inner = [name in level.uninitialized for level in levels[:-1] for name in level.buffers]
        # The bytes of an element and, where elements are listed, of its coordinate.
        self._width = dtype.itemsize + self.appends * np.dtype(result.format.index).itemsize
        # Whether each buffer may hold anything where the kernel does not write.
        self.uninitialized = (*inner, *[not _prefilled(levels) for _ in levels[-1].buffers])

    def made(self, given: Operands, shape: tuple[int, ...], buffers: Sequence[Array]) -> Tensor:
        """The result of a call, of its buffers."""
        fill = self.fill_of(given)
        return Tensor(self.format, shape, self.dtype, fill, tuple(buffers), {OWN: True})

    def fill_of(self, given: Operands) -> Any:
        """The fill, which may depend on the call's scalars."""
        if self.fill is not None:
            return self.fill
        known = [_value_of(var, given) for var in self._unknown]
        key = tuple([value.tobytes() for value in known])
        found = self._fills.get(key)
        if found is None:
            found = room(self._fills, MOST_FILLS)[key] = self._evaluated(known)
        return found

    def start_of(self, given: Operands) -> Any:
        """The value of all elements before the kernel writes any."""
        return self.fill_of(given) if self.start is None else self.start

    def _evaluated(self, known: Sequence[Any]) -> Any:
        table: dict[Any, Any] = {
            var: literal(var.dtype, value) for var, value in zip(self._unknown, known, strict=True)
        }
        value = simplifier(self._rules)(substitute(self.result.fill, table))
        if not isinstance(value, Lit):
            raise TypeError(f"the fill value {value!r} is not constant")
        return self.dtype.type(value.value)

    def guard(self, given: Operands, shape: tuple[int, ...]) -> Callable[[int], bool]:
        """A check of the bytes of the elements; false if positions cannot count these."""

        def check(entries: int) -> bool:
            if self.appends and entries > MOST[self.format.index]:
                return False
            size = entries * self._width
            if size > current().densify_limit:
                self._check_size(given, size, shape)
            return True

        return check

    def _check_size(self, given: Operands, size: int, shape: tuple[int, ...]) -> None:
        """Refuse a result beyond the memory left, or a dense one that no operand announces."""
        what, left = f"the result of shape {shape}", available()
        if size > left:
            buffer_pool.let_go()
            left = available()
        if size > left:
            raise DensificationError(
                f"{what} may take {size} bytes, and {left} are available; "
                "reduce it or multiply it by a mask before it is looked at, compute it in parts, "
                f"or try all the same with structarr.options(densify_limit={size})"
            )
        if not self.appends:
            largest = max((tensor.nbytes for tensor in given.tensors), default=0)
            check_size(size, what, "ask for another format", announced=4 * largest)


def _allocator(
    result: Result, dtype: np.dtype[Any], lengths: tuple[Given, ...]
) -> tuple[Callable[..., list[int] | None], Callable[..., list[Array]]]:
    """Functions that bound the length of each buffer, and that allocate buffers of given lengths.

    They are generated for the levels of the result. Prepared buffers are passed in. A bound that
    the guard does not admit is None.
    """
    levels, order = result.format.levels, result.format.order
    found: list[str] = []
    lines, parts, fibers = [], [], "1"
    for depth, level in enumerate(levels[:-1]):
        dim, bound = f"S[{order[depth]}]", result.bounds[depth]
        if level.kind.arithmetic:  # its children follow by arithmetic
            lines.append(f"f{depth} = {fibers} * {dim}")
            fibers = f"f{depth}"
            continue
        if level.prepares:
            parts.append(f"*ready[{depth}]")
            lines.append(f"f{depth} = stored[{depth}]({fibers}, {dim}, ready[{depth}])")
            fibers = f"f{depth}"
            continue
        formula = "0" if bound is None else python_of(bound, lengths)
        capped = bound is not None and not level.starts_group
        lines.append(f"e{depth} = {f'min({formula}, {fibers} * {dim})' if capped else formula}")
        lines.append(f"s{depth} = sizes[{depth}]({fibers}, {dim}, e{depth})")
        for k, name in enumerate(level.buffers):
            length = f"L[{len(found)}]"
            found.append(f"s{depth}[{k}]")
            kind = "boolean" if name == "mask" else "index"
            if type(level).blank is Level.blank:  # the common case, without two calls
                made = "empty" if name in level.uninitialized else "zeros"
                parts.append(f"{made}({length}, {kind})")
            else:
                parts.append(f"blank[{depth}]({name!r}, {length}, {kind})")
        # One slot more, for a speculative append.
        known = f"e{depth} + 1" if bound is not None else f"children[{depth}]({fibers}, {dim})"
        lines.append(f"f{depth} = {known}")
        fibers = f"f{depth}"
    lines.append(f"if not guard({fibers}): return None")
    if levels[-1].buffers:
        length = f"L[{len(found)}]"
        found.append(fibers)
        filled = _prefilled(levels)
        parts.append(f"values({length}, dtype, start)" if filled else f"empty({length}, dtype)")
    names: dict[str, Any] = {
        "sizes": [level.sizes for level in levels],
        "blank": [level.blank for level in levels],
        "children": [level.children for level in levels],
        "stored": [level.stored for level in levels],
        "empty": buffer_pool.empty,
        "zeros": np.zeros,
        **COUNTS,
        "boolean": np.dtype(np.bool_),
        "index": np.dtype(result.format.index),
        "dtype": dtype,
        "values": _values,
    }
    bounded = straight("T, G, K, S, guard, ready", lines, f"[{', '.join(found)}]", names)
    return bounded, straight("L, start, ready", (), f"[{', '.join(parts)}]", names)


def _trimmer(result: Result) -> Callable[..., list[int]]:
    """The function that computes the used length of each buffer from the kernel's counts."""
    levels, order = result.format.levels, result.format.order
    lines, parts, fibers = [], [], "1"
    for depth, level in enumerate(levels[:-1]):
        if level.kind.arithmetic:
            lines.append(f"f{depth} = {fibers} * S[{order[depth]}]")
            fibers = f"f{depth}"
            continue
        tallies = "".join(f"W[{slot}], " for slot in result.counters[depth])
        dim = f"S[{order[depth]}]"
        lines.append(f"s{depth}, f{depth} = of[{depth}]({fibers}, {dim}, ({tallies}))")
        fibers = f"f{depth}"
        parts += [f"s{depth}[{k}]" for k in range(len(level.buffers))]
    if levels[-1].buffers:
        parts.append(fibers)
    of = [level.used for level in levels]
    return straight("W, S", lines, f"[{', '.join(parts)}]", {"of": of})


def _prefilled(levels: tuple[Level, ...]) -> bool:
    """Whether some element may stay unwritten: below an appended child, every one is written."""
    last = max((k for k, level in enumerate(levels) if level.writing.appends), default=0)
    return any(level.writing.prefills for level in levels[last:]) or len(levels) == 1


def _values(size: int, dtype: np.dtype[Any], start: Any) -> Array:
    plain = start == 0 and copysign(1, start.real) > 0 and copysign(1, start.imag) > 0
    return np.zeros(size, dtype) if plain else np.full(size, start, dtype)


def cut(buffer: Array, size: int) -> Array:
    """A buffer's first elements, copied where the rest would take much more memory."""
    if len(buffer) == size:
        return buffer
    check_room(len(buffer), size)
    part = buffer[:size]
    return part if len(buffer) <= KEEP * size else part.copy()


def check_room(room: int, size: int) -> None:
    """Raise RuntimeError if a kernel wrote more than there was room for."""
    if size > room:
        raise RuntimeError(
            f"a kernel wrote {size} entries into room for {room}: the process may be damaged; "
            "save your work, restart, and please report the expression"
        )


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
