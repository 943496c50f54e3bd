"""The signature of a kernel: its parameters, and the counts that it returns."""

from __future__ import annotations

from collections.abc import Iterator

from structarr._compiler.backend.build import Param
from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber, Tensor
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Lit, Var
from structarr._compiler.ir.given import given
from structarr._compiler.ir.kernel import Line, assigned, used
from structarr._scheduler.assemble import Program


def signature(
    block: tuple[Line, ...], program: Program, ctx: Context
) -> tuple[tuple[Param, ...], list[Var]]:
    """The parameters, in the order in which the text first needs them, and the counts returned."""
    mentioned = used(block)
    known = assigned(block) | set(ctx.counters.values())
    own = {var.name for var in known if isinstance(var, Var)}  # which the kernel makes for itself
    tensors = (*(output.tensor for output in program.outputs), *program.temps)
    written = {name for tensor in tensors for name in _buffers(tensor)}
    buffers = [node for node in mentioned if isinstance(node, Buffer) and node.name not in own]
    params = [
        Param(buffer.name, buffer.dtype, True, buffer.name in written, buffer.counts)
        for buffer in sorted(buffers, key=lambda one: one.name)
    ]
    free = [node for node in mentioned if isinstance(node, Var) and node not in known]
    params += [
        Param(var.name, var.dtype, False, False, is_length(var.name, "size", "whole"))
        for var in sorted(free, key=lambda one: one.name)
    ]
    counts = [v for (tensor, _, _), v in ctx.counters.items() if tensor.role == "out"]
    return tuple(params), counts


def is_length(name: str, *kinds: str) -> bool:
    """Whether a variable is an extent of a loop, or a length of one of these kinds."""
    told = given(name)
    return name.endswith("_n") or (told is not None and told.kind in kinds)


def fibers(tensor: Tensor) -> Iterator[tuple[Fiber, Expr]]:
    """The fiber of each level but the leaf, and how many fibers the level has."""
    fiber = tensor.root()
    total: Expr = Lit(INDEX, 1)
    while not fiber.level.leaf:
        yield fiber, total
        if fiber.level.appends:
            total = Var(INDEX, f"{tensor.name}{fiber.depth}_n", True)
        else:
            total = fiber.level.total(fiber, total)
        fiber = fiber.child(fiber.pos)


def _buffers(tensor: Tensor) -> Iterator[str]:
    """The names of a tensor's buffers."""
    fiber = tensor.root()
    while not fiber.level.leaf:
        for name in fiber.level.buffers:
            yield fiber.buffer(name).name
        fiber = fiber.child(fiber.pos)
    yield fiber.buffer("val").name
