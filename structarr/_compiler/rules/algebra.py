"""Rules on values: what operators' algebra, constants and `missing` make superfluous.

`exact` says whether a rewrite changes no bit: always for integers and booleans; for floats an
identity or annihilator counts where the constant is structural (a fill), unless IEEE is strict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from structarr._compiler.ir.cin import Access, Permit
from structarr._compiler.ir.dtypes import COMPLEX
from structarr._compiler.ir.expr import INDEX, Call, Cast, Expr, Helper, Lit
from structarr._compiler.ir.missing import Coalesce, Missing
from structarr._compiler.ir.ops import OPS
from structarr._compiler.rules.constants import (
    algebraic,
    evaluate,
    is_exact,
    literal,
    same_constant,
)
from structarr._compiler.rules.engine import Rule, RuleSet, rule
from structarr._compiler.runtime import traits
from structarr._compiler.runtime._constructors import CONSTRUCTORS


@rule(Call, of=Missing)
def missing_propagates(call: Call) -> Expr | None:
    """f(x, missing) = missing."""
    return next((arg for arg in call.args if isinstance(arg, Missing)), None)


@rule(Call, of=Lit)
def constants_fold(call: Call) -> Expr | None:
    """f(constants) is a constant."""
    return evaluate(call) if all(isinstance(arg, Lit) for arg in call.args) else None


_KINDS = {name.rstrip("_"): np.dtype(kind).kind for name, kind in CONSTRUCTORS.items()}


def _holds(exactly: str, call: Call, lit: Lit, strict: bool) -> bool:
    """Whether a fact about `lit` may be used: it is exact, or the algebra of fills allows it."""
    return _KINDS[call.args[0].dtype] in exactly or (lit.structural and not strict)


def _operands(
    call: Call, values: tuple[Any, Any], exactly: str, strict: bool
) -> Iterator[tuple[int, Lit]]:
    """The operands that are the constants of a fact which may be used, with their places."""
    for place, (arg, value) in enumerate(zip(call.args, values, strict=False)):
        if isinstance(arg, Lit) and _is(arg, value) and _holds(exactly, call, arg, strict):
            yield place, arg


def annihilators(strict: bool, call: Call) -> Expr | None:
    """f(0, x) = 0 where 0 annihilates; two constants are computed, unless both are fills.

    A missing operand is not annihilated: the result is missing, too.
    """
    op = call.op
    if _folds(call):
        return None
    values = (op.left_annihilator, op.right_annihilator)
    for place, arg in _operands(call, values, op.annihilates_exactly, strict):
        other = call.args[1 - place]
        if not (may_miss(other) if arg.structural else may_be_missing(other)):
            ones = [literal(one.dtype, 1) for one in call.args]
            ones[place] = arg
            known = evaluate(Call(call.dtype, op, tuple(ones)))
            return Lit(known.dtype, known.value, arg.structural)
    return None


def infinite_fill(strict: bool, call: Call) -> Expr | None:
    """inf + x = inf, and -inf + x = -inf, where the infinity is a fill: what is not stored."""
    fills = (arg for arg in call.args if isinstance(arg, Lit) and arg.structural)
    found = next((a for a in fills if isinstance(a.value, float) and np.isinf(a.value)), None)
    return None if strict or _folds(call) or any(map(may_miss, call.args)) else found


def _is(lit: Lit, value: Any) -> bool:
    """Whether a constant is the one of a fact, read in its dtype; integers know no NaN."""
    if value is None or (value != value and is_exact(lit.dtype)):
        return False
    return same_constant(lit, algebraic(lit.dtype, value))


def _folds(call: Call) -> bool:
    """Whether the call is of constants of which one was written by the user."""
    lits = [arg for arg in call.args if isinstance(arg, Lit)]
    return len(lits) == len(call.args) and not all(lit.structural for lit in lits)


def identities(strict: bool, call: Call) -> Expr | None:
    """f(identity, x) = x."""
    op = call.op
    values = (op.left_identity, op.right_identity)
    for place, _ in _operands(call, values, op.identity_exactly, strict):
        if call.args[1 - place].dtype == call.dtype:
            return call.args[1 - place]
    return None


@rule(Call)
def choice_without_a_difference(call: Call) -> Expr | None:
    """where(True, a, b) = a, and where(c, a, a) = a.

    A number chosen by a fill is a fill, as if all three were known.
    """
    if call.op.name != "where":
        return None
    condition, left, right = call.args
    if isinstance(condition, Lit) and not (may_miss(left) or may_miss(right)):
        chosen = left if condition.value else right
        if condition.structural and isinstance(chosen, Lit):
            return Lit(chosen.dtype, chosen.value, True)
        return chosen
    if condition.has(Permit) or condition.has(Missing):
        return None  # where the condition is missing, so is the choice
    if left is right or (_is_fill(right) and same_constant(left, right)):
        return right
    return left if _is_fill(left) and same_constant(left, right) else None


def _is_fill(expr: Expr) -> bool:
    return isinstance(expr, Lit) and expr.structural


def zero_minus(strict: bool, call: Call) -> Expr | None:
    """0 - b = -b: Figure 5's a - b = a + (-b), used where the addition then vanishes."""
    left, right = call.args
    zero = isinstance(left, Lit) and left.value == 0 and _holds("iu", call, left, strict)
    negated = zero and right.dtype == call.dtype
    return Call(call.dtype, OPS["negative"], (right,)) if negated else None


