"""Calling kernels: gather the arguments, allocate the result, trim it to what was stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from structarr._compiler.ir.expr import Expr, Index, Lit
from structarr._compiler.passes.words import SPARSE
from structarr._compiler.pipeline import Compiled
from structarr._config import current
from structarr._tensor import Tensor
from structarr.errors import DensificationError
from structarr.formats.base import Array, Level

KEEP = 1.5  # a result may hold this many times what it stores; beyond, it is copied


@dataclass(frozen=True)
class Operands:
    """What one call of a kernel is given."""

    tensors: Sequence[Tensor]
    scalars: Sequence[Any]
    sizes: Sequence[int]
    extents: tuple[int, ...]  # of the result's modes, then of the reduced ones


class Plan:
    """A compiled request, ready to be called with any operands of its structure."""

    def __init__(self, compiled: Compiled, dtype: np.dtype[Any]) -> None:
        self.compiled = compiled
        self.kernel = compiled.kernel
        self.dtype = dtype
        program = compiled.program
        assert program.indexed is not None
        self._indices = program.indexed.result + program.indexed.reduced
        self._format = compiled.format
        self._levels = compiled.format.levels
        self._index = np.dtype(compiled.format.index)
        self._order = compiled.format.order
        self._gather = _gatherer(compiled, self._indices)
        self._work = _work(compiled)
        self._fill = _constant(compiled.fill, dtype)
        start = program.out.start
        self._start = None if start is None else _constant(start, dtype)
        self._prefills = any(level.prefills for level in self._levels)
        self._append = any(level.appends for level in self._levels)
        self._temps = [(temp.dims[0], np.dtype(temp.dtype)) for temp in program.temps]

    def __call__(self, given: Operands, shape: tuple[int, ...]) -> Tensor:
        """Run the kernel; return the result."""
        fill = self._fill if self._fill is not None else self._evaluated(given)
        out, fibers = self._allocate(given, shape, fill)
        spaces = self._workspaces(given)
        args = self._gather(
            [t.buffers for t in given.tensors], given, [t.shape for t in given.tensors], out, spaces
        )
        compiled = self.kernel.compiled
        if compiled is not None and current().tier == "auto":
            counts = compiled(*args)
        else:
            counts = self.kernel(args, self._work(given, fibers))
        if self._append:
            out = self._trimmed(out, shape, counts)
        return Tensor(self._format, shape, self.dtype, fill, tuple(out))

    def _evaluated(self, given: Operands) -> Any:
        """A fill that depends on the call's scalars."""
        from structarr._compiler.rules.algebra import literal
        from structarr._compiler.pipeline import default_rules
        from structarr._compiler.ir.expr import Var
        from structarr._compiler.ir.node import substitute
        from structarr._compiler.rules.engine import Simplifier

        table: dict[Any, Any] = {}
        for node in self.compiled.fill.walk():
            if isinstance(node, Var):
                table[node] = literal(node.dtype, _named(node.name, given))
        value = Simplifier(default_rules(False))(substitute(self.compiled.fill, table))
        if not isinstance(value, Lit):
            raise TypeError(f"the fill value {value!r} is not constant")
        return self.dtype.type(value.value)

    def _allocate(
        self, given: Operands, shape: tuple[int, ...], fill: Any
    ) -> tuple[list[Array], int]:
        """Buffers as large as the result can become."""
        out: list[Array] = []
        fibers = 1
        extents: dict[Index, int] | None = None
        counts: list[tuple[int, ...]] = []
        if self._append:
            extents = dict(zip(self._indices, given.extents, strict=True))
            counts = [stored_counts(tensor) for tensor in given.tensors]
        for depth, level in enumerate(self._levels[:-1]):
            dim = shape[self._order[depth]]
            formula = self.compiled.bounds[depth]
            entries = 0
            if formula is not None:
                assert extents is not None
                entries = min(formula(counts, extents), fibers * dim)
            for name, size in zip(level.buffers, level.sizes(fibers, dim, entries), strict=True):
                kind = np.dtype(np.bool_) if name == "mask" else self._index
                out.append(np.empty(size, kind) if name in ("idx", "stop") else np.zeros(size, kind))
            fibers = _children(level, fibers, dim, entries)
        self._check_size(given, fibers, shape)
        start = fill if self._start is None else self._start
        out.append(_values(fibers, self.dtype, start if self._prefills else None))
        return out, fibers

    def _check_size(self, given: Operands, entries: int, shape: tuple[int, ...]) -> None:
        """Refuse a dense result that is large and that no operand's size announces."""
        size = entries * self.dtype.itemsize
        limit = current().densify_limit
        if size <= limit:
            return
        largest = max((tensor.nbytes for tensor in given.tensors), default=0)
        if size > 4 * largest and (not self._append or size > 2**40):
            raise DensificationError(
                f"the result of shape {shape} would be stored in {size} bytes, above "
                f"densify_limit={limit}; ask for another format, or allow it with "
                f"structarr.options(densify_limit={size})"
            )

    def _workspaces(self, given: Operands) -> list[Array]:
        if not self._temps:
            return []
        spaces: list[Array] = []
        extents = dict(zip(self._indices, given.extents, strict=True))
        for dim, dtype in self._temps:
            size = next(n for i, n in extents.items() if f"{i.name}_n" == dim.name)  # type: ignore[attr-defined]
            spaces += [np.empty(size, self._index), np.zeros(size, np.bool_), np.empty(size, dtype)]
        return spaces

    def _trimmed(self, out: list[Array], shape: tuple[int, ...], counts: Any) -> list[Array]:
        """The buffers cut to what was written."""
        cut: list[Array] = []
        fibers, place = 1, 0
        for depth, level in enumerate(self._levels[:-1]):
            slot = self.compiled.counters[depth]
            count = None if slot is None else int(counts[slot])
            sizes, fibers = level.used(fibers, shape[self._order[depth]], count)
            for size in sizes:
                cut.append(_cut(out[place], size))
                place += 1
        cut.append(_cut(out[place], fibers))
        return cut


