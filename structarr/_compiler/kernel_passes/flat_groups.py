"""Loops over groups of equal entries, in each of which a straight loop follows: one loop over all.

A list of entries is gone along row by row: the end of each row is searched for, and a loop over its
entries follows. In rows of a few entries the processor guesses the end of each wrong, which takes
longer than to read each entry's row again. Where the loop inside adds to an element of the row, the
entries do, one after the other; where it searches a place in the row, each entry is compared. Where
a sum of the row is appended, each entry writes the sum so far, and the first of a row begins anew:
nothing has to be guessed. Where entries of the row are appended, each of them ends the row so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from structarr._compiler.ir.conditions import TRUE, Not, both, eq, le, lt
from structarr._compiler.ir.expr import (
    INDEX,
    Buffer,
    Call,
    Cast,
    Expr,
    Helper,
    Lit,
    Load,
    add,
    order_key,
    scale,
)
from structarr._compiler.ir.kernel import (
    Break,
    For,
    If,
    Line,
    Set,
    Store,
    While,
    assigned,
    every_line,
    used,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Local, State, Var
from structarr._compiler.kernel_passes.blocks import Block, ends, replaced, with_blocks
from structarr._compiler.kernel_passes.fetch_ahead import fetched
from structarr._support.records import record

FEW: Final = 32
"""The entries of a row in the mean up to which each is compared, in the place of a search."""


def flatten_groups(block: Block) -> Block:
    """A kernel whose loops over groups of entries go along the entries where they may."""
    if not any(isinstance(line, While) for line in every_line(block)):
        return block
    return _block(block, block)


def _block(block: Block, kernel: Block) -> Block:
    new: list[Line] = []
    for line in block:
        groups = _groups(line) if isinstance(line, While) else None
        flat = None if groups is None else groups.flat(new, line)
        if groups is not None and flat is not None and not _are_read(groups, line, kernel):
            new.append(flat)
        else:
            new.append(with_blocks(line, lambda inner: _block(inner, kernel)))
    return tuple(new)


def _are_read(groups: _Groups, loop: Line, kernel: Block) -> bool:
    """Whether anything reads a loop's positions that may run after it."""

    def without(block: Block) -> Block:
        return tuple(with_blocks(line, without) for line in block if line is not loop)

    # Of a loop inside another one, what stands before it runs after it, too.
    rest = kernel[kernel.index(loop) + 1 :] if loop in kernel else without(kernel)
    return not used(rest).isdisjoint(groups.positions)


