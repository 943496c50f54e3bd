"""SciPy's sparse functions on our arrays: solvers take them, others are in our namespace."""

import numpy as np
import pytest
import scipy
import scipy.sparse as sp
import scipy.sparse.linalg as spl

import structarr as sa
from structarr.errors import DensificationError

N = 24
FORMATS = ("csr", "csc", "coo", "bsr", "dia", "hash", "vbl", "rle", "sparse-rle", "dense")
RNG = np.random.default_rng(0)
RIGHT = RNG.random(N)
SQUARE = sp.random_array((N, N), density=0.15, rng=1) + 4 * sp.eye_array(N)
POSITIVE = (SQUARE.T @ SQUARE + sp.eye_array(N)).tocsr()
WIDE = sp.random_array((30, N), density=0.3, rng=2).tocsr()
COMPLEX = (SQUARE + 1j * sp.random_array((N, N), density=0.1, rng=4)).tocsr()

IS_LAZY = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 18)
"""Whether SciPy's own functions write to operands of lazy products, so that ours stand for them."""

SOLVERS = ("cg", "cgs", "bicg", "bicgstab", "gmres", "lgmres", "gcrotmk", "minres", "qmr", "tfqmr")


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("format", FORMATS)
def test_solvers_take_arrays_as_they_are(name: str, format: str) -> None:
    array = sa.asarray(POSITIVE, format=format)
    for home in (sa.linalg,) if IS_LAZY else (sa.linalg, spl):
        found, failed = getattr(home, name)(array, RIGHT, rtol=1e-10)
        assert not failed
        np.testing.assert_allclose(POSITIVE @ found, RIGHT, rtol=1e-6)


@pytest.mark.parametrize("format", FORMATS)
def test_operators_their_transposes_and_adjoints(format: str) -> None:
    for matrix in (WIDE, COMPLEX):
        ours = sa.linalg.aslinearoperator(sa.asarray(matrix, format=format))
        theirs = spl.aslinearoperator(matrix)
        rows, columns = matrix.shape
        x, y = RNG.random(columns), RNG.random(rows)
        block = RNG.random((columns, 3))
        np.testing.assert_allclose(ours @ x, theirs @ x)
        np.testing.assert_allclose(ours @ block, theirs @ block)
        np.testing.assert_allclose(ours.H @ y, theirs.H @ y)
        np.testing.assert_allclose(ours.T @ y, theirs.T @ y)
        np.testing.assert_allclose((2 * ours).rmatvec(y), (2 * theirs).rmatvec(y))


@pytest.mark.parametrize("format", ["csr", "csc", "rle"])
def test_eigenvalues_and_singular_values(format: str) -> None:
    array, wide = sa.asarray(POSITIVE, format=format), sa.asarray(WIDE, format=format)
    start = np.ones(N)
    np.testing.assert_allclose(
        sa.linalg.eigsh(array, 2, v0=start)[0], spl.eigsh(POSITIVE, 2, v0=start)[0]
    )
    np.testing.assert_allclose(
        sorted(sa.linalg.eigs(array, 2, v0=start)[0].real),
        sorted(spl.eigs(POSITIVE, 2, v0=start)[0].real),
    )
    np.testing.assert_allclose(
        sa.linalg.svds(wide, 2, v0=start)[1], spl.svds(WIDE, 2, v0=start)[1], rtol=1e-6
    )
    np.testing.assert_allclose(
        sa.linalg.lsqr(wide, np.ones(30), atol=1e-12, btol=1e-12)[0],
        spl.lsqr(WIDE, np.ones(30), atol=1e-12, btol=1e-12)[0],
        rtol=1e-5,
    )
    np.testing.assert_allclose(
        sa.linalg.lsmr(wide.T, start, atol=1e-12, btol=1e-12)[0],
        spl.lsmr(WIDE.T, start, atol=1e-12, btol=1e-12)[0],
        atol=1e-5,
    )
    guess = RNG.random((N, 2))
    found, _ = sa.linalg.lobpcg(array, guess.copy(), maxiter=200, tol=1e-8)
    np.testing.assert_allclose(sorted(found), spl.eigsh(POSITIVE, 2)[0], rtol=1e-5)


MATRICES = {
    "spsolve": (POSITIVE, (RIGHT,)),
    "expm_multiply": (POSITIVE / 100, (RIGHT,)),
    "expm": (POSITIVE / 100, ()),
    "spsolve_triangular": (sp.tril(POSITIVE).tocsr(), (RIGHT,)),
    "onenormest": (POSITIVE, ()),
    "is_sptriangular": (POSITIVE, ()),
    "spbandwidth": (POSITIVE, ()),
}


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("format", ["csr", "coo", "rle", "dense"])
def test_functions_of_entries(name: str, format: str) -> None:
    matrix, others = MATRICES[name]
    wanted = getattr(spl, name)(matrix.tocsc(), *others)
    found = getattr(sa.linalg, name)(sa.asarray(matrix, format=format), *others)
    if sp.issparse(wanted):
        assert isinstance(found, sa.Array)
        wanted, found = wanted.toarray(), found.todense()
    np.testing.assert_allclose(found, wanted)


