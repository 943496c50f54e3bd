"""The passes from an expression to a kernel, by name and in order. Read this first.

`PASSES` is the table of contents of the scheduler and the compiler. The rewritings of a graph come
before: `_execute/passes.py` has the list of those. `_execute/planner.py` runs them, and asks for
the programs of each call of a kernel that is left. Programs of loops that the user orders begin at
`assemble_loops`.

The passes up to `scattered` look at structure alone. Then `_execute/program_choice.py` picks one
of the programs by the counts of a call's operands, and only that one is compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from structarr._compiler.backend.kernel import build
from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Stmt, Tensor
from structarr._compiler.ir.conditions import le
from structarr._compiler.ir.expr import INDEX, Expr, Lit
from structarr._compiler.ir.given import Natural
from structarr._compiler.ir.kernel import Function, Set
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.show import show as as_text
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.adjacent_loops import join_adjacent_loops
from structarr._compiler.kernel_passes.blocked_sums import block_sums
from structarr._compiler.kernel_passes.blocks import Block
from structarr._compiler.kernel_passes.capacity_checks import check_capacity
from structarr._compiler.kernel_passes.dead_code import drop_dead_code
from structarr._compiler.kernel_passes.dead_fills import drop_dead_fills
from structarr._compiler.kernel_passes.early_ends import end_early
from structarr._compiler.kernel_passes.flat_groups import flatten_groups
from structarr._compiler.kernel_passes.nan_extremes import pass_over_nan
from structarr._compiler.kernel_passes.outline_loops import outline_loops
from structarr._compiler.kernel_passes.paired_rows import pair_rows
from structarr._compiler.kernel_passes.paired_sums import pair_sums
from structarr._compiler.kernel_passes.relax_sums import relax_sums
from structarr._compiler.kernel_passes.resume_searches import resume_searches
from structarr._compiler.kernel_passes.shared_places import share_places
from structarr._compiler.kernel_passes.short_rows import unroll_short_rows
from structarr._compiler.kernel_passes.tile_sums import sum_tiles
from structarr._compiler.kernel_passes.vector_calls import vector_calls
from structarr._compiler.kernel_passes.whole_rows import split_whole_rows
from structarr._compiler.lowering.driver import lower, rooted
from structarr._compiler.rules.defaults import rules_with
from structarr._compiler.rules.engine import RuleSet, simplifier
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.assemble import Program, assemble
from structarr._scheduler.call_text import call_text
from structarr._scheduler.compiled import Compiled, Request, parts_of
from structarr._scheduler.discordant import Discordant, discordant
from structarr._scheduler.explicit_loops import assemble_loops
from structarr._scheduler.fuse_results import fused_programs
from structarr._scheduler.gallop import galloping
from structarr._scheduler.hashed_workspaces import hashed
from structarr._scheduler.indexing import Indexed, index
from structarr._scheduler.loop_order import finishing, schedules
from structarr._scheduler.mirrored import are_mirrored, mirrored
from structarr._scheduler.result_bounds import result_of
from structarr._scheduler.result_structure import Wanted
from structarr._scheduler.scatter import scattered
from structarr._scheduler.signature import fibers, signature
from structarr._support import events
from structarr._support.debug import debug
from structarr.errors import FormatError
from structarr.formats.kind import ModeStructure

MOST = 16  # the most candidate programs
AXES = 32  # the most nested loops, as lowering recurses


class Pass(NamedTuple):
    """A pass: its name, which is that of its function, and what it does."""

    run: Callable[..., Any]
    effect: str

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(self.run.__name__)


SCHEDULING = (
    Pass(Builder, "Structure and operands of a graph are separated: an array expression."),
    Pass(index, "Indices get names: a scalar expression over accesses of the operands."),
    Pass(schedules, "Structure of the result's modes, and orders of the loops, the best first."),
    Pass(discordant, "Operands to be transposed first, where no order reads all as they are."),
    Pass(assemble, "Levels of the result, workspaces, and the program in concrete index notation."),
    Pass(mirrored, "Loops over a symmetric matrix end at its diagonal: elements count twice."),
    Pass(assemble_loops, "The same for a program whose loops the user has ordered."),
    Pass(fused_programs, "One program for several results that the same loops compute."),
    Pass(hashed, "Variant: hashed workspaces for rows that are too wide to be dense."),
    Pass(galloping, "Variant: lists that leap over each other where they meet."),
    Pass(scattered, "Variant: rows that are read again and again, looked up in workspaces."),
)
LOWERING = (
    Pass(lower, "Accesses are unfurled to looplets, and these lowered one by one under the rules."),
    Pass(share_places, "Results that store at the places of an operand share its coordinates."),
)
CLEANING = (
    Pass(drop_dead_code, "Lines that nothing reads, and branches that are never taken, are gone."),
    Pass(split_whole_rows, "Rows that have all of their diagonals get a loop without searches."),
    Pass(join_adjacent_loops, "Loops over adjacent fibers become one loop over their children."),
    Pass(drop_dead_fills, "What a loop overwrites next is not filled before."),
    Pass(flatten_groups, "Entries are gone along one by one where their rows need no loop."),
    Pass(relax_sums, "Updates of floats in straight loops may be reassociated, and vectorise."),
    Pass(resume_searches, "Searches in a row continue where the last one ended."),
    Pass(block_sums, "Sums of floats are cut into blocks, whose sums are added without loss."),
    Pass(sum_tiles, "Sums of a known few terms within a loop begin anew, and are added at once."),
    Pass(pass_over_nan, "Extremes without NaN are looked for by vectors, and again where one is."),
    Pass(end_early, "Inner loops, and loops of loops, end where a boolean is settled."),
    Pass(pair_sums, "Sums of looked up values in inner loops are added up by pairs."),
    Pass(vector_calls, "NumPy's functions are applied to blocks of a result, as vectors."),
    Pass(unroll_short_rows, "Rows of a few elements are updated by all turns, some at once."),
    Pass(pair_rows, "Rows that are added to a row are added two at a time."),
)
FINISHING = (
    Pass(signature, "Parameters of the kernel, and the counts that it returns."),
    Pass(check_capacity, "Appending asks for room: no result outgrows its buffers."),
    Pass(outline_loops, "Loops nested too deeply for Python become functions."),
    Pass(build, "Targets make the kernel callable: a text, interpreted or compiled."),
    Pass(result_of, "Bounds of what each level of a result stores, for its allocation."),
)
PASSES = (*SCHEDULING, *LOWERING, *CLEANING, *FINISHING)
"""Every pass, in order; those of `CLEANING` take and return a block of kernel lines."""


def programs(request: Request) -> tuple[Program, ...] | Discordant:
    """The programs of a request, the plainest first, or the operands to be transposed first.

    There may be none of an epilogue, and of a sum that is begun.

    Raises
    ------
    FormatError
        If there are too many axes.
    """
    assert request.root is not None
    indexed = index(request.root)
    found = programs_of(indexed, request)
    if not found and indexed.then is None and not request.begun:
        raise NotImplementedError("no order of the loops can compute this expression")
    return found


def programs_of(indexed: Indexed, request: Request) -> tuple[Program, ...] | Discordant:
    """The programs of an expression whose indices have names; none if it has no order of loops."""
    loops = len(indexed.result) + len(indexed.reduced)
    if loops > AXES:
        raise FormatError(
            f"{loops} axes are too many for one kernel, which takes at most {AXES}: merge some of "
            "them with reshape, or compute on .todense()"
        )
    simplify, wanted = simplifier(rules_with(request.rules, request.strict)), None
    if request.format is not None:
        levels = request.format.levels[:-1]
        modes = tuple(ModeStructure(level.kind, level.details) for level in levels)
        wanted = Wanted(request.format.order, modes)
    plans = schedules(indexed, simplify, wanted, request.transposed)
    if indexed.then is not None:
        plans = [] if are_mirrored(indexed) else finishing(plans)
    if request.begun:
        indexed.begun = True
        plans = [plan for plan in plans if not plan.workspace]
    if not plans:
        return ()
    moved = discordant(indexed, plans[0])
    if moved is not None:
        return moved
    if request.format is not None:
        sparse = any(level.kind.is_sparse for level in request.format.levels)
        indexed.prune = request.prune and sparse and request.format.drops_fill
    found = []
    for plan in plans:
        plain = mirrored(assemble(indexed, plan, simplify, request.index, request.format))
        for program in (plain, *hashed(plain)):
            found += [program, *galloping(program), *scattered(program)]
    return tuple(found[:MOST])


def compile_program(program: Program, rules: RuleSet, budget: int | None) -> Compiled | None:
    """The kernel of a program in concrete index notation; None if it would outgrow the budget."""
    show("cin", program.stmt)
    start = perf_counter()
    outs = tuple(output.tensor for output in program.outputs)
    block, ctx = lower_program(program.stmt, outs, program.temps, rules, budget, shares=True)
    if ctx.is_spent:
        return None
    params, arguments, counts = signature(block, program, ctx)
    zeros = tuple(Set(var, Lit(INDEX, 0)) for var in ctx.counters.values())
    counted = ((tensor.format.levels[k], var) for (tensor, k, _), var in ctx.counters.items())
    may_grow = frozenset(var for level, var in counted if level.writing.estimated)
    checked = check_capacity(block, may_grow, _lengths(outs, ctx, arguments))
    whole, parts = outline_loops(zeros + checked, frozenset(counts))
    kernel = build([Function("kernel", arguments, whole, tuple(counts)), *parts], params)
    events.tell("lowered", (kernel, program.stmt), perf_counter() - start)
    simplify = simplifier(rules)
    results = tuple(
        result_of(one, program, block, ctx, counts, simplify) for one in program.outputs
    )
    if debug("call"):
        print(call_text(arguments, params, results), file=sys.stderr)
    made = (kernel, parts_of(program), params, arguments, results, rules, ctx.spent)
    return Compiled(*made, lambda: program)


def _lengths(outs: Sequence[Tensor], ctx: Context, given: Sequence[Node]) -> dict[Var, Expr]:
    """The lengths of fibers whose children are counted, each at an index of its own."""
    ascending = [one for out in outs for one, _ in fibers(out) if one.level.writing.ascends]
    return {
        ctx.counter(fiber): fiber.dim
        for fiber in ascending
        if isinstance(fiber.dim, Lit) or fiber.dim in given
    }


def lower_program(
    stmt: Stmt,
    outs: tuple[Tensor, ...],
    temps: tuple[Tensor, ...],
    rules: RuleSet,
    budget: int | None = None,
    listener: Callable[[str, Node], None] | None = None,
    checked: bool = False,
    shares: bool = False,
) -> tuple[Block, Context]:
    """The lines of a program: its locals, its loops, and the ends of its outputs; cleaned.

    There are none where the budget is spent. With `shares`, an output is to have the coordinates of
    an operand where it stores at the same places.
    """
    ctx = Context(rules, lower, budget, checked)
    ctx.listener = show if listener is None and debug("looplets") else listener
    written = [one for out in outs for one in fibers(out)]
    for fiber, _ in written:
        ctx.emit(*fiber.level.writing.locals(fiber))
        for counter in fiber.level.writing.counters:
            ctx.counter(fiber, counter)
    for node in stmt.nodes():
        if isinstance(node, Natural):
            ctx.assume(le(0, node))
    try:
        lower(rooted(stmt), ctx)
    except RecursionError as error:
        raise RecursionError(
            "the program is nested too deeply, or the `lower` of a looplet hands on the loop that "
            "it was given; structarr.testing.check_looplet tells"
        ) from error
    if ctx.is_spent:
        return (), ctx
    for fiber, count in written:
        ctx.emit(*fiber.level.writing.finish(fiber, count, fiber.tensor in ctx.skipped))
    for temp in temps:
        for counter in temp.format.root.writing.counters:
            ctx.counter(temp.root(), counter)
    block = tuple(ctx.lines)
    if shares:
        block = _shared(block, stmt, outs, ctx)
    for one in CLEANING:
        block = one.run(block)
    return block, ctx


def _shared(block: Block, stmt: Stmt, outs: tuple[Tensor, ...], ctx: Context) -> Block:
    """A kernel that writes no coordinates that an operand has; the context has the operands."""
    operands = [one for one in stmt.every(Tensor) if one.role == "in"]
    for out in outs:
        if any(one.format is out.format for one in operands):
            block = drop_dead_code(block)
            found = share_places(block, out, operands)
            if found is not None:
                block, ctx.sharing[out] = found
                ctx.counters = {key: n for key, n in ctx.counters.items() if key[0] is not out}
    return block


def show(stage: str, what: Node) -> None:
    """Print a stage where STRUCTARR_DEBUG asks for it."""
    if debug(stage):
        print(as_text(what), file=sys.stderr)