@rule(Call, of=Call)
def involution(call: Call) -> Expr | None:
    """-(-a) = a."""
    inner = call.args[0]
    if call.op.involution and isinstance(inner, Call) and inner.op is call.op:
        return inner.args[0] if inner.args[0].dtype == call.dtype else None
    return None


@rule(Call, of=Call)
def factors_leave(call: Call) -> Expr | None:
    """(-a) * b = -(a * b), but for parts of complex products, which are sums."""
    if call.dtype in COMPLEX:
        return None
    for k, arg in enumerate(call.args):
        if not (isinstance(arg, Call) and call.op.name in arg.op.factors_out_of):
            continue
        if arg.dtype == arg.args[0].dtype == call.dtype:
            args = (*call.args[:k], arg.args[0], *call.args[k + 1 :])
            return Call(call.dtype, arg.op, (Call(call.dtype, call.op, args),))
    return None


@rule(Call, of=Lit)
def constants_gather(call: Call) -> Expr | None:
    """(x + 1) + 2 = x + (1 + 2) for exact types: the flattening of Figure 5."""
    op = call.op
    if not (op.associative and op.commutative and is_exact(call.dtype) and op.arity == 2):
        return None
    left, right = call.args
    if isinstance(left, Lit) and not isinstance(right, Lit):
        return Call(call.dtype, op, (right, left))
    if isinstance(left, Call) and left.op is op and isinstance(right, Lit):
        inner, const = left.args
        if isinstance(const, Lit) and left.dtype == call.dtype == const.dtype:
            return Call(call.dtype, op, (inner, evaluate(Call(call.dtype, op, (const, right)))))
    return None


@rule(Call)
def idempotence(call: Call) -> Expr | None:
    """f(x, x) = x."""
    if call.op.idempotent and call.op.arity == 2 and call.args[0] is call.args[1]:
        return call.args[0] if call.args[0].dtype == call.dtype else None
    return None


@rule(Cast)
def cast_of_a_constant(cast: Cast) -> Expr | None:
    """A constant is converted now, and a conversion to the same dtype is none."""
    if isinstance(cast.arg, Missing) or cast.arg.dtype == cast.dtype:
        return cast.arg
    if isinstance(cast.arg, Lit):
        return literal(cast.dtype, cast.arg.value, cast.arg.structural)
    return None


