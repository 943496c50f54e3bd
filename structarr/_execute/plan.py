"""Calling kernels: gather the arguments, allocate the result, trim it to what was stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign, prod
from typing import Any

import numpy as np

from structarr._compiler.ir.expr import Expr, Lit, Var, affine
from structarr._compiler.ir.given import given as number_given
from structarr._compiler.ir.node import substitute
from structarr._compiler.options import current
from structarr._compiler.rules.algebra import literal
from structarr._compiler.rules.engine import RuleSet, simplifier
from structarr._execute import buffer_pool, workspace_pool
from structarr._scheduler.operands import Operands
from structarr._scheduler.pipeline import Compiled, Result
from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.dtypes import zero
from structarr._support.memory import available
from structarr.errors import DensificationError, FormatError
from structarr.formats.base import Format, Level
from structarr.formats.entries import Array
from structarr.formats.kinds import is_sparse

MOST = {index: int(np.iinfo(index).max) for index in ("int32", "int64")}  # positions counted
COUNTED = ("dense", "list", "point", "blocks", "band", "ragged", "bitmap", "diagonals")
"""The kinds of levels that have a child for each element that they tell."""
MOST_FILLS = 64  # remembered of a result; beyond, all are forgotten
KEEP = 1.5  # a result may hold this many times what it stores; beyond, it is copied


class TooManyPositions(FormatError):
    """The result may need wider positions than its format has."""


class Place:
    """Where one result of a kernel is written: allocated before, trimmed after."""

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

    def __init__(self, result: Result, dtype: np.dtype[Any], rules: RuleSet) -> None:
        self.result = result
        self._rules = rules
        self.format = result.format
        self.dtype = dtype
        self.fill = _constant(result.fill, dtype)
        self._unknown = result.fill.every(Var)
        self._fills: dict[tuple[bytes, ...], Any] = {}
        self.start = None if result.start is None else _constant(result.start, dtype)
        self.lengths, self.make = _roomy(result, dtype)
        self.appends = any(level.appends for level in result.format.levels)
        self.used = _measurer(result)
        levels = self.format.levels
        inner = [name in level.uninitialized for level in levels[:-1] for name in level.buffers]
        # Whether each buffer may hold anything where the kernel does not write.
        # The bytes of an element and, where elements are listed, of its coordinate.
        self._width = dtype.itemsize + self.appends * np.dtype(result.format.index).itemsize
        self.uninitialized = (*inner, *[not _prefilled(levels) for _ in levels[-1].buffers])

    def made(self, given: Operands, shape: tuple[int, ...], buffers: Sequence[Array]) -> Tensor:
        """The result of a call, of its buffers."""
        fill = self.fill_of(given)
        return Tensor(self.format, shape, self.dtype, fill, tuple(buffers), {OWN: True})

    def fill_of(self, given: Operands) -> Any:
        """The fill, which may depend on the call's scalars."""
        if self.fill is not None:
            return self.fill
        known = [_named(var.name, given) for var in self._unknown]
        key = tuple([value.tobytes() for value in known])
        found = self._fills.get(key)
        if found is None:
            found = room(self._fills, MOST_FILLS)[key] = self._evaluated(known)
        return found

    def start_of(self, given: Operands) -> Any:
        """What the elements are before the kernel writes any."""
        return self.fill_of(given) if self.start is None else self.start

    def _evaluated(self, known: Sequence[Any]) -> Any:
        table: dict[Any, Any] = {
            var: literal(var.dtype, value) for var, value in zip(self._unknown, known, strict=True)
        }
        value = simplifier(self._rules)(substitute(self.result.fill, table))
        if not isinstance(value, Lit):
            raise TypeError(f"the fill value {value!r} is not constant")
        return self.dtype.type(value.value)

    def guard(self, given: Operands, shape: tuple[int, ...]) -> Callable[[int], None]:
        """A check of the bytes that the elements will take."""

        def check(entries: int) -> None:
            if self.appends and entries > MOST[self.format.index]:
                raise TooManyPositions(
                    f"the result may store {entries} entries, more than {self.format.index} "
                    "positions can count; ask for a format of int64 positions"
                )
            size = entries * self._width
            if size > current().densify_limit:
                self._check_size(given, size, shape)

        return check

    def _check_size(self, given: Operands, size: int, shape: tuple[int, ...]) -> None:
        """Refuse what does not fit, and a large dense result that no operand's size announces."""
        largest = max((tensor.nbytes for tensor in given.tensors), default=0)
        left = available()
        if size > left:
            buffer_pool.let_go()
            left = available()
        if size > left:
            raise DensificationError(
                f"the result of shape {shape} may take {size} bytes, and {left} are available; "
                "reduce it or multiply it by a mask before it is looked at, compute it in parts, "
                f"or try all the same with structarr.options(densify_limit={size})"
            )
        if size > 4 * largest and not self.appends:
            raise DensificationError(
                f"the result of shape {shape} would be stored in {size} bytes, above "
                f"densify_limit={current().densify_limit}; ask for another format, or allow it "
                f"with structarr.options(densify_limit={size})"
            )