@record
class _Groups:
    """A loop over groups of entries, each of which has one coordinate."""

    place: Var  # of the first entry of a group
    stop: Expr  # behind the last group
    coordinate: Set
    limit: Expr  # behind the last entry in which the end of a group is looked for
    next: Var  # behind the last entry of a group
    lines: Block  # of a group

    @property
    def positions(self) -> set[Node]:
        """The variables that have other values where there are no groups."""
        own = assigned(self.lines) & _positions(self.lines)
        return {self.place, self.next, *own}

    def flat(self, before: list[Line], loop: Line) -> Line | None:
        """The loop over all entries, or a choice; None where it is not known to do the same."""
        ended = self.stop is self.limit or self.stop in _bounds(before, self.coordinate, self.limit)
        body = self._entry() if ended else None
        if body is None:
            return None
        begin, turn, end = body
        along = For(self.place, self.place, self.stop, (self.coordinate, *turn))
        every = *begin, fetched(along, self.coordinate.var), *end
        if not (begin or any(isinstance(line, If) for line in turn)):
            return every[0]
        # In long rows a search takes less time than a look at each entry.
        read = self.coordinate.value
        assert isinstance(read, Load)
        rows = read.buffer[add(self.stop, -1)] - read + 1
        few = le(add(self.stop, scale(self.place, -1)), scale(rows, FEW))
        either = If(((few, every), (TRUE, (loop,))))
        return If(((lt(self.place, self.stop), (either,)),))

    def _entry(self) -> tuple[Block, Block, Block] | None:
        """The lines before all entries, those of an entry, and those behind all."""
        match self.lines:
            case (Set(at, start), *lines) if start is self.place:
                pass
            case (Set(noted, Var() as count), Set(at, start), *lines) if start is self.place:
                return self._fibers(noted, count, at, lines)
            case (
                Set(at, Helper(_, "bisect") as first),
                Set(after, Helper(_, "search") as last),
                If(((found, body),)),
            ) if found is lt(at, after):
                turn = self._single(at, first, after, last, body)
                return None if turn is None else ((), turn, ())
            case _:
                return None
        loops = [line for line in lines if isinstance(line, For | If | While)]
        if len(loops) != 1:
            return None
        k = lines.index(loops[0])
        before, behind = tuple(lines[:k]), tuple(lines[k + 1 :])
        turn = self._turn(loops[0], at)
        if turn is None or ends(turn) or not _is_straight(turn):
            return None
        gone = {self.next, at} - {self.place}
        if not gone.isdisjoint(used((*turn, *behind))):
            return None
        around = _around(lines[:k], lines[k + 1 :])
        if around is None:
            return self._appended(before, turn, behind)
        moving = assigned(turn) | {at, self.next, self.place}
        if any(not moving.isdisjoint(index.nodes()) for _, index in around.values()):
            return None
        if not _touched(turn).isdisjoint([buffer for buffer, _ in around.values()]):
            return None
        return (), (*before, *turn, *behind), ()

    def _appended(
        self, before: Block, turn: Block, after: Block
    ) -> tuple[Block, Block, Block] | None:
        """The lines where each group appends what begins as a number and its entries update.

        Each entry stores it, where that of the group's last one stays.
        """
        begun: list[Set] = []
        for line in before:
            match line:
                case Set(State() | Local(), Lit()):
                    begun.append(line)
                case _:
                    return None
        counts = {one.var for one in after if isinstance(one, Set) and one.value is one.var + 1}
        stores = [one for one in after if isinstance(one, Store)]
        if not counts or len(counts) + len(stores) != len(after):
            return None
        if not {one.index for one in stores} <= counts or not counts.isdisjoint(used(turn)):
            return None
        values = {node for one in stores for node in one.value.nodes()}
        if not counts.isdisjoint(values) or not _touched(turn).isdisjoint(
            [one.buffer for one in stores]
        ):
            return None
        if any(isinstance(node, Load) for node in values) or any(
            isinstance(one, Store) for one in every_line(turn)
        ):
            return None
        begin_with = {
            one.var: State(one.var.dtype, one.var.name, True, one.var.version) for one in begun
        }
        row, same = self.coordinate.var, Local("bool", "same")
        last = Local(INDEX, f"{row.name}_last")
        assert isinstance(self.coordinate.value, Load)
        begin: list[Line] = [Set(last, self.coordinate.value)]
        lines: list[Line] = [Set(same, eq(row, last)), Set(last, row)]
        for one in begun:
            kept = begin_with[one.var]
            begin.append(Set(kept, one.value))
            lines.append(Set(kept, Call(kept.dtype, OPS["where"], (same, kept, one.value))))
        lines += [Set(n, n + Cast(INDEX, Not(same))) for n in sorted(counts, key=order_key)]
        lines += replaced((*turn, *stores), begin_with)
        ends_of = [Set(n, n + 1) for n in sorted(counts, key=order_key)]
        return tuple(begin), tuple(lines), tuple(ends_of)

    def _fibers(
        self, before: Var, count: Var, at: Var, lines: list[Line]
    ) -> tuple[Block, Block, Block] | None:
        """The lines where each group appends a fiber of entries, unless there are none.

        The first entry of a fiber begins it, and each ends it.
        """
        match lines:
            case [
                loop,
                Store(ends_of, end, last_one),
                If(((some, (Store(listed, rows, row), Set(counted, after))),)),
            ] if last_one is count and counted is rows and some is lt(before, count):
                pass
            case _:
                return None
        turn = self._turn(loop, at)
        if turn is None or ends(turn) or not _is_straight(turn):
            return None
        if not after is end is rows + 1:
            return None
        moving = assigned(turn) | {at, self.next, self.place, rows, before}
        if not {at, self.next, rows, before}.isdisjoint(used(turn)) or any(
            row.mentions(one) for one in moving
        ):
            return None
        if not {ends_of, listed}.isdisjoint(_touched(turn)) or any(row.every(Load)):
            return None
        assert isinstance(self.coordinate.value, Load)
        mine, same = self.coordinate.var, Local("bool", "same")
        last = Local(INDEX, f"{mine.name}_last")
        each = (
            Set(same, eq(mine, last)),
            Set(last, mine),
            Set(rows, rows + Cast(INDEX, Not(same))),
            Store(ends_of, rows, count),
            Store(listed, rows - 1, row),
        )
        new = _behind(turn, count, each)
        # No entry has the coordinate before the first.
        return None if new is None else ((Set(last, self.coordinate.value - 1),), new, ())

    def _single(
        self, at: Var, first: Helper, after: Var, last: Helper, body: Block
    ) -> Block | None:
        """The lines of an entry, where one of a group is looked up."""
        buffer, key, *bounds = first.args
        assert isinstance(buffer, Buffer)
        assert isinstance(key, Expr)
        if bounds != [self.place, self.next] or last.args != (buffer, key + 1, at, self.next):
            return None
        read = used(body)
        # What is read at its place has no others of its coordinate below it.
        if not any(isinstance(one, Load) and one.index is at for one in read):
            return None
        if not _is_straight(body) or ends(body) or not {after, self.next}.isdisjoint(read):
            return None
        if any(key.mentions(one) for one in (at, after, self.next, self.place)):
            return None
        turn = replaced(body, {at: self.place})
        return (If(((eq(buffer[self.place], key), turn),)),)

    def _turn(self, loop: Line, at: Var) -> Block | None:
        """What is done for an entry, which may be searched for in its group."""
        match loop:
            case For(q, start, stop, body, 1) if start is at and stop is self.next:
                return replaced(body, {q: self.place})
            case If(
                (
                    (
                        any_left,
                        (
                            Set(first, Helper(_, "search", (Buffer() as buffer, lo, from_, to))),
                            If(
                                (
                                    (
                                        still,
                                        (
                                            Set(last, Helper(_, "search", (other, hi, from2, to2))),
                                            For(q, start, stop, body, 1),
                                        ),
                                    ),
                                )
                            ),
                        ),
                    ),
                )
            ):
                pass
            case _:
                return None
        left = lt(at, self.next)
        ranges = any_left is still is left and first is from_ is from2 is start is at
        if not (ranges and to is to2 is self.next and stop is last and other is buffer):
            return None
        if any(bound.mentions(one) for bound in (lo, hi) for one in (at, last, self.next)):
            return None
        if last in used(body):
            return None
        here = buffer[self.place]
        assert isinstance(lo, Expr)
        assert isinstance(hi, Expr)
        inside = both(le(lo, here), lt(here, hi))
        turn = replaced(body, {q: self.place})
        return (If(((inside, turn),)),)


