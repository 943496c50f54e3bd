"""Stepper: unboundedly many children, one after the other, found through a cursor.

One stepper alone becomes a counted loop. Several are coiterated by case analysis on the order in
which their children end; see `stepper_coiterate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.effects import effects
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import Expr
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, looplets
from structarr._compiler.looplets.stepper_affine import can_turn, reindexed
from structarr._compiler.looplets.stepper_branchless import lower_branchless
from structarr._compiler.looplets.stepper_coiterate import coiterate
from structarr._compiler.looplets.stepper_lookup import lower_lookup
from structarr._compiler.looplets.stepper_merge import can_merge, lower_merged
from structarr._compiler.looplets.stepper_pace import at_one_pace
from structarr._compiler.looplets.stepper_walk import lower_one
from structarr._compiler.looplets.steps import Steps


class Lowered(Steps):
    """Steps with their lowering, which is that of all the steppers and jumpers of a loop."""

    @property
    def reversible(self) -> bool:
        """Whether the format says how to step back."""
        return can_turn(self)

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """Move the stops and the extent; indices are sought where they were."""
        return reindexed(self, by, ctx)

    @staticmethod
    def are_merged(loop: Loop, steppers: Sequence[Steps], ctx: Context) -> bool:
        """Whether their stops are known."""
        return can_merge(loop, steppers, ctx)

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """A counted loop for one stepper, case analysis for several."""
        steppers = [one for one in looplets(loop) if isinstance(one, Steps)]
        nonempty = lt(loop.lo, loop.hi)
        if ctx.proves(nonempty) or not any(one.overruns(loop, ctx) for one in steppers):
            _lower(loop, steppers, ctx)
            return
        with ctx.block(nonempty) as lines:
            _lower(loop, steppers, ctx)
        if effects(lines):
            ctx.when(nonempty, lines)


class Stepper(Lowered):
    """
    Looplet of children one after the other, each up to its own stop; none leads.

    The region of a loop over steppers ends where the first child of any of them does. The fields
    are those of `Steps`.

    See Also
    --------
    Steps : The fields.
    Jumper : The same as a leader.
    Pipeline : A few children that are known beforehand.

    Examples
    --------
    >>> from structarr.looplets import Jumper, Stepper
    >>> Stepper.is_leader, Jumper.is_leader
    (False, True)
    """

    priority: ClassVar[int] = 30


class Jumper(Lowered):
    """
    Looplet of children one after the other that lead: other operands skip to their stops.

    That holds where the values between the stops annihilate.     The fields are those of `Steps`.

    See Also
    --------
    Steps : The fields.
    Stepper : The same without a leader.
    structarr.gallop : Reads an array by jumpers.

    Examples
    --------
    >>> from structarr.looplets import Jumper, Steps
    >>> issubclass(Jumper, Steps)
    True
    """

    priority: ClassVar[int] = 40
    is_leader: ClassVar[bool] = True


def _lower(loop: Loop, steppers: list[Steps], ctx: Context) -> None:
    beside, left = at_one_pace(loop, steppers, ctx)
    if len(left) == 1:
        lower_one(beside, left[0], ctx)
    elif not (
        lower_merged(loop, steppers, ctx)  # by cursors of its own, of which `beside` knows nothing
        or lower_lookup(beside, left, ctx)
        or lower_branchless(beside, left, ctx)
    ):
        coiterate(beside, left, ctx)
