"""Rows of which most store nothing, read along their entries where a vector is summed of them.

A loop over rows guesses of each whether it stores anything, and guesses wrong where one does. The
rows of all entries are found without guesses, and each entry adds to its element of the vector.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from structarr._execute.entries_by_rows import gone_along
from structarr._execute.stand_ins import replaced, stand_in
from structarr._execute.steps import Derive, Step, Stored
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import nodes_of
from structarr._storage.as_rows import BY_ENTRIES
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_rows
from structarr.formats import Format

LONG: Final = 1 << 13
"""The least number of rows; fewer are gone through before their entries' rows are found."""


def with_vectors(node: Node, dense: Callable[[Node], Tensor]) -> Node:
    """Return an expression with the vectors that are so summed, in it, as dense values."""
    if not any(map(_is_empty, node.given)):
        return node
    inner = (one for one in nodes_of(node) if one is not node and one.kind == "reduce")
    vectors = {id(one): leaf(dense(one)) for one in inner if one.shape and _rows_of(one)}
    return replaced(node, {}, vectors) if vectors else node


def by_entries(
    node: Node, fmt: Format | None, run: Callable[[Step], Tensor]
) -> tuple[Node, Format] | None:
    """
    Return a sum with its rows as entries, and the format of its value; None of anything else.

    Parameters
    ----------
    node : Node
        An expression after all rewritings.
    fmt : Format, optional
        Of the value; None stands for that which a loop over rows gives it.
    run : callable
        Runs a step.
    """
    rows = _rows_of(node)
    if rows is None:
        return None
    made = stand_in(node) if fmt is None else None
    asked = fmt if made is None else made.format
    if asked is None or not asked.is_dense:
        return None
    return replaced(node, {rows: run(Derive(BY_ENTRIES, Stored(rows), None))}, {}), asked


def _rows_of(node: Node) -> Tensor | None:
    """The rows of which a vector, or a sum of a diagonal, is summed, if most store nothing."""
    if not any(map(_is_empty, node.given)):
        return None
    found = gone_along(node)
    if found is None or not _is_empty(found):
        return None
    read = node.args[0] if node.kind == "reduce" else node
    if read.kind == "diagonal":
        return found
    # Sums of the rows alone, and numbers, are computed without a loop over rows, or soon enough.
    several = sum([isinstance(one, Tensor) for one in node.given]) > 1
    return found if several and node.kind == "reduce" and node.shape else None


def _is_empty(one: object) -> bool:
    """Whether an array is of many rows, of which some are bound to store nothing."""
    if not (isinstance(one, Tensor) and is_rows(one.format)):
        return False
    return len(one.buffers[-1]) < one.dims[0] >= LONG
