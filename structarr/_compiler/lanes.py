"""Greatest and least values of floats by several accumulators at a time.

Each comparison waits for the one before it, and floats with NaN have no vector instruction of
their own. Four accumulators wait four times less; the value is the same in any order.
"""

from __future__ import annotations

from structarr._compiler.ir.expr import INDEX, Call, Expr, Helper, Index, Lit, Var, scale
from structarr._compiler.ir.kernel import For, If, Line, Set, While
from structarr._compiler.ir.node import substitute

LANES = 4
EXTREMES = ("maximum", "minimum")


def laned(block: tuple[Line, ...]) -> tuple[Line, ...]:
    """The block, where loops that do nothing but find extremes have lanes."""
    new: list[Line] = []
    for line in block:
        match line:
            case For(var, lo, hi, body):
                new += _loop(var, lo, hi, body)
                continue
            case While(body):
                line = While(laned(body))
            case If(arms):
                line = If(tuple((cond, laned(body)) for cond, body in arms))
        new.append(line)
    return tuple(new)


def _loop(var: Var | Index, lo: Expr, hi: Expr, body: tuple[Line, ...]) -> list[Line]:
    """A loop, and before it one that goes on by as many elements as there are lanes."""
    if not body or not all(_is_extreme(line) for line in body):
        return [For(var, lo, hi, laned(body))]  # type: ignore[arg-type]
    turns = Var(INDEX, f"{var.name}_turns")
    turn = Var(INDEX, f"{var.name}_turn")
    begin: list[Line] = [Set(turns, Helper(INDEX, "turns", (lo, hi, Lit(INDEX, LANES))))]
    wide: list[Line] = []
    end: list[Line] = []
    for line in body:
        assert isinstance(line, Set) and isinstance(line.value, Call)
        dtype, op, (total, term) = line.value.dtype, line.value.op, line.value.args
        for k in range(LANES):
            lane = Var(dtype, f"{line.var.name}{k}", True) if k else line.var
            at = lo + scale(turn, LANES) + k
            wide.append(Set(lane, Call(dtype, op, (lane, substitute(term, {var: at})))))
            if k:
                begin.append(Set(lane, total))
                end.append(Set(line.var, Call(dtype, op, (line.var, lane))))
    rest = For(var, lo + scale(turns, LANES), hi, body)  # type: ignore[arg-type]
    return [*begin, For(turn, Lit(INDEX, 0), turns, tuple(wide)), *end, rest]


def _is_extreme(line: Line) -> bool:
    match line:
        case Set(var, Call(dtype, op, (total, term))):
            is_float = dtype.startswith("float") and op.name in EXTREMES
            return is_float and total is var and var.result and not term.mentions(var)
    return False
