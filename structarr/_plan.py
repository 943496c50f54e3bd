"""Calling kernels: gather the arguments, allocate the result, trim it to what was stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np

from structarr._compiler.ir.expr import Expr, Index, Lit, Var
from structarr._compiler.ir.node import substitute
from structarr._compiler.passes.words import is_sparse
from structarr._compiler.pipeline import Compiled, default_rules
from structarr._compiler.rules.algebra import literal
from structarr._compiler.rules.engine import Simplifier
from structarr._config import current
from structarr._tensor import Tensor
from structarr.errors import DensificationError, FormatError
from structarr.formats.base import Level
from structarr.formats.entries import Array

MOST = {index: int(np.iinfo(index).max) for index in ("int32", "int64")}  # positions counted
KEEP = 1.5  # a result may hold this many times what it stores; beyond, it is copied


class TooManyPositions(FormatError):
    """The result may need wider positions than its format has."""


Prepared: TypeAlias = Mapping[int, tuple[Array, ...]]  # buffers of the result that are known


class Operands:
    """What one call of a kernel is given."""

    __slots__ = ("extents", "prepared", "scalars", "sizes", "tensors")

    def __init__(
        self,
        tensors: Sequence[Tensor],
        scalars: Sequence[Any],
        sizes: Sequence[int],
        extents: tuple[int, ...],  # of the result's modes, then of the reduced ones
        prepared: Prepared,
    ) -> None:
        self.tensors = tensors
        self.scalars = scalars
        self.sizes = sizes
        self.extents = extents
        self.prepared = prepared


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
        self._index = np.dtype(compiled.format.index)
        self._gather = _gatherer(compiled, self._indices)
        self._fill = _constant(compiled.fill, dtype)
        start = program.out.start
        self._start = None if start is None else _constant(start, dtype)
        self._allocate = _allocator(compiled, dtype)
        self._append = any(level.appends for level in compiled.format.levels)
        self._trim = _trimmer(compiled)
        self._temps = [(temp.dims[0], np.dtype(temp.dtype)) for temp in program.temps]
        self._sparse = any(map(is_sparse, _words(compiled)))

    def __call__(self, given: Operands, shape: tuple[int, ...]) -> Tensor:
        """Run the kernel; return the result."""
        fill = self._fill if self._fill is not None else self._evaluated(given)
        start = fill if self._start is None else self._start
        tensors = given.tensors
        counts = [stored_counts(tensor) for tensor in tensors] if self._append else None
        guard = self._guard(given, shape)
        out = self._allocate(tensors, counts, given.extents, shape, start, guard, given.prepared)
        spaces = self._workspaces(given) if self._temps else ()
        args = self._gather(tensors, given, out, spaces)
        kernel = self.kernel.compiled
        if kernel is not None and current().tier != "interpreted":
            written = kernel(*args)
        else:
            written = self.kernel(args, self._work(given, len(out[-1]) if out else 1))
        if self._append:
            out = self._trim(out, written, shape)
        return Tensor(self._format, shape, self.dtype, fill, tuple(out))

    def _guard(self, given: Operands, shape: tuple[int, ...]) -> Callable[[int], None]:
        """A check of the bytes that the values will take."""

        def check(entries: int) -> None:
            if self._append and entries > MOST[self._format.index]:
                raise TooManyPositions(
                    f"the result may store {entries} entries, more than {self._index} positions "
                    "can count; ask for a format of int64 positions"
                )
            size = entries * self.dtype.itemsize
            if size > current().densify_limit:
                self._check_size(given, size, shape)

        return check

    def _work(self, given: Operands, entries: int) -> float:
        """An estimate of the kernel's steps: what its operands store, or visits in full."""
        if not self._sparse or self.compiled.everywhere:
            return float(max(prod(given.extents), entries))
        walked = [t.counts[-1] for t in given.tensors if _is_walked(t)]
        return float(max(sum(walked), entries))

    def _evaluated(self, given: Operands) -> Any:
        """A fill that depends on the call's scalars."""
        table: dict[Any, Any] = {}
        for node in self.compiled.fill.nodes():
            if isinstance(node, Var):
                table[node] = literal(node.dtype, _named(node.name, given))
        value = Simplifier(default_rules(False))(substitute(self.compiled.fill, table))
        if not isinstance(value, Lit):
            raise TypeError(f"the fill value {value!r} is not constant")
        return self.dtype.type(value.value)

    def _check_size(self, given: Operands, size: int, shape: tuple[int, ...]) -> None:
        """Refuse a dense result that is large and that no operand's size announces."""
        largest = max((tensor.nbytes for tensor in given.tensors), default=0)
        if size > 4 * largest and (not self._append or size > 2**40):
            raise DensificationError(
                f"the result of shape {shape} would be stored in {size} bytes, above "
                f"densify_limit={current().densify_limit}; ask for another format, or allow it "
                f"with structarr.options(densify_limit={size})"
            )

    def _workspaces(self, given: Operands) -> list[Array]:
        spaces: list[Array] = []
        extents = dict(zip(self._indices, given.extents, strict=True))
        for dim, dtype in self._temps:
            size = next(n for i, n in extents.items() if f"{i.name}_n" == dim.name)  # type: ignore[attr-defined]
            spaces += [np.empty(size, self._index), np.zeros(size, np.bool_), np.empty(size, dtype)]
        return spaces


