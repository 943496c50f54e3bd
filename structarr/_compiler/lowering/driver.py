"""The driver: unfurl what a loop accesses, let the looplet of highest priority lower it, recurse.

It names no format and no looplet but the default: nodes of the program carry their own lowering.
"""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.effects import effects
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Fiber,
    Loop,
    Multi,
    Pass,
    Sieve,
    Stmt,
    Tensor,
    Where,
)
from structarr._compiler.ir.conditions import TRUE, Not
from structarr._compiler.ir.expr import Call, Expr, Lit
from structarr._compiler.ir.kernel import Set
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Local, State, Var
from structarr._compiler.looplets.base import Looplet, looplets, rewrite, standing
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.lowering.bounds_checks import (
    emit_bounds_error,
    out_of_bounds_choice,
    out_of_bounds_use,
    reads_array,
)
from structarr._compiler.lowering.random_access import access_at_random
from structarr._compiler.lowering.unfurl import unfurl
from structarr._compiler.lowering.writes import accumulate, loops_around, passes_over, write
from structarr._compiler.rules.written import carried, unopened, unwritten


def lower(stmt: Stmt, ctx: Context) -> None:
    """Emit the kernel lines of a statement."""
    if not ctx.goes_on():
        return
    stmt = _simplified(stmt, ctx)
    match stmt:
        case Pass():
            return
        case Multi(stmts):
            for one in stmts:
                lower(one, ctx)
            return
        case Where():
            _lower_where(stmt, ctx)
            return
    located = access_at_random(stmt, ctx)
    if located is not stmt:
        stmt = _simplified(located, ctx)
    outside = out_of_bounds_use(stmt)
    choice = None if outside is None else out_of_bounds_choice(stmt)
    if choice is not None and not reads_array(choice.args[0]):
        _lower_choice(stmt, choice, ctx)
        return
    if outside is not None and choice is None:
        emit_bounds_error(outside, ctx)
        return
    immediate = _immediate(stmt)
    if immediate is not None:
        ctx.say(f"{immediate.__name__} lowers", stmt)
        immediate.lower_stmt(stmt, ctx)
        return
    match stmt:
        case Loop():
            _lower_loop(stmt, ctx)
        case Sieve(cond, body):
            _lower_sieve(cond, body, ctx)
        case Assign():
            write(stmt, ctx)
        case _:
            lower(stmt, ctx)


def _simplified(stmt: Stmt, ctx: Context) -> Stmt:
    """A statement by the rewrite rules; outputs that it no longer opens are skipped."""
    simple: Stmt = ctx.simplify(stmt)
    if simple is not stmt:
        ctx.say("simplified", simple)
        ctx.skipped |= unopened(stmt) - unopened(simple)
    return simple


def _immediate(stmt: Stmt) -> type[Looplet] | None:
    """The class of the most urgent choice that does not wait for a loop."""
    found = [
        node.obj for node in standing(stmt) if isinstance(node.obj, Looplet) and node.obj.immediate
    ]
    first = max(found, key=lambda one: one.priority, default=None)
    return None if first is None else type(first)


def _lower_choice(stmt: Stmt, choice: Call, ctx: Context) -> None:
    """Lower each side of a choice in a branch of its own: as in Python, only one is read."""
    cond, *sides = choice.args
    if choice.op.name == "logical_and":
        sides = [*sides, Lit("bool", False)]
    elif choice.op.name == "logical_or":
        sides = [Lit("bool", True), *sides]
    arms = []
    for fact, value in zip((cond, TRUE), sides, strict=True):
        with ctx.block() as lines:
            lower(substitute(stmt, {choice: value}), ctx)
        arms.append((fact, lines))
    ctx.branch(arms)


def _lower_loop(loop: Loop, ctx: Context) -> None:
    """Open what a loop accesses, and let the most urgent looplet lower it."""
    loop, written = unfurl(loop, ctx)
    ctx.skipped |= {fiber.tensor for fiber in written if passes_over(loop, fiber)}
    accumulators: dict[Access, tuple[Fiber, Var]] = {}
    with ctx.block() as lines:
        loop = accumulate(loop, accumulators, ctx)
        ctx.say("looplets", loop)
        found = looplets(loop)
        kind: type[Looplet] = max(
            (type(one) for one in found), key=lambda one: one.priority, default=Lookup
        )
        _check_tie(kind, found)
        ctx.say(f"{kind.__name__} lowers", loop)
        before, after = loops_around(loop, written)
        for part in before:
            lower(part, ctx)
        kind.lower(loop, ctx)
        for part in after:
            lower(part, ctx)
        if effects(lines):
            for fiber, total in accumulators.values():
                fiber.level.writing.write(fiber, total, ctx)
    ctx.emit(*lines)
    for fiber in written:
        fiber.level.writing.close(fiber, ctx)


def _lower_sieve(cond: Expr, body: Stmt, ctx: Context) -> None:
    """Lower a guarded statement; elsewhere, outputs that record every visit are told."""
    rest = unwritten(body)
    ctx.skipped |= unopened(body) - unopened(rest)
    with ctx.block(cond) as lines:
        lower(body, ctx)
    if isinstance(rest, Pass):
        ctx.when(cond, lines)
        return
    with ctx.block(Not(cond)) as others:
        lower(rest, ctx)
    ctx.branch([(cond, lines), (TRUE, others)])


def _check_tie(kind: type[Looplet], found: tuple[Looplet, ...]) -> None:
    """Refuse two classes of looplets between which nothing decides."""
    for one in found:
        if type(one) is not kind and type(one).priority == kind.priority:
            raise TypeError(
                f"looplets {kind.__name__} and {type(one).__name__} have the same priority "
                f"{kind.priority} and meet in one loop; give one of them another"
            )


def _lower_where(where: Where, ctx: Context) -> None:
    """Make the temporaries, then use them."""
    with ctx.block() as lines:
        scalars: dict[Node, Node] = {}
        spaces: list[Fiber] = []
        states = carried(where)
        for temp in where.temps:
            if temp.dims:
                spaces.append(temp.root())
                temp.format.root.writing.begin(temp.root(), ctx)
            else:
                kind = State if temp in states else Local
                var = ctx.fresh(temp.name.lower(), temp.dtype, True, kind)
                assert temp.start is not None
                ctx.emit(Set(var, temp.start))
                scalars[Access(temp.dtype, temp.root(), ())] = Access(temp.dtype, var, ())
                scalars[temp.format.root.reading.read(temp.root())] = var
        lower(substitute(where.producer, scalars), ctx)
        for fiber in spaces:
            fiber.level.writing.freeze(fiber, ctx)
        lower(substitute(where.consumer, scalars), ctx)
        for fiber in spaces:
            fiber.level.writing.clear(fiber, ctx)
    ctx.emit(*lines)


def rooted(stmt: Stmt) -> Stmt:
    """The program with every tensor replaced by its outermost fiber."""

    def enter(access: Access) -> Node | None:
        if not isinstance(access.obj, Tensor):
            return None
        return Access(access.dtype, access.obj.root(), access.indices)

    return rewrite(stmt, enter)
