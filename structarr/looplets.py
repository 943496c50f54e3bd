"""Looplets: what a format's protocols return, for those who write formats or looplets.

`docs/conventions.md` says what each means; `function` stores a Python function of one index, and a
`Context` collects the lines of the kernel that is being written.

Examples
--------
>>> from structarr.cin import INDEX, Lit
>>> Run(Lit(INDEX, 7))
Run(Lit('int64', 7, False))
"""

from structarr._compiler.context import Context as Context
from structarr._compiler.looplets.accept import Accept as Accept
from structarr._compiler.looplets.affine import Affine as Affine
from structarr._compiler.looplets.base import (
    Lambda as Lambda,
    Looplet as Looplet,
    annihilates as annihilates,
    exchange as exchange,
    function as function,
    looplets as looplets,
    narrow as narrow,
)
from structarr._compiler.looplets.discard import Discard as Discard
from structarr._compiler.looplets.let import Let as Let, Simplify as Simplify
from structarr._compiler.looplets.lookup import Lookup as Lookup
from structarr._compiler.looplets.motion import Motion as Motion
from structarr._compiler.looplets.pipeline import Phase as Phase, Pipeline as Pipeline
from structarr._compiler.looplets.run import Run as Run
from structarr._compiler.looplets.scale import Scale as Scale
from structarr._compiler.looplets.shift import Shift as Shift
from structarr._compiler.looplets.spike import Spike as Spike
from structarr._compiler.looplets.stepper import Jumper as Jumper, Stepper as Stepper
from structarr._compiler.looplets.steps import Steps as Steps
from structarr._compiler.looplets.switch import Case as Case, Switch as Switch