def _allocator(compiled: Compiled, dtype: np.dtype[Any]) -> Callable[..., list[Array]]:
    """A function that makes buffers as large as the result can become, written for its levels."""
    levels, order = compiled.format.levels, compiled.format.order
    lines, parts, fibers = [], [], "1"
    for depth, level in enumerate(levels[:-1]):
        dim, formula = f"S[{order[depth]}]", compiled.bounds[depth]
        if level.word == "dense":  # found by arithmetic: nothing to ask
            lines.append(f"f{depth} = {fibers} * {dim}")
            fibers = f"f{depth}"
            continue
        if level.prepares:
            parts.append(f"*ready[{depth}]")
            lines.append(f"f{depth} = stored[{depth}]({fibers}, {dim}, ready[{depth}])")
            fibers = f"f{depth}"
            continue
        capped = formula if level.spans else f"min({formula}, {fibers} * {dim})"
        lines.append(f"e{depth} = {capped if formula else 0}")
        lines.append(f"s{depth} = sizes[{depth}]({fibers}, {dim}, e{depth})")
        for k, name in enumerate(level.buffers):
            kind = "boolean" if name == "mask" else "index"
            if type(level).blank is Level.blank:  # spares two calls
                made = "empty" if name in level.raw else "zeros"
                parts.append(f"{made}(s{depth}[{k}], {kind})")
            else:
                parts.append(f"blank[{depth}]({name!r}, s{depth}[{k}], {kind})")
        # One to spare: a child may be written that is then not kept.
        known = f"e{depth} + 1" if formula else f"children[{depth}]({fibers}, {dim})"
        lines.append(f"f{depth} = {known}")
        fibers = f"f{depth}"
    lines.append(f"guard({fibers})")
    if levels[-1].buffers:
        filled = _prefilled(levels)
        parts.append(f"values({fibers}, dtype, start)" if filled else f"empty({fibers}, dtype)")
    text = "def allocate(T, K, N, S, start, guard, ready):\n    "
    text += "\n    ".join([*lines, f"return [{', '.join(parts)}]"])
    names: dict[str, Any] = {
        "sizes": [level.sizes for level in levels],
        "blank": [level.blank for level in levels],
        "children": [level.children for level in levels],
        "stored": [level.stored for level in levels],
        "empty": np.empty,
        "zeros": np.zeros,
        "hull": _hull,
        "pairs": _pairs,
        "covered": _covered,
        "boolean": np.dtype(np.bool_),
        "index": np.dtype(compiled.format.index),
        "dtype": dtype,
        "values": _values,
    }
    exec(text, names)
    return names["allocate"]  # type: ignore[no-any-return]


def _trimmer(compiled: Compiled) -> Callable[..., list[Array]]:
    """A function that cuts the buffers to what was written."""
    levels, order = compiled.format.levels, compiled.format.order
    lines, parts, fibers, place = [], [], "1", 0
    for depth, level in enumerate(levels[:-1]):
        if level.word == "dense":
            lines.append(f"f{depth} = {fibers} * S[{order[depth]}]")
            fibers = f"f{depth}"
            continue
        tallies = "".join(f"W[{slot}], " for slot in compiled.counters[depth])
        dim = f"S[{order[depth]}]"
        lines.append(f"s{depth}, f{depth} = used[{depth}]({fibers}, {dim}, ({tallies}))")
        fibers = f"f{depth}"
        for k in range(len(level.buffers)):
            parts.append(f"cut(O[{place}], s{depth}[{k}])")
            place += 1
    if levels[-1].buffers:
        parts.append(f"cut(O[{place}], {fibers})")
    text = "def trim(O, W, S):\n    " + "\n    ".join([*lines, f"return [{', '.join(parts)}]"])
    names: dict[str, Any] = {"used": [level.used for level in levels], "cut": _cut}
    exec(text, names)
    return names["trim"]  # type: ignore[no-any-return]


def _hulls(tensor: Tensor, axis: int) -> tuple[Array, Array]:
    """Where each fiber of an axis's level begins and ends; an empty one ends before it begins."""
    depth = tensor.format.order.index(axis)
    fibers = tensor.counts[depth - 1] if depth else 1
    buffers = tensor.level_buffers[depth]
    return tensor.format.levels[depth].hulls(fibers, tensor.shape[axis], buffers)


