"""`check_looplet`: looplets that keep their contract, and one that breaks each clause of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from handmade import FILL, FLOAT, INDEX, I, Made, N, assigned, band, lookup, run, runs, steps

import structarr as sa
from structarr._compiler.ir.kernel import Break, While
from structarr._scheduler import pipeline
from structarr._testing.looplets.clauses import CLAUSES
from structarr.cin import Access, Buffer, Expr, Lit, Loop, Var, lt, substitute
from structarr.looplets import (
    Affine,
    Context,
    Lambda,
    Lookup,
    Looplet,
    Run,
    Spike,
    exchange,
    function,
    narrow,
)
from structarr.rules import default_rules

VAL = Buffer("x_val", FLOAT)
STORED = function("i", lambda i: VAL[i])
SAMPLES = [(values, {"x_val": values}) for values in (np.arange(1.0, n + 1) for n in (0, 1, 4))]
EQUAL = [(np.full(n, 3.0), {"x_val": np.full(n, 3.0)}) for n in (0, 1, 4)]


class Stored(Looplet):
    """`body(i)` at index i, as a look-up has it."""

    body: Lambda
    priority: ClassVar[int] = 46

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """As look-ups."""
        ctx.lower(exchange(loop, lambda one: Lookup(one.body) if isinstance(one, cls) else one))


class Ending(Looplet):
    """Zero, but for a value at the end of the region."""

    tail: Var
    priority: ClassVar[int] = 47

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """As a spike."""
        return Spike(FILL, self.tail).truncate(ctx, old_hi, hi)

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """As spikes."""
        ctx.lower(exchange(loop, lambda one: Spike(FILL, one.tail) if type(one) is cls else one))


def check(make: Any, samples: Any = SAMPLES) -> None:
    sa.testing.check_looplet(make, samples)


@pytest.mark.parametrize(
    "made",
    [
        lambda n: run("x", 3.0, n),
        lambda n: steps("x", [i for i in range(n) if i % 3 == 1], n),
        lambda n: runs("x", sorted({min(3, n), n} - {0}), n),
        pytest.param(lambda n: lookup("x", np.arange(1.0, n + 1)), marks=pytest.mark.long),
        pytest.param(
            lambda n: steps("x", [i for i in range(n) if i % 3 != 1], n, leads=True),
            marks=pytest.mark.long,
        ),
        pytest.param(lambda n: band("x", n // 3, n // 2, n), marks=pytest.mark.long),
    ],
)
def test_looplets_of_the_package_keep_the_contract(made: Callable[[int], Made]) -> None:
    def make(n: Expr, ctx: Context) -> Looplet:
        one = made(6)
        for cursor in one.cursors:
            ctx.set(cursor, Lit(INDEX, 0))
        return substitute(one.looplet, {N: n})

    check(make, [(one.values, one.given) for one in map(made, (0, 1, 6))])


def test_looplets_from_outside_keep_the_contract() -> None:
    check(Stored(STORED))
    ends = [(np.eye(1, n, n - 1)[0] * 7, {"x_tail": 7.0}) for n in (0, 1, 4)]
    check(Ending(Var(FLOAT, "x_tail")), ends)


def test_booleans_are_met_by_logic() -> None:
    buffer = Buffer("x_val", "bool")
    given = [np.arange(n) % 2 == 0 for n in (0, 1, 3)]
    check(Lookup(function("i", lambda i: buffer[i])), [(one, {"x_val": one}) for one in given])


# ------------------------------------------------- a looplet for each clause that it breaks

BROKEN: dict[str, tuple[Any, Any]] = {}


def breaks(clause: str, *args: Any, samples: Any = SAMPLES) -> Callable[[Any], Any]:
    def note(kind: Any) -> Any:
        BROKEN[clause] = (kind(*args) if isinstance(kind, type) else kind, samples)
        return kind

    return note


@breaks("fields", lambda i: VAL[i])
class Closing(Looplet):
    read: Callable[[Expr], Expr]
    priority: ClassVar[int] = 48

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        ctx.lower(
            exchange(loop, lambda one: Lookup(function("i", one.read)) if type(one) is cls else one)
        )


@breaks("lowers", STORED)
class Unlowered(Looplet):
    body: Lambda
    priority: ClassVar[int] = 49


@breaks("ends", STORED)
class Circling(Looplet):
    body: Lambda
    priority: ClassVar[int] = 51

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        ctx.lower(loop)


BROKEN["values"] = Lookup(function("i", lambda i: VAL[0])), SAMPLES
BROKEN["reads"] = Lookup(function("i", lambda i: VAL[i + 1])), SAMPLES
BROKEN["given"] = Run(Var(FLOAT, "x_other")), EQUAL


@breaks("truncate", Var(FLOAT, "x_tail"))
class Whole(Looplet):
    """Whose value at the end of the region stays there as the region is cut."""

    tail: Var
    priority: ClassVar[int] = 52

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        ctx.lower(exchange(loop, lambda one: Spike(FILL, one.tail) if type(one) is cls else one))


BROKEN["truncate"] = (
    BROKEN["truncate"][0],
    [(np.eye(1, n, n - 1)[0] * 7, {"x_tail": 7.0}) for n in (0, 1, 4)],
)


class Looked(Looplet):
    """What the others that are looked up have in common."""

    body: Lambda

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        ctx.lower(exchange(loop, lambda one: Lookup(one.body) if type(one) is cls else one))


@breaks("reindexed", STORED)
class Unmoved(Looked):
    priority: ClassVar[int] = 53

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        return self


@breaks("reversible", STORED)
class Onward(Looked):
    priority: ClassVar[int] = 54
    reversible: ClassVar[bool] = True

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        if by.factor < 0:
            by = Affine(-by.factor, by.offset - by.offset)
        return Lookup(self.body).reindexed(by, end, ctx)


@breaks("at", STORED)
class Beside(Looked):
    priority: ClassVar[int] = 55

    def at(self, index: Expr) -> Any:
        return VAL[index - index]


@breaks("repeated", STORED)
class Repeating(Looked):
    priority: ClassVar[int] = 56

    @property
    def repeated(self) -> Any:
        return VAL[0]


@breaks("company", STORED)
class Alone(Looplet):
    """Which takes all that it meets for its like, at the first index."""

    body: Lambda
    priority: ClassVar[int] = 57

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        def element(one: Looplet) -> Looplet:
            if isinstance(one, cls):
                return Lookup(one.body)
            return one if one.writes else Run(Lit(FLOAT, 1.0))

        ctx.lower(exchange(loop, element))


@breaks("facts", STORED)
class Assuming(Looked):
    priority: ClassVar[int] = 58

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        ctx.assume(lt(loop.lo, loop.hi))
        super().lower(loop, ctx)


@breaks("steps", STORED)
class Staying(Looplet):
    body: Lambda
    priority: ClassVar[int] = 59

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        here = ctx.fresh("here")
        ctx.set(here, loop.lo)
        with ctx.turn((here,)) as lines:
            ctx.branch([(lt(loop.hi, here + 1), [Break()])])
            each = exchange(loop, lambda one: Lookup(one.body) if type(one) is cls else one)
            ctx.lower(narrow(each, here, here + 1, ctx))
        ctx.emit(While(tuple(lines)))


@breaks("priority", STORED)
class Tied(Looked):
    priority: ClassVar[int] = 80


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_looplet_that_breaks_a_clause_is_told_which(clause: str) -> None:
    looplet, samples = BROKEN[clause]
    with pytest.raises(AssertionError, match=rf"breaks clause '{clause}' \("):
        check(looplet, samples)


def test_samples_that_do_not_serve_are_refused() -> None:
    with pytest.raises(ValueError, match="no and of one element"):
        check(Stored(STORED), SAMPLES[1:])
    with pytest.raises(ValueError, match="one dtype"):
        check(Stored(STORED), [*SAMPLES, (np.ones(2, int), {"x_val": np.ones(2, int)})])
    with pytest.raises(ValueError, match="one axis"):
        check(Stored(STORED), [(np.ones((n, 1)), {}) for n in (0, 1)])
    with pytest.raises(ValueError, match="'check_me' another name"):
        check(Stored(STORED), [(np.ones(n), {"check_me": 1}) for n in (0, 1)])


def test_what_is_no_looplet_is_refused_as_a_loop_is_lowered() -> None:
    class Gone(Looked):
        priority: ClassVar[int] = 61

        def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Any:
            return hi

    with pytest.raises(AssertionError, match=r"takes the place of looplet Gone in a loop"):
        check(Gone(STORED))


def test_a_looplet_that_goes_in_circles_is_told_as_a_program_is_lowered() -> None:
    stmt, out = assigned(Access(FLOAT, Circling(STORED), (I,)))
    with pytest.raises(RecursionError, match="hands on the loop that it was given"):
        pipeline.lower_program(stmt, (out,), (), default_rules(False))