def _groups(loop: While) -> _Groups | None:
    """What a loop goes along, if it is groups of entries."""
    match loop.body:
        case (
            If(((Not(left), (Break(),)),)),
            Set(_, Load(_, at)) as coordinate,
            Set(next_, Helper(_, "search", (buffer, key, start, limit))),
            *lines,
            Set(place, after),
        ):
            pass
        case _:
            return None
    if not (at is start is place and after is next_ and isinstance(place, Var)):
        return None
    value = coordinate.value
    assert isinstance(value, Load)
    if buffer is not value.buffer or key is not coordinate.var + 1:
        return None
    stop = _end(left, place)
    if stop is None or not isinstance(limit, Expr):
        return None
    changed = assigned((*lines, coordinate))
    if place in changed or next_ in changed - {next_} or not {stop, limit}.isdisjoint(changed):
        return None
    if any(isinstance(one, Store) and one.buffer is buffer for one in every_line(tuple(lines))):
        return None
    return _Groups(place, stop, coordinate, limit, next_, tuple(lines))


def _end(left: Expr, place: Var) -> Expr | None:
    """The variable below which a place has to be for a loop to go on."""
    ends_ = [one for one in left.every(Var) if one is not place]
    return ends_[0] if len(ends_) == 1 and left is lt(place, ends_[0]) else None


def _bounds(before: list[Line], coordinate: Set, limit: Expr) -> set[Node]:
    """The variables that are set to ends of groups, which were searched for up to a limit."""
    found: set[Node] = set()
    assert isinstance(coordinate.value, Load)
    for line in before:
        match line:
            case Set(var, Helper(_, "search", (buffer, _, _, end))) if (
                buffer is coordinate.value.buffer and end is limit
            ):
                found.add(var)
            case _:
                found -= assigned((line,))
    return found


def _behind(turn: Block, count: Var, lines: Block) -> Block | None:
    """A turn with lines behind each one that counts; None where a count is set otherwise."""
    new: list[Line] = []
    for line in turn:
        match line:
            case Set(var, value) if var is count:
                if value is not count + 1:
                    return None
                new += [line, *lines]
            case If(arms):
                inner = [(condition, _behind(body, count, lines)) for condition, body in arms]
                if any(body is None for _, body in inner):
                    return None
                new.append(If(tuple([(cond, body) for cond, body in inner if body is not None])))
            case _:
                new.append(line)
    return tuple(new)


def _positions(lines: Block) -> set[Node]:
    """The variables by which lines go along entries."""
    found: set[Node] = set()
    for line in every_line(lines):
        match line:
            case Set(var, Var() | Helper(_, "search" | "bisect")) | For(var):
                found.add(var)
    return found


def _touched(turn: Block) -> set[Buffer]:
    """The buffers that lines read or write."""
    stored = {one.buffer for one in every_line(turn) if isinstance(one, Store)}
    return stored | {one.buffer for one in used(turn) if isinstance(one, Load)}


def _is_straight(turn: Block) -> bool:
    """Whether no loop is inside: rows of a dense array are better added where rows end."""
    return not any(isinstance(line, For | While) for line in every_line(turn))


def _around(before: list[Line], after: list[Line]) -> Mapping[Var, tuple[Buffer, Expr]] | None:
    """The elements that are read before a loop and written behind it, and no more is done there."""
    read: dict[Var, tuple[Buffer, Expr]] = {}
    for line in before:
        match line:
            case Set(var, Load(buffer, index)):
                read[var] = buffer, index
            case _:
                return None
    written = dict(_written(after))
    if len(written) != len(after) or written != read:
        return None
    return read


def _written(lines: list[Line]) -> Iterator[tuple[Var, tuple[Buffer, Expr]]]:
    for line in lines:
        match line:
            case Store(buffer, index, Var() as var):
                yield var, (buffer, index)
