"""Choices of programs, made at most once for each structure of expressions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import numpy as np

from structarr._compiler.ir import arrays
from structarr._compiler.options import current
from structarr._execute import kept_plans
from structarr._execute.program_choice import Choice
from structarr._lazy.graph import Node
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.assemble import Program
from structarr._scheduler.compiled import Request
from structarr._scheduler.discordant import Discordant
from structarr._scheduler.fuse_results import fused_programs
from structarr._scheduler.pipeline import programs
from structarr._support.caches import room, table
from structarr.formats import Format

BUDGET = 1500  # the most statements that lowering an expression of several operations may take

_INT32 = int(np.iinfo(np.int32).max)
_choices: dict[Hashable, Choice | Discordant | None] = table()


def choice_for(
    builder: Builder,
    node: Node,
    fmt: Format | None,
    transposed: bool,
    prune: bool,
    wide: bool,
    begun: bool = False,
) -> Choice | Discordant:
    """The programs of an expression; `wide` asks for int64 positions.

    Those of a `begun` sum add to what their result holds.
    """
    root = builder.root(node)
    options = current()
    wide = wide or _is_wide(node)
    # Equal expressions may differ in this: what can be split has operations below, or is a join.
    parts = any(arg.kind not in ("leaf", "constant") for arg in node.args)
    parts |= node.kind == "join" and len(node.args) > 2
    asked = fmt, wide, transposed, prune, parts, begun
    key = (root, asked, options.strict_ieee, options.rules, options.checked)

    def make() -> Choice | Discordant:
        index = fmt.index if fmt is not None else "int64" if wide else builder.index()
        pruned = prune and fmt is not None and not isinstance(root, arrays.Reduce | arrays.Epilogue)
        strict, budget = options.strict_ieee, BUDGET if parts else None
        own = (options.rules, transposed, budget, begun)
        request = Request(root, fmt, index, strict, pruned, *own)
        known = kept_plans.kept(request, node.dtype.str)
        found = None if known is None else known.choice()
        if isinstance(found, Discordant):
            return found
        if found is not None:
            later = partial(_programs, request)
            return Choice(later, request, node.dtype, kept=known, format=found)
        made = programs(request)
        if isinstance(made, Discordant):
            answer: Choice | Discordant = made
        else:
            answer = Choice(made, request, node.dtype, kept=known)
        if known is not None and (isinstance(answer, Discordant) or answer.is_possible):
            known.keep_choice(answer if isinstance(answer, Discordant) else answer.format)
        return answer

    found = _once(key, make)
    assert found is not None
    return found


def choice_for_all(builder: Builder, nodes: Sequence[Node]) -> Choice | None:
    """The programs that compute several expressions in one pass; None where there are none."""
    roots = tuple([builder.root(node) for node in nodes])
    options = current()
    index = "int64" if any(map(_is_wide, nodes)) else builder.index()

    def make() -> Choice | None:
        request = Request(
            roots[0], None, index, options.strict_ieee, rules=options.rules, budget=BUDGET
        )
        found = fused_programs(roots, request)
        dtypes = [node.dtype for node in nodes]
        known = kept_plans.kept(request, roots, *[one.str for one in dtypes]) if found else None
        return Choice(found, request, *dtypes, kept=known) if found else None

    key = (roots, index, options.strict_ieee, options.rules, options.checked)
    found = _once(key, make)
    assert not isinstance(found, Discordant)
    return found


def _once(
    key: Hashable, make: Callable[[], Choice | Discordant | None]
) -> Choice | Discordant | None:
    found = _choices.get(key, ...)  # one look-up: another thread may empty the table
    if found is ...:
        found = room(_choices)[key] = make()
    return found


def _programs(request: Request) -> Sequence[Program]:
    """The programs of a request that was answered by some before."""
    made = programs(request)
    assert not isinstance(made, Discordant)
    return made


def _is_wide(node: Node) -> bool:
    """Whether a result has coordinates that int32 does not hold."""
    return any([n > _INT32 for n in node.shape])
