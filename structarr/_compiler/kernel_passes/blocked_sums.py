"""Sums of floats: straight loops are cut into blocks, whose sums are added without loss.

A sum from left to right loses a digit for every tenfold number of terms, or more where all terms
are alike. So a straight loop is summed in blocks: within one in the dtype of the result and in any
order, which vectorises; the sums of blocks in the wider dtype, or, where there is none, with what
each addition loses. What is no whole block comes last, by itself, so that a short row takes the
loop that it would take without blocks, and blocks lie in memory as rows do: compilers know which
elements of a row of packed bits share a byte. A total to which more than one loop adds, or one with
branches, is of the wider dtype throughout.

In float64 and complex128 only the sums of a whole kernel are treated so: rows stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import INDEX, Call, Cast, Expr, Helper, Lit, minimum, order_key
from structarr._compiler.ir.kernel import For, If, Line, Set, Store, While, assigned, used
from structarr._compiler.ir.node import N, Node, substitute
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var, fresh, is_total
from structarr._compiler.kernel_passes.blocks import Block, replaced_in
from structarr._compiler.runtime import traits

BLOCK = 256  # the terms of a block; with half as many, loops take a tenth longer

WIDER = {"float32": "float64", "complex64": "complex128"}

NOTHING = {
    **dict.fromkeys(("float32", "float64"), -0.0),
    **dict.fromkeys(("complex64", "complex128"), complex(-0.0, -0.0)),
}
"""What changes no number that it is added to: of the zeros, the negative one."""


def block_sums(block: Block) -> Block:
    """A kernel whose sums of floats lose a few bits at most, however many terms they have."""
    facts = _Facts()
    facts.look(block, False)
    return _Sums(block, facts).block(block, False) if facts.totals else block


def _term(line: Line) -> Expr | None:
    """The term that a line adds to a total; None for any other line."""
    match line:
        case Set(var, Helper(_, name, (left, Expr() as right))) if traits(name).relaxes == "add":
            pass
        case Set(var, Call(_, op, (left, right))) if op.name == "add":
            pass
        case _:
            return None
    return right if left is var and not right.mentions(var) else None


def _updated(body: Block) -> list[Var]:
    """The totals of a straight loop: added to once in a turn, and not read in it.

    In a loop with searches a wide total takes no extra time, so it is not cut into blocks.
    """
    if not all(isinstance(line, Set | Store) for line in body):
        return []
    nodes = [node for line in body for node in used((line,))]
    reads = Counter(node for node in nodes if isinstance(node, Var))
    sets = [line.var for line in body if isinstance(line, Set)]
    found = [line.var for line in body if isinstance(line, Set) and _term(line) is not None]
    own = [var for var in found if reads[var] == 1 and sets.count(var) == 1]
    places = [node for node in nodes if isinstance(node, Helper) and node.dtype == INDEX]
    searches = not all(traits(node.name).computes for node in places)
    return [var for var in own if not (searches and var.dtype in WIDER)]


@dataclass
class _Facts:
    """The float locals of a kernel: how they are set, and by which loops."""

    added: set[Var] = field(default_factory=set)
    spoiled: set[Var] = field(default_factory=set)  # set by other lines than starts and sums
    inner: set[Var] = field(default_factory=set)  # begun within a loop
    several: set[Var] = field(default_factory=set)  # added to by other lines than one straight loop
    whole: set[Var] = field(default_factory=set)  # added to by an outermost straight loop

    @property
    def totals(self) -> set[Var]:
        """The locals that are begun and added to, and nothing else."""
        return self.added - self.spoiled

    def look(self, block: Block, inner: bool) -> None:
        """Record the effects of a block, in a loop or in none."""
        begun: set[Var] = set()  # and not added to since
        for line in block:
            match line:
                case Set(var) if is_total(var) and var.dtype in NOTHING:
                    if self._note(line, inner):
                        begun.add(var)
                    continue
                case For(_, _, _, body):
                    own = set(_updated(body))
                    self.whole |= set() if inner else own
                    self.several |= own - begun
                    rest = [one for one in body if not (isinstance(one, Set) and one.var in own)]
                    self.added |= {var for var in own if is_total(var) and var.dtype in NOTHING}
                    self.look(tuple(rest), True)
                case While(body):
                    self.look(body, True)
                case If(arms):
                    for _, body in arms:
                        self.look(body, inner)
            begun -= assigned((line,))

    def _note(self, line: Set, inner: bool) -> bool:
        """Whether a line begins a total."""
        if _term(line) is not None:
            self.added.add(line.var)
            self.several.add(line.var)
            return False
        if line.value.mentions(line.var):
            self.spoiled.add(line.var)
        elif inner:
            self.inner.add(line.var)
        return True


class _Sums:
    """The sums of one kernel.

    A narrow total to which one loop adds, within another, keeps its dtype: it is a row's. Any other
    has a wide twin. A total for which there is no wider dtype has one of what it has lost, if a
    loop adds to it that is in no other.
    """

    def __init__(self, block: Block, facts: _Facts) -> None:
        self._taken = used(block) | assigned(block)
        totals = sorted(facts.totals, key=order_key)
        narrow = [var for var in totals if var.dtype in WIDER]
        self._rows = {var for var in narrow if var in facts.inner - facts.several - facts.whole}
        self._wide = {var: self._twin(var, "wide") for var in narrow if var not in self._rows}
        whole = [var for var in totals if var.dtype not in WIDER and var not in facts.inner]
        self._low = {var: self._twin(var, "low") for var in whole if var in facts.whole}
        self._read_as: dict[Node, Node] = {
            **{var: Cast(var.dtype, var) for var in self._rows},
            **{var: Cast(var.dtype, wide) for var, wide in self._wide.items()},
            **{var: Helper(var.dtype, "settled", (var, low)) for var, low in self._low.items()},
        }

    def block(self, block: Block, inner: bool) -> Block:
        """A block, in a loop or in none."""
        return tuple(new for line in block for new in self._line(line, inner))

    def _line(self, line: Line, inner: bool) -> Iterator[Line]:
        match line:
            case For(var, lo, hi, body, step):
                own = [one for one in _updated(body) if self._has(one, inner)]
                new = tuple(one for turn in body for one in self._turn(turn, own))
                line = For(var, self._read(lo), self._read(hi), new, step)
                yield from self._loop(line, own, inner) if own else (line,)
            case While(body):
                yield While(self.block(body, True))
            case If(arms):
                yield If(tuple((self._read(c), self.block(body, inner)) for c, body in arms))
            case Set(var, value):
                yield from self._set(var, value, _term(line))
            case Store(_, _, value) if value in self._rows:
                yield line
            case _:
                yield self._read(line)

    def _has(self, var: Var, inner: bool) -> bool:
        """Whether a straight loop, in another or in none, adds to a total in blocks."""
        return var in self._rows or var in self._wide or (var in self._low and not inner)

    def _read(self, node: N) -> N:
        """A line or expression whose reads of totals see the complete value."""
        return substitute(node, self._read_as)

    def _set(self, var: Var, value: Expr, term: Expr | None) -> Iterator[Line]:
        """An assignment outside of straight loops, to a total or to anything else."""
        wide = self._wide.get(var)
        if term is None:
            value = self._read(value)
            yield Set(var, value) if wide is None else Set(wide, Cast(wide.dtype, value))
            if var in self._low:
                yield nothing(self._low[var])
        elif wide is None:
            yield Set(var, substitute(value, {term: self._read(term)}))
        else:
            yield Set(wide, plus(wide, self._read(term)))

    def _turn(self, line: Line, own: Sequence[Var]) -> Iterator[Line]:
        """A line of a straight loop; its own totals are added to in any order."""
        term = _term(line)
        if isinstance(line, Set) and line.var in own and term is not None:
            yield Set(line.var, Helper(line.var.dtype, "radd", (line.var, self._read(term))))
        else:
            yield from self._line(line, True)

    def _loop(self, line: For, own: Sequence[Var], inner: bool) -> Iterator[Line]:
        """A straight loop that sums in blocks; in rows, an incomplete block comes last."""
        parts = {var: self._twin(var, "part") for var in own}
        if {*line.hi.nodes()} & assigned((line,)):
            end = self._fresh(Var(INDEX, f"{line.var.label}_end"))
            yield Set(end, line.hi)
            line = For(line.var, line.lo, end, line.body)
        if not inner:
            yield self._blocks(line, parts, whole=False)
            return
        if {*line.lo.nodes()} & assigned((line,)):  # which is asked for behind the blocks
            start = self._fresh(Var(INDEX, f"{line.var.label}_start"))
            yield Set(start, line.lo)
            line = For(line.var, start, line.hi, line.body)
        rows = {var: part for var, part in parts.items() if var in self._rows}
        others = {var: part for var, part in parts.items() if var not in rows}
        last = self._fresh(Var(INDEX, f"{line.var.label}_blocks"))
        yield Set(last, Helper(INDEX, "blocks_to", (line.lo, line.hi, Lit(INDEX, BLOCK))))
        wide = {var: self._twin(var, "wide") for var in rows}
        yield from map(nothing, wide.values())
        self._wide |= wide
        yield self._blocks(For(line.var, line.lo, last, line.body), parts)
        for var in rows:
            del self._wide[var]
        yield from self._part(For(line.var, last, line.hi, line.body), others)
        ends = [Set(var, Cast(var.dtype, plus(wide[var], var))) for var in rows]
        if ends:
            yield If(((lt(line.lo, last), tuple(ends)),))

    def _blocks(self, line: For, parts: Mapping[Var, Var], whole: bool = True) -> Line:
        """A loop over blocks, of which the last may not be `whole`."""
        begin = self._fresh(Var(INDEX, f"{line.var.label}_block"))
        end = begin + BLOCK if whole else minimum(begin + BLOCK, line.hi)
        block = self._part(For(line.var, begin, end, line.body), parts)
        return For(begin, line.lo, line.hi, tuple(block), BLOCK)

    def _part(self, line: For, parts: Mapping[Var, Var]) -> Iterator[Line]:
        """A loop that sums a part of each total."""
        yield from map(nothing, parts.values())
        yield replaced_in(line, parts)
        for var, part in parts.items():
            if var in self._wide:
                yield Set(self._wide[var], plus(self._wide[var], part))
            else:
                low = self._low[var]
                yield Set(low, plus(low, Helper(var.dtype, "lost", (var, part))))
                yield Set(var, plus(var, part))

    def _twin(self, var: Var, hint: str) -> Var:
        """A variable beside a total."""
        dtype = WIDER[var.dtype] if hint == "wide" else var.dtype
        return self._fresh(Var(dtype, f"{var.label}_{hint}", True))

    def _fresh(self, var: Var) -> Var:
        return fresh(var, self._taken)


def nothing(var: Var) -> Line:
    """The start of a total that changes no number to which it is added."""
    return Set(var, Lit(var.dtype, NOTHING[var.dtype]))


def plus(total: Var, term: Expr) -> Expr:
    """A sum; a narrower term is widened by it."""
    return Call(total.dtype, OPS["add"], (total, term))
