"""Dense parts of a join side by side: one matrix, whose columns lie apart in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from structarr._lazy.graph import Node
from structarr._storage.tensor import Tensor


def is_run(node: Node) -> bool:
    """Whether a node is a join of dense matrices alone."""
    return node.kind == "join" and node.ndim == 2 and all([is_matrix(part) for part in node.args])


def has_run(node: Node) -> bool:
    """Whether there is one among what a node is made of."""
    return is_run(node) or any(map(has_run, node.args))


def runs_of(parts: Sequence[Node]) -> Iterator[list[Node]]:
    """The parts of a join in order, dense matrices next to each other together."""
    for dense, some in groupby(parts, key=is_matrix):
        if dense:
            yield [*some]
        else:
            yield from ([one] for one in some)


def is_matrix(part: Node) -> bool:
    """Whether a part is a stored dense matrix of numbers, converted or not."""
    return part.ndim == 2 and held_by(part) is not None


def held_by(part: Node) -> Tensor | None:
    """The dense tensor that a part is, converted once or not; None of anything else."""
    if part.kind == "convert":
        (part,) = part.args
    if part.kind != "leaf" or part.dtype.kind not in "biuf":
        return None
    tensor: Tensor = part.data
    return tensor if tensor.format.is_dense and not tensor.is_constant else None
