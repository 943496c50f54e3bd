"""Chunks of other libraries that ours cannot be computed with, found before a task runs."""

from __future__ import annotations

from typing import Any, Final

from dask.blockwise import Blockwise
from dask.highlevelgraph import HighLevelGraph
from dask.utils import typename

from structarr._array import Array

REFUSED: Final = {"numpy.ma.MaskedArray": "masked arrays are not supported: give a.filled(value)"}
"""The types of chunks that our functions refuse, and what is said of them."""

LIBRARIES: Final = ("numpy", "_operator", "dask")
"""Where functions come from that compute with whatever they are given; a user's own may convert."""


def check(graph: HighLevelGraph) -> None:
    """
    Raise TypeError where a function is given chunks of ours and of a type that ours refuse.

    Dask asks arrays without elements what a function returns, and ignores that they refuse it.
    """
    ours = typename(Array)
    for name, layer in graph.layers.items():
        if not isinstance(layer, Blockwise):
            continue
        types = {_chunk_type(graph.layers[above]) for above in graph.dependencies[name]}
        other = next((one for one in types if one in REFUSED), None)
        if other is not None and ours in types and _is_of_library(layer):
            raise TypeError(f"{name.rsplit('-', 1)[0]} of our chunks and {other}: {REFUSED[other]}")


def _chunk_type(layer: Any) -> str | None:
    found: str | None = (layer.collection_annotations or {}).get("chunk_type")
    return found


def _is_of_library(layer: Any) -> bool:
    function = getattr(layer.task, "func", None)
    home = getattr(function, "__module__", None) or type(function).__module__
    return home.split(".")[0] in LIBRARIES
