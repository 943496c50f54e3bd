"""Looplets made by hand, with what they mean, and kernels of loops over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from structarr._compiler.backend.kernel import Kernel, build
from structarr._compiler.backend.numba.source import show
from structarr._compiler.backend.params import Param
from structarr._compiler.ir.cin import Access, Assign, Loop, Stmt, Tensor
from structarr._compiler.ir.expr import INDEX, Buffer, Call, Expr, Helper, Index, Lit
from structarr._compiler.ir.kernel import Function, Line, Lines, Set, assigned as set_by, used
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Opaque, Var
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.stepper import Jumper, Stepper
from structarr._compiler.rules.defaults import default_rules
from structarr._scheduler import pipeline
from structarr._storage.dense import to_dense
from structarr._storage.tensor import Tensor as Stored
from structarr._testing.counted_calls import counted
from structarr.formats import parse

I = Index("i")  # noqa: E741
N = Var(INDEX, "i_n")
FLOAT = "float64"
FILL = Lit(FLOAT, 0.0, True)
ZERO = Lit(INDEX, 0)
WINDOWS = [(0, 9), (0, 4), (3, 9), (2, 7), (4, 4), (5, 6)]


@dataclass(frozen=True)
class Made:
    """A looplet over [0, n), its values there, and the buffers and scalars that it reads."""

    looplet: Looplet
    values: np.ndarray
    given: dict[str, Any] = field(default_factory=dict)
    cursors: tuple[Var, ...] = ()

    def at(self, index: Expr = I) -> Access:
        """The looplet, accessed."""
        return Access(FLOAT, self.looplet, (index,))


def floats(name: str) -> Buffer:
    return _buffer(name, FLOAT)


def counts(name: str) -> Buffer:
    return _buffer(name, INDEX, True)


def _buffer(name: str, *kind: Any) -> Buffer:
    tensor, split, role = name.partition("_")
    return Buffer(role, kind[0], *kind[1:], tensor=tensor) if split else Buffer(name, *kind)


def lookup(name: str, values: np.ndarray) -> Made:
    """A dense vector."""
    buffer = floats(f"{name}_val")
    looplet = Lookup(function("i", lambda i: buffer[i]))
    return Made(looplet, values, {buffer.label: values})


def run(name: str, value: float, n: int) -> Made:
    """One value throughout."""
    var = Var(FLOAT, f"{name}_c")
    return Made(Run(var), np.full(n, value), {var.label: value})


def steps(name: str, idx: list[int], n: int, leads: bool = False, weight: int = 0) -> Made:
    """A list of spikes on fill; its values are 1, 2, ..."""
    coords, val = counts(f"{name}_idx"), floats(f"{name}_val")
    cursor, at = Var(INDEX, f"{name}_q"), Var(INDEX, f"{name}_i")
    end = Var(INDEX, f"{name}_end")

    def reach(i: Expr) -> Expr:
        return Helper(INDEX, "search", (coords, i, cursor, end))

    looplet = (Jumper if leads else Stepper)(
        cursor=cursor,
        end=end,
        loads=(Set(at, coords[cursor]),),
        stop=at + 1,
        body=Spike(FILL, val[cursor]),
        rest=Run(FILL),
        seek=function("i", reach),
        clamp=function("i", reach),
        past=function("hi", lambda hi: Lines((Set(at, hi),))),
        first=ZERO,
        last=N,
        weight=weight,
    )
    dense, values = np.zeros(n), np.arange(1.0, len(idx) + 1)
    dense[idx] = values
    given = {coords.label: np.array(idx, int), val.label: values, end.label: len(idx)}
    return Made(looplet, dense, given, (cursor,))


def runs(name: str, stops: list[int], n: int, weight: int = 0) -> Made:
    """Runs that cover [0, n): their values are 1, 2, ... ."""
    ends, val = counts(f"{name}_stop"), floats(f"{name}_val")
    cursor, stop = Var(INDEX, f"{name}_q"), Var(INDEX, f"{name}_s")
    value, end = Var(FLOAT, f"{name}_v"), Var(INDEX, f"{name}_end")
    looplet = Stepper(
        cursor=cursor,
        end=end,
        loads=(Set(stop, ends[cursor]), Set(value, val[cursor])),
        stop=stop,
        body=Run(value),
        rest=None,
        seek=function("i", lambda i: Helper(INDEX, "search", (ends, i + 1, cursor, end))),
        clamp=function("i", lambda i: Helper(INDEX, "search", (ends, i, cursor, end)) + 1),
        past=None,
        first=ZERO,
        last=N,
        weight=weight,
    )
    values = np.arange(1.0, len(stops) + 1)
    dense = np.repeat(values, np.diff([0, *stops])) if stops else np.zeros(0)
    given = {ends.label: np.array(stops, int), val.label: values, end.label: len(stops)}
    return Made(looplet, dense, given, (cursor,))


def band(name: str, start: int, width: int, n: int) -> Made:
    """Fill, some values looked up, fill."""
    lo, hi, val = Var(INDEX, f"{name}_lo"), Var(INDEX, f"{name}_hi"), floats(f"{name}_val")
    inside = Lookup(function("i", lambda i: val[i - lo]))
    looplet = Pipeline((Phase(lo, Run(FILL)), Phase(hi, inside), Phase(None, Run(FILL))))
    dense, values = np.zeros(n), np.arange(1.0, width + 1)
    dense[start : start + width] = values
    given = {lo.label: start, hi.name: start + width, val.label: values}
    return Made(looplet, dense, given)


def window(name: str, lo: int, hi: int, n: int) -> Made:
    """One inside, a fill that annihilates outside: multiplying by it makes a partial extent."""
    stops = Var(INDEX, f"{name}_lo"), Var(INDEX, f"{name}_hi")
    phases = (Phase(stops[0], Run(FILL)), Phase(stops[1], Run(Lit(FLOAT, 1.0))))
    dense = np.zeros(n)
    dense[max(lo, 0) : max(hi, 0)] = 1
    given = {stops[0].label: lo, stops[1].label: hi}
    return Made(Pipeline((*phases, Phase(None, Run(FILL)))), dense, given)


def call(op: str, *args: Expr) -> Call:
    return Call(FLOAT, OPS[op], args)


def output(fmt: str = "dense", start: float | None = None) -> Tensor:
    """A vector of a format; with a start, one that is reduced into."""
    first = None if start is None else Lit(FLOAT, start)
    return Tensor("C", parse(fmt, 1), FLOAT, Lit(FLOAT, 0.0), (N,), "out", first)


def scalar(start: float = 0.0) -> Tensor:
    """A reduction's result."""
    fill = Lit(FLOAT, start)
    return Tensor("C", parse("dense", 0), FLOAT, fill, (), "out", fill)


