"""From an array expression to a kernel: the passes in order. Read this first.

1. `index`     name the indices; a scalar expression over accesses of the operands
2. `schedule`  the structure of the result's modes, and the order of the loops
3. `assemble`  the program in concrete index notation, with its output and workspaces
4. `hashed`    the same with workspaces for rows that are too wide to be dense
5. `gallop`    the same with lists that leap
6. `scatter`   the same with rows of operands that are looked up in workspaces

All of these come from the structure alone. How much the operands of a call store decides which
of the programs is compiled (`_choice`):

7. `lower`     looplets, unfurled and lowered one by one under the rules
8. `drop_dead_code`      lines that nothing reads; sums that may be reassociated
9. `sums`      blocks and wider totals for sums of floats
10. `guard`    whether there is room for what is appended
11. `divide`   what is in many loops as functions of its own
12. `emit`     Python source, and its parameters
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from structarr._compiler.backend.build import Kernel, Param, build
from structarr._compiler.backend.kernel_source import Function, sources
from structarr._compiler.context import Context, TooLarge
from structarr._compiler.ir.arrays import ArrayExpr, Input
from structarr._compiler.ir.cin import Fiber, Stmt, Tensor, driver
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Index, Lit, Var, le
from structarr._compiler.ir.given import Natural, WholeArg, extent
from structarr._compiler.ir.kernel import Line, Set, assigned, used
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.show import show as as_text
from structarr._compiler.kernel_passes.blocked_sums import block_sums
from structarr._compiler.kernel_passes.capacity_checks import check_capacity
from structarr._compiler.kernel_passes.dead_code import drop_dead_code
from structarr._compiler.kernel_passes.outline_loops import outline_loops
from structarr._compiler.kernel_passes.resume_searches import resume_searches
from structarr._compiler.lowering.driver import lower, rooted
from structarr._compiler.rules.defaults import rules_with
from structarr._compiler.rules.engine import RuleSet, Simplifier, simplifier
from structarr._scheduler.allocation_bounds import RUNS, allocation_bound, has_other_fill
from structarr._scheduler.assemble import Output, Program, assemble
from structarr._scheduler.call_text import call_text
from structarr._scheduler.discordant import Discordant
from structarr._scheduler.fuse_results import fused
from structarr._scheduler.gallop import galloping
from structarr._scheduler.hashed_workspaces import hashed
from structarr._scheduler.indexing import Indexed, index, operands, source
from structarr._scheduler.loop_order import Schedule, Wanted, keeps_fill, schedules
from structarr._scheduler.reserved_names import reserved
from structarr._scheduler.scatter import scattered
from structarr._scheduler.structure import ModeStructure
from structarr._support.debug import debug
from structarr.errors import FormatError
from structarr.formats.base import Format, Level
from structarr.formats.kinds import is_sparse

MOST = 16  # programs of which one is picked
AXES = 32  # loops in each other, each of which is lowered within the one around it
OPERANDS, RESULTS = "ABDEFGHIJKLMNOPQRSTU", "CZYXWV"  # names in programs of several results


@dataclass(frozen=True)
class Request:
    """What a kernel is asked to compute; the key of the cache in memory."""

    root: ArrayExpr | None  # None where the program is given with its indices
    format: Format | None  # of the result; None for what the structure algebra says
    index: str  # dtype of the result's coordinates
    strict: bool
    prune: bool = False  # leave out values that equal the fill
    rules: RuleSet | None = None  # the user's, applied first
    transposed: bool = False  # operands were already transposed for the loops
    budget: int | None = None  # statements to lower at most


@dataclass(frozen=True)
class Result:
    """One of a kernel's results, and how much room it takes."""

    format: Format
    fill: Expr
    start: Expr | None
    counters: tuple[tuple[int, ...], ...]  # for each level, the places of its counters
    everywhere: bool  # what is not stored counts too: the kernel visits every fiber
    bounds: tuple[str | None, ...]  # for each level, a formula of `allocation_bounds`


