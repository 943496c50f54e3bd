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

from structarr._api.linalg.graphs import bellman_ford as bellman_ford
from structarr._api.linalg.graphs import breadth_first_order as breadth_first_order
from structarr._api.linalg.graphs import breadth_first_tree as breadth_first_tree
from structarr._api.linalg.graphs import connected_components as connected_components
from structarr._api.linalg.graphs import construct_dist_matrix as construct_dist_matrix
from structarr._api.linalg.graphs import csgraph_from_dense as csgraph_from_dense
from structarr._api.linalg.graphs import csgraph_from_masked as csgraph_from_masked
from structarr._api.linalg.graphs import csgraph_masked_from_dense as csgraph_masked_from_dense
from structarr._api.linalg.graphs import csgraph_to_dense as csgraph_to_dense
from structarr._api.linalg.graphs import csgraph_to_masked as csgraph_to_masked
from structarr._api.linalg.graphs import depth_first_order as depth_first_order
from structarr._api.linalg.graphs import depth_first_tree as depth_first_tree
from structarr._api.linalg.graphs import dijkstra as dijkstra
from structarr._api.linalg.graphs import floyd_warshall as floyd_warshall
from structarr._api.linalg.graphs import johnson as johnson
from structarr._api.linalg.graphs import laplacian as laplacian
from structarr._api.linalg.graphs import maximum_bipartite_matching as maximum_bipartite_matching
from structarr._api.linalg.graphs import maximum_flow as maximum_flow
from structarr._api.linalg.graphs import (
    min_weight_full_bipartite_matching as min_weight_full_bipartite_matching,
)
from structarr._api.linalg.graphs import minimum_spanning_tree as minimum_spanning_tree
from structarr._api.linalg.graphs import reconstruct_path as reconstruct_path
from structarr._api.linalg.graphs import reverse_cuthill_mckee as reverse_cuthill_mckee
from structarr._api.linalg.graphs import shortest_path as shortest_path
from structarr._api.linalg.graphs import structural_rank as structural_rank
from structarr._api.linalg.graphs import yen as yen


def __getattr__(name: str) -> Any:
    if name != "NegativeCycleError":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from scipy.sparse.csgraph import NegativeCycleError

    return NegativeCycleError
