"""Parts of arrays by numbers and slices, made by one look-up where ones alike were seen."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from structarr._api.core.expressions import CHAIN_LIMIT
from structarr._api.core.uses import note_use
from structarr._api.indexing.keys import Key, parse
from structarr._array import Array
from structarr._lazy import composite, graph, slice_length
from structarr._lazy.node import Given

NUMBERS: Final = frozenset({int, *[np.dtype(code).type for code in np.typecodes["AllInteger"]]})
"""The types of numbers that index one place."""


def windowed(node: graph.Node, key: Key) -> graph.Node:
    """The part of a node by a parsed index without arrays."""
    starts, steps, lengths = zip(*key.windows, strict=True) if key.windows else ((), (), ())
    part = graph.squeeze(graph.window(node, starts, steps, lengths), key.dropped)
    return graph.expand_dims(part, key.new)


def part_of(array: Array, key: Any) -> Array | None:
    """Return the part of an array by numbers, slices and None; None of any other index or array.

    What parts share is told by lengths and steps; where they start is given to kernels.
    """
    if not array._plain or array._cost >= CHAIN_LIMIT:
        return None
    node = array._node
    index = key if type(key) is tuple else (key,)
    kinds: list[Any] = []
    starts: list[int] = []
    lengths: list[int] = []
    left = iter(node.shape)
    for one in index:
        if one is None:
            kinds.append(True)
            continue
        length = next(left, -1)
        if type(one) in NUMBERS and -length <= one < length:
            kinds.append(None)
            if length > 1:
                starts.append(int(one) if one >= 0 else int(one) + length)
        elif type(one) is slice and length >= 0:
            first, stop, step = one.indices(length)
            count = len(range(first, stop, step))
            if count < 2:
                step = 1
            kinds.append((count, step))
            if count != length or step != 1:
                starts.append(first if count else 0)
                lengths.append(count)
        else:
            return None
    name = "part", tuple(kinds)
    given = (*starts, *slice_length.told(lengths))
    found = composite.of_one_again(name, node, given)
    if found is None:
        whole = parse(key, array.shape)
        found = windowed(node, whole)
        if found is node:
            return None
        cut = tuple(
            [
                n != m or (step != 1 and m > 1)
                for (_, step, m), n in zip(whole.windows, node.shape, strict=True)
            ]
        )
        make = partial(_moved, whole, cut)
        composite.note_part(name, make, found, node, given)
    made = Array(found, array._cost + 1)
    if node.sums:  # of elementwise operations a part alone is computed
        note_use(array)
    return made


def _moved(key: Key, cut: tuple[bool, ...], given: Given, node: graph.Node) -> graph.Node:
    """The part of a node that starts elsewhere than another along the axes that are cut."""
    left = iter(given)  # starts come first
    windows = [
        one._replace(start=next(left)) if moves else one
        for one, moves in zip(key.windows, cut, strict=True)
    ]
    return windowed(node, key._replace(windows=tuple(windows)))
