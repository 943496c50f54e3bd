"""Functions of NumPy in straight loops that fill a stretch of a result: a block at a time.

NumPy's loops compute several values at once, which a call for each element cannot. The result
itself holds the arguments of a block until the function has replaced them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from structarr._compiler.ir.expr import INDEX, Call, Expr, Helper, Lit, Load, affine, minimum
from structarr._compiler.ir.kernel import Do, For, Line, Set, Store, assigned, used
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var, unused
from structarr._compiler.kernel_passes.blocks import Block, with_blocks
from structarr._compiler.runtime import HELPERS, traits

BLOCK: Final = 512  # the elements of a block, which stay in the nearest cache

VECTORS: Final = {operator: name for name in HELPERS if (operator := traits(name).applies)}
"""The operators that NumPy applies to vectors, and their helpers."""

DTYPES: Final = ("float32", "float64")


@dataclass(frozen=True)
class _Stage:
    """A function of a block: its argument, the helper that applies it, and what else that takes."""

    argument: Expr
    helper: str
    extra: tuple[Expr, ...]


def vector_calls(block: Block) -> Block:
    """A kernel whose straight loops over a stretch of a result call NumPy's functions by blocks."""
    if not any(isinstance(node, Call) and node.op.name in VECTORS for node in used(block)):
        return block
    return _blocks(block, used(block) | assigned(block))


def _blocks(block: Block, taken: set[Node]) -> Block:
    return tuple(
        (isinstance(line, For) and _in_blocks(line, taken))
        or with_blocks(line, lambda inner: _blocks(inner, taken))
        for line in block
    )


def _in_blocks(loop: For, taken: set[Node]) -> Line | None:
    """A loop as one over blocks; None if it calls nothing that takes blocks."""
    match loop.body:
        case (Store(buffer, index, value),) if loop.step == 1 and buffer.dtype in DTYPES:
            pass
        case _:
            return None
    var, here = loop.var, Load(buffer, index)
    steps, _ = affine(index)
    if steps.pop(var, 0) != 1 or any(atom.mentions(var) for atom in steps):
        return None
    if any(load.buffer is buffer for load in value.every(Load)):
        return None
    stages = list(_stages(value, here, var))
    if not stages:
        return None
    begin, end = (unused(Var(INDEX, f"{var.label}_{one}"), taken) for one in ("block", "stop"))
    taken |= {begin, end}
    lines: list[Line] = [Set(end, minimum(begin + BLOCK, loop.hi))]
    for one in stages:
        if one.argument is not here:
            lines.append(For(var, begin, end, (Store(buffer, index, one.argument),)))
        if one.helper:
            bounds = (substitute(index, {var: bound}) for bound in (begin, end))
            lines.append(Do(Helper(buffer.dtype, one.helper, (buffer, *bounds, *one.extra))))
    return For(begin, loop.lo, loop.hi, tuple(lines), BLOCK)


def _stages(value: Expr, here: Load, var: Var) -> Iterator[_Stage]:
    """The functions of a value, the innermost first, and what is left of it; none if none is.

    The argument of each may read what the one before it has put in the value's place.
    """
    found = False
    while (call := _next(value, here, var)) is not None:
        found = True
        yield _Stage(call.args[0], VECTORS[call.op.name], call.args[1:])
        value = substitute(value, {call: here})
    if found:
        yield _Stage(value, "", ())


def _next(value: Expr, here: Load, var: Var) -> Call | None:
    """A function that the place of the result can hold the argument of, and then its value."""
    for call in value.every(Call):
        argument, *extra = call.args
        if not _is_vector(call, here.buffer.dtype) or any(one.mentions(var) for one in extra):
            continue
        inner = any(_is_vector(one, here.buffer.dtype) for one in argument.every(Call))
        rest = substitute(value, {call: Lit(call.dtype, 0.0)})
        if not inner and not rest.mentions(here):
            return call
    return None


def _is_vector(call: Call, dtype: str) -> bool:
    """Whether a helper applies an operator to vectors of a dtype."""
    return call.op.name in VECTORS and {call.dtype, *(arg.dtype for arg in call.args)} == {dtype}
