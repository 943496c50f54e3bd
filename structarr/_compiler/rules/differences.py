"""Index expressions as differences of two atoms, and what they depend on."""

from __future__ import annotations

from functools import lru_cache

from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Lit, Sum
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var
from structarr._support.caches import cleared

ZERO = Lit(INDEX, 0)


@cleared
@lru_cache(maxsize=4096)
def mentioned(expr: Expr) -> frozenset[Node]:
    """The variables and buffers of an expression; kept, as facts are forgotten line by line."""
    return frozenset((*expr.every(Var), *expr.every(Buffer)))


def depends(expr: Expr, changed: frozenset[Node]) -> bool:
    """Whether the value of an expression may be another once variables and buffers change."""
    return not changed.isdisjoint(mentioned(expr)) if expr.inner else expr in changed


def split(expr: Expr) -> tuple[Expr, int]:
    """An atom and a constant whose sum an index is, or the index and 0."""
    if isinstance(expr, Sum) and expr.factors == (1,):
        return expr.atoms[0], expr.const
    return expr, 0


def difference(gap: Expr) -> tuple[Expr, Expr, int] | None:
    """`gap` as x - y + const over atoms, ZERO standing for an absent one."""
    if not isinstance(gap, Sum):
        return gap, ZERO, 0
    match gap.factors:
        case (1,):
            return gap.atoms[0], ZERO, gap.const
        case (-1,):
            return ZERO, gap.atoms[0], gap.const
        case (1, -1):
            return gap.atoms[0], gap.atoms[1], gap.const
        case (-1, 1):
            return gap.atoms[1], gap.atoms[0], gap.const
    return None
