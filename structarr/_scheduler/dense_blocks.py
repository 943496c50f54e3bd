"""Joins of dense arrays, such as the blocks of a product: each is written once, by NumPy."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from structarr._lazy.graph import Node
from structarr._lazy.node import DType, Shape
from structarr._lazy.rewrite.push_joins import bounds
from structarr._storage.dense import dense_view, from_own
from structarr._storage.tensor import Tensor
from structarr._support import buffer_pool


class Block(NamedTuple):
    """How the axes of a dense array lie in the whole, and where it begins there."""

    axes: tuple[int, ...]
    new: tuple[int, ...]  # axes of the whole along which it has one element
    start: tuple[int, ...]


class Blocks(NamedTuple):
    """Where blocks lie in an array of a shape and a dtype."""

    blocks: tuple[Block, ...]
    shape: Shape
    dtype: DType

    def put(self, *tensors: Tensor) -> Tensor:
        """The array of some dense blocks."""
        made = buffer_pool.empty(prod(self.shape), self.dtype).reshape(self.shape)
        for tensor, (axes, new, start) in zip(tensors, self.blocks, strict=True):
            view = dense_view(tensor)
            assert view is not None
            view = np.expand_dims(view.transpose(axes), new)
            ends = zip(start, view.shape, strict=True)
            made[tuple([slice(first, first + n) for first, n in ends])] = view
        return from_own(made)


def blocks_of(node: Node) -> tuple[Blocks, tuple[Tensor, ...]] | None:
    """Where the blocks of a join of dense arrays lie, and these; None of any other node."""
    if node.kind != "join" or not node.ndim:
        return None
    found: list[tuple[Tensor, Block]] = []
    if not _place(node, (0,) * node.ndim, found):
        return None
    tensors, blocks = zip(*found, strict=True)
    return Blocks(blocks, node.shape, node.dtype), tensors


def _place(node: Node, start: tuple[int, ...], found: list[tuple[Tensor, Block]]) -> bool:
    """Append the blocks of a node that begins somewhere; False if it is not one of dense arrays."""
    if node.kind == "join":
        axis = node.data
        for part, (first, _) in zip(node.args, bounds(node), strict=True):
            there = (*start[:axis], start[axis] + first, *start[axis + 1 :])
            if not _place(part, there, found):
                return False
        return True
    new = node.data if node.kind == "expand" else ()
    part = node.args[0] if new else node
    axes = part.data if part.kind == "permute" else tuple(range(part.ndim))
    held = part.args[0] if part.kind == "permute" else part
    if (
        held.kind != "leaf"
        or not held.data.format.is_dense
        or held.data.fill.tobytes().strip(b"\0")
    ):
        return False
    found.append((held.data, Block(axes, new, start)))
    return True
