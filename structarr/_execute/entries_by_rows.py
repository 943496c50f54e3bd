"""Lists of entries read by rows: with pointers to them no loop has to search where a row ends.

The rows share coordinates and values with the entries. Only what has the same format either way is
read so, as structure decides on formats: sums along entries may be lists where those along rows are
dense. Diagonals are lists of both, and their entries are looked for in each row.

A vector that is summed of one list needs no rows: a kernel goes along its entries, each of which
finds its row itself. In rows of few entries that takes less time than to count them before, and
there may be more rows than entries.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final

from structarr._execute.stand_ins import is_dense, replaced, stand_in
from structarr._execute.steps import Derive, Step, Stored
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import nodes_of
from structarr._lazy.rewrite.flatten_dense import KINDS
from structarr._scheduler.reorder_products import reordered
from structarr._storage.as_rows import BY_ROWS
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_entries, is_rows, kinds_of
from structarr.formats import Element, SparseList

FEW: Final = 32
"""The entries of a row in the mean from which on loops over rows are faster."""

SEARCH: Final = 128
"""The entries that are counted in the time of a search for a row."""

ELEMENTWISE: Final = frozenset(("leaf", "constant", "map", "convert", "permute", "expand"))
"""The kinds of nodes of which a sum goes along the entries of a list."""

ALONG: Final = frozenset(("diagonal", "slice"))
"""The kinds of nodes by which a diagonal is read, beside those."""

LISTED: Final = (SparseList, SparseList, Element)
"""The levels of a list of rows, which the algebra gives to products of lists of entries."""


def by_rows(
    node: Node, run: Callable[[Step], Tensor], dense: Callable[[Node], Tensor], asked: bool
) -> Node:
    """
    Return an expression with its lists of entries by rows, where that keeps the format.

    Parameters
    ----------
    node : Node
        An expression after all rewritings. One of a number is a pass over lists as they are, or
        over vectors that are computed before, but for products of matrices.
    run : callable
        Runs a step.
    dense : callable
        Computes a dense value.
    asked : bool
        Whether a dense value is asked for, whatever the structure of the operands says.

    Returns
    -------
    Node
        The same without such lists, or where its value would have another format.
    """
    searched, computed = _is_of_diagonals(node), is_sum(node) or node.kind in KINDS
    lists = lists_by_rows(node) if searched or computed else None
    sparser = not lists and computed and bool(node.shape and _lists_of(node))
    if not (lists or sparser) or (node.shape and not (asked or searched or is_dense(node))):
        return node
    if len(lists or _lists_of(node)) > 1 and node.ndim < 2:
        node = reordered(node)  # what is multiplied first may be a vector
    if _is_by_entries(node):
        return node
    every = [one for one in nodes_of(node) if one is not node and one.kind == "reduce"]
    if sparser:  # no vector is longer than what is dense
        every = [one for one in every if prod(one.shape) <= prod(node.shape)]
    vectors = {id(one): leaf(dense(one)) for one in every if one.shape and _is_by_entries(one)}
    if vectors:
        node = replaced(node, {}, vectors)
    if not lists:
        return node
    if vectors:
        lists &= {one for one in node.given if isinstance(one, Tensor)}
    if not lists or (vectors and _is_by_entries(node)):
        return node
    if not (searched or node.shape or _multiplies(node)):
        return node
    return replaced(node, {one: run(Derive(BY_ROWS, Stored(one), None)) for one in lists}, {})


def taken_by_rows(node: Node, run: Callable[[Step], Tensor]) -> Node:
    """Return an expression with its lists of entries by rows where many rows of them are taken.

    To look for where a row begins takes as long as to count so many entries.
    """
    taken = filter(None, map(_searched, nodes_of(node)))
    lists = lists_by_rows(node).intersection(taken)
    if not lists:
        return node
    return replaced(node, {one: run(Derive(BY_ROWS, Stored(one), None)) for one in lists}, {})


def _searched(node: Node) -> Tensor | None:
    """The list of entries of which a node takes many rows, if it does."""
    if node.kind != "take" or node.args[0].kind != "leaf":
        return None
    tensor: Tensor = node.args[0].data
    if not is_entries(tensor.format) or node.data.axis != tensor.format.order[0]:
        return None
    return tensor if SEARCH * node.shape[node.data.axis] > len(tensor.buffers[-1]) else None


def factors_by_rows(node: Node, run: Callable[[Step], Tensor]) -> Node:
    """Return products of matrices with their lists of entries by rows, where that keeps the format.

    A row of one factor is looked for at each entry of another. Without pointers to rows each row
    of the other goes along all rows of the list.
    """
    if node.ndim != 2 or not is_sum(node) or not _has_products(node):
        return node
    lists, made = lists_by_rows(node), stand_in(node)
    if not lists or made is None:
        return node
    rows = {one: run(Derive(BY_ROWS, Stored(one), None)) for one in lists}
    other = replaced(node, rows, {})
    found = stand_in(_each_apart(other))
    return other if found is not None and found.format is made.format else node


def product_by_rows(node: Node, run: Callable[[Step], Tensor]) -> Node | None:
    """
    Return a product of matrices with its lists of entries by rows, where its value is rows then.

    Of these a list is to be made. For each entry of the one factor a row of the other is looked
    for, by pointers or by a search. None of other expressions.
    """
    if node.ndim != 2 or not is_sum(node) or not _multiplies(node):
        return None
    made = stand_in(node)
    if made is None or kinds_of(made.format) != LISTED:
        return None
    lists = _lists_of(node)
    most = max([len(one.buffers[-1]) for one in lists])
    lists = {one for one in lists if one.dims[0] <= most}  # looked up in for each entry of another
    rows = {one: run(Derive(BY_ROWS, Stored(one), None)) for one in lists}
    other = replaced(node, rows, {})
    found = stand_in(_each_apart(other)) if lists else None
    same = found is not None and is_rows(found.format) and found.format.order == made.format.order
    return other if same else None


def _each_apart(node: Node) -> Node:
    """An expression of which every leaf is a tensor of its own, as none is asked for in two orders.

    Such a conflict is none of formats: a matrix times its transpose has that of two matrices.
    """
    if node.kind == "leaf":
        one = node.data
        told = {"counts": one.counts}
        return leaf(Tensor(one.format, one.shape, one.dtype, one.fill, one.buffers, told))
    return node.of(list(map(_each_apart, node.args)))


def _multiplies(node: Node) -> bool:
    """Whether matrices are multiplied, of which two or more are lists of entries."""
    lists = [one for one in node.given if isinstance(one, Tensor) and is_entries(one.format)]
    return len(lists) > 1 and _has_products(node)


def _has_products(node: Node) -> bool:
    """Whether something is summed along an axis that two others are beside."""
    return any(one.kind == "reduce" and one.args[0].ndim > 2 for one in nodes_of(node))


def _is_of_diagonals(node: Node) -> bool:
    """Whether of stored matrices no more than diagonals are read, one at least."""
    if node.kind == "diagonal":
        matrix: Node = node.args[0]
        while matrix.kind in ("slice", "permute"):
            matrix = matrix.args[0]
        return matrix.kind == "leaf"
    if node.kind != "reduce" and node.kind not in KINDS:
        return False
    others = [one for one in node.args if one.args or one.ndim > 1]  # than numbers and vectors
    return bool(others) and all(map(_is_of_diagonals, others))


def _is_by_entries(node: Node) -> bool:
    """Whether a kernel of a vector goes along the entries of the one list that it reads."""
    one = gone_along(node)
    if one is None or not is_entries(one.format):
        return False
    return len(one.buffers[-1]) <= FEW * one.dims[0]


def gone_along(node: Node) -> Tensor | None:
    """The one array beside vectors of whose entries each adds to a vector by itself, if any is."""
    given = [one for one in node.given if isinstance(one, Tensor)]
    lists = [one for one in given if not (one.ndim < 2 and one.format.is_dense)]
    if node.ndim > 1 or len(lists) != 1:
        return None
    read = node
    if node.kind == "reduce":
        read = node.args[0]
        if node.data[0].name != "add" or not (read.kind == "diagonal" or _vanishes(read, lists[0])):
            return None
    kinds = {one.kind for one in nodes_of(read)}
    along = kinds <= ELEMENTWISE or (read.kind == "diagonal" and kinds <= ELEMENTWISE | ALONG)
    return lists[0] if along else None


def _vanishes(node: Node, entries: Tensor) -> bool:
    """Whether an expression is zero where a list has no entry, whatever vectors it reads."""
    read = {one for one in node.given if isinstance(one, Tensor)}
    if read == {entries}:
        return bool(node.fill == 0)
    if entries not in read:
        return False
    annihilates = node.kind != "map" or node.data[0].name == "multiply"
    return annihilates and any(_vanishes(arg, entries) for arg in node.args)


def is_sum(node: Node) -> bool:
    """Whether an expression is a reduction, or an elementwise one of some."""
    return node.kind == "reduce" or (node.kind in KINDS and node.sums > 0)


def lists_by_rows(node: Node) -> set[Tensor]:
    """The lists of entries of an expression to which pointers to rows add less than they take."""
    return {one for one in _lists_of(node) if one.dims[0] <= len(one.buffers[-1])}


def _lists_of(node: Node) -> set[Tensor]:
    return {one for one in node.given if isinstance(one, Tensor) and is_entries(one.format)}
