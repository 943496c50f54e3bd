"""Scans before they have loops: the running result of a value along an index."""

from __future__ import annotations

from structarr._compiler.ir.expr import Expr, Index, Lit, Typed
from structarr._compiler.ir.ops import Op


class Scanned(Typed):
    """`start`, updated by the values of `arg` at all indices up to `index`, one after the other."""

    op: Op
    start: Lit
    arg: Expr
    index: Index
