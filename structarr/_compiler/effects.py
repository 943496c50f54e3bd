"""Effects of a kernel's lines: what they do beyond their own variables, and what they decide."""

from __future__ import annotations

from structarr._compiler.ir.conditions import TRUE, Not
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.kernel import Do, For, If, Line, Set, Store, While, every_line, lines_of
from structarr._compiler.ir.variables import Var

SHARED = 4  # the least number of common statements for which two arms become one


def share_first_lines(arms: list[tuple[Expr, list[Line]]]) -> None:
    """Make of the last two arms one, if much of what they begin with is the same."""
    if len(arms) < 3 or arms[-1][0] is not TRUE:
        return
    (cond, one), (_, other) = arms[-2:]
    count = 0
    while count < min(len(one), len(other)) and one[count] is other[count]:
        if decides((one[count],), [cond]):
            break
        count += 1
    if lines_of(tuple(one[:count])) >= SHARED:
        rest = [(cond, tuple(one[count:])), (TRUE, tuple(other[count:]))]
        if not rest[0][1]:
            rest = [(Not(cond), rest[1][1])]
        inner = [If(tuple(arm for arm in rest if arm[1]))] if rest[-1][1] or rest[0][1] else []
        arms[-2:] = [(TRUE, [*one[:count], *inner])]


def decides(block: tuple[Line, ...], conds: list[Expr]) -> bool:
    """Whether running lines before conditions could change them, or leave a loop."""
    for line in every_line(block):
        match line:
            case Set(place) | Store(place) | For(place):
                if any(cond.mentions(place) for cond in conds):
                    return True
            case If():
                pass
            case _:
                return True
    return False


def effects(lines: list[Line] | tuple[Line, ...], own: frozenset[Var] = frozenset()) -> bool:
    """Whether lines do more than set variables that they introduce themselves."""
    seen = set(own)
    for line in lines:
        match line:
            case Set(var, value):
                if var.result or (var not in seen and value.mentions(var)):
                    return True
                seen.add(var)
            case Store() | Do():
                return True
            case If(arms):
                if any(effects(body, frozenset(seen)) for _, body in arms):
                    return True
            case For(var, _, _, body):
                if effects(body, frozenset(seen | {var})):
                    return True
            case While(body):
                if effects(body, frozenset(seen)):
                    return True
    return False
