"""Splits: how a kernel can be called in pieces of its outermost loop, told by its program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from structarr._compiler.ir.cin import Access, Assign, Loop, Pass, Stmt, Tensor as Named, Where
from structarr._compiler.ir.expr import INDEX, Index, Lit
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.rules.engine import RuleSet, simplifier
from structarr._compiler.rules.written import carried
from structarr._scheduler.assemble import Output, Program
from structarr.formats.base import Level

COMBINED = ("add", "multiply", "maximum", "minimum", "logical_or", "logical_and")
"""The operators by which the results of pieces can be combined, by NumPy's names."""


class Split(NamedTuple):
    """The way in which a kernel is called in pieces."""

    length: int  # the place of the outermost loop's length among the extents
    numbers: frozenset[int]  # the operands whose outermost level the loop goes along
    # The operator that combines the pieces of each result; None where each piece has its own rows.
    combine: tuple[str | None, ...]
    # The operands of which a piece may begin and end within a row, at the same column.
    within: frozenset[int] = frozenset()
    join: tuple[str, ...] = ()  # the operator that combines the parts of such a row in each result

    @property
    def values(self) -> tuple[Any, ...]:
        """Its fields as values that have a text."""
        ordered = [tuple(sorted(one)) if isinstance(one, frozenset) else one for one in self]
        return tuple(ordered)

    @classmethod
    def of_values(cls, values: Sequence[Any]) -> Split:
        """The split of such fields."""
        length, numbers, combine, within, join = values
        return cls(length, frozenset(numbers), combine, frozenset(within), join)


def split_of(program: Program, rules: RuleSet) -> Split | None:
    """The split of a program's kernel; None if it cannot be called in pieces."""
    loop = _outermost(program.stmt)
    if loop is None or loop.lo is not Lit(INDEX, 0) or loop.hi not in program.lengths:
        return None
    found: set[int] = set()
    others: set[int] = set()  # operands of which every piece reads all
    for node in _beside(program.stmt, loop):
        if node is loop.index or node is loop.hi:
            return None
        if not isinstance(node, Access) or not isinstance(node.obj, Named):
            continue
        cuts = node.indices[:1] == (loop.index,)
        if cuts and not _is_outermost(node, loop):
            return None
        if node.obj.role == "in":
            (found if cuts else others).add(program.inputs[node.obj.name].number)
    if found & others:
        return None
    combine = tuple([_combining(program.stmt, output, loop.index) for output in program.outputs])
    levels = [level for output in program.outputs for level in output.format.levels]
    appends = any(level.writing.appends for level in levels)
    if "" in combine or (appends and len(program.outputs) > 1):
        return None
    read = [source for source in program.inputs.values() if source.number in found]
    if not found or not all(_is_cut(source.format.levels) for source in read):
        return None
    within, join = _within(program, rules, loop, found)
    return Split(program.lengths.index(loop.hi), frozenset(found), combine, within, join)


def _combining(stmt: Stmt, output: Output, index: Index) -> str | None:
    """The operator that adds up a result of pieces; "" where they cannot be put together."""
    written = [one for one in stmt.every(Assign) if one.target.obj is output.tensor]
    rows = [bool(one.target.indices) and one.target.indices[0] is index for one in written]
    levels = output.format.levels
    if all(rows):
        return None if levels[:-1] and levels[0].kind.arithmetic and _is_joined(levels) else ""
    return "" if any(rows) else _joining(stmt, output)


def _outermost(stmt: Stmt) -> Loop | None:
    """The loop that a program consists of, but for what is made before it."""
    while isinstance(stmt, Where) and not carried(stmt):
        stmt = stmt.consumer
    return stmt if isinstance(stmt, Loop) else None


