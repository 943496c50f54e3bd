"""The arguments of kernels: where each is found among operands, results and workspaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from structarr._compiler.backend.python.host import straight
from structarr._compiler.ir import cin
from structarr._compiler.ir.expr import Buffer
from structarr._compiler.ir.given import DimArg, FillArg, Given, ScalarArg, SizeArg, WholeArg
from structarr._compiler.ir.node import Node
from structarr._scheduler.compiled import Compiled

Gather = Callable[..., tuple[Any, ...]]


def gatherer(compiled: Compiled) -> Gather:
    """The function that gathers a kernel's arguments from operands, results and workspaces."""
    buffers, lengths = dict(_buffers(compiled)), compiled.program.lengths
    parts = [
        buffers[one] if isinstance(one, Buffer) else number_of(one, lengths)
        for one in compiled.arguments
    ]
    return straight("T, G, O, W", (), f"({''.join(part + ', ' for part in parts)})")


def number_of(one: Node, lengths: tuple[Given, ...]) -> str:
    """The Python expression of a number that a call gives."""
    match one:
        case ScalarArg(number=number):
            return f"G.scalars[{number}]"
        case FillArg(number=number):
            return f"G.tensors[{number}].fill"
        case SizeArg(number=number) | WholeArg(number=number):
            return f"G.sizes[{number}]"
        case DimArg(number=number, axis=axis):
            return f"T[{number}].shape[{axis}]"
        case Given():
            return f"G.extents[{lengths.index(one)}]"
    raise TypeError(f"{one!r} is no number that a call gives")


def _buffers(compiled: Compiled) -> Iterator[tuple[Buffer, str]]:
    """Each buffer that may be an argument, with its Python expression."""
    program = compiled.program
    for tensor in program.stmt.every(cin.Tensor):
        if tensor.role == "in":
            yield from _of_tensor(tensor, f"T[{program.inputs[tensor.name].number}].buffers")
    for k, output in enumerate(program.outputs):
        yield from _of_tensor(output.tensor, f"O[{k}]")
    for k, temp in enumerate([temp for temp in program.temps if temp.dims]):
        yield from _of_tensor(temp, f"W[{k}].buffers")


def _of_tensor(tensor: cin.Tensor, source: str) -> Iterator[tuple[Buffer, str]]:
    """The buffers of a tensor in the order in which one tuple keeps them."""
    fiber, place = tensor.root(), 0
    while True:
        for name in fiber.level.buffers:
            yield fiber.buffer(name), f"{source}[{place}]"
            place += 1
        if fiber.level.leaf:
            return
        fiber = fiber.child(fiber.pos)
