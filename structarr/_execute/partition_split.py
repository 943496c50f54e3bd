"""Splits: how a kernel can be called in pieces of its outermost loop, told by its program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Pass,
    Protocol,
    Sieve,
    Stmt,
    Tensor as Named,
    Where,
)
from structarr._compiler.ir.expr import INDEX, Expr, Index, Lit
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.rules.engine import RuleSet, simplifier
from structarr._compiler.rules.written import carried
from structarr._scheduler.assemble import Output, Program
from structarr._storage.joined_rows import are_put_together
from structarr._storage.row_parts import is_placed
from structarr.formats.base import Level

COMBINED = ("add", "multiply", "maximum", "minimum", "logical_or", "logical_and")
"""The operators by which the results of pieces can be combined, by NumPy's names."""

LISTS = -1
"""In the place of a length: outermost levels are lists, and cut as the one row that each is."""

BEHIND = "append"
"""How parts of a row are joined whose elements are stored behind one another."""

GATHERED = "gather"
"""How vectors of lists are joined, of each of which a piece has stored any elements."""

EXACT: Final = ("logical_and", "logical_or")
"""Operators of booleans, which may be applied in any groups."""


class Split(NamedTuple):
    """The way in which a kernel is called in pieces."""

    # The place of the outermost loop's length among the extents; LISTS where lists are cut.
    length: int
    numbers: frozenset[int]  # the operands whose outermost level the loop goes along
    # The operator that combines the pieces of each result; None where each piece has its own rows.
    combine: tuple[str | None, ...]
    # The operands of which a piece may begin and end within a row, at the same column.
    within: frozenset[int] = frozenset()
    join: tuple[str, ...] = ()  # what joins the parts of such a row in each result
    # Whether pieces are calls of a kernel for a part of the loop (`partial_split`), with all
    # operands; of `numbers`, what is stored tells how long they take.
    partial: bool = False
    whole: bool = False  # whether each piece has lists for all rows, of which it stores its own
    # The operands that tell how much of a row is before a column, where a kernel for parts of the
    # second loop (`inner_split`) divides rows; and what joins these parts in each result.
    inner: frozenset[int] = frozenset()
    inner_join: tuple[str, ...] = ()
    inner_length: int = 0  # the place of the second loop's length among the extents
    # The operands that tell ranges of the second loop, which pieces may own (`owned_split`).
    owned: frozenset[int] = frozenset()
    owned_length: int = 0  # the place of its length
    # Where pieces are given all operands: those of which each reads its own rows alone, so that
    # what these store bounds what it stores.
    bounding: frozenset[int] = frozenset()

    @property
    def adds(self) -> bool:
        """Whether pieces have results of their own, of which the bits depend on the pieces."""
        return any([op and op not in EXACT for op in self.combine])

    @property
    def rounds(self) -> bool:
        """Whether the rounding of a row may depend on how a call is divided."""
        if self.inner and not _is_exact(self.inner_join):
            return True
        return (bool(self.within) or self.partial) and not _is_exact(self.join)

    @property
    def values(self) -> tuple[Any, ...]:
        """Its fields as values that have a text."""
        ordered = [tuple(sorted(one)) if isinstance(one, frozenset) else one for one in self]
        return tuple(ordered)

    @classmethod
    def of_values(cls, values: Sequence[Any]) -> Split:
        """The split of such fields."""
        found = cls(*values)
        names = "numbers", "within", "inner", "owned", "bounding"
        sets: dict[str, Any] = {name: frozenset(getattr(found, name)) for name in names}
        return found._replace(**sets)


def _is_exact(join: tuple[str, ...]) -> bool:
    """Whether a row that is divided has the same bits as a whole one."""
    return join == (BEHIND,) or (bool(join) and {*join} <= {*EXACT})


def cut_split(program: Program, rules: RuleSet) -> Split | None:
    """The split of a program's kernel, whose operands are cut; None if they cannot be cut."""
    loop = _outermost(program.stmt)
    if loop is None or loop.lo is not Lit(INDEX, 0):
        return None
    return _of_rows(program, rules, loop) or _of_lists(program, rules, loop)


