"""Values of chunks, joined by a tree of tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import dask.array as da
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph
from dask.utils import funcname

BRANCHES: Final = 8
"""So many values are joined by one task."""


def folded(
    x: Any,
    keys: Sequence[Any],
    of_chunk: Callable[[Any], Any],
    join: Callable[[list[Any]], Any],
    last: Callable[[Any], Any],
    chunks: tuple[Any, ...],
    meta: Any,
) -> Any:
    """
    A Dask array of one chunk, made of values of the chunks of another.

    Parameters
    ----------
    x : dask.array.Array
        The other.
    keys : sequence
        Those of its chunks.
    of_chunk, join, last : callable
        The value of a chunk; of several, of the list of theirs; and what is made of the value of
        all. `join` is associative.
    chunks, meta
        Of the result.
    """
    title = funcname(of_chunk).strip("_")
    name = f"{title}-{tokenize(x.name, keys, of_chunk, join, last)}"
    graph: dict[Any, Any] = {}
    values = [(f"{name}-chunk", at) for at in range(len(keys))]
    graph |= {value: (of_chunk, key) for value, key in zip(values, keys, strict=True)}
    level = 0
    while len(values) > 1:
        level += 1
        parts = [values[at : at + BRANCHES] for at in range(0, len(values), BRANCHES)]
        values = [(f"{name}-{level}", at) for at in range(len(parts))]
        graph |= {value: (join, part) for value, part in zip(values, parts, strict=True)}
    graph[(name, *[0] * len(chunks))] = (last, values[0])
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[x])
    return da.Array(layers, name, chunks, meta=meta)