def _beside(root: Node, loop: Loop) -> list[Node]:
    """All nodes of a program but its outermost index where that reads a first mode."""
    found: list[Node] = []

    def visit(node: Node) -> None:
        found.append(node)
        if node is loop:
            visit(loop.body)
            return
        if isinstance(node, Access):
            first = node.indices[:1] == (loop.index,)
            parts: Sequence[Any] = (*_strides(node.obj), *node.indices[1 if first else 0 :])
        elif isinstance(node, Named):
            parts = ()
        else:
            parts = tuple(node.parts())
        for part in parts:
            visit(part)

    visit(root)
    return found


def _strides(obj: Node) -> list[Node]:
    """The strides of a tensor's layout, which mention the lengths of all modes but the first."""
    if not isinstance(obj, Named):
        return []
    levels = obj.format.levels
    return [*obj.dims[1:], *(level.stride for level in levels if hasattr(level, "stride"))]


def _is_outermost(access: Access, loop: Loop) -> bool:
    """Whether an access's first mode is stored outermost, and is as long as the loop."""
    named = access.obj
    if not isinstance(named, Named) or named.role == "temp":
        return False
    fmt = named.format
    first = fmt.order[0] == 0 if named.role == "in" and fmt.is_dense else True
    return first and fmt.root.kind.arithmetic and named.dims[0] is loop.hi


def _is_cut(levels: Sequence[Level]) -> bool:
    """Whether parts of the outermost mode can be cut out of the buffers."""
    return all(level.slicing for level in levels[:-1])


def _is_joined(levels: Sequence[Level]) -> bool:
    """Whether parts of the outermost mode can be stored apart and put together again."""
    return all(level.slicing in ("places", "entries") for level in levels[:-1])


def _within(
    program: Program, rules: RuleSet, loop: Loop, found: set[int]
) -> tuple[frozenset[int], tuple[str, ...]]:
    """The operands whose rows can be divided at a column, and how parts of results are combined.

    Where none of them stores anything the program must do nothing: then the parts of a row do
    together what the row does.
    """
    join = tuple([_joining(program.stmt, output) for output in program.outputs])
    outs = [output.tensor for output in program.outputs]
    if "" in join or any(one.target.obj not in outs for one in program.stmt.every(Assign)):
        return frozenset(), ()
    columns: dict[Node, set[int]] = {}
    for number, access in _listed(program, found).items():
        columns.setdefault(access.indices[1], set()).add(number)
    simplify = simplifier(rules)
    for column, numbers in columns.items():
        unstored: dict[Node, Node] = {
            one: one.obj.fill
            for one in program.stmt.every(Access)
            if isinstance(one.obj, Named)
            and one.obj.role == "in"
            and program.inputs[one.obj.name].number in numbers
        }
        looped = any(one.index is column for one in loop.every(Loop))
        if looped and isinstance(simplify(substitute(loop, unstored)), Pass):
            return frozenset(numbers), join
    return frozenset(), ()


def _listed(program: Program, found: set[int]) -> dict[int, Access]:
    """The operands with lists in their rows that are read at one row and column alone."""
    seen: dict[int, Access] = {}
    refused: set[int] = set()
    for access in program.stmt.every(Access):
        if not isinstance(access.obj, Named) or access.obj.role != "in":
            continue
        number = program.inputs[access.obj.name].number
        levels = access.obj.format.levels
        known = seen.setdefault(number, access)
        lists = len(levels) > 2 and levels[1].has_windows and len(access.indices) > 1
        if not lists or access.indices[:2] != known.indices[:2]:
            refused.add(number)
    return {number: one for number, one in seen.items() if number in found - refused}


def _joining(stmt: Stmt, output: Output) -> str:
    """The operator by which parts of a row of a result are combined; "" where they cannot be."""
    written = [one for one in stmt.every(Assign) if one.target.obj is output.tensor]
    names = {one.op.name if one.op is not None else "" for one in written}
    if len(names) != 1 or not names <= {*COMBINED} or not output.format.is_dense:
        return ""
    return names.pop()
