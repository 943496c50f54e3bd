"""Kernels as data: what is asked of the compiler, and what it returns."""

from __future__ import annotations

from collections.abc import Callable

from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.backend.params import Param
from structarr._compiler.ir.arrays import ArrayExpr, Input
from structarr._compiler.ir.cin import Tensor
from structarr._compiler.ir.expr import Buffer, Expr
from structarr._compiler.ir.given import Given
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.engine import RuleSet
from structarr._scheduler.assemble import Program
from structarr._support.records import record
from structarr.formats.base import Format


@record
class Request:
    """The expression and the options of a kernel; the key of the cache in memory."""

    root: ArrayExpr | None  # None where the program is given with its indices
    format: Format | None  # the result's; None for that of the structure algebra
    index: str  # dtype of the result's coordinates
    strict: bool
    prune: bool = False  # leave out values that equal the fill
    rules: RuleSet | None = None  # the user's, which are applied first
    transposed: bool = False  # operands were already transposed for the loops
    budget: int | None = None  # the most statements of lowering
    begun: bool = False  # the result holds what its sums are added to


@record
class Result:
    """One of a kernel's results, and the bounds of its allocation."""

    format: Format
    fill: Expr
    start: Expr | None
    counters: tuple[tuple[int, ...], ...]  # the places of the counters of each level
    bounds: tuple[Expr | None, ...]  # by level, made by `allocation_bounds`
    overwritten: bool  # whether the kernel stores every element, and reads none before
    shares: int | None = None  # the number of the operand whose coordinates it has


@record
class Parts:
    """The tensors of a kernel, and the lengths of its loops."""

    operands: tuple[tuple[Tensor, int], ...]  # as they are read, each with the operand's number
    inputs: tuple[Input, ...]  # the operands
    outputs: tuple[Tensor, ...]
    temps: tuple[Tensor, ...]  # those that have buffers
    lengths: tuple[Given, ...]


@record
class Compiled:
    """A kernel, and all that a call of it needs to know."""

    kernel: Kernel
    parts: Parts
    params: tuple[Param, ...]
    arguments: tuple[Buffer | Var, ...]  # for each parameter
    results: tuple[Result, ...]
    rules: RuleSet  # its rules, by which fills of calls are computed, too
    spent: int  # the statements that lowering took
    source: Callable[[], Program]

    @property
    def program(self) -> Program:
        """The program that it was compiled from, found out for a kernel of another process."""
        return self.source()


def parts_of(program: Program) -> Parts:
    """The parts of a program that calls of its kernel need."""
    operands = [one for one in program.stmt.every(Tensor) if one.role == "in"]
    return Parts(
        tuple([(one, program.inputs[one.name].number) for one in operands]),
        tuple(program.inputs.values()),
        tuple([one.tensor for one in program.outputs]),
        tuple([one for one in program.temps if one.dims]),
        program.lengths,
    )
