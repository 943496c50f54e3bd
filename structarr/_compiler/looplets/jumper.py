"""Jumper: a stepper that leads, so that the others skip to where its next child matters."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.looplets.stepper import Stepper


class Jumper(Stepper):
    """A stepper whose stops the others seek, wherever its child's body annihilates."""

    priority: ClassVar[int] = 40
    is_leader: ClassVar[bool] = True
