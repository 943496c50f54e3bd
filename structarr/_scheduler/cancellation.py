"""Sums of squares of sums, of which terms may cancel: a bound says where they do.

The sum of the squares of `a - b` is `|a|**2 - 2 * a . b + |b|**2`, which is rounded as if it were
as large as `(|a| + |b|)**2`. Where it is smaller by far, digits are lost that the squares have.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np

from structarr._lazy import graph
from structarr._lazy.contraction import summed_product
from structarr._lazy.graph import Node
from structarr._scheduler.product_loops import Labels

LOSS: Final = 16.0  # times as large as a sum of squares that its terms may be, for each of a rank

Factors = tuple[tuple[Node, ...], tuple[Labels, ...]]


def unless_cancelled(
    total: Node, terms: Sequence[Factors], own: Labels, result: Labels, lengths: dict[int, int]
) -> Node:
    """
    A sum of squares of a sum of terms, and NaN where the terms cancel.

    Parameters
    ----------
    total : Node
        The sum, with an axis for each label of the result.
    terms : sequence of tuple
        The factors of each term, and the labels of their axes.
    own : tuple of int
        The labels of the sum that is squared.
    result : tuple of int
        Those along which squares are not added up.
    lengths : dict
        The lengths of the axes, by their labels.
    """
    dtype = total.dtype
    norms = [_norm(*term, own, result, lengths) for term in terms]
    bound = norms[0]
    for one in norms[1:]:
        bound = graph.elementwise("add", (bound, one))
    bound = graph.elementwise("square", (bound,))
    rank = max(
        prod(lengths[label] for label in {k for mine in labels for k in mine} - {*own})
        for _, labels in terms
    )
    most = graph.elementwise("multiply", (total, graph.number(LOSS * rank, dtype)))
    kept = graph.elementwise("greater_equal", (most, bound))
    return graph.elementwise("where", (kept, total, graph.number(np.nan, dtype)), dtype)


def _norm(
    nodes: Sequence[Node],
    labels: Sequence[Labels],
    own: Labels,
    result: Labels,
    lengths: dict[int, int],
) -> Node:
    """The product of the norms of a term's factors, at least the norm of the term."""
    told = {label for mine in labels for label in mine}
    same = prod(lengths[label] for label in {*own} - told - {*result})
    dtype = nodes[0].dtype
    squared = graph.number(same, dtype)
    for node, mine in zip(nodes, labels, strict=True):
        kept = tuple(label for label in result if label in mine)
        squares = summed_product((node, node), (mine, mine), kept, ("add", "multiply"), dtype)
        missing = tuple(k for k, label in enumerate(result) if label not in kept)
        squares = graph.expand_dims(squares, missing)
        squared = graph.elementwise("multiply", (squared, squares))
    return graph.elementwise("sqrt", (squared,))