class Plan:
    """A compiled request, ready to be called with any operands of its structure."""

    def __init__(self, compiled: Compiled, *dtypes: np.dtype[Any]) -> None:
        self.compiled = compiled
        self.kernel = compiled.kernel
        pairs = zip(compiled.results, dtypes, strict=True)
        self.places = [Place(result, dtype, compiled.rules) for result, dtype in pairs]
        program = compiled.program
        self._gather = _gatherer(compiled)
        self._append = any(place.appends for place in self.places)
        self._temps = [
            (
                _length(temp.dims[0], program.lengths),
                workspace_pool.wanting(temp.format, temp.dtype),
            )
            for temp in program.temps
            if temp.dims
        ]
        self._sparse = any(map(is_sparse, _kinds(compiled)))
        self._everywhere = any(one.everywhere for one in compiled.results)

    def __call__(self, given: Operands, shape: tuple[int, ...]) -> Tensor:
        """Run the kernel; return its one result."""
        (place,) = self.places
        out = self._room(place, given, shape)
        return self._made(place, given, shape, out, self.fill(given, (out,)))

    def run(
        self,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        starts: Sequence[Array | None] | None = None,
    ) -> list[Tensor]:
        """Run the kernel; return its results. A dense one may begin as a copy of an array."""
        outs = self.rooms(given, shapes)
        if starts is not None:
            for out, known in zip(outs, starts, strict=True):
                if known is not None:
                    out[-1] = known
        written = self.fill(given, outs)
        return [
            self._made(place, given, shape, out, written)
            for place, shape, out in zip(self.places, shapes, outs, strict=True)
        ]

    def _made(
        self,
        place: Place,
        given: Operands,
        shape: tuple[int, ...],
        out: list[Array],
        written: Any,
    ) -> Tensor:
        if place.appends:
            out = [cut(*one) for one in zip(out, place.used(written, shape), strict=True)]
        return place.made(given, shape, out)

    def fill(self, given: Operands, outs: Sequence[list[Array]]) -> Any:
        """Run the kernel on buffers for its results; return its counts of what it appended."""
        spaces = self._workspaces(given, outs) if self._temps else ()
        args = self._gather(given.tensors, given, outs, spaces)
        kernel = self.kernel.compiled
        if kernel is not None and current().tier != "interpreted":
            written = kernel(*args)
        else:
            entries = max([len(out[-1]) if out else 1 for out in outs])
            written = self.kernel(args, self._work(given, entries))
        for space in spaces:
            workspace_pool.give(space)
        return written

    def rooms(self, given: Operands, shapes: Sequence[tuple[int, ...]]) -> list[list[Array]]:
        """Buffers for the results, as large as those can become."""
        pairs = zip(self.places, shapes, strict=True)
        return [self._room(place, given, shape) for place, shape in pairs]

    def _room(self, place: Place, given: Operands, shape: tuple[int, ...]) -> list[Array]:
        lengths = self.lengths(place, given, shape, place.guard(given, shape))
        return place.make(lengths, place.start_of(given), given.prepared)

    def lengths(
        self,
        place: Place,
        given: Operands,
        shape: tuple[int, ...],
        guard: Callable[[int], None],
    ) -> list[int]:
        """How long the buffers of a result can become; a guard may refuse its elements."""
        counts = [stored_counts(tensor) for tensor in given.tensors] if self._append else None
        sized = (given.tensors, counts, given.extents, shape, given.sizes)
        return place.lengths(*sized, guard, given.prepared)

    def _work(self, given: Operands, entries: int) -> float:
        """An estimate of the kernel's steps: what its operands store, or visits in full."""
        if not self._sparse or self._everywhere:
            return float(max(prod(given.extents), entries))
        walked = [t.counts[-1] for t in given.tensors if _is_walked(t)]
        return float(max(sum(walked), entries))

    def _workspaces(
        self, given: Operands, outs: Sequence[list[Array]]
    ) -> list[workspace_pool.Space]:
        """Those of the temporaries. A row holds no more than all that the results may store."""
        touched = sum([len(out[-1]) for out in outs if out])
        tensors, take = given.tensors, workspace_pool.take
        return [take(wanting(length(tensors, given), touched)) for length, wanting in self._temps]


