"""The values of expressions: what looking at an array starts."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

from structarr._compiler.options import current
from structarr._execute import general_replay
from structarr._execute.executor import Executor
from structarr._execute.expression_key import key_of
from structarr._execute.replay import Record
from structarr._execute.replay_table import may_have_another, recorded, remember
from structarr._execute.stand_ins import is_alike
from structarr._lazy import structure
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import Given
from structarr._lazy.rewrite import common_subexpressions
from structarr._lazy.rewrite.flatten_dense import leaves
from structarr._lazy.rewrite.parts_of_files import with_parts
from structarr._lazy.rewrite.rows_of_joins import with_rows
from structarr._scheduler import push_masks
from structarr._scheduler.takes import is_copied
from structarr._storage import mapped_files
from structarr._storage.mapped_files import FILES
from structarr._storage.memo import derived
from structarr._storage.reordered import reorder
from structarr._storage.tensor import Tensor
from structarr._support import events
from structarr.formats import Format, name_of


def value(node: Node) -> Tensor:
    """The value of a node in the format that the algebra gives it."""
    if node.definition is None and node.kind in ("leaf", "take"):
        if node.kind == "leaf":
            return node.data  # type: ignore[no-any-return]
        if node.args[0].kind == "leaf" and is_copied(node):  # takes less than to replay it
            arg, places = node.args
            return node.data.form(arg.data, places.data, node.data.axis)  # type: ignore[no-any-return]
    if FILES:
        node = with_parts(node)
        if node.kind == "leaf":
            return node.data  # type: ignore[no-any-return]
    key = key_of(node)
    if key is None and node.sums:
        node = _of_rows(node)
        key = key_of(node)
    replay = recorded(key)
    found = _replayed(node, key, ()) if replay is None else replay(node.given)
    if found is not None:
        return found
    executor, record = _recording(node, key is not None and may_have_another(replay))
    return _noted(node, key, (), executor, record, executor.planner.value(node))


def again(number: int, given: Given) -> Tensor | None:
    """The value of an expression that only its structure tells from others; None if it is new."""
    replay = recorded((number, current().planned))
    return None if replay is None else replay(given)


def _of_rows(node: Node) -> Node:
    """The expression with rows of the parts of joins for rows of joins, where formats allow it."""
    made = with_rows(node)
    if made is node or node.ndim == 1:  # vectors of sums are dense in any case
        return made
    return made if is_alike(node, made) else node


def in_format(node: Node, fmt: Format | None, prune: bool = True, widens: bool = False) -> Tensor:
    """The value of a node in a format; `prune` leaves out stored elements that equal the fill.

    None stands for the format that the algebra gives. With `widens`, positions are int64 where
    those of the format cannot count the entries.
    """
    if FILES:
        mapped_files.check(node.given)
        node = with_parts(node)
    if not events.observers:  # nobody is told
        return _in_format(node, fmt, prune, widens)
    return events.timed(
        "converted",
        lambda: _in_format(node, fmt, prune, widens),
        lambda: "" if fmt is None else f"to {name_of(fmt)}",
    )


def _in_format(node: Node, fmt: Format | None, prune: bool, widens: bool) -> Tensor:
    alone, asked = key_of(node), (fmt, prune, widens)
    replay = recorded((alone, asked))
    found = _replayed(node, alone, asked) if replay is None else replay(node.given)
    if found is not None:
        return found
    executor, record = _recording(node, alone is not None and may_have_another(replay), widens)
    made = executor.run(executor.planner.plan(node, fmt, prune=prune))
    return _noted(node, alone, asked, executor, record, made)


def _replayed(node: Node, key: Hashable, asked: tuple[Hashable, ...]) -> Tensor | None:
    """The value by the replay for other lengths; None where it is planned."""
    return None if key is None else general_replay.replayed(node, key, asked)


def _recording(node: Node, notes: bool, widens: bool = False) -> tuple[Executor, Record | None]:
    """An executor for a node, and what notes its steps, if they are to be noted."""
    record = Record(node.given, structure.is_fixed(node.number)) if notes else None
    return Executor(record, widens), record


def _noted(
    node: Node,
    key: Any,
    asked: tuple[Hashable, ...],
    executor: Executor,
    record: Record | None,
    result: Tensor,
) -> Tensor:
    """A result, whose steps are kept if others of its key may take them."""
    executor.finish()
    if record is not None and not executor.planner.surprised:
        made = record.replay(result)
        if made is not None:
            remember((key, asked) if asked else key, made)
            general_replay.note(node, key, asked, record, result)
    return result


def values(nodes: Sequence[Node]) -> list[Tensor]:
    """The values of nodes, each in the format that it has alone.

    Common subexpressions are computed once. Nodes whose loops agree are computed in one pass.
    """
    if FILES:
        mapped_files.check([one for node in nodes for one in node.given])
    if len(nodes) == 1:
        return [value(nodes[0])]
    nodes = common_subexpressions.shared([push_masks.masked(node) for node in nodes], value)
    groups: dict[Hashable, list[int]] = {}
    for number, node in enumerate(nodes):
        loops = _loops(node)
        groups.setdefault(number if loops is None else loops, []).append(number)
    found: dict[int, Tensor] = {}
    for numbers in groups.values():
        if len(numbers) > 1:
            several = Executor().together([nodes[k] for k in numbers])
            found |= zip(numbers, several or (), strict=False)
    return [found[k] if k in found else value(node) for k, node in enumerate(nodes)]


@derived("order")
def reordered(tensor: Tensor, axes: tuple[int, ...]) -> Tensor:
    """A tensor stored with its axes in another order."""
    return events.timed(
        "converted",
        lambda: reorder(tensor, axes, lambda one, fmt: in_format(leaf(one), fmt, prune=False)),
        lambda: f"{name_of(tensor.format)} in order {axes}",
    )


@derived("laid out")
def laid_out(tensor: Tensor, format: Format) -> Tensor:
    """A dense tensor in a dense format; what its positions would be counted by is the format's."""
    found = reordered(tensor, format.order)
    if found.format is Format(format.root, format.order, found.format.index):
        return Tensor(format, found.shape, found.dtype, found.fill, found.buffers)
    return found


def _loops(node: Node) -> Hashable:
    """The key that nodes share if one pass may compute their values; None if none may.

    Such nodes read the same tensors element by element. A loop over runs is not shared, as it would
    be slowed down to the pace of the others, and neither is one for which operands are turned.
    """
    if node.kind not in ("map", "convert", "reduce"):
        return None
    root = node.args[0] if node.kind == "reduce" else node
    found = None if root.sums else leaves(root)
    if found and node.kind == "reduce" and _counts_across(node, found):
        return None
    if found is None or not all(one.shape == root.shape and _is_read_in_full(one) for one in found):
        return None
    return root.shape, frozenset(found)


def _counts_across(node: Node, found: Collection[Tensor]) -> bool:
    """Whether a reduction has to know of each element of its result if some of its are left out.

    So it is of extremes: along rows their lengths tell it, across them it has to be counted.
    A tensor that is turned first takes a third of that, and extremes after it next to nothing.
    """
    op, axes, start = node.data
    if not op.idempotent or node.args[0].fill == start.value:
        return False
    across = [one for one in found if one.shape and one.format.order[-1] not in axes]
    return not all(one.format.is_dense for one in across)


def _is_read_in_full(tensor: Tensor) -> bool:
    """Whether a kernel reads an array element by element, without runs."""
    *levels, last = tensor.format.levels
    return not (last.uniform or any(level.kind.has_runs for level in levels))
