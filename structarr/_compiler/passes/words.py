"""The structure algebra: from the words of the operands' modes to the word of the result's.

A word says what a mode is made of: scalar (the same throughout), const (the same along this mode),
list, band, bitmap, runs, dense. Where an operand's fill annihilates, its word intersects with the
others'; otherwise words unite. Nothing here looks at counts or values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from structarr._compiler.ir.cin import Access
from structarr._compiler.ir.expr import Call, Cast, Coalesce, Expr, Index, Lit, Var
from structarr._compiler.ir.node import substitute
from structarr._compiler.passes.index import fill_of, mode_of, operands, source

SPARSE = ("list", "band", "bitmap")

UNITE: dict[frozenset[str], str] = {
    frozenset(pair): word
    for word, pairs in {
        "list": [("list", "band")],
        "runs": [("const", "list"), ("const", "band"), ("const", "runs"), ("list", "runs"),
                 ("band", "runs")],
        "bitmap": [("list", "bitmap"), ("band", "bitmap")],
        "dense": [("const", "bitmap"), ("bitmap", "runs")],
    }.items()
    for pair in pairs
}  # fmt: skip
"""Without an entry: a word with itself, scalar with any (that one), dense with any (dense)."""

INTERSECT = ("list", "band", "bitmap")
"""The tightest of the words that meet where a fill annihilates."""


def unite(left: str, right: str) -> str:
    """The tightest word that holds both."""
    if left == right or right == "scalar":
        return left
    if left == "scalar":
        return right
    return UNITE.get(frozenset((left, right)), "dense")


def intersect(killers: list[str], others: list[str]) -> str:
    """The word of the places where every killer is stored."""
    words = killers + [word for word in others if word == "list"]
    return min(words, key=INTERSECT.index)


Simplify = Callable[[Expr], Expr]


def static_fill(expr: Expr, simplify: Simplify) -> Expr:
    """The value of an expression where no operand stores anything."""
    table = {access: fill_of(access) for access in operands(expr)}
    return simplify(substitute(expr, table))


def word(expr: Expr, index: Index, simplify: Simplify) -> str:
    """The word of an expression along an index."""
    match expr:
        case Access():
            return _access(expr, index)
        case Cast(_, arg):
            return word(arg, index, simplify)
        case Call(_, _, args):
            return _call(expr, args, index, simplify)
        case Coalesce(_, args):
            return _coalesce(args, index, simplify)
    return "scalar"


def _access(access: Access, index: Index) -> str:
    level = mode_of(access, index)
    if level is not None:
        return str(source(access).format.levels[level].word)
    return "const"


def _call(call: Call, args: tuple[Expr, ...], index: Index, simplify: Simplify) -> str:
    words = [word(arg, index, simplify) for arg in args]
    killers = [
        one for k, one in enumerate(words) if one in SPARSE and annihilates(call, k, simplify)
    ]
    if killers:
        others = [one for k, one in enumerate(words) if one not in SPARSE or one == "list"]
        return intersect(killers, others)
    return reduce(unite, words, "scalar")


def annihilates(call: Call, position: int, simplify: Simplify) -> bool:
    """Whether the fill of an operand decides the result whatever the others are."""
    fill = static_fill(call.args[position], simplify)
    args = tuple(
        fill if k == position else Var(arg.dtype, f"?{k}") for k, arg in enumerate(call.args)
    )
    return isinstance(fill, Lit) and isinstance(simplify(Call(call.dtype, call.op, args)), Lit)


def _coalesce(args: tuple[Expr, ...], index: Index, simplify: Simplify) -> str:
    words = [word(arg, index, simplify) for arg in args if not isinstance(arg, Lit)]
    joined = reduce(unite, words, "scalar")
    fills = {static_fill(arg, simplify) for arg in args}
    if joined in SPARSE and len(fills) > 1:
        return "runs" if joined != "bitmap" else "dense"
    return joined
