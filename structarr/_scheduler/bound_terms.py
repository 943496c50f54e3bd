"""Terms of bounds: the counts and sizes of operands that a call knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from structarr._compiler.ir.cin import Access, Padded, Protocol, arithmetic, driver
from structarr._compiler.ir.expr import INDEX, Expr, Index, Lit, affine, multiply, scale
from structarr._compiler.ir.given import DimArg, SizeArg, WholeArg
from structarr._scheduler import counts
from structarr._scheduler.accesses import source
from structarr.formats import Format, Level, SparseList
from structarr.formats.kind import Children
from structarr.formats.kinds import DIAGONALS, POINT

Extents = dict[Index, Expr]

ONE: Expr = Lit(INDEX, 1)


def times(indices: Iterable[Index], extents: Extents) -> Expr:
    """The product of the extents of some indices."""
    return product(extents[i] for i in indices)


def product(factors: Iterable[Expr]) -> Expr:
    """The product of some numbers."""
    return reduce(multiply, factors, ONE)


def all_lists(levels: tuple[tuple[Level, ...], ...]) -> bool:
    """Whether the first of each of some levels is a list."""
    return all(one and type(one[0]) is SparseList for one in levels)


def list_elements(*formats: Format) -> bool:
    """Whether each format is of rows that leave out elements, and count those that they store.

    Lists of entries are, too.
    """
    matrices = [one.levels[:-1] for one in formats]
    return all(
        len(one) == 2
        and (one[0].kind.arithmetic or one[0].starts_group)
        and one[1].kind.is_sparse
        and one[1].kind.children is Children.ELEMENTS
        for one in matrices
    )


def is_looked_up(access: Access, index: Index) -> bool:
    """Whether an operand is read by locating an index."""
    mine = (node for i in access.indices if driver(i) is index for node in i.nodes())
    return any(isinstance(node, Protocol) and node.name == "locate" for node in mine)


def is_continued(access: Access) -> bool:
    """Whether an operand is continued beyond its ends."""
    return any(index.has(Padded) for index in access.indices)


def _rows_read(index: Expr, extents: Extents) -> tuple[Expr, Expr, int] | None:
    """The rows at an index: the first, the length of their range, and the distance of neighbours.

    None where their bounds are not known.
    """
    row = arithmetic(index)
    terms, _ = affine(row)
    moved = [term for term in terms if term in extents]
    if len(moved) > 1:
        return None
    step = terms[moved[0]] if moved else 0
    first = row - scale(moved[0], step) if moved else row
    if not _is_told(first) or (moved and first is Lit(INDEX, 0)):
        return None
    if not moved:
        return first, ONE, 1
    last = multiply(extents[moved[0]] - 1, Lit(INDEX, step))
    return (first, last + 1, step) if step > 0 else (first + last, 1 - last, -step)


def rows_counted(access: Access, extents: Extents) -> counts.Count | None:
    """The children of the rows that are read of an operand; None where all rows may be read."""
    number, place = source(access).number, access.indices[0]
    root, lists = source(access).format.levels[:2]
    if not root.kind.arithmetic or lists.slicing != "entries":
        return None
    some = _rows_read(place, extents)
    return some and counts.Within(number, *some)


def places_of(access: Access, level: int) -> dict[int, Access]:
    """The places at which an operand is read above a level, by the depth of their axes."""
    above = enumerate(access.indices[:level])
    return {depth: index for depth, index in above if isinstance(index, Access)}


def _distance(expr: Expr, index: Index) -> Expr | None:
    """The distance of an index from another; None where a call does not tell it."""
    found = expr - index
    return found if _is_told(found) else None


def _is_told(expr: Expr) -> bool:
    """Whether a call tells an index: a sum of sizes and constants."""
    return all(isinstance(term, SizeArg | WholeArg | DimArg) for term in affine(expr)[0])


def beside_diagonals(diagonals: Access, other: Access) -> list[Expr]:
    """The bound of a matrix times diagonals: each entry meets one entry of each diagonal."""
    level, beside = source(diagonals).format.levels[-2], source(other).format.levels[:-1]
    if level.kind is not DIAGONALS or not all(_is_counted(one) for one in beside):
        return []
    number, axis = source(other).number, source(other).format.order[-1]
    return [scale(counts.Children(number, axis), len(level.details[0]))]


def beside_points(matrix: Access, points: Access) -> list[Expr]:
    """The bound of a matrix times one with a point in each row: each entry meets one."""
    level, beside = source(points).format.levels[-2], source(matrix).format.levels[:-1]
    if level.kind is not POINT or not all(_is_counted(one) for one in beside):
        return []
    return [counts.Children(source(matrix).number, source(matrix).format.order[-1])]


def _is_counted(level: Level) -> bool:
    """Whether a level has a child for each element that it tells, or one for all."""
    return level.kind.is_constant or level.kind.children is Children.ELEMENTS


def hull_of(
    accesses: Sequence[Access], prefix: tuple[Index, ...], extents: Extents, start: bool
) -> Expr | None:
    """The hull of bands, each moved as its operand is read; None where it is not so simple."""
    depth = len(prefix) - 1
    each = []
    for access in accesses:
        moves = _moves(access, prefix)
        if moves is None:
            return None
        operand = source(access)
        each.append(counts.Band(operand.number, operand.format.order[depth], moves))
    shape = tuple(extents[i] for i in prefix)
    return counts.Hull(tuple(each), shape, start) if each else None


def _moves(access: Access, prefix: tuple[Index, ...]) -> tuple[Expr, ...] | None:
    """The distances of an operand's fibers from the result's, or their places, mode by mode.

    None where they are not below dense modes, one by one in the result's order.
    """
    levels = source(access).format.levels
    depth = len(prefix) - 1
    if depth >= len(access.indices) or not levels[depth].has_hulls:
        return None
    if not all(one.kind.arithmetic for one in levels[:depth]):
        return None
    moves = [
        counts.Places(source(expr).number)
        if isinstance(expr, Access) and expr.indices == (i,) and k < depth
        else _distance(expr, i)
        for k, (expr, i) in enumerate(zip(access.indices, prefix, strict=False))
    ]
    if None in moves or sum([isinstance(move, counts.Places) for move in moves]) > 1:
        return None
    return tuple(moves)  # type: ignore[arg-type]


def window_of(access: Access, prefix: tuple[Index, ...]) -> tuple[Index, ...]:
    """The indices that are no result's, if in each mode there is one beside a result's."""
    pairs = [i.every(Index) for i in access.indices]
    beside = [[i for i in pair if i not in prefix] for pair in pairs]
    fits = all(len(pair) == 2 and len(one) == 1 for pair, one in zip(pairs, beside, strict=True))
    return tuple(i for one in beside for i in one) if fits else ()
