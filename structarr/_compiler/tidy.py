"""Clean-up of a kernel: lines whose value nothing reads, and sums that may be reordered."""

from __future__ import annotations

from structarr._compiler.ir.expr import Call, Helper, Var
from structarr._compiler.ir.kernel import For, If, Line, Set, While, used

Block = tuple[Line, ...]


def tidy(block: Block) -> Block:
    """Drop what is never read, and let long float sums be reassociated."""
    while True:
        live = _live(block)
        smaller = _prune(block, live)
        if smaller == block:
            return _reassociate(block)
        block = smaller


def _live(block: Block) -> set[Var]:
    """The variables that are read other than to update themselves."""
    live: set[Var] = set()
    for line in block:
        match line:
            case Set(var, _):
                live |= {v for v in used((line,)) if isinstance(v, Var) and v is not var}
            case For(_, lo, hi, body):
                live |= {v for e in (lo, hi) for v in e.walk() if isinstance(v, Var)}
                live |= _live(body)
            case While(body):
                live |= _live(body)
            case If(arms):
                for cond, body in arms:
                    live |= {v for v in cond.walk() if isinstance(v, Var)} | _live(body)
            case _:
                live |= {v for v in used((line,)) if isinstance(v, Var)}
    return live


def _prune(block: Block, live: set[Var]) -> Block:
    kept: list[Line] = []
    for line in block:
        match line:
            case Set(var, value):
                if value is var or (var not in live and not var.result):
                    continue
            case If(arms):
                arms = tuple((cond, _prune(body, live)) for cond, body in arms)
                if not any(body for _, body in arms):
                    continue
                line = If(arms)
            case For(var, lo, hi, body):
                line = For(var, lo, hi, _prune(body, live))
                if not line.body:
                    continue
            case While(body):
                line = While(_prune(body, live))
        kept.append(line)
    return tuple(kept)


def _reassociate(block: Block) -> Block:
    """In a loop without branches, accumulate floats through the helper that vectorises."""
    new: list[Line] = []
    for line in block:
        match line:
            case For(var, lo, hi, body):
                straight = all(isinstance(inner, Set) for inner in body)
                inner = tuple(map(_relaxed, body)) if straight else _reassociate(body)
                line = For(var, lo, hi, inner)
            case While(body):
                line = While(_reassociate(body))
            case If(arms):
                line = If(tuple((cond, _reassociate(body)) for cond, body in arms))
        new.append(line)
    return tuple(new)


def _relaxed(line: Line) -> Line:
    match line:
        case Set(var, Call(dtype, op, (left, right))) if (
            left is var and var.result and op.name == "add" and dtype.startswith("float")
        ):
            return Set(var, Helper(dtype, "radd", (left, right)))
    return line