def _roomy(
    result: Result, dtype: np.dtype[Any]
) -> tuple[Callable[..., list[int]], Callable[..., list[Array]]]:
    """Functions that tell how long each buffer can become, and that make buffers so long.

    They are written for the levels of the result; what is prepared is there already.
    """
    levels, order = result.format.levels, result.format.order
    found: list[str] = []
    lines, parts, fibers = [], [], "1"
    for depth, level in enumerate(levels[:-1]):
        dim, formula = f"S[{order[depth]}]", result.bounds[depth]
        if level.kind == "dense":  # found by arithmetic: nothing to ask
            lines.append(f"f{depth} = {fibers} * {dim}")
            fibers = f"f{depth}"
            continue
        if level.prepares:
            parts.append(f"*ready[{depth}]")
            lines.append(f"f{depth} = stored[{depth}]({fibers}, {dim}, ready[{depth}])")
            fibers = f"f{depth}"
            continue
        capped = formula if level.starts_group else f"min({formula}, {fibers} * {dim})"
        lines.append(f"e{depth} = {capped if formula else 0}")
        lines.append(f"s{depth} = sizes[{depth}]({fibers}, {dim}, e{depth})")
        for k, name in enumerate(level.buffers):
            length = f"L[{len(found)}]"
            found.append(f"s{depth}[{k}]")
            kind = "boolean" if name == "mask" else "index"
            if type(level).blank is Level.blank:  # spares two calls
                made = "empty" if name in level.uninitialized else "zeros"
                parts.append(f"{made}({length}, {kind})")
            else:
                parts.append(f"blank[{depth}]({name!r}, {length}, {kind})")
        # One to spare: a child may be written that is then not kept.
        known = f"e{depth} + 1" if formula else f"children[{depth}]({fibers}, {dim})"
        lines.append(f"f{depth} = {known}")
        fibers = f"f{depth}"
    lines.append(f"guard({fibers})")
    if levels[-1].buffers:
        length = f"L[{len(found)}]"
        found.append(fibers)
        filled = _prefilled(levels)
        parts.append(f"values({length}, dtype, start)" if filled else f"empty({length}, dtype)")
    text = "def lengths(T, K, N, S, Z, guard, ready):\n    "
    text += "\n    ".join([*lines, f"return [{', '.join(found)}]"])
    text += f"\ndef make(L, start, ready):\n    return [{', '.join(parts)}]"
    names: dict[str, Any] = {
        "sizes": [level.sizes for level in levels],
        "blank": [level.blank for level in levels],
        "children": [level.children for level in levels],
        "stored": [level.stored for level in levels],
        "empty": buffer_pool.empty,
        "zeros": np.zeros,
        "hull": _hull,
        "pairs": _pairs,
        "covered": _covered,
        "elements": _elements,
        "within": _within,
        "boolean": np.dtype(np.bool_),
        "index": np.dtype(result.format.index),
        "dtype": dtype,
        "values": _values,
    }
    exec(text, names)
    return names["lengths"], names["make"]


