"""Steps: unboundedly many children, one after the other, found through a cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.conditions import TRUE, le, lt
from structarr._compiler.ir.expr import Expr, minimum
from structarr._compiler.ir.kernel import Lines, Set
from structarr._compiler.ir.node import substitute
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import Lambda, Looplet
from structarr._compiler.looplets.motion import Motion
from structarr._support.renamed import gathered, read

FORMER = {name: f"motion.{name}" for name in Motion._fields}
"""Former fields of a stepper, which looplets from outside may still give and read."""


class Steps(Looplet):
    """
    Base class of steppers and jumpers: their fields, and the lines that move the cursor.

    The children end in increasing order. Where `motion` has a way back, a child is `rest` before it
    matters, and children that cover the extent give their `begin`.

    Parameters
    ----------
    cursor : Var
        The variable that counts the children; its value is the present one.
    end : Expr
        The cursor past the last child.
    loads : tuple of Set
        Local variables of the present child, which are set whenever the cursor moves.
    stop : Expr
        Where the present child ends.
    body : Looplet
        What the present child consists of.
    rest : Looplet or None
        What follows the last child; None says that the children cover the extent.
    seek : Lambda
        From an index, the cursor of the first child that ends past it.
    clamp : Lambda
        From the index at which a region ends, the end of the children that matter for it.
    past : Lambda or None
        From the region's end, the loads of a child of that index alone.
    first, last : Expr
        The extent of all children, ``[first, last)``.
    weight : int
        How many stops to expect, on a logarithmic scale.
    may_overrun : bool
        Whether a child may stop past a region's end, as children that cover do.
    begin : Expr, optional
        Where the child matters, if not at its last index alone.
    facts : tuple of Expr
        What holds of each child's local variables.
    motion : Motion
        How the cursor moves.
    pace : tuple
        Where all children stop, a number for each cursor from 0, and what else tells it; two of
        which all else is the same stop together where these numbers are equal. Empty if unknown.

    See Also
    --------
    Stepper : None leads.
    Jumper : The others skip to its stops.

    Examples
    --------
    >>> from structarr.looplets import Jumper, Stepper
    >>> [kind.__name__ for kind in (Stepper, Jumper) if kind.is_leader]
    ['Jumper']
    """

    cursor: Var
    end: Expr
    loads: tuple[Set, ...]  # locals of the present child, set whenever the cursor moves
    stop: Expr
    body: Looplet
    rest: Looplet | None
    seek: Lambda  # cursor of the first child that ends past an index
    clamp: Lambda  # end of the children that matter for a region that ends at an index
    past: Lambda | None  # from the region's end: the loads (Lines) of a child of that index alone
    first: Expr
    last: Expr
    weight: int = 0  # how many stops to expect, on a logarithmic scale
    may_overrun: bool = False  # a child may stop past a region's end, as children that cover do
    begin: Expr | None = None  # where the child matters if not at its last index alone
    facts: tuple[Expr, ...] = ()  # what holds of each child's locals
    motion: Motion = Motion()
    pace: tuple[Any, ...] = ()
    is_leader: ClassVar[bool] = False

    @classmethod
    def _adapted(cls, named: dict[str, Any]) -> dict[str, Any]:
        return gathered(cls, named, "motion", Motion())

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            return read(self, name, FORMER)

    @staticmethod
    def are_merged(loop: Loop, steppers: Sequence[Steps], ctx: Context) -> bool:
        """Return whether a loop's `steppers` are merged before any kernel runs."""
        raise NotImplementedError

    @property
    def inside(self) -> Expr:
        """The condition that there is a child at the cursor."""
        down = self.motion.descending
        return lt(self.end, self.cursor) if down else lt(self.cursor, self.end)

    @property
    def following(self) -> Expr:
        """The cursor of the next child."""
        motion = self.motion
        found = motion.next if motion.next_indexed is None else motion.next_indexed
        return self.cursor + 1 if found is None else found

    def beyond(self, index: Expr) -> Expr:
        """The cursor of the first child that ends past an index, which the present one does not."""
        ahead = self.seek
        if self.motion.is_by_one:
            ahead = substitute(ahead, {self.cursor: self.following})
        return ahead(index)  # type: ignore[return-value]

    def enter(self, loop: Loop, ctx: Context) -> Steps:
        """Move the cursor to the region's first child; return the stepper cut to the region."""
        if self.is_sought(loop, ctx):
            ctx.set(self.cursor, self.seek(loop.lo))  # type: ignore[arg-type]
        return self.cut(loop, ctx)

    def is_sought(self, loop: Loop, ctx: Context) -> bool:
        """Whether the region's first child may be another than the one at the cursor."""
        return not ctx.proves(le(loop.lo, self.first))

    def overruns(self, loop: Loop, ctx: Context) -> bool:
        """Whether a child may stop past the end of the region, even of an empty one."""
        return self.may_overrun and not ctx.proves(le(self.last, loop.hi))

    def cut(self, loop: Loop, ctx: Context) -> Steps:
        """The stepper cut to the region that begins at the cursor's child."""
        if ctx.proves(le(self.last, loop.hi)):
            return self
        end = ctx.let(f"{self.cursor.name}_stop", self.clamp(loop.hi))  # type: ignore[arg-type]
        if not self.may_overrun and self.rest is not None:
            return self.replace(end=end)
        if self.rest is not None:
            # The region after this one may need the child that crosses: another cursor goes on.
            own = ctx.fresh(self.cursor.name)
            ctx.set(own, self.cursor)
            return substitute(self, {self.cursor: own})._clipped(end, loop.hi, ctx)
        return self._clipped(end, loop.hi, ctx)

    def _clipped(self, end: Expr, hi: Expr, ctx: Context) -> Steps:
        """The last child may cross the end: take it clipped."""
        cut, past = ctx.fresh(f"{self.cursor.name}_cut"), self.past
        loads = (*self.loads, Set(cut, minimum(self.stop, hi)))
        if past is not None:
            beyond = (*past(past.param).lines, Set(cut, past.param + 1))  # type: ignore[attr-defined]
            past = Lambda(past.param, Lines(beyond))
        return self.replace(end=end, loads=loads, stop=cut, past=past)

    @property
    def changing(self) -> tuple[Var, ...]:
        """The variables that differ from child to child."""
        return (self.cursor, *[line.var for line in self.loads])

    def load(self, ctx: Context) -> None:
        """Emit the locals of the child at the cursor."""
        for line in self.loads:
            ctx.set(line.var, line.value)
            if line.value.dtype == "int64":
                ctx.facts.define(line.var, line.value)
        for fact in self.facts:
            ctx.assume(fact)

    def load_if_any(self, hi: Expr, ctx: Context) -> None:
        """Load the child at the cursor, or one past the region's end where there is none."""
        inside = self.inside
        with ctx.block(inside) as found:
            self.load(ctx)
        with ctx.block() as beyond:
            assert self.past is not None
            for line in self.past(hi).lines:  # type: ignore[attr-defined]
                ctx.emit(line)
        ctx.branch([(inside, found), (TRUE, beyond)])
