"""Rechunking by tasks where Dask chose its shuffle, which sends the memory of NumPy's arrays."""

from __future__ import annotations

import sys
from itertools import product
from typing import Any, Final

import numpy as np
from dask._task_spec import Alias
from dask.array import Array as Chunked
from dask.highlevelgraph import HighLevelGraph, MaterializedLayer
from dask.utils import typename

from structarr._array import Array

SHUFFLES: Final = "distributed.shuffle._rechunk"
"""The module of Dask's layers that shuffle; nothing shuffles where it is not imported."""


def with_task_rechunks(graph: HighLevelGraph) -> HighLevelGraph:
    """The same graph, whose arrays of our chunks are cut and joined by tasks alone."""
    module = sys.modules.get(SHUFFLES)
    if module is None:
        return graph
    layers, dependencies = dict(graph.layers), dict(graph.dependencies)
    for name, layer in graph.layers.items():
        told = layer.collection_annotations or {}
        if not isinstance(layer, module.P2PRechunkLayer):
            continue
        if told.get("chunk_type") != typename(Array):
            continue
        made = _by_tasks(graph, layer, np.dtype(told["dtype"]))
        layers = {**made.dask.layers, **layers}
        dependencies = {**made.dask.dependencies, **dependencies}
        keys = product(*[range(len(one)) for one in layer.chunks])
        both = [((name, *key), (made.name, *key)) for key in keys]
        layers[name] = MaterializedLayer({key: Alias(key, known) for key, known in both})
        dependencies[name] = {made.name}
    return HighLevelGraph(layers, dependencies)


def _by_tasks(graph: HighLevelGraph, layer: Any, dtype: np.dtype[Any]) -> Any:
    """The array that a layer makes, by tasks."""
    meta = np.empty((0,) * len(layer.chunks), dtype)
    before = Chunked(graph, layer.name_input, layer.chunks_input, meta=meta)
    return before.rechunk(layer.chunks, method="tasks")
