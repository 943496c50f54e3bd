"""Looplets of the package that the one that is checked meets, with their elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Lit
from structarr._compiler.ir.kernel import Lines, Set
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.stepper import Jumper, Stepper
from structarr._compiler.looplets.steps import Steps
from structarr._compiler.looplets.switch import Case, Switch
from structarr._testing.looplets.opening import EXTENT
from structarr.formats.entries import Array

Given = dict[str, Any]
VALUES = "partner_val"


class Partner(NamedTuple):
    """A looplet, and from a length its elements and what the kernel is given for it."""

    name: str
    looplet: Looplet
    data: Callable[[int], tuple[Array, Given]]
    starts: tuple[Set, ...] = ()  # what the kernel begins with


def partners(dtype: str) -> list[Partner]:
    """One of each kind, of a dtype."""
    val, var = Buffer(VALUES, dtype), Var(dtype, "partner_v")
    lo = Var(INDEX, "partner_lo")
    inside = Lookup(function("i", lambda i: val[i]))
    outside = Run(Lit(dtype, np.dtype(dtype).type(0).item(), True))
    band = Pipeline((Phase(lo, outside), Phase(None, inside)))

    def looked_up(n: int) -> tuple[Array, Given]:
        values = np.arange(1, n + 1).astype(dtype)
        return values, {VALUES: values}

    def run(n: int) -> tuple[Array, Given]:
        return np.full(n, 3, dtype), {var.name: np.dtype(dtype).type(3)}

    def spike(n: int) -> tuple[Array, Given]:
        values = np.zeros(n, dtype)
        values[n - 1 :] = 3
        return values, {var.name: np.dtype(dtype).type(3)}

    def shifted(n: int) -> tuple[Array, Given]:
        values = np.arange(1, n + 1).astype(dtype)
        dense = np.where(np.arange(n) < n // 2, np.zeros(n, dtype), values)
        return dense, {VALUES: values, lo.name: n // 2}

    def chosen(n: int) -> tuple[Array, Given]:
        dense, given = looked_up(n)
        return (dense if n > 2 else np.zeros(n, dtype)), {**given, lo.name: n}

    choice = Switch((Case(lt(2, lo), inside), Case(TRUE, outside)))
    tail = Spike(outside.body, var)
    return [
        Partner("Lookup", inside, looked_up),
        Partner("Run", Run(var), run),
        Partner("Spike", tail, spike),
        Partner("Pipeline", band, shifted),
        Partner("Switch", choice, chosen),
        _list(Stepper, dtype),
        _list(Jumper, dtype),
        _runs(dtype),
    ]


def _list(kind: type[Steps], dtype: str) -> Partner:
    """Every second index and the last, stored in a list."""
    idx, val = Buffer("partner_idx", INDEX, True), Buffer(VALUES, dtype)
    cursor, at, end = (Var(INDEX, f"partner_{name}") for name in ("q", "i", "end"))
    fill = Lit(dtype, np.dtype(dtype).type(0).item(), True)

    def reach(i: Expr) -> Expr:
        return Helper(INDEX, "search", (idx, i, cursor, end))

    looplet = kind(
        cursor=cursor,
        end=end,
        loads=(Set(at, idx[cursor]),),
        stop=at + 1,
        body=Spike(fill, val[cursor]),
        rest=Run(fill),
        seek=function("i", reach),
        clamp=function("i", reach),
        past=function("hi", lambda hi: Lines((Set(at, hi),))),
        first=Lit(INDEX, 0),
        last=EXTENT,
    )

    def data(n: int) -> tuple[Array, Given]:
        stored = np.unique([*range(1, n, 2), n - 1]) if n else np.empty(0, int)
        dense, values = np.zeros(n, dtype), np.arange(1, len(stored) + 1).astype(dtype)
        dense[stored] = values
        return dense, {idx.name: stored, VALUES: values, end.name: len(stored)}

    return Partner(kind.__name__, looplet, data, (Set(cursor, Lit(INDEX, 0)),))


def _runs(dtype: str) -> Partner:
    """Runs of length two that cover the extent."""
    stops, val = Buffer("partner_stop", INDEX, True), Buffer(VALUES, dtype)
    cursor, stop, end = (Var(INDEX, f"partner_{name}") for name in ("q", "s", "end"))
    value = Var(dtype, "partner_v")
    looplet = Stepper(
        cursor=cursor,
        end=end,
        loads=(Set(stop, stops[cursor]), Set(value, val[cursor])),
        stop=stop,
        body=Run(value),
        rest=None,
        seek=function("i", lambda i: Helper(INDEX, "search", (stops, i + 1, cursor, end))),
        clamp=function("i", lambda i: Helper(INDEX, "search", (stops, i, cursor, end)) + 1),
        past=None,
        first=Lit(INDEX, 0),
        last=EXTENT,
    )

    def data(n: int) -> tuple[Array, Given]:
        ends = np.unique([*range(2, n, 2), n]) if n else np.empty(0, int)
        values = np.arange(1, len(ends) + 1).astype(dtype)
        dense = np.repeat(values, np.diff(ends, prepend=0))
        return dense, {stops.name: ends, VALUES: values, end.name: len(ends)}

    return Partner("Stepper of runs", looplet, data, (Set(cursor, Lit(INDEX, 0)),))
