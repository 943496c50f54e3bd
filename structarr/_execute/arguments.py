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
    args = arguments_of(compiled, "T[{}].buffers", "O[{}]")
    return straight("T, G, O, X", (), f"({args})")


def arguments_of(compiled: Compiled, operand: str, result: str) -> str:
    """The Python expressions of a kernel's arguments, each with a comma after it.

    They read the operands T and numbers G of a call, and workspaces X. `operand` and `result` are
    the expressions of the buffers of a tensor by its number.
    """
    parts = compiled.parts
    found: dict[Buffer, str] = {}
    for tensor, number in parts.operands:
        found |= _of_tensor(tensor, operand.format(number))
    for k, output in enumerate(parts.outputs):
        found |= _of_tensor(output, result.format(k))
    for k, temp in enumerate(parts.temps):
        found |= _of_tensor(temp, f"X[{k}].buffers")
    codes = [
        found[one] if isinstance(one, Buffer) else number_of(one, parts.lengths)
        for one in compiled.arguments
    ]
    return "".join(code + ", " for code in codes)


def reads_of(compiled: Compiled) -> dict[int, frozenset[int]]:
    """The buffers of each operand that a kernel reads, by their places."""
    asked = {one for one in compiled.arguments if isinstance(one, Buffer)}
    found: dict[int, frozenset[int]] = {}
    for tensor, number in compiled.parts.operands:
        read = [k for k, (one, _) in enumerate(_of_tensor(tensor, "")) if one in asked]
        found[number] = found.get(number, frozenset()).union(read)
    return found


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
    assert isinstance(one, Given), one
    return f"G.extents[{lengths.index(one)}]"


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
