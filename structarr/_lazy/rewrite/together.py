"""Parts of a join that one loop computes together: those that store one element in each row.

A kernel for one column of categories does little in each turn: it reads a code, and what belongs to
it. One for several columns reads what is common to them once, makes one pass over the result, and
need not wait for one addition before the next, which goes to another place as a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from structarr._lazy.graph import Node

MOST: Final = 4
"""So many parts are in one loop at most: with each, its text grows."""


def runs_of(parts: Sequence[Node], axis: int) -> list[list[Node]]:
    """The parts of a join in order, those together that one loop computes."""
    found: list[list[Node]] = []
    open_ = False  # whether the last run takes another part
    for part in parts:
        single = _is_single(part, axis)
        if open_ and single and len(found[-1]) < MOST:
            found[-1].append(part)
        else:
            found.append([part])
        open_ = single
    return found


def is_together(join: Node) -> bool:
    """Whether a join is of parts that one loop computes."""
    return len(join.args) <= MOST and all([_is_single(part, join.data) for part in join.args])


def _is_single(part: Node, axis: int) -> bool:
    """Whether a part is a stored matrix with at most one element along an axis, in each row."""
    while part.kind == "convert":
        (part,) = part.args
    if part.kind != "leaf" or part.ndim != 2:
        return False
    rows, columns, _ = part.data.format.levels
    is_last = part.data.format.order[1] == axis
    is_each = not rows.kind.is_sparse and not rows.kind.is_constant
    return bool(is_last and is_each and columns.kind.holds_one)
