"""Terms of bounds, as text: what a call knows of the operands that are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
    return " * ".join(extents[i] for i in indices) or "1"


def all_lists(levels: tuple[tuple[Level, ...], ...]) -> bool:
    return all(one and type(one[0]) is SparseList for one in levels)


def is_looked_up(access: Access, index: Index) -> bool:
    mine = (node for i in access.indices if driver(i) is index for node in i.nodes())
    return any(isinstance(node, Protocol) and node.name == "locate" for node in mine)


def is_continued(access: Access) -> bool:
    return any(index.has(Padded) for index in access.indices)


def rows_read(access: Access, extents: Extents) -> str | None:
    """Which of the rows of an operand are read, as text: the first, and how many from there on.

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


def distance(expr: Expr, index: Index) -> str | None:
    """How far an index is from another, as text; None where it is not so simple."""
    if expr is index:
        return "0"
    terms, const = affine(expr)
    return _told(terms, const) if terms.pop(index, 0) == 1 else None


def _told(terms: Mapping[Expr, int], const: int) -> str | None:
    """A sum of sizes that a call tells, as text; None where there is something else in it."""
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
    """Each entry of a matrix meets as many entries of some diagonals as there are diagonals."""
    level, beside = source(diagonals).format.levels[-2], source(other).format.levels[:-1]
    if level.kind != "diagonals" or any(one.kind in (*REPEATED, *UNCOUNTED) for one in beside):
        return []
    number, axis = source(other).number, source(other).format.order[-1]
    return [f"{len(level.details[0])} * K[{number}][{axis}]"]
