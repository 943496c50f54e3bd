"""Calls of SciPy."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.cluster
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.io
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse as sp
import scipy.sparse.csgraph as graphs
import scipy.sparse.linalg as solvers
import scipy.spatial
import scipy.special
import scipy.stats


def _archive(matrix: Any) -> Any:
    file = io.BytesIO()
    sp.save_npz(file, matrix)
    file.seek(0)
    return sp.load_npz(file)


def _market(matrix: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.mtx"
        scipy.io.mmwrite(path, matrix)
        found = scipy.io.mmread(path)
    return found.toarray() if sp.issparse(found) else found


def _matlab(matrix: Any) -> Any:
    file = io.BytesIO()
    scipy.io.savemat(file, {"a": matrix})
    file.seek(0)
    found = scipy.io.loadmat(file)["a"]
    return found.toarray() if sp.issparse(found) else found


def _solved(name: str) -> Any:
    return lambda o: getattr(solvers, name)(o.S, o.v, atol=1e-12, rtol=1e-12)[0]


def _exact(o: Any) -> Any:
    return np.linalg.solve(o.S, o.v)


LINEAR: dict[str, Any] = {
    "aslinearoperator matvec": lambda o: solvers.aslinearoperator(o.A).matvec(o.v),
    "aslinearoperator rmatvec": lambda o: solvers.aslinearoperator(o.A).rmatvec(o.w),
    "aslinearoperator matmat": lambda o: solvers.aslinearoperator(o.A).matmat(o.X),
    **{
        name: (_solved(name), _exact)
        for name in ("cg", "bicg", "bicgstab", "cgs", "gmres", "lgmres", "gcrotmk", "qmr", "tfqmr")
    },
    "minres": (lambda o: solvers.minres(o.S, o.v, rtol=1e-12)[0], _exact),
    "lsqr": (
        lambda o: solvers.lsqr(o.A, o.w, atol=1e-14, btol=1e-14)[0],
        lambda o: np.linalg.lstsq(o.A, o.w)[0],
    ),
    "lsmr": (
        lambda o: solvers.lsmr(o.A, o.w, atol=1e-14, btol=1e-14)[0],
        lambda o: np.linalg.lstsq(o.A, o.w)[0],
    ),
    "eigsh": (
        lambda o: np.sort(solvers.eigsh(o.S, 2, return_eigenvectors=False)),
        lambda o: np.linalg.eigvalsh(o.S)[-2:],
    ),
    "eigs": (
        lambda o: np.sort(solvers.eigs(o.S, 2, return_eigenvectors=False).real),
        lambda o: np.linalg.eigvalsh(o.S)[-2:],
    ),
    "svds": (
        lambda o: np.sort(solvers.svds(o.A, 2, return_singular_vectors=False)),
        lambda o: np.linalg.svd(o.A, compute_uv=False)[1::-1],
    ),
    "lobpcg": (
        lambda o: np.sort(solvers.lobpcg(o.S, o.X[:, :2], tol=1e-10, maxiter=200)[0]),
        lambda o: np.linalg.eigvalsh(o.S)[-2:],
    ),
    "expm_multiply": (
        lambda o: solvers.expm_multiply(o.S / 50, o.v),
        lambda o: scipy.linalg.expm(o.S / 50) @ o.v,
    ),
    "spsolve": (lambda o: solvers.spsolve(o.S, o.v), _exact),
    "splu": (lambda o: solvers.splu(o.S).solve(o.v), _exact),
    "spilu": (lambda o: solvers.spilu(o.S, drop_tol=0).solve(o.v), _exact),
    "factorized": (lambda o: solvers.factorized(o.S)(o.v), _exact),
    "spsolve_triangular": (
        lambda o: solvers.spsolve_triangular(o.L, o.v),
        lambda o: np.linalg.solve(o.L, o.v),
    ),
    "sparse inv": (lambda o: solvers.inv(o.S), lambda o: np.linalg.inv(o.S)),
    "sparse expm": (
        lambda o: solvers.expm(o.S / 50),
        lambda o: scipy.linalg.expm(o.S / 50),
    ),
    "sparse norm": (lambda o: solvers.norm(o.A), lambda o: np.linalg.norm(o.A)),
    "sparse norm of rows": (
        lambda o: solvers.norm(o.A, axis=1),
        lambda o: np.linalg.norm(o.A, axis=1),
    ),
    "onenormest": (lambda o: solvers.onenormest(o.S), lambda o: np.linalg.norm(o.S, 1)),
    "sparse matrix_power": (
        lambda o: solvers.matrix_power(o.S, 3),
        lambda o: np.linalg.matrix_power(o.S, 3),
    ),
    "spbandwidth": (lambda o: solvers.spbandwidth(o.L)[1], lambda o: 0),
    "is_sptriangular": (lambda o: solvers.is_sptriangular(o.L)[0], lambda o: True),
}

BUILDING: dict[str, Any] = {
    "csr_array": lambda o: sp.csr_array(o.A),
    "csc_array": lambda o: sp.csc_array(o.A),
    "coo_array": lambda o: sp.coo_array(o.A),
    "coo_array of a cube": lambda o: sp.coo_array(o.T),
    "bsr_array": lambda o: sp.bsr_array(o.A),
    "dia_array": lambda o: sp.dia_array(o.A),
    "lil_array": lambda o: sp.lil_array(o.A),
    "sparse hstack": (lambda o: sp.hstack([o.A, o.A]), lambda o: np.hstack([o.A, o.A])),
    "sparse vstack": (lambda o: sp.vstack([o.A, o.A]), lambda o: np.vstack([o.A, o.A])),
    "sparse kron": (lambda o: sp.kron(o.A, o.S), lambda o: np.kron(o.A, o.S)),
    "block_diag": (
        lambda o: sp.block_diag([o.A, o.S]),
        lambda o: scipy.linalg.block_diag(o.A, o.S),
    ),
    "block_array": (
        lambda o: sp.block_array([[o.A], [o.S]]),
        lambda o: np.vstack([o.A, o.S]),
    ),
    "sparse tril": (lambda o: sp.tril(o.S), lambda o: np.tril(o.S)),
    "sparse triu": (lambda o: sp.triu(o.S), lambda o: np.triu(o.S)),
    "find": (lambda o: np.sort(sp.find(o.A)[2]), lambda o: np.sort(o.A[o.A != 0])),
    "save_npz": (lambda o: _archive(o.A), lambda o: o.A),
    "mmwrite": (lambda o: _market(o.A), lambda o: o.A),
    "savemat": (lambda o: _matlab(o.A), lambda o: o.A),
    "scipy @ x": lambda o: sp.csr_array(np.eye(20)) @ o.A,
    "x @ scipy": lambda o: o.A @ sp.csr_array(np.eye(8)),
    "scipy + x": lambda o: sp.csr_array(np.eye(8)) + o.S,
    "x * scipy": lambda o: o.S * sp.csr_array(np.eye(8)),
}


def _flow(graph: Any) -> Any:
    return graphs.maximum_flow(graph, 0, 7).flow_value


GRAPHS: dict[str, Any] = {
    "connected_components": lambda o: graphs.connected_components(o.G),
    "shortest_path": lambda o: graphs.shortest_path(o.G),
    "dijkstra": lambda o: graphs.dijkstra(o.G, indices=[0, 3]),
    "bellman_ford": lambda o: graphs.bellman_ford(o.G),
    "johnson": lambda o: graphs.johnson(o.G),
    "floyd_warshall": lambda o: graphs.floyd_warshall(o.G),
    "minimum_spanning_tree": lambda o: graphs.minimum_spanning_tree(o.S),
    "breadth_first_order": lambda o: graphs.breadth_first_order(o.G, 0),
    "depth_first_order": lambda o: graphs.depth_first_order(o.G, 0),
    "breadth_first_tree": lambda o: graphs.breadth_first_tree(o.G, 0),
    "laplacian": lambda o: graphs.laplacian(o.S),
    "maximum_flow": (
        lambda o: _flow(o.G.astype(np.int32)),
        lambda o: _flow(sp.csr_array(o.G.astype(np.int32))),
    ),
    "maximum_bipartite_matching": (
        lambda o: graphs.maximum_bipartite_matching(o.G),
        lambda o: graphs.maximum_bipartite_matching(sp.csr_array(o.G)),
    ),
    "min_weight_full_bipartite_matching": (
        lambda o: graphs.min_weight_full_bipartite_matching(o.S),
        lambda o: graphs.min_weight_full_bipartite_matching(sp.csr_array(o.S)),
    ),
    "reverse_cuthill_mckee": (
        lambda o: graphs.reverse_cuthill_mckee(o.S),
        lambda o: graphs.reverse_cuthill_mckee(sp.csr_array(o.S)),
    ),
    "structural_rank": (
        lambda o: graphs.structural_rank(o.S),
        lambda o: graphs.structural_rank(sp.csr_array(o.S)),
    ),
    "csgraph_to_dense": (
        lambda o: graphs.csgraph_to_dense(o.G),
        lambda o: graphs.csgraph_to_dense(sp.csr_array(o.G)),
    ),
}

_IMAGES, _STATS, _SPECIAL = scipy.ndimage, scipy.stats, scipy.special

OTHER: dict[str, Any] = {
    "linalg.norm": lambda o: scipy.linalg.norm(o.A),
    "linalg.solve": lambda o: scipy.linalg.solve(o.S, o.v),
    "linalg.inv": lambda o: scipy.linalg.inv(o.S),
    "linalg.det": lambda o: scipy.linalg.det(o.S),
    "linalg.svdvals": lambda o: scipy.linalg.svdvals(o.A),
    "linalg.eigvalsh": lambda o: scipy.linalg.eigvalsh(o.S),
    "linalg.lstsq": lambda o: scipy.linalg.lstsq(o.A, o.w)[0],
    "linalg.pinv": lambda o: scipy.linalg.pinv(o.A),
    "linalg.cholesky": lambda o: scipy.linalg.cholesky(o.S),
    "linalg.expm": lambda o: scipy.linalg.expm(o.S / 50),
    "linalg.lu": lambda o: scipy.linalg.lu(o.S)[2],
    "linalg.block_diag": lambda o: scipy.linalg.block_diag(o.S, o.S),
    "linalg.bandwidth": lambda o: scipy.linalg.bandwidth(o.L),
    "stats.zscore": lambda o: _STATS.zscore(o.A, axis=0),
    "stats.pearsonr": lambda o: _STATS.pearsonr(o.u, o.u**2).statistic,
    "stats.spearmanr": lambda o: _STATS.spearmanr(o.A).statistic,
    "stats.describe": lambda o: _STATS.describe(o.A, axis=0).mean,
    "stats.skew": lambda o: _STATS.skew(o.A, axis=0),
    "stats.kurtosis": lambda o: _STATS.kurtosis(o.A, axis=0),
    "stats.rankdata": lambda o: _STATS.rankdata(o.A, axis=1),
    "stats.entropy": lambda o: _STATS.entropy(o.S, axis=0),
    "stats.trim_mean": lambda o: _STATS.trim_mean(o.A, 0.1, axis=0),
    "stats.sem": lambda o: _STATS.sem(o.A, axis=0),
    "stats.iqr": lambda o: _STATS.iqr(o.A, axis=0),
    "stats.mode": lambda o: _STATS.mode(o.A, axis=0).mode,
    "stats.ttest_1samp": lambda o: _STATS.ttest_1samp(o.A, 1.0, axis=0).statistic,
    "stats.mannwhitneyu": lambda o: _STATS.mannwhitneyu(o.A[:9], o.A[9:], axis=0).statistic,
    "stats.moment": lambda o: _STATS.moment(o.A, 2, axis=0),
    "special.logsumexp": lambda o: _SPECIAL.logsumexp(o.A, axis=1),
    "special.softmax": lambda o: _SPECIAL.softmax(o.A, axis=1),
    "special.expit": lambda o: _SPECIAL.expit(o.A),
    "special.xlogy": lambda o: _SPECIAL.xlogy(o.A, o.A + 1),
    "special.gammaln": lambda o: _SPECIAL.gammaln(o.A + 1),
    "special.erf": lambda o: _SPECIAL.erf(o.A),
    "signal.convolve2d": lambda o: scipy.signal.convolve2d(o.A, np.ones((2, 2))),
    "signal.convolve": lambda o: scipy.signal.convolve(o.u, np.ones(3)),
    "signal.fftconvolve": lambda o: scipy.signal.fftconvolve(o.A, np.ones((2, 2))),
    "signal.detrend": lambda o: scipy.signal.detrend(o.A),
    "signal.medfilt": lambda o: scipy.signal.medfilt(o.u, 3),
    "ndimage.gaussian_filter": lambda o: _IMAGES.gaussian_filter(o.A, 1),
    "ndimage.uniform_filter": lambda o: _IMAGES.uniform_filter(o.A, 3),
    "ndimage.sobel": lambda o: _IMAGES.sobel(o.A),
    "ndimage.label": lambda o: _IMAGES.label(o.B)[0],
    "ndimage.center_of_mass": lambda o: _IMAGES.center_of_mass(o.A),
    "ndimage.binary_dilation": lambda o: _IMAGES.binary_dilation(o.B),
    "ndimage.distance_transform_edt": lambda o: _IMAGES.distance_transform_edt(o.B),
    "ndimage.zoom": lambda o: _IMAGES.zoom(o.A, 2, order=1),
    "fft.fft2": lambda o: scipy.fft.fft2(o.A),
    "fft.dct": lambda o: scipy.fft.dct(o.A),
    "distance.pdist": lambda o: scipy.spatial.distance.pdist(o.A),
    "distance.cdist": lambda o: scipy.spatial.distance.cdist(o.A, o.D),
    "cKDTree": lambda o: scipy.spatial.cKDTree(o.A).query(o.D)[1],
    "interpolate.interp1d": lambda o: scipy.interpolate.interp1d(np.arange(20), o.A.T)([0.5, 3.2]),
    "interpolate.CubicSpline": lambda o: scipy.interpolate.CubicSpline(np.arange(20), o.A)(0.5),
    "RegularGridInterpolator": lambda o: scipy.interpolate.RegularGridInterpolator(
        (np.arange(20), np.arange(8)), o.A
    )([[0.5, 3.2]]),
    "optimize.linprog": lambda o: scipy.optimize.linprog(-o.v, A_ub=o.A, b_ub=o.w + 1).fun,
    "optimize.lsq_linear": lambda o: scipy.optimize.lsq_linear(o.A, o.w, tol=1e-13).x,
    "optimize.nnls": lambda o: scipy.optimize.nnls(o.A, o.w)[0],
    "optimize.LinearConstraint": lambda o: (
        scipy.optimize.milp(-o.v, constraints=scipy.optimize.LinearConstraint(o.A, ub=o.w + 9)).fun
    ),
    "optimize.minimize": lambda o: (
        scipy.optimize.minimize(
            lambda x: float(((o.A @ x - o.w) ** 2).sum()),
            np.zeros(8),
            jac=lambda x: 2 * np.asarray(o.A.T @ (o.A @ x - o.w)),
        ).fun
    ),
    "optimize.linear_sum_assignment": lambda o: scipy.optimize.linear_sum_assignment(o.S),
    "integrate.trapezoid": lambda o: scipy.integrate.trapezoid(o.A, axis=0),
    "integrate.simpson": lambda o: scipy.integrate.simpson(o.A, axis=0),
    "integrate.solve_ivp": lambda o: scipy.integrate.solve_ivp(
        lambda t, y: np.asarray(-(o.S @ y)), (0, 0.1), o.v
    ).y[:, -1],
    "integrate.solve_ivp with a Jacobian": lambda o: scipy.integrate.solve_ivp(
        lambda t, y: np.asarray(-(o.S @ y)), (0, 0.1), o.v, method="BDF", jac=-1 * o.S
    ).y[:, -1],
    "cluster.vq.whiten": lambda o: scipy.cluster.vq.whiten(o.S),
    "cluster.hierarchy.linkage": lambda o: scipy.cluster.hierarchy.linkage(o.A),
}

PROBES = {
    "scipy.sparse.linalg": LINEAR,
    "scipy.sparse": BUILDING,
    "csgraph": GRAPHS,
    "scipy": OTHER,
}