@dataclass
class Compiled:
    """A kernel, and what a caller must know to call it."""

    kernel: Kernel
    program: Program
    block: tuple[Line, ...]
    params: tuple[Param, ...]
    arguments: tuple[Buffer | Var, ...]  # what the parameters stand for
    results: tuple[Result, ...]
    rules: RuleSet  # by which it was made, and by which fills that depend on a call are computed

    @property
    def format(self) -> Format:
        """The format of the first result."""
        return self.results[0].format


def programs(request: Request) -> tuple[Program, ...] | Discordant:
    """The programs that compute what is requested, the plainest first; or what is in their way.

    Raises
    ------
    FormatError
        If there are too many axes.
    """
    assert request.root is not None
    return programs_of(index(request.root), request)


def programs_of(indexed: Indexed, request: Request) -> tuple[Program, ...] | Discordant:
    """The same of an expression whose indices have names."""
    loops = len(indexed.result) + len(indexed.reduced)
    if loops > AXES:
        raise FormatError(
            f"{loops} axes are too many for one kernel, which takes at most {AXES}: merge some of "
            "them with reshape, or compute on .todense()"
        )
    rules = rules_with(request.rules, request.strict)
    simplify = simplifier(rules)
    wanted = None
    if request.format is not None:
        levels = request.format.levels[:-1]
        modes = tuple(ModeStructure(level.kind, level.details) for level in levels)
        wanted = Wanted(request.format.order, modes)
    plan, *others = schedules(indexed, simplify, wanted, request.transposed)
    if plan.transposed:
        read = [source(access) for access in operands(indexed.value)]
        conflict = any(read.count(one) > 1 for one in plan.transposed)
        return Discordant(_orders(indexed, plan), conflict, scheduled=True)
    if request.format is not None:
        sparse = any(is_sparse(level.kind) for level in request.format.levels)
        indexed.prune = request.prune and sparse and request.format.drops_fill
    found = []
    for one in (plan, *others):
        plain = assemble(indexed, one, simplify, request.index, request.format)
        for program in (plain, *hashed(plain)):
            found += [program, *galloping(program), *scattered(program)]
    return tuple(found[:MOST])


def programs_of_all(roots: Sequence[ArrayExpr], request: Request) -> tuple[Program, ...]:
    """The programs that compute several roots together; none where no loops serve all of them.

    Each result has the format that it has alone.
    """
    simplify = simplifier(rules_with(request.rules, request.strict))
    every = [index(root) for root in roots]
    numbers = {node.number for root in roots for node in root.nodes() if isinstance(node, Input)}
    if len(numbers) > len(OPERANDS) or len(roots) > len(RESULTS):
        return ()
    names = dict(zip(sorted(numbers), OPERANDS, strict=False))
    for one, name in zip(every, RESULTS, strict=False):
        one.names, one.name = names, name
    plans = [
        {plan.order: plan for plan in schedules(one, simplify, None) if not plan.transposed}
        for one in every
    ]
    found = []
    for order in plans[0]:
        if all(order in mine for mine in plans):
            alone = [
                assemble(one, mine[order], simplify, request.index, None)
                for one, mine in zip(every, plans, strict=True)
            ]
            whole = fused(alone)
            found += [] if whole is None else [whole]
    return tuple(found)


def _orders(indexed: Indexed, plan: Schedule) -> dict[int, tuple[int, ...]]:
    """The order of axes in which each operand to be transposed is to be stored, by number."""
    place = {one: k for k, one in enumerate(plan.order)}
    orders: dict[int, tuple[int, ...]] = {}
    for operand in plan.transposed:
        access = next(one for one in operands(indexed.value) if source(one) is operand)
        order = zip(access.indices, operand.format.order, strict=True)
        axes = sorted(order, key=lambda mode: place.get(driver(mode[0]), -1))  # type: ignore[call-overload]
        orders[operand.number] = tuple(axis for _, axis in axes)
    return orders