def total(value: Expr, op: str = "add", start: float = 0.0) -> tuple[Stmt, Tensor]:
    """`C[] op= value` for all i."""
    out = scalar(start)
    return Loop(I, ZERO, N, Assign(Access(FLOAT, out, ()), OPS[op], value)), out


def assigned(value: Expr, fmt: str = "dense") -> tuple[Stmt, Tensor]:
    """`C[i] = value` for all i."""
    out = output(fmt)
    return Loop(I, ZERO, N, Assign(Access(FLOAT, out, (I,)), None, value)), out


def lines(stmt: Stmt, out: Tensor, *made: Made, strict: bool = False) -> tuple[Line, ...]:
    """The kernel of a program, cursors set to begin with."""
    block, counters = _lowered(stmt, out, strict)
    starts = [cursor for one in made for cursor in one.cursors]
    zeros = (*dict.fromkeys(starts), *counters)
    return tuple(Set(var, ZERO) for var in zeros) + block


@lru_cache(maxsize=512)  # one lowering for all windows and data: most of the time goes here
def _lowered(stmt: Stmt, out: Tensor, strict: bool) -> tuple[tuple[Line, ...], tuple[Var, ...]]:
    block, ctx = pipeline.lower_program(stmt, (out,), (), default_rules(strict))
    return block, tuple(ctx.counters.values())


