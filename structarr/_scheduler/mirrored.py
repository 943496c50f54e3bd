"""Sums over symmetric and Hermitian matrices: what is stored is read once, and counts twice.

In `for i: for j: C[i] += A[i, j] * B[j]` a row of the symmetric A goes on below the diagonal, where
its elements are as far apart as rows. Mirrored, the loop over j ends at the diagonal, and a second
one adds `A[i, j] * B[i]` to `C[j]` for each element before it.
"""

from __future__ import annotations

from dataclasses import replace

from structarr._compiler.ir.cin import Access, Assign, Loop, Multi, Stmt, Tensor, reads
from structarr._compiler.ir.dtypes import COMPLEX
from structarr._compiler.ir.expr import Call, Expr, Index
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.ops import OPS
from structarr._scheduler.accesses import ZERO, operands, source
from structarr._scheduler.assemble import Program
from structarr._scheduler.indexing import Indexed
from structarr.formats.base import Level
from structarr.formats.kinds import DENSE, HERMITIAN, SYMMETRIC


def mirrored(program: Program) -> Program:
    """The program with the loops over a symmetric matrix ending at its diagonal, where they can.

    They can where all else is dense along its axes, and the result is updated in any order.
    """
    return replace(program, stmt=_mirrored(program.stmt))


def are_mirrored(program: Indexed) -> bool:
    """Whether sums go over a symmetric matrix, and all else is dense, so that they are mirrored.

    Such a sum is not complete before the last row, so nothing can be done with it in its kernel.
    """
    accesses = operands(program.value)
    found = [one for one in accesses if _levels_are_symmetric(source(one).format.levels)]
    others = [source(one).format for one in accesses if one not in found]
    pairs = [{*one.indices} for one in found]
    return (
        any(pair & {*program.reduced} for pair in pairs)
        and all(len(pair) == 2 and all(isinstance(i, Index) for i in pair) for pair in pairs)
        and all(one.is_dense for one in others)
    )


def _mirrored(stmt: Stmt) -> Stmt:
    if not isinstance(stmt, Loop) or not isinstance(stmt.body, Loop):
        return stmt
    outer, inner = stmt, stmt.body
    pair = outer.index, inner.index
    whole = outer.lo is ZERO and inner.lo is ZERO
    symmetric = [one for one in reads(inner) if _is_symmetric(one) and one.indices == pair]
    if not (whole and symmetric and _is_turned(inner.body, pair)):
        return Loop(outer.index, outer.lo, outer.hi, _mirrored(inner))
    other = substitute(inner.body, {outer.index: inner.index, inner.index: outer.index})
    turned: dict[Node, Node] = {
        one.replace(indices=pair[::-1]): _reflected(one) for one in symmetric
    }
    below = Loop(inner.index, ZERO, outer.index, substitute(other, turned))
    up_to = Loop(inner.index, ZERO, outer.index + 1, inner.body)
    return Loop(outer.index, outer.lo, outer.hi, Multi((up_to, below)))


def _is_symmetric(access: Access) -> bool:
    return _levels_are_symmetric(access.obj.format.levels)  # type: ignore[attr-defined]


def _levels_are_symmetric(levels: tuple[Level, ...]) -> bool:
    return len(levels) == 3 and levels[1].kind in (SYMMETRIC, HERMITIAN)


def _reflected(access: Access) -> Expr:
    """The element on the other side of the diagonal, by the one that is stored."""
    hermitian = access.obj.format.levels[1].kind is HERMITIAN  # type: ignore[attr-defined]
    if not hermitian or access.dtype not in COMPLEX:
        return access
    return Call(access.dtype, OPS["conjugate"], (access,))


def _is_turned(body: Stmt, pair: tuple[Index, Index]) -> bool:
    """Whether two indices may be swapped in what is done for each of their pairs."""
    while isinstance(body, Loop):
        if any(one in body.lo.nodes() or one in body.hi.nodes() for one in pair):
            return False
        body = body.body
    if not isinstance(body, Assign) or body.op is None:
        return False
    if not (body.op.commutative and body.op.associative):
        return False
    # A result that is symmetric itself has a place on one side of the diagonal alone.
    return _is_found(body.target, pair) and all(
        (_is_symmetric(one) and one.indices == pair) or _is_found(one, pair)
        for one in body.value.every(Access)
    )


def _is_found(access: Access, pair: tuple[Index, Index]) -> bool:
    """Whether the elements of an array are found by arithmetic along one of two indices at most."""
    if not isinstance(access.obj, Tensor) or all(one in access.indices for one in pair):
        return False
    levels = access.obj.format.levels
    return all(
        level.kind is DENSE if index in pair else not any(one in index.nodes() for one in pair)
        for index, level in zip(access.indices, levels, strict=False)
    )