def _children(level: Level, fibers: int, dim: int, entries: int) -> int:
    if not level.appends:
        return fibers * dim
    return entries + 1  # one to spare: a child may be written that is then not kept


def _values(size: int, dtype: np.dtype[Any], start: Any) -> Array:
    if start is None:
        return np.empty(size, dtype)
    if start == 0:
        return np.zeros(size, dtype)
    return np.full(size, start, dtype)


def _cut(buffer: Array, size: int) -> Array:
    if len(buffer) == size:
        return buffer
    part = buffer[:size]
    return part if len(buffer) <= KEEP * size + 16 else part.copy()


def _constant(expr: Expr, dtype: np.dtype[Any]) -> Any:
    return dtype.type(expr.value) if isinstance(expr, Lit) else None


def _named(name: str, given: Operands) -> Any:
    if name.startswith("scalar"):
        return given.scalars[int(name[6:])]
    return given.tensors[int(name[4:])].fill


def stored_counts(tensor: Tensor) -> tuple[int, ...]:
    """How many children each level of a tensor has."""
    fibers, place = 1, 0
    counts: list[int] = []
    shape, order = tensor.shape, tensor.format.order
    for depth, level in enumerate(tensor.format.levels[:-1]):
        width = len(level.buffers)
        fibers = level.stored(fibers, shape[order[depth]], tensor.buffers[place : place + width])
        place += width
        counts.append(fibers)
    return tuple(counts)


Gather = Callable[..., tuple[Any, ...]]


def _gatherer(compiled: Compiled, indices: tuple[Index, ...]) -> Gather:
    """A function from operands and buffers to the kernel's arguments, made once a plan."""
    parts = [_source_of(param.name, compiled, indices) for param in compiled.params]
    text = f"lambda B, G, S, O, W: ({''.join(part + ', ' for part in parts)})"
    return eval(text)  # type: ignore[no-any-return]


def _source_of(name: str, compiled: Compiled, indices: tuple[Index, ...]) -> str:
    for k, i in enumerate(indices):
        if name == f"{i.name}_n":
            return f"G.extents[{k}]"
    if name.startswith("scalar"):
        return f"G.scalars[{name[6:]}]"
    if name.startswith("fill"):
        return f"G.tensors[{name[4:]}].fill"
    if name.startswith("size"):
        number, _, axis = name[4:].partition("_")
        return f"S[{number}][{axis}]" if axis else f"G.sizes[{number}]"
    letter, (depth, _, buffer) = name[0], name[1:].partition("_")
    if letter == "W":
        return f"W[{('idx', 'mask', 'val').index(buffer)}]"
    if letter == "C":
        return f"O[{_place(compiled.format.levels, depth, buffer)}]"
    source = compiled.program.inputs[letter]
    return f"B[{source.number}][{_place(source.format.levels, depth, buffer)}]"


def _place(levels: tuple[Level, ...], depth: str, buffer: str) -> int:
    """Where a buffer stands in a tensor's flat tuple."""
    if not depth:
        return sum(len(level.buffers) for level in levels) - 1
    before = sum(len(level.buffers) for level in levels[: int(depth)])
    return before + levels[int(depth)].buffers.index(buffer)


def _work(compiled: Compiled) -> Callable[[Operands, int], float]:
    """An estimate of a kernel's steps: what its operands store, and its result."""

    def steps(given: Operands, entries: int) -> float:
        largest = max((len(tensor.buffers[-1]) for tensor in given.tensors), default=1)
        total = float(sum(len(tensor.buffers[-1]) for tensor in given.tensors))
        if not any(one in SPARSE for one in _words(compiled)):
            total = max(total, float(prod(given.extents)))
        return max(total, float(largest), float(entries if not compiled.bounds else 0))

    return steps


def _words(compiled: Compiled) -> list[str]:
    return [
        level.word for source in compiled.program.inputs.values() for level in source.format.levels
    ]
