"""Calls of kernels as the oracle computes them: dense operands in, dense results out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from structarr._compiler.ir import cin
from structarr._compiler.ir.given import DimArg, FillArg, Given, ScalarArg, SizeArg, WholeArg
from structarr._compiler.ir.variables import Var
from structarr._scheduler.assemble import Output, Program
from structarr._scheduler.operands import Operands
from structarr._storage.dense import to_dense
from structarr._testing.oracle.statements import begun, run
from structarr._testing.oracle.values import Scope
from structarr.formats.entries import Array


class Results(NamedTuple):
    """The results of the oracle for a call.

    Attributes
    ----------
    arrays : list of ndarray
        The results, dense.
    finite : bool
        Whether no infinity and no NaN was met. Where one was, a kernel that is not strict may give
        something else: a zero that is not stored annihilates it, and the oracle knows of no zero
        whether it is stored.
    """

    arrays: list[Array]
    finite: bool


def results(
    program: Program, given: Operands, starts: Sequence[Array | None] | None = None
) -> Results:
    """
    Return what a program computes of a call's operands.

    Parameters
    ----------
    program : Program
        One of those that the scheduler makes.
    given : Operands
        As its kernel is called with them.
    starts : sequence, optional
        For each result the elements that it begins with, or None for its own start.

    Raises
    ------
    OutOfBounds
        If an index is outside that the program checks.
    """
    scope = Scope({}, dict(_variables(program, given)))
    for tensor in program.stmt.every(cin.Tensor):
        if tensor.role == "in":
            scope.arrays[tensor] = _operand(tensor, program, given)
    found = []
    for k, output in enumerate(program.outputs):
        known = None if starts is None else starts[k]
        whole, view = _room(output, scope, known)
        scope.arrays[output.tensor] = view
        found.append(whole)
    run(program.stmt, scope)
    return Results(found, not scope.odd and all(np.isfinite(one).all() for one in found))


def _variables(program: Program, given: Operands) -> Iterator[tuple[Var, Any]]:
    """The values of a program's lengths, sizes and scalars in a call."""
    yield from zip(program.lengths, given.extents, strict=True)
    for one in program.stmt.every(Given):
        match one:
            case ScalarArg(number=number):
                yield one, given.scalars[number]
            case SizeArg(number=number) | WholeArg(number=number):
                yield one, given.sizes[number]
            case FillArg(number=number):
                yield one, given.tensors[number].fill
            case DimArg(number=number, axis=axis):
                yield one, given.tensors[number].shape[axis]


def _operand(tensor: cin.Tensor, program: Program, given: Operands) -> Array:
    """An operand with its axes in the order of the program's modes.

    Modes along which nothing varies are left out by programs, and dense arrays are read in any
    order: their modes are numbered as they are stored.
    """
    source = program.inputs[tensor.name]
    dense = to_dense(given.tensors[source.number])
    kept = source.format.order
    if tensor.format is not source.format:
        kept = tuple(kept[k] for k in tensor.format.order)
    dropped = [axis for axis in range(dense.ndim) if axis not in kept]
    ordered = np.transpose(dense, (*dropped, *kept))
    if 0 in ordered.shape[: len(dropped)]:
        return np.full(ordered.shape[len(dropped) :], given.tensors[source.number].fill)
    return np.asarray(ordered[(0,) * len(dropped)])


def _room(output: Output, scope: Scope, known: Array | None) -> tuple[Array, Array]:
    """A result in the order of its axes, and the same memory in that of the program's modes."""
    axes = [output.holds.result.index(mode) for mode in output.modes]
    made = begun(output.tensor, scope)
    whole = np.array(np.transpose(made, np.argsort(axes)), order="C")
    if known is not None:
        whole[...] = np.reshape(known, whole.shape)
    return whole, np.transpose(whole, axes)
