"""Graph algorithms, as `scipy.sparse.csgraph` has them, on arrays of structarr.

SciPy's own functions make our arrays dense, where a stored zero is no edge any more. These hand on
what is stored: an edge of weight zero stays one. A fill of 0, infinity or NaN means that there is
no edge; dense arrays are read as SciPy reads them, zeros being no edges. Results are SciPy's.

Examples
--------
>>> import scipy.sparse
>>> import structarr as sa
>>> edges = scipy.sparse.csr_array(([0.0, 2.0], ([0, 1], [1, 2])), shape=(3, 3))
>>> edges = sa.asarray(edges)
>>> sa.csgraph.connected_components(edges, directed=False)[0]
1
>>> sa.csgraph.shortest_path(edges, indices=0).tolist()
[0.0, 0.0, 2.0]
"""

from typing import Any

from structarr._api.linalg.graph_matrices import (
    csgraph_from_dense as csgraph_from_dense,
    csgraph_from_masked as csgraph_from_masked,
    csgraph_masked_from_dense as csgraph_masked_from_dense,
    csgraph_to_dense as csgraph_to_dense,
    csgraph_to_masked as csgraph_to_masked,
    laplacian as laplacian,
    reverse_cuthill_mckee as reverse_cuthill_mckee,
    structural_rank as structural_rank,
)
from structarr._api.linalg.graph_paths import (
    bellman_ford as bellman_ford,
    construct_dist_matrix as construct_dist_matrix,
    dijkstra as dijkstra,
    floyd_warshall as floyd_warshall,
    johnson as johnson,
    reconstruct_path as reconstruct_path,
    shortest_path as shortest_path,
    yen as yen,
)
from structarr._api.linalg.graph_searches import (
    breadth_first_order as breadth_first_order,
    breadth_first_tree as breadth_first_tree,
    connected_components as connected_components,
    depth_first_order as depth_first_order,
    depth_first_tree as depth_first_tree,
    maximum_bipartite_matching as maximum_bipartite_matching,
    maximum_flow as maximum_flow,
    min_weight_full_bipartite_matching as min_weight_full_bipartite_matching,
    minimum_spanning_tree as minimum_spanning_tree,
)


def __getattr__(name: str) -> Any:
    if name != "NegativeCycleError":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from scipy.sparse.csgraph import NegativeCycleError

    return NegativeCycleError