@lru_cache(maxsize=512)
def _built(
    arguments: tuple[Node, ...],
    params: tuple[Param, ...],
    block: tuple[Line, ...],
    result: tuple[Var, ...],
) -> Kernel:
    return build((Function("kernel", arguments, block, result),), params)


def text(stmt: Stmt, out: Tensor) -> str:
    """The kernel of a program as it is printed, without what sets the cursors."""
    block, _ = pipeline.lower_program(stmt, (out,), (), default_rules(False))
    return show(block)


def kernel(stmt: Stmt, out: Tensor, made: tuple[Made, ...], n: int) -> tuple[Kernel, list[Any]]:
    """The kernel of a program and its arguments, outputs included."""
    given: dict[str, Any] = {"i_n": n}
    for one in made:
        given |= one.given
    given |= _buffers(out, n)
    block = lines(stmt, out, *made)
    free = {one.label: one for one in used(block) - set_by(block) if isinstance(one, Buffer | Var)}
    params = tuple(
        Param(value.dtype.name, True, name.startswith("C"))
        if isinstance(value, np.ndarray)
        else Param(FLOAT if isinstance(value, float) else INDEX, False, False)
        for name, value in given.items()
    )
    result = tuple(map(out.root().variable, out.format.levels[0].writing.counters))
    arguments = tuple([free.get(name, Opaque(INDEX, name)) for name in given])
    return _built(arguments, params, block, result), list(given.values())


def _buffers(out: Tensor, n: int) -> dict[str, np.ndarray]:
    """Room for any result: twice its length."""
    found: dict[str, np.ndarray] = {}
    for depth, level in enumerate(out.format.levels[:-1]):
        for name in level.buffers:
            kind = bool if name in level.flags else int
            found[f"C{depth}_{name}"] = level.blank(name, 2 * n + 2, np.dtype(kind))
    start = 0.0 if out.start is None else out.start.value  # type: ignore[attr-defined]
    found["C_val"] = np.full(2 * n + 2, start)
    return found


def computed(stmt: Stmt, out: Tensor, made: tuple[Made, ...], n: int) -> np.ndarray:
    """The result of a program, run as plain Python, its buffers validated."""
    function, args = kernel(stmt, out, made, n)
    counted = function.interpret(tuple(args))
    arrays = [arg for param, arg in zip(function.params, args, strict=True) if param.writable]
    level = out.format.levels[0]
    if level.leaf:
        return arrays[-1][:1].reshape(())
    sizes, children = level.used(1, n, counted or ())
    cut = [a[:size] for a, size in zip(arrays, (*sizes, children), strict=True)]
    return to_dense(Stored.checked(out.format, (n,), 0.0, cut))


def steps_of(stmt: Stmt, out: Tensor, made: tuple[Made, ...], n: int) -> int:
    """How many iterations the kernel's loops make."""
    function, args = kernel(stmt, out, made, n)
    return counted(function, args)[1].iterations


def product(*made: Made) -> Expr:
    value = made[0].at()
    for one in made[1:]:
        value = call("multiply", value, one.at())
    return value


def summed(*made: Made) -> Expr:
    value = made[0].at()
    for one in made[1:]:
        value = call("add", value, one.at())
    return value


def check_windows(value: Expr, want: np.ndarray, *made: Made, fmt: str = "dense") -> None:
    """The values over the whole extent and over windows."""
    n = len(want)
    np.testing.assert_array_equal(computed(*assigned(value, fmt), made, n), want)
    for lo, hi in WINDOWS:
        mask = window("w", lo, hi, n)
        program = assigned(call("multiply", mask.at(), value), fmt)
        np.testing.assert_array_equal(computed(*program, (mask, *made), n), want * mask.values)
