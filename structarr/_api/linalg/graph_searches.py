"""Searches, trees, components, flows and matchings: SciPy's algorithms on what our arrays store."""

from __future__ import annotations

from typing import Any, Literal

from structarr._api.linalg.graphs import called, edges_of, graph_of
from structarr._support.array_types import ArrayLike, NumPyArray
from structarr._support.docstrings import documented


@documented
def breadth_first_order(
    csgraph: ArrayLike, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """
    Nodes in the order of a breadth-first search.

    Parameters
    ----------
    $csgraph:csgraph
    $start
    $directed
    $predecessors

    Returns
    -------
    $visited

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.breadth_first_order : The function that is called.
    depth_first_order : The other order.
    breadth_first_tree : The tree.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.breadth_first_order(sa.diags([2.0, 3.0], 1), 0)[0].tolist()
    [0, 1, 2]
    """
    return called(
        graph_of,
        "breadth_first_order",
        csgraph,
        i_start=i_start,
        directed=directed,
        return_predecessors=return_predecessors,
    )


@documented
def breadth_first_tree(csgraph: ArrayLike, i_start: int, directed: bool = True) -> Any:
    """
    Tree of a breadth-first search.

    Parameters
    ----------
    $csgraph:csgraph
    $start
    $directed

    Returns
    -------
    $scipys

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.breadth_first_tree : The function that is called.
    breadth_first_order : The order.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.breadth_first_tree(sa.diags([2.0, 3.0], 1), 0).nnz
    2
    """
    return called(graph_of, "breadth_first_tree", csgraph, i_start=i_start, directed=directed)


@documented
def depth_first_order(
    csgraph: ArrayLike, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """
    Nodes in the order of a depth-first search.

    Parameters
    ----------
    $csgraph:csgraph
    $start
    $directed
    $predecessors

    Returns
    -------
    $visited

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.depth_first_order : The function that is called.
    breadth_first_order : The other order.
    depth_first_tree : The tree.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.depth_first_order(sa.diags([2.0, 3.0], 1), 0)[0].tolist()
    [0, 1, 2]
    """
    return called(
        graph_of,
        "depth_first_order",
        csgraph,
        i_start=i_start,
        directed=directed,
        return_predecessors=return_predecessors,
    )


@documented
def depth_first_tree(csgraph: ArrayLike, i_start: int, directed: bool = True) -> Any:
    """
    Tree of a depth-first search.

    Parameters
    ----------
    $csgraph:csgraph
    $start
    $directed

    Returns
    -------
    $scipys

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.depth_first_tree : The function that is called.
    depth_first_order : The order.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.depth_first_tree(sa.diags([2.0, 3.0], 1), 0).nnz
    2
    """
    return called(graph_of, "depth_first_tree", csgraph, i_start=i_start, directed=directed)


@documented
def connected_components(
    csgraph: ArrayLike,
    directed: bool = True,
    connection: Literal["weak", "strong"] = "weak",
    return_labels: bool = True,
) -> Any:
    """
    Components of nodes that paths connect.

    Parameters
    ----------
    $csgraph:csgraph
    $directed
    connection : {"weak", "strong"}, optional
        Of directed graphs, whether paths have to lead both ways.
    return_labels : bool, optional
        Whether to return the component of each node, too.

    Returns
    -------
    int or tuple
        How many there are; with `return_labels` also a vector of NumPy.

    Raises
    ------
    ValueError
        If the graph is not square, or there is no such connection.

    See Also
    --------
    scipy.sparse.csgraph.connected_components : The function that is called.
    breadth_first_order : The nodes of one component.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.connected_components(sa.diags([2.0, 0.0], 1))[0]
    1
    """
    return called(
        graph_of,
        "connected_components",
        csgraph,
        directed=directed,
        connection=connection,
        return_labels=return_labels,
    )


@documented
def minimum_spanning_tree(csgraph: ArrayLike, overwrite: bool = False) -> Any:
    """
    Tree of the least weight over all nodes.

    Parameters
    ----------
    $csgraph:csgraph
    $overwrite

    Returns
    -------
    $scipys

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.minimum_spanning_tree : The function that is called.
    shortest_path : Paths of the least weight.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.minimum_spanning_tree(sa.diags([2.0, 3.0], 1)).sum().item()
    5.0
    """
    return called(graph_of, "minimum_spanning_tree", csgraph, overwrite=overwrite)


@documented
def maximum_flow(
    csgraph: ArrayLike,
    source: int,
    sink: int,
    *,
    method: Literal["dinic", "edmonds_karp"] = "dinic",
) -> Any:
    """
    Largest flow between two nodes.

    Parameters
    ----------
    $csgraph:csgraph
    source, sink : int
        The first and the last node.
    method : {"dinic", "edmonds_karp"}, optional
        The algorithm.

    Returns
    -------
    object
        With `flow_value` and the matrix `flow` of SciPy.

    Raises
    ------
    TypeError
        If the weights are not integers.
    ValueError
        If the graph is not square, or a node is not there.

    See Also
    --------
    scipy.sparse.csgraph.maximum_flow : The function that is called.
    maximum_bipartite_matching : Between two sets of nodes.

    Examples
    --------
    >>> import structarr as sa
    >>> found = sa.csgraph.maximum_flow(sa.diags([2, 3], 1).astype("int32"), 0, 2)
    >>> int(found.flow_value)
    2
    """
    return called(edges_of, "maximum_flow", csgraph, source=source, sink=sink, method=method)


@documented
def maximum_bipartite_matching(
    graph: ArrayLike, perm_type: Literal["row", "column"] = "row"
) -> NumPyArray:
    """
    Matching of most edges.

    Parameters
    ----------
    $csgraph:graph
    perm_type : {"row", "column"}, optional
        Whether to return a row for each column, or a column for each row.

    Returns
    -------
    numpy.ndarray
        Dense vector with a number for each, -1 where there is none, computed at the call by SciPy.

    Raises
    ------
    ValueError
        If there is no such type.

    See Also
    --------
    scipy.sparse.csgraph.maximum_bipartite_matching : The function that is called.
    min_weight_full_bipartite_matching : Of the least weight.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.maximum_bipartite_matching(sa.diags([2.0, 3.0], 1)).tolist()
    [-1, 0, 1]
    """
    return called(edges_of, "maximum_bipartite_matching", graph, perm_type=perm_type)  # type: ignore[no-any-return]


@documented
def min_weight_full_bipartite_matching(biadjacency: ArrayLike, maximize: bool = False) -> Any:
    """
    Full matching of least weight.

    Parameters
    ----------
    $csgraph:biadjacency
    maximize : bool, optional
        Whether of the greatest weight instead.

    Returns
    -------
    tuple of numpy.ndarray
        The rows, and the column of each.

    Raises
    ------
    ValueError
        If there is no full matching.

    See Also
    --------
    scipy.sparse.csgraph.min_weight_full_bipartite_matching : The function that is called.
    maximum_bipartite_matching : Of most edges.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.min_weight_full_bipartite_matching(sa.diags([2.0, 3.0]))[1].tolist()
    [0, 1]
    """
    return called(edges_of, "min_weight_full_bipartite_matching", biadjacency, maximize=maximize)