def _of_rows(program: Program, rules: RuleSet, loop: Loop) -> Split | None:
    """The split of a loop along rows that are all stored, and next to each other."""
    if loop.hi not in program.lengths:
        return None
    found: set[int] = set()
    others: set[int] = set()  # operands of which every piece reads all
    for node in _beside(program.stmt, loop):
        if node is loop.index or node is loop.hi:
            return None
        if not isinstance(node, Access) or not isinstance(node.obj, Named):
            continue
        cuts = _goes_along(node, loop.index)
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


def _of_lists(program: Program, rules: RuleSet, loop: Loop) -> Split | None:
    """The split of a loop along lists that are the outermost levels, at one index of all of them.

    The program must do nothing where none of them stores anything.
    """
    outs = [output.tensor for output in program.outputs]
    if any(one.target.obj not in outs for one in program.stmt.every(Assign)):
        return None
    found = listed_operands(program, rules, loop)
    if not found:
        return None
    join = tuple([_joined_along(loop.index, program.stmt, output) for output in program.outputs])
    if "" in join or (BEHIND in join and len(join) > 1):
        return None
    combine = tuple([None if one == BEHIND else one for one in join])
    return Split(LISTS, found, combine, found, join)


def listed_operands(program: Program, rules: RuleSet, loop: Loop) -> frozenset[int]:
    """The operands whose outermost lists a loop goes along, all of which can be cut.

    None if they are read otherwise, too, or the loop does something where none stores anything.
    """
    reads = list(reads_of(program))
    found = frozenset([number for number, access in reads if _is_listed(access, loop.index)])
    if any(number in found and not _is_listed(access, loop.index) for number, access in reads):
        return frozenset()
    read = [one.format.levels for one in program.inputs.values() if one.number in found]
    fits = found and all(map(_is_cut, read)) and _does_nothing(program, rules, loop, found)
    return found if fits else frozenset()


def reads_of(program: Program) -> Iterator[tuple[int, Access]]:
    """The accesses of operands, with their numbers."""
    for access in program.stmt.every(Access):
        if isinstance(access.obj, Named) and access.obj.role == "in":
            yield program.inputs[access.obj.name].number, access


def _is_listed(access: Access, index: Index) -> bool:
    """Whether an access reads an outermost list at an index."""
    named = access.obj
    assert isinstance(named, Named)
    lists = len(named.format.levels) > 1 and named.format.root.has_windows
    return lists and bare(access.indices)[:1] == (index,)


def bare(indices: Sequence[Expr]) -> tuple[Expr, ...]:
    """Indices without the protocols by which their modes are read."""
    return tuple([one.arg if isinstance(one, Protocol) else one for one in indices])


def _does_nothing(program: Program, rules: RuleSet, loop: Loop, numbers: frozenset[int]) -> bool:
    """Whether a loop does nothing where some operands store nothing."""
    unstored: dict[Node, Node] = {
        access: access.obj.fill  # type: ignore[attr-defined]
        for number, access in reads_of(program)
        if number in numbers
    }
    return isinstance(simplifier(rules)(substitute(loop, unstored)), Pass)


def _joined_along(index: Index, stmt: Stmt, output: Output) -> str:
    """The operator that joins the parts of a result of lists that are cut along an index."""
    written = [one.target.indices for one in stmt.every(Assign) if one.target.obj is output.tensor]
    along = [indices[:1] == (index,) for indices in written]
    if not any(along):
        return joining(stmt, output)
    root, *others = output.format.levels
    behind = all(one.slicing in ("places", "entries") or one.continues_group for one in others[:-1])
    lists = len(output.format.levels) > 1 and root.has_windows and root.writing.appends
    return BEHIND if all(along) and lists and behind else ""


def _combining(stmt: Stmt, output: Output, index: Index) -> str | None:
    """The operator that adds up a result of pieces; "" where they cannot be put together."""
    written = [one for one in stmt.every(Assign) if one.target.obj is output.tensor]
    rows = [bool(one.target.indices) and one.target.indices[0] is index for one in written]
    levels = output.format.levels
    if all(rows):
        return None if are_put_together(levels) else ""
    return "" if any(rows) else joining(stmt, output)


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
            outer = _outer(node)
            along = node.indices[outer + 1 :] if _goes_along(node, loop.index) else node.indices
            parts: Sequence[Any] = (*_strides(node.obj, outer), *along)
        elif isinstance(node, Named):
            parts = ()
        else:
            parts = tuple(node.parts())
        for part in parts:
            visit(part)

    visit(root)
    return found


