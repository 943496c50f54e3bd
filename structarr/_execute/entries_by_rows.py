"""Lists of entries read by rows: with pointers to them no loop has to search where a row ends.

The rows share coordinates and values with the entries. Only what has the same format either way is
read so, as structure decides on formats: sums along entries may be lists where those along rows are
dense. Diagonals are lists of both, and their entries are looked for in each row.
"""

from __future__ import annotations

from collections.abc import Callable

from structarr._execute.stand_ins import is_dense, replaced
from structarr._execute.steps import Derive, Step, Stored
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.flatten_dense import KINDS
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_entries


def by_rows(node: Node, run: Callable[[Step], Tensor], asked: bool) -> Node:
    """
    Return an expression with its lists of entries by rows, where that keeps the format.

    Parameters
    ----------
    node : Node
        An expression after all rewritings. One of a number is a pass over lists as they are.
    run : callable
        Runs a step.
    asked : bool
        Whether a dense value is asked for, whatever the structure of the operands says.

    Returns
    -------
    Node
        The same without such lists, or where its value would have another format.
    """
    searched = _is_of_diagonals(node)
    computed = is_sum(node) or node.kind in KINDS
    lists = lists_by_rows(node) if searched or (computed and node.shape) else None
    if not lists or not (asked or searched or is_dense(node)):
        return node
    return replaced(node, {one: run(Derive("by rows", Stored(one), None)) for one in lists}, {})


def _is_of_diagonals(node: Node) -> bool:
    """Whether of stored matrices no more than diagonals are read."""
    if node.kind == "diagonal":
        matrix: Node = node.args[0]
        while matrix.kind in ("slice", "permute"):
            matrix = matrix.args[0]
        return matrix.kind == "leaf"
    computed = node.kind == "reduce" or node.kind in KINDS
    return computed and bool(node.args) and all(map(_is_of_diagonals, node.args))


def is_sum(node: Node) -> bool:
    """Whether an expression is a reduction, or an elementwise one of some."""
    return node.kind == "reduce" or (node.kind in KINDS and node.sums > 0)


def lists_by_rows(node: Node) -> set[Tensor]:
    """The lists of entries of an expression to which pointers to rows add less than they take."""
    return {one for one in node.given if isinstance(one, Tensor) and _has_few_rows(one)}


def _has_few_rows(tensor: Tensor) -> bool:
    return is_entries(tensor.format) and tensor.dims[0] <= len(tensor.buffers[-1])
