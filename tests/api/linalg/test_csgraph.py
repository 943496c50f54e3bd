"""Graph algorithms of SciPy on our arrays: stored zeros are edges, and nothing is made dense."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as theirs

import structarr as sa
from structarr.errors import DensificationError

ROWS, COLUMNS = np.array([[0, 0, 1, 2, 3, 3], [1, 2, 3, 3, 0, 4]], np.int32)
WEIGHTS = np.array([0.0, 2.0, 5.0, 0.0, 1.0, 3.0])  # two edges weigh nothing


def graph(dtype=float, n=5):
    return scipy.sparse.csr_array((WEIGHTS.astype(dtype), (ROWS, COLUMNS)), shape=(n, n))


def full():
    """A bipartite graph with an edge between any two nodes."""
    return scipy.sparse.csr_array(np.array([[4.0, 1, 3], [2, 9, 5], [3, 2, 2]]))


def predecessors(of):
    return theirs.shortest_path(of, return_predecessors=True)[1]


CALLS = {
    "bellman_ford": (graph, {"indices": 0}),
    "breadth_first_order": (graph, {"i_start": 0}),
    "breadth_first_tree": (graph, {"i_start": 0}),
    "connected_components": (graph, {"directed": False}),
    "construct_dist_matrix": (graph, {"predecessors": predecessors(graph())}),
    "csgraph_to_dense": (graph, {"null_value": 9}),
    "csgraph_to_masked": (graph, {}),
    "depth_first_order": (graph, {"i_start": 0}),
    "depth_first_tree": (graph, {"i_start": 0}),
    "dijkstra": (graph, {"indices": [0, 3]}),
    "floyd_warshall": (graph, {}),
    "johnson": (graph, {}),
    "laplacian": (graph, {"normed": True}),
    "maximum_bipartite_matching": (graph, {}),
    "maximum_flow": (lambda: graph(np.int32), {"source": 0, "sink": 4}),
    "min_weight_full_bipartite_matching": (full, {}),
    "minimum_spanning_tree": (graph, {}),
    "reconstruct_path": (graph, {"predecessors": predecessors(graph())[0], "directed": True}),
    "reverse_cuthill_mckee": (graph, {}),
    "shortest_path": (graph, {"method": "D"}),
    "structural_rank": (graph, {}),
    "yen": (graph, {"source": 0, "sink": 3, "K": 2}),
}
OF_DENSE = {"csgraph_from_dense", "csgraph_from_masked", "csgraph_masked_from_dense"}


def same(found, want):
    """Whether two results are the same, however they are made up."""
    if isinstance(want, tuple):
        return all(same(one, other) for one, other in zip(found, want, strict=True))
    if hasattr(want, "flow"):
        return found.flow_value == want.flow_value and same(found.flow, want.flow)
    if scipy.sparse.issparse(want):
        want, found = want.tocsr(), found.tocsr()
        parts = (want.indptr, found.indptr), (want.indices, found.indices), (want.data, found.data)
        return all(np.array_equal(one, other) for one, other in parts)
    if isinstance(want, np.ma.MaskedArray):
        return bool((found.mask == want.mask).all()) and same(found.filled(0), want.filled(0))
    return np.array_equal(found, want)


def test_every_function_is_there():
    names = {name for name in theirs.__all__ if name[0].islower()}
    assert names == CALLS.keys() | OF_DENSE
    assert all(callable(getattr(sa.csgraph, name)) for name in theirs.__all__)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr"])
@pytest.mark.parametrize("name", CALLS)
def test_results_are_those_of_scipys_matrices(name, format):
    make, given = CALLS[name]
    matrix = make()
    a = sa.asarray(matrix.tocsc() if format == "csc" else matrix)
    a = a if format in ("csr", "csc") else sa.asarray(matrix.tocoo())
    want = getattr(theirs, name)(matrix, **given)
    assert same(getattr(sa.csgraph, name)(a, **given), want)
    first = {"min_weight_full_bipartite_matching": "biadjacency"}.get(name, "csgraph")
    if name in ("dijkstra", "connected_components"):
        assert same(getattr(sa.csgraph, name)(**{first: a}, **given), want)


@pytest.mark.parametrize("name", sorted(OF_DENSE - {"csgraph_from_masked"}))
def test_dense_matrices_are_read_as_scipy_reads_them(name):
    data = np.array([[0, 2.0, np.inf], [np.nan, 0, 1], [0, 3, 0]])
    want = getattr(theirs, name)(data)
    assert same(getattr(sa.csgraph, name)(sa.asarray(data)), want)
    assert sa.csgraph.connected_components(sa.asarray(data))[0] == 1


@pytest.mark.parametrize("fill", [np.inf, np.nan])
def test_other_fills_that_mean_no_edge(fill):
    a = sa.with_fill(sa.asarray(graph()), fill)
    want = theirs.shortest_path(graph())
    assert np.array_equal(sa.csgraph.shortest_path(a), want)


def test_a_fill_that_is_an_edge_is_refused():
    a = sa.with_fill(sa.asarray(graph()), 2.0)
    with pytest.raises(ValueError, match=r"shortest_path: a fill of 0, inf or NaN means .* 2.0"):
        sa.csgraph.shortest_path(a)


def test_the_graph_stays_as_it_is():
    a = sa.asarray(graph())
    sa.csgraph.minimum_spanning_tree(a, overwrite=True)
    sa.csgraph.shortest_path(a, overwrite=True)
    assert np.array_equal(a.to_scipy().data, graph().data)


def parts_of(result):
    """The arrays that a result consists of."""
    if isinstance(result, tuple):
        return [part for one in result for part in parts_of(one)]
    if hasattr(result, "flow"):
        return parts_of(result.flow)
    if scipy.sparse.issparse(result):
        return [one for part in vars(result).values() for one in parts_of(part)]
    return [result] if isinstance(result, np.ndarray) else []


@pytest.mark.parametrize("name", CALLS)
def test_no_result_lies_in_the_graphs_memory(name):
    make, given = CALLS[name]
    given = given | {"copy": False} if name == "laplacian" else given
    a = sa.asarray(make())
    before = [one.copy() for one in sa._array.stored(a).buffers]
    parts = parts_of(getattr(sa.csgraph, name)(a, **given))
    for one, other in zip(sa._array.stored(a).buffers, before, strict=True):
        assert np.array_equal(one, other)
        assert not any(np.may_share_memory(one, part) for part in parts)
    assert all(part.flags.writeable for part in parts if part.ndim)


def test_functions_that_only_read_share_the_weights(monkeypatch):
    taken = []

    def watched(graph, **others):
        taken.append(graph)
        if len(taken) == 2:
            raise ValueError("buffer source array is read-only")

    monkeypatch.setattr(theirs, "breadth_first_order", watched)
    a = sa.asarray(graph())
    sa.csgraph.breadth_first_order(a, 0)
    assert np.shares_memory(taken[0].data, sa._array.stored(a).buffers[-1])
    assert not taken[0].data.flags.writeable
    sa.csgraph.breadth_first_order(a, 0)
    assert len(taken) == 3
    assert not np.shares_memory(taken[2].data, taken[0].data)


def test_nothing_is_made_dense():
    edges = graph(n=200_000)
    assert sa.csgraph.connected_components(sa.asarray(edges))[0] == 199_996
    with pytest.raises(DensificationError):
        theirs.connected_components(sa.asarray(edges))


def test_scipys_module_is_imported_when_it_is_needed():
    text = "import sys, structarr.csgraph; print('scipy.sparse.csgraph' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True).stdout
    assert shown.strip() == "False"


@pytest.mark.parametrize(
    "given",
    [{}, {"normed": True}, {"symmetrized": True}, {"copy": False}, {"use_out_degree": True}],
)
def test_the_laplacian_of_diagonals_is_as_scipy_has_it(given):
    values = np.arange(1.0, 16.0).reshape(3, 5)
    matrix = scipy.sparse.dia_array((values, [-2, 0, 1]), shape=(5, 5))
    found = sa.csgraph.laplacian(sa.asarray(matrix), **given)
    wanted = theirs.laplacian(matrix.copy(), **given)
    assert found.format == wanted.format
    np.testing.assert_array_equal(found.toarray(), wanted.toarray())
    np.testing.assert_array_equal(matrix.data, values)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr"])
@pytest.mark.parametrize(
    "given", [{}, {"normed": True}, {"copy": False}, {"form": "lo"}, {"use_out_degree": True}]
)
def test_the_laplacian_of_a_graph_in_scipys_formats_is_as_scipy_has_it(format, given):
    matrix = scipy.sparse.random_array((6, 6), density=0.4, rng=3).asformat(format)
    before = matrix.toarray()
    found = sa.csgraph.laplacian(sa.asarray(matrix), **given)
    wanted = theirs.laplacian(matrix.copy(), **given)
    if "form" in given:
        found, wanted = found @ np.eye(6), wanted @ np.eye(6)
    else:
        assert found.format == wanted.format
        found, wanted = found.toarray(), wanted.toarray()
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    np.testing.assert_array_equal(matrix.toarray(), before)