def _hull(tensors: Sequence[Tensor], modes: Sequence[tuple[int, int]], start: bool) -> int:
    """The total width of the bands that hold what some operands store, fiber by fiber.

    Operands come by number and axis; all bands begin at 0 if `start` is true.
    """
    first: Any = None
    last: Any = None
    for number, axis in modes:
        begin, end = _hulls(tensors[number], axis)
        first = begin if first is None else np.minimum(first, begin)
        last = end if last is None else np.maximum(last, end)
    return int(np.where(last > first, last - (0 if start else first), 0).sum())


def _covered(tensors: Sequence[Tensor], number: int, axis: int) -> int:
    """How many indices the intervals of an operand's level cover."""
    tensor = tensors[number]
    depth = tensor.format.order.index(axis)
    return tensor.format.levels[depth].covered(tensor.level_buffers[depth])


def _pairs(tensors: Sequence[Tensor], left: int, right: int) -> int:
    """How many entries of one tensor's last mode meet one of the rows of a matrix of lists."""
    one, other = tensors[left], tensors[right]
    lengths = np.diff(other.buffers[-3])
    columns = one.buffers[-2]
    if all(level.word in ("dense", "const") for level in other.format.levels[:-2]):
        return int(lengths[columns].sum(dtype=np.int64))
    return len(columns) * int(lengths.max(initial=0))


def _prefilled(levels: tuple[Level, ...]) -> bool:
    """Whether some element may stay unwritten: below an appended child, every one is written."""
    last = max((k for k, level in enumerate(levels) if level.appends), default=0)
    return any(level.prefills for level in levels[last:]) or len(levels) == 1


def _values(size: int, dtype: np.dtype[Any], start: Any) -> Array:
    return np.zeros(size, dtype) if start == 0 else np.full(size, start, dtype)


def _cut(buffer: Array, size: int) -> Array:
    if len(buffer) == size:
        return buffer
    if len(buffer) < size:
        raise RuntimeError(
            f"a kernel wrote {size} entries into room for {len(buffer)}: the process may be "
            "damaged; save your work, restart, and please report the expression"
        )
    part = buffer[:size]
    return part if len(buffer) <= KEEP * size else part.copy()


def _constant(expr: Expr, dtype: np.dtype[Any]) -> Any:
    return dtype.type(expr.value) if isinstance(expr, Lit) else None


def _named(name: str, given: Operands) -> Any:
    if name.startswith("scalar"):
        return given.scalars[int(name[6:])]
    return given.tensors[int(name[4:])].fill


def stored_counts(tensor: Tensor) -> tuple[int, ...]:
    """How many children the level of each axis has."""
    known = tensor.memo.get("by axis")
    if known is None:
        counts = dict(zip(tensor.format.order, tensor.counts, strict=True))
        known = tuple(counts[axis] for axis in range(tensor.ndim))
        tensor.memo["by axis"] = known
    return known


Gather = Callable[..., tuple[Any, ...]]


def _gatherer(compiled: Compiled, indices: tuple[Index, ...]) -> Gather:
    """A function from operands and buffers to the kernel's arguments, made once a plan."""
    parts = [_source_of(param.name, compiled, indices) for param in compiled.params]
    text = f"lambda T, G, O, W: ({''.join(part + ', ' for part in parts)})"
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
        return f"T[{number}].shape[{axis}]" if axis else f"G.sizes[{number}]"
    letter, (depth, _, buffer) = name[0], name[1:].partition("_")
    if letter == "W":
        return f"W[{('idx', 'mask', 'val').index(buffer)}]"
    if letter == "C":
        return f"O[{_place(compiled.format.levels, depth, buffer)}]"
    source = compiled.program.inputs[letter]
    return f"T[{source.number}].buffers[{_place(source.format.levels, depth, buffer)}]"


def _place(levels: tuple[Level, ...], depth: str, buffer: str) -> int:
    """Where a buffer stands in a tensor's flat tuple."""
    if not depth:
        return sum(len(level.buffers) for level in levels) - 1
    before = sum(len(level.buffers) for level in levels[: int(depth)])
    return before + levels[int(depth)].buffers.index(buffer)


def _is_walked(tensor: Tensor) -> bool:
    """Whether a kernel visits what a tensor stores, rather than looking some of it up."""
    return any(
        level.word not in ("dense", "computed", "band") for level in tensor.format.levels[:-1]
    )


def _words(compiled: Compiled) -> list[str]:
    return [
        level.word for source in compiled.program.inputs.values() for level in source.format.levels
    ]
