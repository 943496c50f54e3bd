"""Conditions over indices: comparisons of index expressions, decided where they can be."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from structarr._compiler.ir.expr import Expr, Lit, add, index_lit, scale
from structarr._support.caches import cleared


class Condition(Expr):
    """A truth value over indices."""

    dtype: ClassVar[str] = "bool"


class Le(Condition):
    """Condition ``left <= right`` of two indices, `left` and `right`."""

    left: Expr
    right: Expr


class Eq(Condition):
    """Condition ``left == right`` of two indices, `left` and `right`."""

    left: Expr
    right: Expr


class All(Condition):
    """Condition that each of `args` holds; all of nothing is true."""

    args: tuple[Expr, ...]


class Not(Condition):
    """Condition that `arg` does not hold."""

    arg: Expr


TRUE = All(())
FALSE = Not(TRUE)


@cleared
@lru_cache(maxsize=4096)
def le(left: Expr | int, right: Expr | int) -> Condition:
    """
    Return the condition ``left <= right``; it is decided where `left` and `right` are constant.
    """
    gap = add(right, scale(left, -1))
    if isinstance(gap, Lit):
        return TRUE if gap.value >= 0 else FALSE
    return Le(index_lit(left), index_lit(right))


def lt(left: Expr | int, right: Expr | int) -> Condition:
    """Return the condition ``left < right``, with `left` and `right`, as ``left + 1 <= right``."""
    return le(add(left, 1), right)


def eq(left: Expr | int, right: Expr | int) -> Condition:
    """
    Return the condition ``left == right``, decided if `left` and `right` differ by a constant.
    """
    gap = add(right, scale(left, -1))
    if isinstance(gap, Lit):
        return TRUE if gap.value == 0 else FALSE
    return Eq(index_lit(left), index_lit(right))


def negation(cond: Expr) -> Expr:
    """The condition that holds where another does not."""
    if cond is TRUE:
        return FALSE
    return cond.arg if isinstance(cond, Not) else Not(cond)


def both(*args: Expr) -> Expr:
    """Return the condition that all of the conditions `args` hold."""
    flat: dict[Expr, None] = {}
    for arg in args:
        for part in arg.args if isinstance(arg, All) else (arg,):
            flat[part] = None
    if FALSE in flat:
        return FALSE
    return next(iter(flat)) if len(flat) == 1 else All(tuple(flat))
