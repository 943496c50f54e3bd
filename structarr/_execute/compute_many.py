"""The values of several nodes: what they have in common once, and one pass where loops agree."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from structarr._compiler.context import TooLarge
from structarr._compiler.options import current
from structarr._execute import compute
from structarr._execute.compute import BUDGET
from structarr._execute.plan import TooManyPositions
from structarr._execute.program_choice import Choice
from structarr._lazy.graph import Node
from structarr._lazy.rewrite import common_subexpressions
from structarr._scheduler import push_masks
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.pipeline import Request, programs_of_all
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr.formats.kinds import has_runs

_choices: dict[Any, Choice | None] = {}


def values(nodes: Sequence[Node]) -> list[Tensor]:
    """The values of nodes, each in the format that it has alone."""
    nodes = common_subexpressions.shared([push_masks.masked(node) for node in nodes], compute.value)
    groups: dict[Hashable, list[int]] = {}
    for number, node in enumerate(nodes):
        loops = _loops(node)
        groups.setdefault(number if loops is None else loops, []).append(number)
    found: dict[int, Tensor] = {}
    for numbers in groups.values():
        if len(numbers) > 1:
            several = _in_one_pass([nodes[k] for k in numbers])
            found |= zip(numbers, several or (), strict=False)
    return [found[k] if k in found else compute.value(node) for k, node in enumerate(nodes)]


def _loops(node: Node) -> Hashable:
    """What nodes have in common whose values one pass may compute; None where none may.

    They read the same tensors, so that a pass over them is worth being shared: element by element,
    as one that goes by runs would wait for another that does not.
    """
    if node.kind not in ("map", "convert", "reduce"):
        return None
    root = node.args[0] if node.kind == "reduce" else node
    tensors: set[int] = set()
    if root.sums or not _read_in_full(root, root.shape, tensors):
        return None
    return root.shape, frozenset(tensors)


def _read_in_full(node: Node, shape: tuple[int, ...], tensors: set[int]) -> bool:
    """Whether an expression reads arrays element by element, but for scalars."""
    if node.kind == "leaf":
        tensors.add(id(node.data))
        *levels, last = node.data.format.levels
        runs = last.uniform or any(has_runs(level.kind) for level in levels)
        return node.shape == shape and not runs
    if node.kind not in ("map", "convert", "constant"):
        return False
    return all([_read_in_full(arg, shape, tensors) for arg in node.args])


def _in_one_pass(nodes: Sequence[Node]) -> list[Tensor] | None:
    """The values of nodes by one kernel; None where there is none for them."""
    builder = Builder(compute.value)
    roots = tuple([builder.root(node) for node in nodes])
    options = current()
    index = "int64" if any(map(compute.is_wide, nodes)) else builder.index()
    key = roots, index, options.strict_ieee, options.rules
    choice = _choices.get(key, ...)  # asked for once: another thread may empty the table
    if choice is ...:
        request = Request(
            roots[0], None, index, options.strict_ieee, rules=options.rules, budget=BUDGET
        )
        programs = programs_of_all(roots, request)
        dtypes = [node.dtype for node in nodes]
        choice = Choice(programs, request, *dtypes) if programs else None
        room(_choices)[key] = choice
    if choice is None:
        return None
    # The lengths are those of the first program: its result's, then those that it reduces.
    given = builder.operands(nodes[0], {})
    try:
        return choice.several(given, [node.shape for node in nodes])
    except TooLarge:
        _choices[key] = None
    except TooManyPositions:
        pass
    return None
