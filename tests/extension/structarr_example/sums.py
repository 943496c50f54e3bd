"""Rules from outside: an identity in one line, and a pass over the program."""

from __future__ import annotations

from structarr.cin import (
    INDEX,
    OPS,
    Access,
    Assign,
    Call,
    Cast,
    Expr,
    Fiber,
    Helper,
    Lit,
    Loop,
    Node,
    Sieve,
    lt,
)
from structarr.formats import Range
from structarr.rules import RuleSet, pair, rule

roots = pair("sqrt(square(x))", "absolute(x)")


@rule(Loop)
def sum_of_a_range(loop: Loop) -> Node | None:
    """Gauss: evenly spaced numbers are summed without a loop."""
    match loop:
        case Loop(i, lo, hi, Assign(target, op, Access(dtype, Fiber() as fiber, (index,)))):
            if op is not OPS["add"] or index is not i or dtype not in ("int64", "float64"):
                return None
            if not isinstance(fiber.level, Range) or target.mentions(i):
                return None
            begin, step = (_parameter(fiber, k) for k in range(2))
            indices = Helper(INDEX, "quotient", ((hi - lo) * (lo + hi - 1), Lit(INDEX, 2)))
            sum_ = _plus(_times(begin, hi - lo), _times(step, indices))
            return Sieve(lt(lo, hi), Assign(target, op, sum_))
    return None


def _parameter(fiber: Fiber, number: int) -> Expr:
    return fiber.child(fiber.pos).buffer("val")[fiber.pos * 2 + number]


def _times(value: Expr, count: Expr) -> Expr:
    factor = count if value.dtype == INDEX else Cast(value.dtype, count)
    return Call(value.dtype, OPS["multiply"], (value, factor))


def _plus(left: Expr, right: Expr) -> Expr:
    return Call(left.dtype, OPS["add"], (left, right))


rules = RuleSet((roots, sum_of_a_range))
