"""Graph algorithms of SciPy on our arrays, whose stored elements are edges, zeros too."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from structarr._api.core.dense import densified
from structarr._api.creation.with_fill import with_fill
from structarr._array import Array, stored
from structarr._storage.coordinates import is_listed

Function = Callable[..., Any]
Taker = Callable[[Array, str], Any]

_GRAPH = (0, "csgraph", "graph", "biadjacency")  # positions and names of arguments that are graphs


@cache
def _module() -> Any:
    return import_module("scipy.sparse.csgraph")  # its import takes some tenths of a second


def _graph(array: Array, name: str) -> Any:
    """A graph for a function of both kinds: an array that stores every element stays dense."""
    return _sparse(array, name) if is_listed(stored(array)) else densified(array, name)


def _sparse(array: Array, name: str) -> Any:
    """A graph as a matrix of SciPy's of its own, with an edge for each element that is stored."""
    tensor = stored(array)
    if tensor.fill != 0:
        if np.isfinite(tensor.fill):
            raise ValueError(
                f"{name}: a fill of 0, inf or NaN means that there is no edge where nothing is "
                f"stored; this one is {tensor.fill}; see structarr.with_fill"
            )
        array = with_fill(array, 0)
    from structarr.interop.scipy import narrowed  # SciPy takes 0.2 s to import

    return narrowed(array.to_scipy("csr")).copy()


def _wrapped(name: str, taken: Taker, says: str) -> Function:
    """One of SciPy's functions, given our graphs as it takes them."""

    def function(*args: Any, **kwargs: Any) -> Any:
        def plain(place: int | str, value: Any) -> Any:
            take = taken if place in _GRAPH else densified
            return take(value, name) if isinstance(value, Array) else value

        others = [plain(place, value) for place, value in enumerate(args)]
        told = {key: plain(key, value) for key, value in kwargs.items()}
        return getattr(_module(), name)(*others, **told)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{says}.\n\nAs `scipy.sparse.csgraph.{name}`, whose arguments and results these are; an "
        "array of\nours that leaves something out is made no denser for it, and its stored zeros "
        "are edges."
    )
    return function


bellman_ford = _wrapped(
    "bellman_ford", _graph, "Shortest paths of graphs that may have negative edges"
)
breadth_first_order = _wrapped(
    "breadth_first_order", _graph, "Nodes in the order of a breadth-first search"
)
breadth_first_tree = _wrapped("breadth_first_tree", _graph, "Tree of a breadth-first search")
connected_components = _wrapped(
    "connected_components", _graph, "Components of nodes that paths connect"
)
construct_dist_matrix = _wrapped(
    "construct_dist_matrix", _graph, "Distances by a matrix of predecessors"
)
csgraph_from_dense = _wrapped("csgraph_from_dense", densified, "Sparse graph of a dense matrix")
csgraph_from_masked = _wrapped(
    "csgraph_from_masked", densified, "Sparse graph of a masked array of NumPy"
)
csgraph_masked_from_dense = _wrapped(
    "csgraph_masked_from_dense", densified, "Masked array of NumPy of a dense matrix"
)
csgraph_to_dense = _wrapped("csgraph_to_dense", _sparse, "Dense matrix of a sparse graph")
csgraph_to_masked = _wrapped(
    "csgraph_to_masked", _sparse, "Masked array of NumPy of a sparse graph"
)
depth_first_order = _wrapped(
    "depth_first_order", _graph, "Nodes in the order of a depth-first search"
)
depth_first_tree = _wrapped("depth_first_tree", _graph, "Tree of a depth-first search")
dijkstra = _wrapped("dijkstra", _graph, "Shortest paths by Dijkstra's algorithm")
floyd_warshall = _wrapped(
    "floyd_warshall", _graph, "Shortest paths of all pairs by Floyd and Warshall's algorithm"
)
johnson = _wrapped("johnson", _graph, "Shortest paths by Johnson's algorithm")
laplacian = _wrapped("laplacian", _graph, "Laplacian of a graph")
maximum_bipartite_matching = _wrapped(
    "maximum_bipartite_matching", _sparse, "Matching of most edges"
)
maximum_flow = _wrapped("maximum_flow", _sparse, "Largest flow between two nodes")
min_weight_full_bipartite_matching = _wrapped(
    "min_weight_full_bipartite_matching", _sparse, "Full matching of least weight"
)
minimum_spanning_tree = _wrapped(
    "minimum_spanning_tree", _graph, "Tree of the least weight over all nodes"
)
reconstruct_path = _wrapped(
    "reconstruct_path", _graph, "Tree of the paths that a list of predecessors tells"
)
reverse_cuthill_mckee = _wrapped(
    "reverse_cuthill_mckee", _sparse, "Permutation that brings a matrix to a narrow band"
)
shortest_path = _wrapped("shortest_path", _graph, "Shortest paths, by the method that fits")
structural_rank = _wrapped("structural_rank", _sparse, "Greatest rank of matrices of one structure")
yen = _wrapped("yen", _graph, "The shortest simple paths between two nodes")