def _measurer(result: Result) -> Callable[..., list[int]]:
    """A function that tells how much of each buffer was written, by the kernel's counts."""
    levels, order = result.format.levels, result.format.order
    lines, parts, fibers = [], [], "1"
    for depth, level in enumerate(levels[:-1]):
        if level.kind == "dense":
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
    text = "def used(W, S):\n    " + "\n    ".join([*lines, f"return [{', '.join(parts)}]"])
    names: dict[str, Any] = {"of": [level.used for level in levels]}
    exec(text, names)
    return names["used"]  # type: ignore[no-any-return]


def _hulls(tensor: Tensor, axis: int) -> tuple[Array, Array]:
    """Where each fiber of an axis's level begins and ends; an empty one ends before it begins."""
    depth = tensor.format.order.index(axis)
    fibers = tensor.counts[depth - 1] if depth else 1
    buffers = tensor.level_buffers[depth]
    return tensor.format.levels[depth].hulls(fibers, tensor.shape[axis], buffers)


def _hull(
    tensors: Sequence[Tensor],
    modes: Sequence[tuple[int, int, Sequence[int]]],
    shape: Sequence[int],
    start: bool,
) -> int:
    """The total width of the bands that hold what some operands store, fiber by fiber.

    Operands come by number and axis, and how far from an element of the result, of `shape` down to
    the bands, theirs is, mode by mode: those above are dense, and a fiber may be beyond them. All
    bands begin at 0 if `start` is true.
    """
    *above, width = shape
    first, last = np.full(above, width), np.zeros(above, np.int64)
    for number, axis, (*moves, move) in modes:
        tensor = tensors[number]
        varying = _varying(tensor.format)[: len(above)]
        lengths = [tensor.dims[depth] for depth in varying]
        spans = list(zip(moves, above, lengths, strict=True))
        mine = tuple([slice(max(-by, 0), max(own - by, 0)) for by, _, own in spans])
        theirs = tuple([slice(max(by, 0), max(by + n, 0)) for by, n, _ in spans])
        hulls = (np.minimum(one, tensor.shape[axis]) for one in _hulls(tensor, axis))
        begin, end = (one.reshape(lengths)[theirs] - move for one in hulls)
        begin, end = np.maximum(begin, 0), np.minimum(end, width)
        stored = begin < end
        first[mine] = np.minimum(first[mine], np.where(stored, begin, width))
        last[mine] = np.maximum(last[mine], np.where(stored, end, 0))
    return int(np.maximum(last - (0 if start else first), 0).sum())


def _covered(tensors: Sequence[Tensor], number: int, axis: int) -> int:
    """How many indices the intervals of an operand's level cover."""
    tensor = tensors[number]
    depth = tensor.format.order.index(axis)
    return tensor.format.levels[depth].covered(tensor.level_buffers[depth])


def _pairs(tensors: Sequence[Tensor], left: int, right: int) -> int:
    """How many entries of one tensor's last mode meet one of the rows of a matrix of lists."""
    one, other = tensors[left], tensors[right]
    ptr, columns = one.level_buffers[_varying(one.format)[-1]]
    *above, last = _varying(other.format)
    lengths = np.diff(other.level_buffers[last][0])
    if any(other.format.levels[depth].kind != "dense" for depth in above):
        return len(columns) * int(lengths.max(initial=0))
    met = lengths[columns]
    count = int(met.sum(dtype=np.int64))
    if count * one.dtype.itemsize <= current().densify_limit:
        return count
    # A fiber of the result has no more elements than it is long, however many pairs there are.
    ends = np.concatenate([[0], np.cumsum(met, dtype=np.int64)])
    fibers = np.diff(ends[ptr])
    return int(np.minimum(fibers, other.dims[last]).sum())


def _varying(format: Format) -> list[int]:
    """The depths of the levels along which something varies, which a kernel reads."""
    return [depth for depth, level in enumerate(format.levels[:-1]) if level.kind != "const"]


def _within(tensors: Sequence[Tensor], number: int, first: int, count: int) -> int:
    """How many children some rows of an operand have, whose outermost level is dense.

    Rows that are not there have none.
    """
    ends = tensors[number].buffers[0]
    lo, hi = (min(max(row, 0), len(ends) - 1) for row in (first, first + count))
    return int(ends[hi] - ends[lo]) if lo < hi else 0


