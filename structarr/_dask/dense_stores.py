"""Chunks that Dask stores in dense containers, some of which ask arrays for their memory."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from dask._task_spec import Task
from dask.array.core import load_store_chunk
from dask.blockwise import Blockwise
from dask.highlevelgraph import HighLevelGraph

from structarr._array import Array


def with_dense_stores(graph: HighLevelGraph) -> HighLevelGraph:
    """The same graph, whose tasks give what they store as arrays of NumPy.

    This is before tasks are fused, as a function is not seen within them after that.
    """
    layers = {name: _storing(layer) for name, layer in graph.layers.items()}
    if all(layers[name] is layer for name, layer in graph.layers.items()):
        return graph
    return HighLevelGraph(layers, graph.dependencies)


def _storing(layer: Any) -> Any:
    if not isinstance(layer, Blockwise):
        return layer
    task = layer.task
    if not isinstance(task, Task) or task.func is not load_store_chunk:
        return layer
    made = copy(layer)
    made.task = Task(task.key, _store_dense, *task.args, **task.kwargs)
    return made


def _store_dense(x: Any, *args: Any, **kwargs: Any) -> Any:
    return load_store_chunk(np.asarray(x) if isinstance(x, Array) else x, *args, **kwargs)
