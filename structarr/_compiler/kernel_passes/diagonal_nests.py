"""Loops over diagonals that change places with one over rows: what they are, and what they do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain, permutations
from math import prod
from typing import NamedTuple

from structarr._compiler.ir.expr import (
    INDEX,
    Buffer,
    Call,
    Expr,
    Helper,
    Lit,
    Load,
    Product,
    affine,
    maximum,
    minimum,
)
from structarr._compiler.ir.kernel import For, If, Line, Set, Store, assigned, every_line, used
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import Op
from structarr._compiler.ir.variables import Var, is_total
from structarr._compiler.kernel_passes.blocks import Block


class Refused(Exception):
    """The loops do not change places."""


class First(NamedTuple):
    """A search for the first diagonal of a row: what it looks for, from the first up to a last."""

    var: Var
    offset: Buffer
    low: Expr
    begin: Lit
    stop: Lit


class Last(NamedTuple):
    """A search for the end of the diagonals of a row, from a cursor at its first one on."""

    var: Var
    cursor: Var
    high: Expr
    offset: Buffer
    stop: Lit


def first_of(line: Line) -> First | None:
    """The search for the first diagonal of a row that a line is."""
    match line:
        case Set(
            var,
            Helper(_, "search", (Buffer() as offset, Expr() as low, Lit() as begin, Lit() as stop)),
        ) if begin.value < stop.value:
            return First(var, offset, low, begin, stop)
    return None


def last_of(line: Line) -> Last | None:
    """The search for the end of the diagonals of a row that a line is."""
    match line:
        case Set(
            var,
            Helper(
                _,
                "search" | "search_back",
                (Buffer() as offset, Expr() as high, Var() as cursor, Lit() as stop),
            ),
        ):
            return Last(var, cursor, high, offset, stop)
    return None


class Head(NamedTuple):
    """A loop over diagonals, the lines before it, and the rows in which one is."""

    before: Block
    var: Var
    begin: int
    stop: int
    rows: tuple[tuple[Expr, Expr], ...] = ()  # the first and the one after; none of all

    def around(self, block: Block) -> Block:
        """The loop with other lines in it."""
        return (*self.before, For(self.var, Lit(INDEX, self.begin), Lit(INDEX, self.stop), block))


@dataclass
class Nest:
    """Loops over diagonals, and what they do for each row."""

    heads: list[Head] = field(default_factory=list)
    inner: Block = ()  # before the loop over rows
    body: Block = ()  # of the loop over rows

    @property
    def turns(self) -> int:
        """The turns of a row."""
        return prod([one.stop - one.begin for one in self.heads])

    @property
    def lines(self) -> Block:
        """What one turn does, from the outermost loop on."""
        return (*chain.from_iterable(one.before for one in self.heads), *self.inner, *self.body)

    @property
    def bounds(self) -> set[Node]:
        """What tells the rows of the diagonals."""
        pairs = chain.from_iterable(head.rows for head in self.heads)
        return {node for pair in pairs for one in pair for node in one.nodes()}

    def around(self, row: Var, lo: Expr, hi: Expr) -> Block:
        """The loops, in which those of the rows are gone over that have the diagonal."""
        rows = [one for head in self.heads for one in head.rows]
        first, stop = maximum(lo, *[one for one, _ in rows]), minimum(hi, *[one for _, one in rows])
        block: Block = (*self.inner, For(row, first, stop, self.body))
        for head in reversed(self.heads):
            block = head.around(block)
        return block


class Turns:
    """The turns of the innermost loops, which may come in any order."""

    def __init__(self, row: Var, nests: Sequence[Nest]) -> None:
        self.totals: dict[Var, None] = {}
        self.updates = False  # whether any place is stored into more than once
        self.turns = sum(one.turns for one in nests)  # of a row
        self._row, self._alone = row, self.turns == 1
        self.stored: dict[Buffer, object] = {}
        self._read: set[Node] = set()
        for self._nest in nests:
            self._places: dict[Buffer, Expr] = {}
            self._look(self._nest.body)
        loaded = {node.buffer for node in self._read if isinstance(node, Load)}
        self.buffers = {*self.stored, *loaded}
        if not loaded.isdisjoint(self.stored) or not self._read.isdisjoint(self.totals):
            raise Refused

    def _look(self, block: Block) -> None:
        """Note what some lines do; others than stores, updates and values are refused."""
        for line in block:
            match line:
                case Set(var, Call(_, op, (left, Expr() as term))) if left is var and is_total(var):
                    self._check_order(op)
                    self.totals[var] = None
                    self._note(term)
                case Set(var, value) if not var.result:
                    self._note(value)
                case Store(buffer, place, Call(_, op, (Load(same, there), Expr() as term))) if (
                    same is buffer and there is place
                ):
                    self._check_order(op)
                    self.updates = True
                    self._store(buffer, op)
                    self._note(place, term)
                case Store(buffer, place, value):
                    self._store(buffer, self._stretch(place))
                    if self._places.setdefault(buffer, place) is not place:
                        raise Refused
                    self._note(place, value)
                case If(arms):
                    for cond, inner in arms:
                        self._note(cond)
                        self._look(inner)
                case _:
                    raise Refused

    def _check_order(self, op: Op) -> None:
        if not (op.commutative and op.associative):
            raise Refused

    def _store(self, buffer: Buffer, how: object) -> None:
        """Note a buffer that is stored into: by one operation alone, or in stretches of one kind.

        Loops one after the other that store in such stretches store at other places, or at places
        of the same row, as a place is one element's: so each may go over all rows.
        """
        if self.stored.setdefault(buffer, how) != how:
            raise Refused

    def _note(self, *expressions: Expr) -> None:
        for one in expressions:
            self._read.update(one.nodes())

    def _stretch(self, place: Expr) -> object:
        """What a place has beside its row and where its diagonal's stretch begins.

        So each turn has a place of its own: in a stretch of as many rows a diagonal.
        """
        offset = place - self._row
        heads = self._nest.heads
        if offset.mentions(self._row) or len(heads) > 1 < self._nest.turns:
            raise Refused
        told = {*[one.var for one in heads], *assigned(self._nest.inner)}
        terms, const = affine(offset)
        begins = [
            atom
            for atom in terms
            if isinstance(atom, Product)
            and not told.isdisjoint((*atom.left.nodes(), *atom.right.nodes()))
        ]
        if not (begins or self._alone):
            raise Refused
        return const, frozenset([item for item in terms.items() if item[0] not in begins])


def around_loops(body: Block) -> tuple[list[Block], list[For]]:
    """The loops of a block; and what comes before, between and after them."""
    between: list[list[Line]] = [[]]
    loops: list[For] = []
    for line in body:
        if isinstance(line, For):
            loops.append(line)
            between.append([])
        else:
            between[-1].append(line)
    around = tuple(chain.from_iterable(between))
    if not loops or not all(isinstance(one, Set | Store | If) for one in every_line(around)):
        raise Refused
    return [tuple(one) for one in between], loops


def check_apart(totals: Collection[Node], parts: Sequence[Block]) -> None:
    """Refuse parts of a row that tell each other more than totals, as rows no longer do."""
    for one, other in permutations(parts, 2):
        if not (assigned(one) - set(totals)).isdisjoint(_asked(other)):
            raise Refused


def _asked(block: Block) -> set[Node]:
    """The variables that a block reads before it sets them."""
    asked: set[Node] = set()
    known: set[Node] = set()
    for line in block:
        if isinstance(line, If):
            for cond, body in line.arms:
                asked |= ({*cond.nodes()} | _asked(body)) - known
        else:
            asked |= used((line,)) - known
        if isinstance(line, Set):
            known.add(line.var)
    return asked


def stores(block: Block) -> list[Store]:
    """The stores of a block, and of the blocks in it."""
    return [one for one in every_line(block) if isinstance(one, Store)]


def as_store(line: Line, total: Var, own: Load) -> Line:
    """A line that updates what is stored in place of a total."""
    match line:
        case Set(var, Call(dtype, op, (_, term))) if var is total:
            return Store(own.buffer, own.index, Call(dtype, op, (own, term)))
        case If(arms):
            return If(
                tuple(
                    [
                        (cond, tuple([as_store(one, total, own) for one in body]))
                        for cond, body in arms
                    ]
                )
            )
    return line
