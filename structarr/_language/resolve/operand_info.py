"""Inputs and outputs of the compilation of a stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Pass, Stmt
from structarr._compiler.ir.expr import Expr, Index, Lit
from structarr._compiler.ir.given import Given
from structarr._language.resolve.accesses import Use
from structarr._language.resolve.terms import Kind
from structarr._scheduler.results_unformatted import Unformatted
from structarr.formats import Format


@dataclass(frozen=True)
class Known:
    """A scalar as the compiler knows it: its kind, and its value where that has an algebra."""

    kind: Kind
    value: Lit | None
    whole: bool  # whether it may stand in an index


@dataclass
class Surroundings:
    """The values of a stage's names, as far as its kernel depends on them."""

    arrays: dict[str, Input]
    scalars: dict[str, Known]
    operators: dict[str, str]  # the names of users' operators, as the table of operators has them
    formats: dict[str, Format | None]  # the formats of results that the caller chose
    begun: frozenset[str]  # the results that begin as a given array
    told: frozenset[Any]  # the numbers of which operators from outside and rules speak
    stored: dict[int, Input] = field(default_factory=dict)  # operands in another order, by number
    split: set[str] = field(default_factory=set)  # arrays that are read in several orders


@dataclass
class Meaning:
    """A stage as a statement, and what its kernel is to be called with."""

    stmt: Stmt = field(default_factory=Pass)
    results: list[Unformatted] = field(default_factory=list)
    tensors: list[str] = field(default_factory=list)  # operands by number
    names: dict[int, str] = field(default_factory=dict)  # names of operands in the kernel
    scalars: list[tuple[str, str]] = field(default_factory=list)  # name and dtype, by number
    sizes: list[str] = field(default_factory=list)
    lengths: dict[Given, tuple[str, Any]] = field(default_factory=dict)  # variables of lengths
    dims: dict[tuple[int, int], Expr] = field(default_factory=dict)  # by operand and axis
    uses: tuple[Use, ...] = ()  # the accesses that the kernel checks, by number
    loops: tuple[Index, ...] = ()  # the outermost first
    extents: dict[Index, Expr] = field(default_factory=dict)
