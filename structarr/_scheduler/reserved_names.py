"""Names in a kernel that are taken before any variable is named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from string import ascii_lowercase

from structarr._compiler.ir.cin import Fiber, Stmt, Tensor
from structarr._compiler.ir.expr import Var
from structarr._compiler.ir.kernel import Set


def unused(hint: str, taken: Collection[str]) -> str:
    """A name like `hint` that is not taken; no letter at its end begins a number."""
    found, turn = hint, 0
    while found in taken:
        letters = ascii_lowercase[turn % 26] + "x" * (turn // 26)
        found, turn = f"{hint}{letters}", turn + 1
    return found


def reserved(stmt: Stmt, written: Iterable[Tensor]) -> frozenset[str]:
    """
    The names of a program's buffers, lengths and scalars, and of what counts and begins results.

    They are made of the names of tensors and indices. A variable of the program may look like one
    of them: `x_val` beside an operand `x`.
    """
    names = {var.name for var in stmt.every(Var)}
    for tensor in {*stmt.every(Tensor), *written}:
        names.update(_of_tensor(tensor))
    return frozenset(names)


def _of_tensor(tensor: Tensor) -> Iterator[str]:
    fiber: Fiber = tensor.root()
    while True:
        level = fiber.level
        for name in level.buffers:
            yield fiber.buffer(name).name
        if level.leaf:
            return
        if tensor.role != "in":
            yield from (
                line.var.name for line in level.writing.locals(fiber) if isinstance(line, Set)
            )
            for tally in level.writing.counters:
                count = f"{tensor.name}{fiber.depth}_{tally}"
                yield from (count, f"{count}_before", f"{count}_tight")
        fiber = fiber.child(fiber.pos)