def compile_program(program: Program, rules: RuleSet, budget: int | None) -> Compiled | None:
    """The kernel of a program in concrete index notation; None if it would outgrow the budget."""
    show("cin", program.stmt)
    outs = tuple(output.tensor for output in program.outputs)
    try:
        block, ctx = lower_program(program.stmt, outs, program.temps, rules, budget)
    except TooLarge:
        return None
    params, arguments, counts = _signature(block, program, ctx)
    returned = "(" + "".join(f"{var.name}, " for var in counts) + ")" if counts else ""
    zeros = tuple(Set(var, Lit(INDEX, 0)) for var in ctx.counters.values())
    may_grow = frozenset(var for (tensor, _, _), var in ctx.counters.items() if _grows(tensor))
    asking = check_capacity(block, may_grow, _lengths(outs, ctx, params))
    whole, parts = outline_loops(zeros + asking, frozenset(counts))
    names = tuple(param.name for param in params)
    functions = [Function("kernel", names, whole, returned.replace(", )", ",)"))]
    functions += [Function(*part[:3], ", ".join(part.results)) for part in parts]
    text, plain = sources(functions)
    kernel = build(text, params, plain)
    simplify = simplifier(rules)
    results = tuple(_result(one, program, ctx, counts, simplify) for one in program.outputs)
    if debug("call"):
        print(call_text(params, results), file=sys.stderr)
    return Compiled(kernel, program, block, params, arguments, results, rules)


def _grows(tensor: Tensor) -> bool:
    """Whether the room for what a tensor counts is estimated, not the length of a row."""
    return tensor.role == "out" or "table" in tensor.format.root.buffers


def _lengths(outs: Sequence[Tensor], ctx: Context, params: Sequence[Param]) -> dict[Var, Expr]:
    """How long the fibers are whose children are counted, each at an index of its own."""
    given = {param.name for param in params}
    fibers = [fiber for out in outs for fiber, _ in _fibers(out) if fiber.level.ascends]
    return {
        ctx.counter(fiber): fiber.dim
        for fiber in fibers
        if isinstance(fiber.dim, Lit) or (isinstance(fiber.dim, Var) and fiber.dim.name in given)
    }


def _result(
    output: Output, program: Program, ctx: Context, counts: list[Var], simplify: Simplifier
) -> Result:
    levels = output.format.levels[:-1]
    counters: list[tuple[int, ...]] = []
    for depth, level in enumerate(levels):
        found = [ctx.counters[output.tensor, depth, tally] for tally in level.counters]
        counters.append(tuple(counts.index(var) for var in found))
    extents = _extents(output, program)
    drops = output.format.drops_fill  # else all the fibers of a band are written
    kinds = tuple(level.kind if drops or not level.regions else "dense" for level in levels)
    everywhere = not keeps_fill(output.holds, simplify)
    other = has_other_fill(output.holds, output.fill, simplify)
    bounds = []
    for k, level in enumerate(levels):
        near = _reach(levels, k)
        modes = output.modes[:near]
        every = everywhere or (other and kinds[near - 1] not in RUNS)  # runs count gaps as well
        formula = allocation_bound(
            output.holds.value, modes, kinds[:near], extents, simplify, every
        )
        bounds.append(formula if level.appends else None)
    start = output.tensor.start
    everywhere |= other
    return Result(output.format, output.fill, start, tuple(counters), everywhere, tuple(bounds))


def _extents(output: Output, program: Program) -> dict[Index, str]:
    """How long a result's modes are, as text over the lengths that a call gives."""
    place = {var: f"N[{k}]" for k, var in enumerate(program.lengths)}
    extents: dict[Index, str] = {}
    window = output.holds.reduced if output.holds.shifts else ()
    for i in output.holds.result + window:
        dim = output.holds.extents.get(i)
        own = extent(i)
        extents[i] = place[own if own in place else dim]  # type: ignore[index]
    for i, level in zip(output.modes, output.format.levels, strict=False):
        if level.kind == "const":
            extents[i] = "1"  # one child stands for all
    return extents