def test_factors() -> None:
    array = sa.asarray(POSITIVE)
    for solve in (sa.linalg.splu(array).solve, sa.linalg.factorized(array)):
        np.testing.assert_allclose(POSITIVE @ solve(RIGHT), RIGHT)
    assert isinstance(sa.linalg.spsolve(array, sa.asarray(sp.eye_array(N).tocsc())), sa.Array)


def test_operands_of_both_libraries_give_ours() -> None:
    array = sa.asarray(SQUARE.tocsr())
    for found in (array @ SQUARE.tocsr(), array * SQUARE.tocsr(), array + SQUARE.tocsr()):
        assert isinstance(found, sa.Array) and found.format == "csr"
    joined = sa.vstack([SQUARE.tocsr(), array])
    assert isinstance(joined, sa.Array) and joined.format == "csr" and joined.shape == (2 * N, N)


def test_scipys_own_operators_say_what_to_write() -> None:
    wide = sa.from_coordinates(([0], [5]), [1.0], (10**6, 10**6))
    theirs = sp.eye_array(10**6, format="csr")
    for call in (
        lambda: theirs @ wide,
        lambda: theirs * wide,
        lambda: sp.vstack([wide, theirs]),
        lambda: sp.csgraph.connected_components(wide),
    ):
        with pytest.raises(DensificationError, match=r"structarr\.asarray\(s\) @ a.*to_scipy"):
            call()


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
def test_names_that_scipys_users_type() -> None:
    for format in ("csr", "coo", "rle", "dense"):
        a = sa.asarray(SQUARE, format=format)
        theirs = SQUARE.tocsr()
        np.testing.assert_array_equal(a.toarray(), theirs.toarray())
        for name in ("tocsr", "tocsc", "tocoo", "tobsr", "todia", "tolil", "todok"):
            made = getattr(a, name)()
            assert made.format == name.removeprefix("to") and (made != theirs).nnz == 0
        np.testing.assert_array_equal(a.multiply(a).toarray(), theirs.multiply(theirs).toarray())
        np.testing.assert_array_equal(a.diagonal(k=1).todense(), theirs.diagonal(k=1))
        np.testing.assert_array_equal(a.power(2).toarray(), theirs.power(2).toarray())
        np.testing.assert_array_equal(a.maximum(0.5).toarray(), theirs.maximum(0.5).toarray())
        np.testing.assert_array_equal(a.minimum(0.5).toarray(), np.minimum(theirs.toarray(), 0.5))
        np.testing.assert_allclose(a.sqrt().toarray(), theirs.sqrt().toarray())
        np.testing.assert_array_equal(a.H.toarray(), theirs.toarray().T)
        np.testing.assert_array_equal(a.transpose(copy=True).toarray(), theirs.toarray().T)
        assert a.trace().item() == pytest.approx(theirs.trace())
        assert a.count_nonzero().item() == theirs.count_nonzero()
        assert a.getnnz() == theirs.nnz
        for axis in (0, 1):
            assert a.getnnz(axis=axis).tolist() == theirs.count_nonzero(axis=axis).tolist()
            assert a.count_nonzero(axis=axis).tolist() == theirs.count_nonzero(axis=axis).tolist()
        for one, other in zip(sa.find(a), sp.find(theirs.tocsc().T.tocsr().T), strict=True):
            assert sorted(one.tolist()) == sorted(other.tolist())


def test_axes_are_permuted_by_scipys_keyword() -> None:
    array = sa.zeros((2, 3, 4))
    assert array.transpose(axes=(2, 0, 1), copy=True).shape == (4, 2, 3)
    assert array.transpose(axes=None).shape == (4, 3, 2)
    for wrong in (0, ()):
        with pytest.raises(ValueError, match="axes don't match"):
            array.transpose(axes=wrong)
    with pytest.raises(TypeError, match="once"):
        array.transpose(0, 1, 2, axes=(0, 1, 2))


def test_products_for_solvers_can_be_written_to() -> None:
    a = sa.asarray(np.eye(3), format="csr")
    for product in (a.matvec(np.ones(3)), a.rmatvec(np.ones(3)), a.matmat(np.eye(3))):
        product += 1
        assert product.flags.writeable