@rule(Cast)
def cast_of_a_choice(cast: Cast) -> Expr | None:
    """A choice among constants is one among what they are converted to now."""
    if isinstance(cast.arg, Call) and _is_among_constants(cast.arg):
        condition, *chosen = cast.arg.args
        return Call(cast.dtype, cast.arg.op, (condition, *[Cast(cast.dtype, x) for x in chosen]))
    return None


def _is_among_constants(expr: Expr) -> bool:
    match expr:
        case Call(_, op, (_, left, right)) if op.name == "where":
            return _is_among_constants(left) and _is_among_constants(right)
    return isinstance(expr, Lit)


@rule(Coalesce)
def coalesce_skips_missing(node: Coalesce) -> Expr | None:
    """coalesce(missing, a, b) = coalesce(a, b); what can't be missing is the answer."""
    first = node.args[0]
    if isinstance(first, Missing) and len(node.args) > 1:
        return Coalesce(node.dtype, node.args[1:])
    return first if isinstance(first, Missing) or not may_be_missing(first) else None


@rule(Call, of=Lit)
def zero_counted(call: Call) -> Expr | None:
    """A structural zero times a count is zero, even strictly: no count is infinite."""
    if call.op.name not in ("multiply", "counted"):
        return None
    for one, other in (call.args, call.args[::-1]):
        counts = isinstance(other, Cast) and other.arg.dtype == INDEX
        if isinstance(one, Lit) and one.structural and one.value == 0 and counts:
            return one
    return None


@rule(Coalesce)
def coalesce_of_one_constant(node: Coalesce) -> Expr | None:
    """coalesce(c[permit(i)], ..., c) = c: whatever is missing."""
    *parts, last = node.args
    if not parts or not isinstance(last, Lit):
        return None
    found = [_constant_behind(part) for part in parts]
    return last if all(one is not None and same_constant(one, last) for one in found) else None


def _constant_behind(expr: Expr) -> Expr | None:
    """The constant that an expression is wherever it is not missing."""
    match expr:
        case Access(_, Lit() as value, _):
            return value
        case Cast(dtype, arg):
            inner = _constant_behind(arg)
            return literal(dtype, inner.value) if isinstance(inner, Lit) else None
    return expr if isinstance(expr, Lit) else None


@rule(Helper)
def signs_of_zeros_count(node: Helper) -> Expr | None:
    """Strictly, -0.0 is stored beside a fill of 0.0, and ends a run of 0.0."""
    exactly = traits(node.name).exactly
    first = node.args[0] if exactly else None
    if not isinstance(first, Expr) or is_exact(first.dtype):
        return None
    return Helper(node.dtype, exactly, node.args)


def may_be_missing(expr: Expr) -> bool:
    """Whether an expression still has accesses that may turn out to be out of range."""
    return expr.has(Access)


def may_miss(expr: Expr) -> bool:
    """Whether a value may be missing: read at a permitted index, with nothing in its place."""
    if not (expr.has(Permit) or expr.has(Missing)):
        return False
    match expr:
        case Missing() | Access():
            return True
        case Coalesce(_, args):
            return all(map(may_miss, args))
    return any(may_miss(part) for part in expr.inner if isinstance(part, Expr))


def _asked(function: Callable[[bool, Call], Expr | None], strict: bool, op: str = "") -> Rule:
    """A rule of constants that depends on whether IEEE is strict."""
    return Rule(function.__name__, Call, partial(function, strict), op or None, Lit)


def algebra(strict: bool) -> RuleSet:
    """The rules on values, with or without sparse algebra on floats."""
    return RuleSet(
        (
            missing_propagates,
            _asked(annihilators, strict),
            constants_fold,
            _asked(infinite_fill, strict, "add"),
            _asked(identities, strict),
            choice_without_a_difference,
            coalesce_of_one_constant,
            zero_counted,
            _asked(zero_minus, strict, "subtract"),
            involution,
            factors_leave,
            idempotence,
            constants_gather,
            cast_of_a_constant,
            cast_of_a_choice,
            coalesce_skips_missing,
            *([signs_of_zeros_count] if strict else []),
        )
    )
