"""Rules on values that may be missing, and on what they are where they are not.

Operations on `missing` are missing, so a fill does not annihilate an operand that may be missing:
`0 * x` is 0 only where `x` exists. Often the difference does not matter: where a missing value is
replaced by 0, or where adding either changes nothing.
"""

from __future__ import annotations

from structarr._compiler.ir.cin import Access, Assign, Pass, Stmt
from structarr._compiler.ir.expr import Call, Cast, Expr, Lit
from structarr._compiler.ir.given import FillArg, ScalarArg
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Opaque
from structarr._compiler.rules.algebra import algebra, may_miss
from structarr._compiler.rules.constants import same_constant
from structarr._compiler.rules.engine import RuleSet, rule, simplifier
from structarr._compiler.rules.statements import fills_need_no_storing, identity_updates_nothing


def missing(strict: bool) -> RuleSet:
    """The rules, with or without sparse algebra on floats."""
    values = algebra(strict)

    def known(expr: Expr) -> Expr | None:
        """The constant that a value is wherever it is not missing."""
        if not isinstance(expr, Access | Call | Cast | Coalesce) or not may_miss(expr):
            return None
        table: dict[Node, Node] = {
            node: there(node, number)
            for number, node in enumerate(expr.nodes())
            if isinstance(node, Access | Coalesce)
        }
        found = simplifier(values)(substitute(expr, table))
        return found if _is_constant(found) else None

    def there(node: Access | Coalesce, number: int) -> Node:
        """The value of an access that is not missing: a constant, or a variable."""
        if isinstance(node, Access) and isinstance(node.obj, Expr):
            return node.obj
        if isinstance(node, Coalesce):
            first, *rest = (arg if _is_constant(arg) else known(arg) for arg in node.args)
            if first is not None and all(one and same_constant(first, one) for one in rest):
                return first
        return Opaque(node.dtype, f"missing{number}")

    @rule(Coalesce)
    def either_is_taken(node: Coalesce) -> Expr | None:
        """coalesce(0 * x, 0) = 0: whether or not x is missing."""
        first, *rest = node.args
        value = known(first) if len(rest) == 1 else None
        return value if value is not None and same_constant(value, rest[0]) else None

    @rule(Assign)
    def either_does_nothing(assign: Assign) -> Stmt | None:
        """a[i] += 0 * x leaves a alone: whether or not x is missing."""
        value = known(assign.value)
        if value is None:
            return None
        there = Assign(assign.target, assign.op, value)
        for one in (identity_updates_nothing, fills_need_no_storing):
            found = one.rewrite(there)
            if isinstance(found, Pass):
                return found
        return None

    return RuleSet((either_is_taken, either_does_nothing))


def _is_constant(expr: Expr) -> bool:
    """Whether an expression has one value in all of a kernel: of numbers, fills and scalars."""
    match expr:
        case Lit() | FillArg() | ScalarArg():
            return True
        case Cast(_, arg):
            return _is_constant(arg)
        case Call(_, _, args):
            return all(map(_is_constant, args))
    return False
