"""Kernels in several functions: Python allows no more than twenty loops in each other.

A loop that is nested too deeply becomes a function of the variables that it reads; it returns those
that are read afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from structarr._compiler.ir.conditions import TRUE
from structarr._compiler.ir.expr import Buffer, Lit, order_key
from structarr._compiler.ir.kernel import (
    For,
    Function,
    If,
    Invoke,
    Line,
    Make,
    Set,
    While,
    assigned,
    used,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block, with_blocks
from structarr._compiler.kernel_passes.dead_code import Live, Sweep
from structarr._support.once import once

DEEP = 12  # the nesting depth from which the innermost loop becomes a function


def outline_loops(block: Block, results: Live) -> tuple[Block, tuple[Function, ...]]:
    """A kernel that returns `results`, and the functions of its deepest loops."""
    division = _Division(block)
    whole = division.function(block, results, set())
    return whole, tuple(division.parts)


class _Division:
    """The division of one kernel."""

    def __init__(self, block: Block) -> None:
        self.parts: list[Function] = []
        self._sweep = Sweep()
        self._whole = block

    @once
    def _buffers(self) -> set[Node]:
        """The kernel's buffers; those that it makes are variables that liveness does not track."""
        return {node for node in used(self._whole) if isinstance(node, Buffer)}

    def function(self, block: Block, after: Live, params: set[Node]) -> Block:
        """A function's block with calls in place of some of its loops."""
        loops = [line for depth, line in _loops(block, 1) if depth == DEEP]
        chosen = {line for line in loops if self._is_apart(line)}
        if not chosen:
            return block
        whole = self._walk(block, after, frozenset(), chosen)
        # A variable that a path never sets is passed as well; it is not read on that path.
        made = assigned(block)
        unset: set[Node] = set()
        _defined(whole, params | (self._buffers - made), unset)
        variables = sorted([one for one in unset & made if isinstance(one, Var)], key=order_key)
        return tuple([Set(one, Lit(one.dtype, 0)) for one in variables]) + whole

    def _is_apart(self, line: Line) -> bool:
        """Whether a loop makes no buffer."""
        return assigned((line,)).isdisjoint(self._buffers)

    def _walk(self, block: Block, after: Live, leaving: Live, chosen: set[Line]) -> Block:
        found: list[Line] = []
        live = after
        for line in reversed(block):
            before = self._sweep.before((line,), live, leaving)
            match line:
                case For() | While() if line in chosen:
                    found.append(self._part(line, before, live))
                case For(body=body) | While(body):
                    turn = self._sweep.found(body)
                    inside = partial(self._walk, after=turn, leaving=live, chosen=chosen)
                    found.append(with_blocks(line, inside))
                case _:
                    inside = partial(self._walk, after=live, leaving=leaving, chosen=chosen)
                    found.append(with_blocks(line, inside))
            live = before
        return tuple(reversed(found))

    def _part(self, line: Line, before: Live, after: Live) -> Line:
        """The call of a new function."""
        nodes = used((line,))
        written = {node for node in assigned((line,)) if isinstance(node, Var)}
        touched = {node for node in nodes if isinstance(node, Var)} | written
        buffers = {node for node in nodes if isinstance(node, Buffer)}
        params = tuple(sorted(buffers | (touched & before), key=order_key))
        results = tuple(sorted(written & after, key=order_key))
        place = len(self.parts)
        name = f"part{place + 1}"
        self.parts.append(Function(name, params, ()))  # before those that it calls
        block = self.function((line,), frozenset(results), set(params))
        result = results[0] if len(results) == 1 else results
        self.parts[place] = Function(name, params, block, result)
        return Invoke(name, params, results)


def _defined(block: Block, known: set[Node], unset: set[Node]) -> set[Node]:
    """The variables set after a block; arguments of calls that may not be are added to `unset`."""
    known = set(known)
    for line in block:
        match line:
            case Set(var, _) | Make(var, _):
                known.add(var)
            case Invoke(_, arguments, results):
                unset |= set(arguments) - known
                known |= set(results)
            case For(var, _, _, body):
                _defined(body, known | {var}, unset)
            case While(body):  # which may be left anywhere
                _defined(body, known, unset)
            case If(arms):
                sets = [_defined(body, known, unset) for _, body in arms]
                if arms[-1][0] is TRUE:
                    known = set.intersection(*sets)
    return known


def _loops(block: Block, depth: int) -> Iterator[tuple[int, Line]]:
    """Every loop of a block with its depth, outer ones first."""
    for line in block:
        match line:
            case For(_, _, _, body) | While(body):
                yield depth, line
                yield from _loops(body, depth + 1)
            case If(arms):
                for _, body in arms:
                    yield from _loops(body, depth)
