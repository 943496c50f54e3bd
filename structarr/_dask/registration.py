"""What Dask is told of our arrays: at once if it was imported before us, else by `structarr.dask`.

A worker imports Dask first and us with the first of our arrays that comes to it.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

from structarr._array import Array, stored

OLDEST: Final = (2024, 12)
"""The first version of Dask whose tasks can be finished."""


def join() -> None:
    """Register our arrays with as much of Dask as is imported, if it is new enough for that."""
    version = re.match(r"(\d+)\.(\d+)", getattr(sys.modules.get("dask"), "__version__", ""))
    if version is None or tuple(map(int, version.groups())) < OLDEST:
        return
    if "dask.sizeof" in sys.modules:
        plug_in()
    if "dask.array" in sys.modules:
        register()


@cache
def plug_in() -> None:
    """
    Tell Dask the sizes of our arrays, and to compute them in their tasks.

    The user may have chosen another optimisation of graphs, which is left in place.
    """
    from dask import config
    from dask.sizeof import sizeof

    sizeof.register(Array, nbytes)
    if config.get("array_optimize", None) is None:
        config.set({"array_optimize": optimize})


def nbytes(array: Array) -> int:
    """The bytes of all buffers; a lazy array is computed."""
    return stored(array).nbytes


def optimize(graph: Any, keys: Any, **options: Any) -> Any:
    """Optimise a graph as Dask does; tasks of our chunks compute what they return."""
    finishing = import_module("structarr._dask.finishing")  # it needs Dask's arrays
    return finishing.optimize(graph, keys, **options)


@cache
def register() -> None:
    """Register our arrays as chunks, and the functions of chunks that Dask looks up by type."""
    from dask.array import dispatch
    from dask.array.chunk_types import register_chunk_type

    from structarr._dask import chunk_functions as chunk

    plug_in()
    register_chunk_type(Array)
    dispatch.concatenate_lookup.register(Array, np.concatenate)
    dispatch.tensordot_lookup.register(Array, np.tensordot)
    dispatch.einsum_lookup.register(Array, chunk.einsum)
    dispatch.take_lookup.register(Array, np.take)
    dispatch.empty_lookup.register(Array, np.empty)
    dispatch.divide_lookup.register(Array, chunk.divide)
    dispatch.numel_lookup.register(Array, chunk.numel)
    dispatch.nannumel_lookup.register(Array, chunk.nannumel)
    dispatch.percentile_lookup.register(Array, chunk.percentile)
    dispatch.to_numpy_dispatch.register(Array, chunk.to_numpy)
