"""Vectors sorted across their chunks: each chunk of the result is merged from parts of all."""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.array.chunk import getitem
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from structarr._array import Array, stored
from structarr._support.array_types import NumPyArray


def sorted_vector(x: Any) -> Any:
    """
    A vector in order, in at most as many chunks.

    Chunks are sorted, some of what each stores is sampled, and the sample's quantiles say which
    elements each chunk of the result has. So its chunks store about as much each, and no worker
    holds more than the parts of one. The vector is computed once for the sample and for the places
    of the quantiles.
    """
    pieces = x.npartitions
    each = x.map_blocks(np.sort, dtype=x.dtype, meta=x._meta)
    if pieces == 1:
        return each
    samples = [dask.delayed(_sample)(block, pieces) for block in each.to_delayed()]
    pooled = np.sort(np.concatenate(dask.compute(*samples)))
    splitters = pooled[np.arange(1, pieces) * len(pooled) // pieces] if len(pooled) else pooled
    found = [dask.delayed(_places)(block, splitters) for block in each.to_delayed()]
    starts = np.array(dask.compute(*found))  # a row a chunk: where each part of it begins, and ends
    lengths = np.diff(starts, axis=1)
    kept = [part for part in range(lengths.shape[1]) if lengths[:, part].any()]
    name = f"sorted-{tokenize(x.name, splitters)}"
    graph: dict[Any, Any] = {}
    for at, part in enumerate(kept):
        cuts = [slice(*map(int, row[part : part + 2])) for row in starts]
        graph[(name, at)] = (
            _merged,
            [(getitem, (each.name, number), (cut,)) for number, cut in enumerate(cuts)],
        )
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[each])
    chunks = (tuple(lengths[:, kept].sum(axis=0).tolist()),)
    return da.Array(layers, name, chunks, meta=x._meta)


def _sample(block: Any, count: int) -> NumPyArray:
    """Some of what a chunk stores, at equal distances in order."""
    buffers = stored(block).buffers if isinstance(block, Array) else (block,)
    values = np.sort(np.asarray(buffers[-1], block.dtype)) if buffers else np.zeros(0, block.dtype)
    return values[np.arange(count) * len(values) // count] if len(values) else values


def _places(block: Any, splitters: NumPyArray) -> NumPyArray:
    """Where the parts of a sorted chunk begin, and the last one ends."""
    inner = np.asarray(np.searchsorted(block, splitters, side="right"))
    return np.concatenate([[0], inner, [len(block)]]).astype(np.int64)


def _merged(parts: list[Any]) -> Any:
    return np.sort(np.concatenate(parts))
