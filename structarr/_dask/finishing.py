"""Tasks that return computed chunks: what is lazy is fused within a task, and ends with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dask._task_spec import Task, convert_legacy_graph
from dask.array.optimization import optimize as optimized
from dask.highlevelgraph import HighLevelGraph
from dask.utils import ensure_dict, typename

from structarr._array import Array, store
from structarr._dask import foreign_chunks
from structarr._dask.dense_stores import with_dense_stores
from structarr._dask.registration import register
from structarr._dask.task_rechunks import with_task_rechunks

register()  # in workers, too, before the first task


def optimize(graph: Any, keys: Any, **options: Any) -> Any:
    """
    Optimise a graph as Dask does, and finish the tasks if some of its arrays have our chunks.

    Dask fuses operations of a chunk to one task. Within it our arrays are lazy, so that they are
    fused further, to one kernel; what leaves the task is computed.

    Raises
    ------
    TypeError
        If our chunks meet some that they cannot be computed with.
    """
    if not has_our_chunks(graph):
        return optimized(graph, keys, **options)
    foreign_chunks.check(graph)
    return finishing(optimized(with_task_rechunks(with_dense_stores(graph)), keys, **options))


def has_our_chunks(graph: Any) -> bool:
    """Whether a layer of a graph is of arrays with our chunks."""
    if not isinstance(graph, HighLevelGraph):
        return False
    ours = typename(Array)
    return any(
        (layer.collection_annotations or {}).get("chunk_type") == ours
        for layer in graph.layers.values()
    )


def finishing(graph: Mapping[Any, Any]) -> dict[Any, Any]:
    """The same graph, whose tasks compute what they return."""
    plain = convert_legacy_graph(ensure_dict(graph))
    return {key: _finishing(node) for key, node in plain.items()}


def _finishing(node: Any) -> Any:
    # A task of a class of its own is asked for by that: containers, the barriers of shuffles.
    if type(node) is not Task or node.func is finished:
        return node
    producer = {"_data_producer": node.data_producer}
    return Task(node.key, finished, node.func, *node.args, **node.kwargs, **producer)


def finished(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a function returns, with all arrays in it computed together."""
    made = function(*args, **kwargs)
    store(list(_arrays(made)))
    return made


def _arrays(value: Any) -> Iterator[Array]:
    if isinstance(value, Array):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _arrays(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _arrays(part)