def _reach(levels: tuple[Level, ...], depth: int) -> int:
    """Past the last mode whose indices tell a level's children apart."""
    depth += 1
    while depth < len(levels) and levels[depth].continues_group:
        depth += 1
    return depth


def lower_program(
    stmt: Stmt,
    outs: tuple[Tensor, ...],
    temps: tuple[Tensor, ...],
    rules: RuleSet,
    budget: int | None = None,
    listener: Callable[[str, object], None] | None = None,
) -> tuple[tuple[Line, ...], Context]:
    """Lower a program whole: its locals, its loops, and what ends its outputs."""
    ctx = Context(rules, lower, budget, reserved(stmt, (*outs, *temps)))
    ctx.listener = show if listener is None and debug("looplets") else listener
    fibers = [one for out in outs for one in _fibers(out)]
    for fiber, _ in fibers:
        ctx.lines += fiber.level.locals(fiber)
        for tally in fiber.level.counters:
            ctx.counter(fiber, tally)
    for node in stmt.nodes():
        if isinstance(node, Natural):
            ctx.facts.assume(le(0, node))
    lower(rooted(stmt), ctx)
    for fiber, count in fibers:
        ctx.lines += fiber.level.finish(fiber, count, fiber.tensor in ctx.skipped)
    for temp in temps:
        if "idx" in temp.format.root.buffers:
            ctx.counter(temp.root())
    return block_sums(resume_searches(drop_dead_code(tuple(ctx.lines)))), ctx


def _fibers(out: Tensor) -> list[tuple[Fiber, Expr]]:
    """Each level of an output as a fiber, with how many fibers the level has."""
    found: list[tuple[Fiber, Expr]] = []
    fiber, count = out.root(), Lit(INDEX, 1)
    total: Expr = count
    while not fiber.level.leaf:
        found.append((fiber, total))
        if fiber.level.appends:
            name = f"{out.name}{fiber.depth}_n"
            total = Var(INDEX, name, True)
        else:
            total = fiber.level.total(fiber, total)
        fiber = fiber.child(fiber.pos)
    return found


def _signature(
    block: tuple[Line, ...], program: Program, ctx: Context
) -> tuple[tuple[Param, ...], tuple[Buffer | Var, ...], list[Var]]:
    """The kernel's parameters, buffers first; what they stand for; its results."""
    mentioned: set[Node] = used(block)
    written = _buffers((*(output.tensor for output in program.outputs), *program.temps))
    known = assigned(block) | set(ctx.counters.values())
    params: list[Param] = []
    made = {var.name for var in known if isinstance(var, Var)}  # by the kernel for itself
    buffers = [node for node in mentioned if isinstance(node, Buffer) and node.name not in made]
    buffers.sort(key=lambda one: one.name)
    for buffer in buffers:
        writable = buffer.name in written
        params.append(Param(buffer.name, buffer.dtype, True, writable, buffer.counts))
    free = [node for node in mentioned if isinstance(node, Var) and node not in known]
    free.sort(key=lambda one: one.name)
    for var in free:
        size = isinstance(var, Natural | WholeArg)
        params.append(Param(var.name, var.dtype, False, False, size))
    results = [v for (tensor, _, _), v in ctx.counters.items() if tensor.role == "out"]
    return tuple(params), (*buffers, *free), results


def _buffers(tensors: tuple[Tensor, ...]) -> set[str]:
    """The names of the buffers of some tensors."""
    found: set[str] = set()
    for tensor in tensors:
        fiber = tensor.root()
        while not fiber.level.leaf:
            found |= {fiber.buffer(name).name for name in fiber.level.buffers}
            fiber = fiber.child(fiber.pos)
        found.add(fiber.buffer("val").name)
    return found


def show(stage: str, what: object) -> None:
    """Print a stage where STRUCTARR_DEBUG asks for it."""
    if debug(stage):
        print(as_text(what), file=sys.stderr)