def _elements(tensors: Sequence[Tensor], number: int) -> int:
    """At most how many elements of a tensor differ from its fill."""
    tensor = tensors[number]
    counted = all(level.kind in COUNTED for level in tensor.format.levels[:-1])
    return tensor.counts[-1] if counted and tensor.counts else prod(tensor.shape)


def _prefilled(levels: tuple[Level, ...]) -> bool:
    """Whether some element may stay unwritten: below an appended child, every one is written."""
    last = max((k for k, level in enumerate(levels) if level.appends), default=0)
    return any(level.prefills for level in levels[last:]) or len(levels) == 1


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


def _named(name: str, given: Operands) -> Any:
    told = number_given(name)
    assert told is not None
    return given.scalars[told.number] if told.kind == "scalar" else given.tensors[told.number].fill


def stored_counts(tensor: Tensor) -> tuple[int, ...]:
    """How many children the level of each axis has."""
    known = tensor.memo.get("by axis")
    if known is None:
        counts = dict(zip(tensor.format.order, tensor.counts, strict=True))
        known = tuple(counts[axis] for axis in range(tensor.ndim))
        tensor.memo["by axis"] = known
    return known


Gather = Callable[..., tuple[Any, ...]]


def _gatherer(compiled: Compiled) -> Gather:
    """A function from operands and buffers to the kernel's arguments, made once a plan."""
    buffers = _buffers(compiled)
    parts = [
        buffers[param.name] if param.array else _value_of(param.name, compiled.program.lengths)
        for param in compiled.params
    ]
    text = f"lambda T, G, O, W: ({''.join(part + ', ' for part in parts)})"
    return eval(text)  # type: ignore[no-any-return]


def _length(dim: Expr, lengths: tuple[str, ...]) -> Callable[[Sequence[Tensor], Operands], int]:
    """A function from operands to a length; a joined axis is as long as its parts."""
    terms, constant = affine(dim)
    parts = [f"{k} * {_value_of(var.name, lengths)}" for var, k in terms.items()]  # type: ignore[attr-defined]
    return eval(f"lambda T, G: {' + '.join([str(constant), *parts])}")  # type: ignore[no-any-return]


def _value_of(name: str, lengths: tuple[str, ...]) -> str:
    """Where a number among a kernel's arguments comes from."""
    if name in lengths:
        return f"G.extents[{lengths.index(name)}]"
    told = number_given(name)
    assert told is not None, name
    if told.kind == "scalar":
        return f"G.scalars[{told.number}]"
    if told.kind == "fill":
        return f"G.tensors[{told.number}].fill"
    if told.axis is None:
        return f"G.sizes[{told.number}]"
    return f"T[{told.number}].shape[{told.axis}]"


def _buffers(compiled: Compiled) -> dict[str, str]:
    """Where each buffer that a kernel may have as an argument comes from."""
    program = compiled.program
    found: dict[str, str] = {}
    for name, source in program.inputs.items():
        found |= _places(name, source.format.levels, f"T[{source.number}].buffers")
    for k, output in enumerate(program.outputs):
        found |= _places(output.tensor.name, output.format.levels, f"O[{k}]")
    spaces = [temp for temp in program.temps if temp.dims]
    for k, temp in enumerate(spaces):
        found |= _places(temp.name, temp.format.levels, f"W[{k}].buffers")
    return found


def _places(name: str, levels: tuple[Level, ...], source: str) -> dict[str, str]:
    """The buffers of a tensor by their names in a kernel, as they stand in its flat tuple."""
    names = [f"{name}{k}_{one}" for k, level in enumerate(levels[:-1]) for one in level.buffers]
    names += [f"{name}_{one}" for one in levels[-1].buffers]
    return {one: f"{source}[{k}]" for k, one in enumerate(names)}


def _is_walked(tensor: Tensor) -> bool:
    """Whether a kernel visits what a tensor stores, rather than looking some of it up."""
    return any(
        level.kind not in ("dense", "computed", "band") for level in tensor.format.levels[:-1]
    )


def _kinds(compiled: Compiled) -> list[str]:
    return [
        level.kind for source in compiled.program.inputs.values() for level in source.format.levels
    ]
