"""The arguments of kernels: where each is found among operands, results and workspaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from structarr._compiler.ir.expr import Expr, affine
from structarr._compiler.ir.given import given as number_given
from structarr._scheduler.compiled import Compiled
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr.formats.base import Level

Gather = Callable[..., tuple[Any, ...]]
Length = Callable[[Sequence[Tensor], Operands], int]


def gatherer(compiled: Compiled) -> Gather:
    """The function that gathers a kernel's arguments from operands, results and workspaces."""
    buffers = _buffers(compiled)
    parts = [
        buffers[param.name] if param.array else _value_of(param.name, compiled.program.lengths)
        for param in compiled.params
    ]
    text = f"lambda T, G, O, W: ({''.join(part + ', ' for part in parts)})"
    return eval(text)  # type: ignore[no-any-return]


def length_of(dim: Expr, lengths: tuple[str, ...]) -> Length:
    """The function that computes a length from operands; joined axes add up their parts."""
    terms, constant = affine(dim)
    parts = [f"{k} * {_value_of(var.name, lengths)}" for var, k in terms.items()]  # type: ignore[attr-defined]
    return eval(f"lambda T, G: {' + '.join([str(constant), *parts])}")  # type: ignore[no-any-return]


def _value_of(name: str, lengths: tuple[str, ...]) -> str:
    """The Python expression of a scalar argument."""
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
    """The Python expression of each buffer that may be an argument, by its name in the kernel."""
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
    """The Python expression of each buffer of a tensor, which keeps them in one tuple."""
    names = [f"{name}{k}_{one}" for k, level in enumerate(levels[:-1]) for one in level.buffers]
    names += [f"{name}_{one}" for one in levels[-1].buffers]
    return {one: f"{source}[{k}]" for k, one in enumerate(names)}
