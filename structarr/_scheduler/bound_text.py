"""Terms of bounds, as text, over the counts and sizes that a call knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from structarr._compiler.ir.cin import Access, Padded, Protocol, arithmetic, driver
from structarr._compiler.ir.expr import Expr, Index, affine
from structarr._compiler.ir.given import DimArg, SizeArg
from structarr._scheduler.accesses import source
from structarr.formats import Level, SparseList

RUNS = ("runs", "intervals", "packbits")
REPEATED = (*RUNS, "interval")  # one child at several indices
UNCOUNTED = ("symmetric", "hermitian", "computed")  # children that are not elements
Extents = dict[Index, str]


def times(indices: Iterable[Index], extents: Extents) -> str:
    """The product of the extents of some indices."""
    return " * ".join(extents[i] for i in indices) or "1"


def all_lists(levels: tuple[tuple[Level, ...], ...]) -> bool:
    """Whether the first of each of some levels is a list."""
    return all(one and type(one[0]) is SparseList for one in levels)


def is_looked_up(access: Access, index: Index) -> bool:
    """Whether an operand is read by locating an index."""
    mine = (node for i in access.indices if driver(i) is index for node in i.nodes())
    return any(isinstance(node, Protocol) and node.name == "locate" for node in mine)


def is_continued(access: Access) -> bool:
    """Whether an operand is continued beyond its ends."""
    return any(index.has(Padded) for index in access.indices)


def rows_read(access: Access, extents: Extents) -> str | None:
    """The rows of an operand that are read, as text: the first, and their number.

    None where all may be, or where nothing tells where rows begin.
    """
    root, lists = source(access).format.levels[:2]
    if root.kind != "dense" or lists.slicing != "entries":
        return None
    terms, const = affine(arithmetic(access.indices[0]))
    moved = [term for term in terms if term in extents]
    step = terms.pop(moved[0]) if len(moved) == 1 else 0
    first = _told(terms, const)
    if len(moved) > 1 or first is None or (moved and first == "0"):
        return None
    if not moved:
        return f"{first}, 1"
    last = f"{step} * ({extents[moved[0]]} - 1)"
    return f"{first}, {last} + 1" if step > 0 else f"{first} + {last}, 1 - {last}"


def _distance(expr: Expr, index: Index) -> str | None:
    """The distance of an index from another, as text; None where it is not so simple."""
    if expr is index:
        return "0"
    terms, const = affine(expr)
    return _told(terms, const) if terms.pop(index, 0) == 1 else None


def _told(terms: Mapping[Expr, int], const: int) -> str | None:
    """A sum of sizes, as text; None where it has another term."""
    parts = [str(const)] if const or not terms else []
    for term, times in terms.items():
        match term:
            case SizeArg(number=number):
                parts.append(f"{times} * Z[{number}]")
            case DimArg(number=number, axis=axis):
                parts.append(f"{times} * T[{number}].shape[{axis}]")
            case _:
                return None
    return " + ".join(parts)


def beside_diagonals(diagonals: Access, other: Access) -> list[str]:
    """The bound of a matrix times diagonals: each entry meets one entry of each diagonal."""
    level, beside = source(diagonals).format.levels[-2], source(other).format.levels[:-1]
    if level.kind != "diagonals" or any(one.kind in (*REPEATED, *UNCOUNTED) for one in beside):
        return []
    number, axis = source(other).number, source(other).format.order[-1]
    return [f"{len(level.details[0])} * K[{number}][{axis}]"]


def hull_of(
    accesses: Sequence[Access], prefix: tuple[Index, ...], extents: Extents, start: bool
) -> str | None:
    """The hull of bands, each moved as its operand is read; None where it is not so simple."""
    depth = len(prefix) - 1
    each = []
    for access in accesses:
        moves = _moves(access, prefix)
        if moves is None:
            return None
        operand = source(access)
        each.append(f"({operand.number}, {operand.format.order[depth]}, [{', '.join(moves)}])")
    shape = ", ".join(extents[i] for i in prefix)
    return f"hull(T, [{', '.join(each)}], [{shape}], {start})" if each else None


def _moves(access: Access, prefix: tuple[Index, ...]) -> list[str] | None:
    """The distances of an operand's fibers from the result's, mode by mode, as text.

    None where they do not lie below dense modes, in the result's order, one by one.
    """
    levels = source(access).format.levels
    depth = len(prefix) - 1
    if depth >= len(access.indices) or not levels[depth].has_hulls:
        return None
    if any(one.kind != "dense" for one in levels[:depth]):
        return None
    moves = [_distance(expr, i) for expr, i in zip(access.indices, prefix, strict=False)]
    return [one for one in moves if one is not None] if None not in moves else None


def window_of(access: Access, prefix: tuple[Index, ...]) -> tuple[Index, ...]:
    """The indices that are no result's, if in each mode there is one beside a result's."""
    pairs = [i.every(Index) for i in access.indices]
    beside = [[i for i in pair if i not in prefix] for pair in pairs]
    fits = all(len(pair) == 2 and len(one) == 1 for pair, one in zip(pairs, beside, strict=True))
    return tuple(i for one in beside for i in one) if fits else ()
