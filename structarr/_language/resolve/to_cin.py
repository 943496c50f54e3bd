"""The statements of a stage in concrete index notation, over operands not yet stored.

Operands are `Operand`s and results `Unformatted`, both in the order of their axes. The compiler's
passes choose formats and storage later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from structarr._compiler.ir.cin import Access, Assign, Loop, Multi, Sieve, Stmt, Where
from structarr._compiler.ir.conditions import le
from structarr._compiler.ir.expr import INDEX, Call, Expr, Lit
from structarr._compiler.ir.given import bounds
from structarr._compiler.ir.ops import OPS
from structarr._compiler.rules.constants import literal
from structarr._language.read import syntax
from structarr._language.read.messages import axes
from structarr._language.resolve import terms
from structarr._language.resolve.accesses import Use
from structarr._language.resolve.lengths import Lengths
from structarr._language.resolve.operand_info import Meaning, Surroundings
from structarr._language.resolve.results import result
from structarr._language.resolve.scope import Scope
from structarr._language.resolve.sizes import Sizes
from structarr._language.resolve.stages import Stage
from structarr._language.resolve.temporaries import Body, handed_on, introduced, parted, temporary
from structarr._language.resolve.terms import Term
from structarr._language.resolve.values import Values, subtracts


def meaning(stage: Stage, uses: tuple[Use, ...], found: Lengths, given: Surroundings) -> Meaning:
    """Build the statement of a stage.

    Raises
    ------
    ProgramError
        At the place of what breaks a rule of the language.
    """
    out = Meaning(uses=uses)
    scope = Scope(stage, given, out)
    sizes = Sizes(scope, found, uses)
    values = Values(scope, sizes, uses)
    for name in stage.writes:
        made = scope.results[name] = result(name, scope, values)
        out.results.append(made)
    scope.typing = False
    sizes.measure()
    out.loops = tuple(scope.indices.values())
    statements = _Statements(scope, values)
    out.stmt = statements.free() if stage.is_free else statements.block(stage.body)
    return out


class _Statements:
    """The statements of a stage."""

    def __init__(self, scope: Scope, values: Values) -> None:
        self.scope, self.values = scope, values

    def free(self) -> Stmt:
        """One assignment for all indices, those of its target outermost."""
        stmt = self.block(self.scope.stage.body)
        for name, index in reversed(self.scope.indices.items()):
            hi = self.scope.out.extents.get(index)
            if hi is not None:
                stmt = Loop(index, Lit(INDEX, 0), hi, stmt)
            else:
                stmt = self._part(name, stmt)
        return stmt

    def _part(self, name: str, stmt: Stmt) -> Stmt:
        """A loop over an extent that a call declares, and that does not begin at 0."""
        index = self.scope.indices[name]
        ends = bounds(index)
        for place, end in enumerate(ends):
            self.scope.out.lengths[end] = ("range", (name, place))
        first, last = ends
        return Loop(index, first, last, stmt)

    def block(self, body: Body) -> Stmt:
        """Statements in order; what makes temporaries is the producer of what reads them."""
        scope = self.scope
        first = next((k for k in range(len(body)) if introduced(body[k:], scope)), len(body))
        before = [self._before(one, body[k:]) for k, one in enumerate(body[:first], 1)]
        if first == len(body):
            return _multi(before)
        names, makers, readers = parted(body[first:], scope)
        outside, finished = dict(scope.temporaries), set(scope.finished)
        scope.finished -= set(names)
        for name in names:
            scope.temporaries[name] = temporary(name, makers, self.values)
        temps = tuple(scope.temporaries[name].tensor for name in names)
        producer = _multi([stmt for one in makers if (stmt := self._maker(one)) is not None])
        scope.finished |= set(names)
        consumer = self.block(readers)
        scope.temporaries, scope.finished = outside, finished
        return _multi([*before, Where(consumer, producer, temps)])

    def _before(self, one: syntax.Syntax, later: Body) -> Stmt:
        """A statement, whose values some others read."""
        outside = self.scope.handed_on
        self.scope.handed_on = outside | handed_on(later)
        stmt = self._statement(one)
        self.scope.handed_on = outside
        return stmt

    def _turn(self, body: Body) -> Stmt:
        """The body of a loop."""
        outside = self.scope.handed_on
        self.scope.handed_on = outside | handed_on(body)
        stmt = self.block(body)
        self.scope.handed_on = outside
        return stmt

    def _maker(self, one: syntax.Syntax) -> Stmt | None:
        """A statement of those that make temporaries; a start needs none."""
        if isinstance(one, syntax.Make):
            return None
        if isinstance(one, syntax.Assign) and isinstance(one.target, syntax.Name):
            temp = self.scope.temporaries.get(one.name)
            if temp is not None and temp.starts and one.op is None:
                temp.starts = False
                return None
        return self._statement(one)

    def _statement(self, one: syntax.Syntax) -> Stmt:
        """One statement."""
        match one:
            case syntax.For():
                return self._loop(one)
            case syntax.If():
                return self._branch(one)
        assert isinstance(one, syntax.Assign)
        return self._assign(one)

    def _loop(self, one: syntax.For) -> Stmt:
        """A loop over a whole mode, or between bounds that are written out."""
        index = self.scope.indices[one.index]
        whole = self.scope.out.extents.get(index)
        if whole is not None:
            return Loop(index, Lit(INDEX, 0), whole, self._turn(one.body))
        lo = Lit(INDEX, 0) if one.start is None else self._bound(one.start)
        loop = Loop(index, lo, self._bound(one.stop), self._turn(one.body))
        # Lowering assumes that no extent ends before it begins.
        falls = one.index in self.values.sizes.found.falling
        return Sieve(le(lo, loop.hi), loop) if falls else loop

    def _bound(self, one: syntax.Syntax) -> Expr:
        """The bound of a loop, as an index."""
        index = self.values.value(one).index
        assert index is not None  # as bounds were measured
        return index

    def _branch(self, one: syntax.If) -> Stmt:
        """Conditions, a sieve each, so that each may restrict the loops around it."""
        stmt = self.block(one.body)
        for part in reversed(_conjuncts(one.cond)):
            stmt = Sieve(self._truth(part), stmt)
        if not one.orelse:
            return stmt
        fails = syntax.Apply("logical_not", (one.cond,), at=one.cond.at)
        return Multi((stmt, Sieve(self._truth(fails), self.block(one.orelse))))

    def _truth(self, one: syntax.Syntax) -> Expr:
        """A value as a condition."""
        term = self.values.value(one)
        if term.dtype == "bool":
            return term.expr
        return Call("bool", OPS["not_equal"], (term.expr, literal(term.dtype, 0)))

    def _assign(self, one: syntax.Assign) -> Stmt:
        """An assignment of a value in the dtype of its target."""
        target = self._place(one)
        value = self.values.summand(one)
        dtype = target.dtype
        if not _goes_into(value, dtype, one.op):
            raise self.scope.error(
                f"{value.dtype} values do not go into {one.name}, which is {dtype}", one.at
            )
        op = None if one.op is None else self.values.operator(one.op, one.at)
        stored = value.cast(dtype)
        if subtracts(one):  # in the target's dtype: an unsigned number has no negative
            if dtype == "bool":
                raise self.scope.error(
                    f"{one.name} is bool, and NumPy subtracts no booleans: use ^=", one.at
                )
            stored = Call(dtype, OPS["negative"], (stored,))
        return Assign(target, op, stored)

    def _place(self, one: syntax.Assign) -> Access:
        """The target of an assignment."""
        scope, name, target = self.scope, one.name, one.target
        if name in scope.finished and not self._goes_on(one):
            raise scope.error(f"{name} is updated after it was read: use another name", target.at)
        temp = scope.temporaries.get(name)
        indices: tuple[Expr, ...] = ()
        if isinstance(target, syntax.Read):
            if temp is None and any(isinstance(i, syntax.Modified) for i in target.indices):
                raise scope.error("a protocol is for reading: index a result without it", target.at)
            indices = tuple(self.values.index(target, k) for k in range(len(target.indices)))
        elif temp is not None and temp.tensor.dims:
            raise scope.error(f"{name} is an array: write an element, {name}[i]", target.at)
        if temp is not None:
            return temp.access(indices)
        made = scope.results[name]
        if made.ndim != len(indices):
            raise scope.error(f"{name} has {axes(made.ndim)}, not {len(indices)}", target.at)
        return Access(made.dtype, made, indices)

    def _goes_on(self, one: syntax.Assign) -> bool:
        """Whether an assignment changes a number that loops hand on from turn to turn."""
        temp = self.scope.temporaries.get(one.name)
        return temp is not None and not temp.tensor.dims


def _multi(stmts: Sequence[Stmt]) -> Stmt:
    """Statements in order."""
    return stmts[0] if len(stmts) == 1 else Multi(tuple(stmts))


def _conjuncts(cond: syntax.Syntax) -> list[syntax.Syntax]:
    """The conditions that must all hold."""
    if isinstance(cond, syntax.Apply) and cond.op == "logical_and":
        return [part for arg in cond.args for part in _conjuncts(arg)]
    return [cond]


MODULAR = (None, "add", "multiply", "bitwise_and", "bitwise_or", "bitwise_xor")
"""The updates of whole numbers that may wrap around before they are made as well as after."""


_RANKS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def _goes_into(value: Term, dtype: str, op: str | None) -> bool:
    """Whether a value may be stored in a dtype; a Python number, if it fits.

    An update is computed in the dtype of its target, so a number must be exact in that dtype.
    """
    kind, own = np.dtype(dtype).kind, np.dtype(value.dtype).kind
    whole = kind in "iu" and op not in MODULAR
    casting: Literal["safe", "same_kind"] = "safe" if whole else "same_kind"
    if np.can_cast(np.dtype(value.dtype), np.dtype(dtype), casting):
        return True
    if not terms.is_weak(value.kind):
        return False
    try:
        number, stored = value.expr, value.cast(dtype)
    except (OverflowError, TypeError):
        return False
    if op is None or _RANKS[own] <= _RANKS[kind]:
        return True
    return isinstance(number, Lit) and isinstance(stored, Lit) and number.value == stored.value