def _outer(access: Access) -> int:
    """The number of modes of one element that a dense operand has before the others."""
    obj, count = access.obj, 0
    if isinstance(obj, Named) and obj.role == "in" and obj.format.is_dense:
        while count < len(obj.dims) - 1 and obj.dims[count] is Lit(INDEX, 1):
            count += 1
    return count


def _goes_along(access: Access, index: Index) -> bool:
    """Whether an access reads its first mode, but for those of one element, at an index."""
    outer = _outer(access)
    return access.indices[outer : outer + 1] == (index,)


def _strides(obj: Node, outer: int) -> list[Node]:
    """The strides of a tensor's layout, which mention the lengths of all modes but the first."""
    if not isinstance(obj, Named):
        return []
    levels = obj.format.levels[outer:]
    return [*obj.dims[outer + 1 :], *(one.stride for one in levels if hasattr(one, "stride"))]


def _is_outermost(access: Access, loop: Loop) -> bool:
    """Whether an access's first mode is stored outermost, and is as long as the loop."""
    named = access.obj
    if not isinstance(named, Named) or named.role == "temp":
        return False
    fmt, outer = named.format, _outer(access)
    first = fmt.order[outer] == 0 if named.role == "in" and fmt.is_dense else True
    return first and fmt.root.kind.arithmetic and named.dims[outer] is loop.hi


def _is_cut(levels: Sequence[Level]) -> bool:
    """Whether parts of the outermost mode can be cut out of the buffers."""
    return all(level.slicing for level in levels[:-1])


def _within(
    program: Program, rules: RuleSet, loop: Loop, found: set[int]
) -> tuple[frozenset[int], tuple[str, ...]]:
    """The operands whose rows can be divided at a column, and how parts of results are combined.

    Where none of them stores anything the program must do nothing: then the parts of a row do
    together what the row does.
    """
    outs = [output.tensor for output in program.outputs]
    if any(one.target.obj not in outs for one in program.stmt.every(Assign)):
        return frozenset(), ()
    columns: dict[Node, set[int]] = {}
    for number, access in _listed(program, found).items():
        columns.setdefault(bare(access.indices)[1], set()).add(number)
    for column, numbers in columns.items():
        join = tuple([_joined_at(column, program.stmt, output) for output in program.outputs])
        looped = any(one.index is column for one in loop.every(Loop))
        if looped and "" not in join and _does_nothing(program, rules, loop, frozenset(numbers)):
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
        if not lists or bare(access.indices)[:2] != bare(known.indices)[:2]:
            refused.add(number)
    return {number: one for number, one in seen.items() if number in found - refused}


def _joined_at(column: Node, stmt: Stmt, output: Output) -> str:
    """The operator that joins parts of a row of a result, cut at a column; "" for none."""
    written = [one.target.indices for one in stmt.every(Assign) if one.target.obj is output.tensor]
    levels = output.format.levels
    if len(levels) > 2 and levels[1].has_windows and levels[1].writing.appends:
        return BEHIND if all(indices[1] is column for indices in written) else ""
    return joining(stmt, output)


def reads_results(loop: Loop) -> bool:
    """Whether a program reads what it has written, but for temporaries."""
    return any(
        isinstance(access.obj, Named) and access.obj.role in ("out", "begun")
        for expr in _values(loop)
        for access in expr.every(Access)
    ) or any(one.role == "begun" for one in loop.every(Named))


def _values(loop: Loop) -> Iterator[Expr]:
    """All that a program computes."""
    for assign in loop.every(Assign):
        yield assign.value
        yield from assign.target.indices
    for sieve in loop.every(Sieve):
        yield sieve.cond
    for inner in loop.every(Loop):
        yield inner.lo
        yield inner.hi


def joining(stmt: Stmt, output: Output) -> str:
    """The operator by which parts of a row of a result are combined; "" where they cannot be."""
    written = [one for one in stmt.every(Assign) if one.target.obj is output.tensor]
    names = {one.op.name if one.op is not None else "" for one in written}
    if len(names) != 1 or not names <= {*COMBINED} or not is_placed(output.format.levels):
        return ""
    return names.pop()
