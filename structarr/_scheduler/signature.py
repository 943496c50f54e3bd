"""The signature of a kernel: its parameters, and the counts that it returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from structarr._compiler.backend.params import Param
from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber, Tensor
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Lit, order_key
from structarr._compiler.ir.given import Natural, WholeArg
from structarr._compiler.ir.kernel import Line, assigned, used
from structarr._compiler.ir.variables import Var
from structarr._scheduler.assemble import Program


class Signature(NamedTuple):
    """The parameters of a kernel, and the counts that it returns."""

    params: tuple[Param, ...]
    arguments: tuple[Buffer | Var, ...]  # for each parameter
    counts: list[Var]


def signature(block: tuple[Line, ...], program: Program, ctx: Context) -> Signature:
    """The signature of a kernel: buffers, then numbers, in the order of what they are called."""
    mentioned = used(block)
    known = assigned(block) | set(ctx.counters.values())
    tensors = (*(output.tensor for output in program.outputs), *program.temps)
    written = {buffer for tensor in tensors for buffer in _buffers(tensor)}
    buffers = [node for node in mentioned if isinstance(node, Buffer) and node not in known]
    buffers.sort(key=order_key)
    params = [Param(buffer.dtype, True, buffer in written, buffer.counts) for buffer in buffers]
    free = [node for node in mentioned if isinstance(node, Var) and node not in known]
    free.sort(key=order_key)
    params += [Param(var.dtype, False, False, isinstance(var, Natural | WholeArg)) for var in free]
    counts = [v for (tensor, _, _), v in ctx.counters.items() if tensor.role == "out"]
    return Signature(tuple(params), (*buffers, *free), counts)


def fibers(tensor: Tensor) -> Iterator[tuple[Fiber, Expr]]:
    """The fiber of each level but the leaf, and how many fibers the level has."""
    fiber = tensor.root()
    total: Expr = Lit(INDEX, 1)
    while not fiber.level.leaf:
        yield fiber, total
        if fiber.level.writing.appends:
            total = fiber.variable("n")
        else:
            total = fiber.level.writing.total(fiber, total)
        fiber = fiber.child(fiber.pos)


def _buffers(tensor: Tensor) -> Iterator[Buffer]:
    """A tensor's buffers."""
    fiber = tensor.root()
    while not fiber.level.leaf:
        for name in fiber.level.buffers:
            yield fiber.buffer(name)
        fiber = fiber.child(fiber.pos)
    yield from (fiber.buffer(name) for name in fiber.level.buffers)
