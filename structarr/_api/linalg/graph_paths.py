"""Shortest paths of graphs: SciPy's algorithms on what our arrays store."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from structarr._api.linalg.graphs import called, graph_of
from structarr._support.array_types import ArrayLike, NumPyArray
from structarr._support.docstrings import documented


@documented
def dijkstra(
    csgraph: ArrayLike,
    directed: bool = True,
    indices: ArrayLike | None = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
) -> Any:
    """
    Shortest paths by Dijkstra's algorithm, for weights that are not negative.

    Parameters
    ----------
    $csgraph:csgraph
    $directed
    $nodes
    $predecessors
    $unweighted
    limit : float, optional
        Paths that are longer are not looked for.
    min_only : bool, optional
        Whether to return of each node the path from the nearest of `indices` alone.

    Returns
    -------
    $distances

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.dijkstra : The function that is called.
    shortest_path : By the method that fits.
    bellman_ford : For negative weights.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.dijkstra(sa.diags([2.0, 3.0], 1), indices=0).tolist()
    [0.0, 2.0, 5.0]
    """
    return called(
        graph_of,
        "dijkstra",
        csgraph,
        directed=directed,
        indices=indices,
        return_predecessors=return_predecessors,
        unweighted=unweighted,
        limit=limit,
        min_only=min_only,
    )


@documented
def bellman_ford(
    csgraph: ArrayLike,
    directed: bool = True,
    indices: ArrayLike | None = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """
    Shortest paths by Bellman and Ford's algorithm, for weights that may be negative.

    Parameters
    ----------
    $csgraph:csgraph
    $directed
    $nodes
    $predecessors
    $unweighted

    Returns
    -------
    $distances

    Raises
    ------
    $square_graph
    $negative_cycle

    See Also
    --------
    scipy.sparse.csgraph.bellman_ford : The function that is called.
    dijkstra : For weights that are not negative.
    johnson : For sparse graphs.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.bellman_ford(sa.diags([2.0, -1.0], 1), indices=0).tolist()
    [0.0, 2.0, 1.0]
    """
    return called(
        graph_of,
        "bellman_ford",
        csgraph,
        directed=directed,
        indices=indices,
        return_predecessors=return_predecessors,
        unweighted=unweighted,
    )


@documented
def johnson(
    csgraph: ArrayLike,
    directed: bool = True,
    indices: ArrayLike | None = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """
    Shortest paths by Johnson's algorithm, for sparse graphs whose weights may be negative.

    Parameters
    ----------
    $csgraph:csgraph
    $directed
    $nodes
    $predecessors
    $unweighted

    Returns
    -------
    $distances

    Raises
    ------
    $square_graph
    $negative_cycle

    See Also
    --------
    scipy.sparse.csgraph.johnson : The function that is called.
    bellman_ford : Without weights of its own.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.johnson(sa.diags([2.0, -1.0], 1), indices=0).tolist()
    [0.0, 2.0, 1.0]
    """
    return called(
        graph_of,
        "johnson",
        csgraph,
        directed=directed,
        indices=indices,
        return_predecessors=return_predecessors,
        unweighted=unweighted,
    )


@documented
def floyd_warshall(
    csgraph: ArrayLike,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
) -> Any:
    """
    Shortest paths of all pairs by Floyd and Warshall's algorithm.

    Parameters
    ----------
    $csgraph:csgraph
    $directed
    $predecessors
    $unweighted
    $overwrite

    Returns
    -------
    $distances

    Raises
    ------
    $square_graph
    $negative_cycle

    See Also
    --------
    scipy.sparse.csgraph.floyd_warshall : The function that is called.
    dijkstra : From some nodes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.floyd_warshall(sa.diags([2.0, 3.0], 1))[0].tolist()
    [0.0, 2.0, 5.0]
    """
    return called(
        graph_of,
        "floyd_warshall",
        csgraph,
        directed=directed,
        return_predecessors=return_predecessors,
        unweighted=unweighted,
        overwrite=overwrite,
    )


@documented
def shortest_path(
    csgraph: ArrayLike,
    method: Literal["auto", "FW", "D", "BF", "J"] = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: ArrayLike | None = None,
) -> Any:
    """
    Shortest paths, by the method that fits.

    Parameters
    ----------
    $csgraph:csgraph
    method : {"auto", "FW", "D", "BF", "J"}, optional
        That of `floyd_warshall`, `dijkstra`, `bellman_ford` or `johnson`.
    $directed
    $predecessors
    $unweighted
    $overwrite
    $nodes

    Returns
    -------
    $distances

    Raises
    ------
    ValueError
        If the graph is not square, or there is no such method.
    $negative_cycle

    See Also
    --------
    scipy.sparse.csgraph.shortest_path : The function that is called.
    yen : More than one path.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.shortest_path(sa.diags([2.0, 3.0], 1), indices=0).tolist()
    [0.0, 2.0, 5.0]
    """
    return called(
        graph_of,
        "shortest_path",
        csgraph,
        method=method,
        directed=directed,
        return_predecessors=return_predecessors,
        unweighted=unweighted,
        overwrite=overwrite,
        indices=indices,
    )


@documented
def yen(
    csgraph: ArrayLike,
    source: int,
    sink: int,
    K: int,
    *,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """
    The shortest simple paths between two nodes by Yen's algorithm.

    Parameters
    ----------
    $csgraph:csgraph
    source, sink : int
        The first and the last node.
    K : int
        How many paths at most.
    $directed
    $predecessors
    $unweighted

    Returns
    -------
    $distances

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.yen : The function that is called.
    shortest_path : One path.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.yen(sa.diags([2.0, 3.0], 1), 0, 2, 4).tolist()
    [5.0]
    """
    return called(
        graph_of,
        "yen",
        csgraph,
        source=source,
        sink=sink,
        K=K,
        directed=directed,
        return_predecessors=return_predecessors,
        unweighted=unweighted,
    )


@documented
def construct_dist_matrix(
    graph: ArrayLike, predecessors: ArrayLike, directed: bool = True, null_value: float = np.inf
) -> NumPyArray:
    """
    Distances by a matrix of predecessors.

    Parameters
    ----------
    $csgraph:graph
    predecessors : numpy.ndarray of int32
        Such as `shortest_path` returns.
    $directed
    null_value : float, optional
        What stands where there is no path.

    Returns
    -------
    numpy.ndarray
        Dense matrix of the distances, in time proportional to its size.

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.construct_dist_matrix : The function that is called.
    reconstruct_path : The tree of the paths.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> before = np.array([[-9999, 0], [-9999, -9999]], "int32")
    >>> sa.csgraph.construct_dist_matrix(sa.diags([2.0], 1), before).tolist()
    [[0.0, 2.0], [inf, 0.0]]
    """
    return called(  # type: ignore[no-any-return]
        graph_of,
        "construct_dist_matrix",
        graph,
        predecessors=predecessors,
        directed=directed,
        null_value=null_value,
    )


@documented
def reconstruct_path(csgraph: ArrayLike, predecessors: ArrayLike, directed: bool = True) -> Any:
    """
    Tree of the paths that a list of predecessors tells.

    Parameters
    ----------
    $csgraph:csgraph
    predecessors : numpy.ndarray of int32
        The node before each, and -9999 where there is none.
    $directed

    Returns
    -------
    $scipys

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.reconstruct_path : The function that is called.
    construct_dist_matrix : The distances.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> before = np.array([-9999, 0], "int32")
    >>> sa.csgraph.reconstruct_path(sa.diags([2.0], 1), before).toarray().tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    return called(
        graph_of, "reconstruct_path", csgraph, predecessors=predecessors, directed=directed
    )
