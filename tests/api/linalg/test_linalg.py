"""Linear algebra: by the structure of the operand, of its own size, and with NumPy's errors."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from structure import table

import structarr as sa
from structarr.errors import DensificationError

HUGE = 10**12
ROW, COLUMN = np.indices((5, 5))
DEFINITE = np.where(abs(ROW - COLUMN) <= 1, 1.0, 0.0) + 7 * np.eye(5)
FITS = {
    "triu": np.triu(DEFINITE),
    "tril": np.tril(DEFINITE),
    "dia, the main one": 2 * np.eye(5),
    "dia, the main one and below": np.tril(DEFINITE),
}
OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "inv(a)": np.linalg.inv,
    "solve(a, x)": lambda a: np.linalg.solve(a, np.arange(5.0)),
    "solve(a, a)": lambda a: np.linalg.solve(a, a),
    "cholesky(a)": np.linalg.cholesky,
    "kron(a, a)": lambda a: np.kron(a, a),
    "diagonal(a)": np.diagonal,
}


def matrix(name: str) -> tuple[sa.Array, np.ndarray]:
    """A positive-definite matrix, or a part of one, and the same of NumPy's."""
    data = FITS.get(name, DEFINITE)
    return sa.asarray(data, format=name.split(",")[0]), data


def hypersparse(*entries: tuple[int, int, float]) -> sa.Array:
    rows, columns, values = zip(*entries, strict=True)
    return sa.from_coordinates((rows, columns), values, (HUGE, HUGE))


def near(got: Any, want: Any, tolerance: float = 1e-9) -> None:
    want = np.asarray(want)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got.todense(), want, rtol=tolerance, atol=tolerance)


def test_formats_and_values() -> None:
    (_, *columns), *rows = table("| linear algebra |")
    assert columns == list(OPERATIONS)
    for name, *expected in rows:
        ours, data = matrix(name)
        for column, format in zip(columns, expected, strict=True):
            got = OPERATIONS[column](ours)
            assert str(got.format) == format, (name, column)
            near(got, OPERATIONS[column](data))


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("name", ["csr", "coo", "band", "dia", "symmetric", "tril", "triu"])
def test_cholesky_reads_one_triangle(name: str, upper: bool) -> None:
    ours, data = matrix(name)
    for a, dense in ((ours, data), (ours.mT, data.T)):
        near(np.linalg.cholesky(a, upper=upper), np.linalg.cholesky(dense, upper=upper))


def test_cholesky_of_hermitian_matrices() -> None:
    data = DEFINITE + np.where(ROW - COLUMN == 1, 1j, 0) - np.where(COLUMN - ROW == 1, 1j, 0)
    for name in ("hermitian", "csr", "dia", "dense"):
        for upper in (False, True):
            ours = sa.asarray(data, format=name)
            near(np.linalg.cholesky(ours, upper=upper), np.linalg.cholesky(data, upper=upper))
            near(np.linalg.cholesky(ours.mT, upper=upper), np.linalg.cholesky(data.T, upper=upper))


def test_cholesky_fills_the_envelope_alone() -> None:
    arrow = np.eye(40) * 50
    arrow[-1] = arrow[:, -1] = 1
    arrow[-1, -1] = 50
    factor = np.linalg.cholesky(sa.asarray(arrow, format="csr"))
    assert factor.nstored == 39 + 40
    near(factor, np.linalg.cholesky(arrow))


@pytest.mark.parametrize("name", ["csr", "dia", "band", "tril", "symmetric", "dense", "rle"])
def test_singular_matrices(name: str) -> None:
    data = np.diag([1.0, 0.0, 2.0])
    ours = sa.asarray(data, format=name)
    near(np.linalg.det(ours), 0.0)
    sign, logarithm = sa.linalg.slogdet(ours)
    assert (float(sign), float(logarithm)) == (0.0, -np.inf)
    for fails in (np.linalg.inv, np.linalg.cholesky, lambda a: np.linalg.solve(a, np.ones(3))):
        with pytest.raises(np.linalg.LinAlgError, match=r"Singular|definite"):
            fails(ours)


def test_singular_by_superlu() -> None:
    block = scipy.sparse.block_diag([np.ones((2, 2)), *[np.eye(40)[::-1]] * 3], format="csr")
    ours = sa.asarray(block)
    near(np.linalg.det(ours), 0.0)
    with pytest.raises(sa.linalg.LinAlgError, match="Singular"):
        sa.linalg.solve(ours, np.ones(block.shape[0]))


def _wide(n: int, density: float = 0.01) -> Any:
    """A diagonal of ones, and a few elements beside it."""
    rng = np.random.default_rng(7)
    beside = scipy.sparse.random_array((n, n), density=density, rng=rng)
    return beside + scipy.sparse.eye_array(n)


def test_nothing_is_said_of_warnings(recwarn: pytest.WarningsRecorder) -> None:
    wide = _wide(200)
    for matrix in (wide, scipy.sparse.tril(wide), scipy.sparse.eye_array(200)):
        ours, dense = sa.asarray(matrix), matrix.toarray()
        near(np.linalg.solve(ours, np.arange(200.0)), np.linalg.solve(dense, np.arange(200.0)))
        near(np.linalg.slogdet(ours)[1], np.linalg.slogdet(dense)[1])
    assert not recwarn.list


@pytest.mark.parametrize("shape", [(150,), (150, 2), (3, 150, 2), (150, 0)])
def test_right_sides(shape: tuple[int, ...]) -> None:
    wide = _wide(150)
    right = np.random.default_rng(7).random(shape)
    for matrix in (wide, scipy.sparse.triu(wide), scipy.sparse.eye_array(150, k=0) * 3):
        for part in (right, right + 1j, right.astype("float32")):
            near(np.linalg.solve(sa.asarray(matrix), part), np.linalg.solve(matrix.toarray(), part))
    near(
        np.linalg.solve(sa.triu(wide.toarray()), right),
        np.linalg.solve(np.triu(wide.toarray()), right),
    )


def test_stacks_and_other_fills_go_to_numpy() -> None:
    stack = DEFINITE + np.arange(3.0)[:, None, None]
    ours = sa.asarray(stack, format="csf")
    near(np.linalg.inv(ours), np.linalg.inv(stack))
    near(np.linalg.det(ours), np.linalg.det(stack))
    near(np.linalg.cholesky(ours), np.linalg.cholesky(stack))
    shifted = sa.asarray(DEFINITE, format="csr") + 1
    assert shifted.fill_value == 1
    near(np.linalg.solve(shifted, np.ones(5)), np.linalg.solve(DEFINITE + 1, np.ones(5)))
    near(np.linalg.cholesky(shifted), np.linalg.cholesky(DEFINITE + 1))
    near(np.kron(shifted, sa.eye(2)), np.kron(DEFINITE + 1, np.eye(2)))


def test_infinities() -> None:
    wide = _wide(60, density=0.05).tolil()
    wide[3, 4] = np.nan
    got = np.linalg.solve(sa.asarray(wide), np.ones(60))
    np.testing.assert_array_equal(got.todense(), np.linalg.solve(wide.toarray(), np.ones(60)))
    triangle = sa.linalg.inv(sa.tril([[np.inf, 0.0], [1.0, 2.0]]))
    assert str(triangle.format) == "tril"
    assert triangle.tolist() == [[0.0, 0.0], [0.0, 0.5]]


def test_work_follows_from_the_structure() -> None:
    n = 20_000
    band = sa.diags([-1.0, 2.5, -1.0], [-1, 0, 1], shape=(n, n))
    x = np.linalg.solve(band, np.ones(n))
    np.testing.assert_allclose((band @ x).todense(), 1.0)
    assert np.linalg.cholesky(band).nstored == 2 * n
    assert np.linalg.inv(sa.eye(HUGE)).nbytes == 16
    sign, logarithm = sa.linalg.slogdet(sa.eye(HUGE))
    assert (float(sign), float(logarithm)) == (1.0, 0.0)
    one = sa.from_coordinates([5], [3.0], (HUGE,), format="list")
    assert np.linalg.solve(sa.eye(HUGE), one).nstored == 1


def test_few_entries_of_a_huge_matrix() -> None:
    a = hypersparse((0, 3, 3.0), (5, 5, -4.0), (HUGE - 1, 5, 1.0))
    assert float(np.linalg.norm(a)) == np.sqrt(26)
    assert [float(np.linalg.norm(a, ord)) for ord in (1, np.inf)] == [5.0, 4.0]
    assert float(np.trace(a)) == -4.0
    assert float(sa.linalg.trace(a, offset=3)) == 3.0
    assert np.diagonal(a).nstored == 1
    assert float(np.linalg.det(a)) == 0.0
    assert np.linalg.matrix_power(a, 0).nbytes == 16
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(a)
    blocks = np.kron(a, [[1.0, 2.0]])
    assert (blocks.shape, blocks.nstored) == ((HUGE, 2 * HUGE), 6)
    assert float(blocks[5, 11]) == -8.0


@pytest.mark.parametrize(
    "name", ["svd", "qr", "eig", "eigh", "pinv", "svdvals", "matrix_rank", "eigvals", "eigvalsh"]
)
def test_what_needs_a_dense_matrix_is_refused_by_name(name: str) -> None:
    a = hypersparse((0, 0, 1.0))
    with pytest.raises(DensificationError, match=f"{name} works on dense arrays"):
        getattr(np.linalg, name)(a)
    with pytest.raises(DensificationError, match="fft works on dense arrays"):
        np.fft.fft(a)
    with pytest.raises(DensificationError, match="svds"):
        np.linalg.norm(a, 2)


def test_results_that_would_be_too_large_are_refused() -> None:
    n = 10**5
    band = sa.diags([1.0, 2.0], [-1, 0], shape=(n, n))
    with pytest.raises(DensificationError, match="inv: the inverse"):
        np.linalg.inv(band)
    with pytest.raises(DensificationError, match="inv: the inverse"):
        np.linalg.inv(band.asformat("csr"))
    wide = sa.diags([1.0, 9.0, 1.0], [-n // 2, 0, n // 2], shape=(n, n))
    with pytest.raises(DensificationError, match="cholesky: a band of 50001 diagonals"):
        np.linalg.cholesky(wide)
    sparse = sa.from_coordinates([3], [1.0], (10**8,), format="list")
    with pytest.raises(DensificationError, match="solve works on dense arrays"):
        np.linalg.solve(sa.from_coordinates([[0], [1]], [1.0], (10**8, 10**8)), sparse)
    lines = sa.from_coordinates(([0], [0]), [1.0], (10**6, 10**6), format="csr")
    with pytest.raises(DensificationError, match="kron: the 1000000000000 rows"):
        np.kron(lines, lines)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (np.linalg.LinAlgError, lambda: np.linalg.inv(sa.ones((2, 3)))),
        (np.linalg.LinAlgError, lambda: np.linalg.det(sa.ones(3))),
        (np.linalg.LinAlgError, lambda: np.linalg.cholesky(sa.ones((2, 3)))),
        (np.linalg.LinAlgError, lambda: np.linalg.matrix_power(sa.ones((2, 3)), 2)),
        (np.linalg.LinAlgError, lambda: np.linalg.multi_dot([sa.eye(2), sa.ones(2), sa.eye(2)])),
        (np.linalg.LinAlgError, lambda: np.linalg.tensorsolve(sa.ones((2, 3)), sa.ones(2))),
        (TypeError, lambda: np.linalg.matrix_power(sa.eye(2), 0.5)),
        (ValueError, lambda: np.linalg.solve(sa.eye(3), sa.ones(2))),
        (ValueError, lambda: np.linalg.solve(sa.eye(3), 1.0)),
        (ValueError, lambda: np.linalg.multi_dot([sa.eye(2)])),
        (ValueError, lambda: np.linalg.tensorinv(sa.eye(2), ind=0)),
        (ValueError, lambda: np.linalg.norm(sa.ones(3), "fro")),
        (ValueError, lambda: np.linalg.norm(sa.ones((2, 2)), 3)),
        (ValueError, lambda: np.linalg.norm(sa.ones((2, 2, 2)), 1)),
        (ValueError, lambda: np.linalg.norm(sa.zeros((0, 2)), -np.inf)),
        (np.exceptions.AxisError, lambda: np.linalg.norm(sa.ones(3), axis=1)),
        (ValueError, lambda: np.cross(sa.ones(2), sa.ones(3))),
        (ValueError, lambda: np.linalg.outer(sa.eye(2), sa.ones(2))),
        (ValueError, lambda: np.trace(sa.ones(2))),
    ],
)
def test_errors(error: type[Exception], call: Callable[[], Any]) -> None:
    with pytest.raises(error):
        call()


def test_numpys_keywords() -> None:
    ours, data = matrix("csr")
    for call in (
        lambda a: np.trace(a, offset=1, dtype="float32"),
        lambda a: np.linalg.eigvalsh(a, UPLO="U"),
        lambda a: np.linalg.svd(a, compute_uv=False, hermitian=True),
        lambda a: np.linalg.svd(a, full_matrices=False)[1],
        lambda a: np.linalg.qr(a, mode="r"),
        lambda a: np.linalg.qr(a, mode="raw")[0],
        lambda a: np.linalg.qr(a, mode="complete")[0],
        lambda a: np.linalg.pinv(a, rcond=0.5),
        lambda a: np.linalg.pinv(a, rtol=None),
        lambda a: np.linalg.matrix_rank(a, tol=8.0),
        lambda a: np.linalg.matrix_rank(a, rtol=0.9),
        lambda a: np.linalg.lstsq(a, np.ones((5, 2)), rcond=0.1)[0],
        lambda a: np.linalg.cond(a, "fro"),
        lambda a: np.linalg.cond(a),
        lambda a: np.linalg.multi_dot([a, a, a[0]]),
        lambda a: np.linalg.solve(b=np.ones(5), a=a),
        lambda a: np.linalg.tensorinv(a.reshape((5, 5, 1)), ind=1),
        lambda a: np.linalg.tensorsolve(a.reshape((1, 5, 5)), np.ones(5), axes=[0]),
        lambda a: np.linalg.tensorsolve(np.kron(a, a).reshape((5,) * 4), a, axes=[1, 0]),
        lambda a: np.fft.fft2(a, s=(4, 4), norm="ortho"),
        lambda a: np.fft.irfft(a, n=3, axis=0),
        lambda a: np.fft.fftshift(a, axes=0),
        lambda a: np.fft.ifftshift(a),
    ):
        near(call(ours), call(data))
    out = np.empty((5, 5), complex)
    assert np.fft.fftn(ours, out=out) is out
    np.testing.assert_allclose(out, np.fft.fftn(data))
    total = np.empty(())
    assert np.trace(ours, out=total) is total
    assert total == np.trace(data)


def test_namespaces() -> None:
    for module, ours in ((np.linalg, sa.linalg), (np.fft, sa.fft)):
        for name in module.__all__:
            assert hasattr(ours, name), name
    found = sa.linalg.svd(sa.eye(2))
    assert found.S is found[1]
    assert sa.linalg.eig(sa.eye(2)).eigenvalues.dtype == np.complex128
    assert sa.linalg.eig(sa.eye(2, dtype=sa.float32)).eigenvalues.dtype == np.complex64


def test_frequencies() -> None:
    for n in (1, 2, 5, 8):
        for d in (1.0, 0.3):
            np.testing.assert_array_equal(sa.fft.fftfreq(n, d=d).todense(), np.fft.fftfreq(n, d))
            np.testing.assert_array_equal(sa.fft.rfftfreq(n, d=d).todense(), np.fft.rfftfreq(n, d))
    assert sa.fft.fftfreq(4, dtype=sa.float32).dtype == np.float32
    assert sa.fft.rfftfreq(HUGE)[:2].tolist() == [0.0, 1e-12]
    shifted = np.fft.fftshift(sa.from_coordinates([1], [2.0], (HUGE,), format="list"))
    assert (shifted.nstored, float(shifted[HUGE // 2 + 1])) == (1, 2.0)
    assert np.fft.fft(sa.asarray([1, 0, 0], dtype=sa.float32)).dtype == np.complex64


@pytest.mark.parametrize("shapes", [(2, 3, 3, 1), (1, 3, 3, 9), (4, 1, 4, 2, 3), (2, 2, 2, 2)])
def test_chains_of_several_dtypes_wrap_around_where_numpys_do(shapes: tuple[int, ...]) -> None:
    kinds = ("uint8", "int8", "float64", "uint16")
    parts = [
        np.full(shape, 200).astype(kind)
        for shape, kind in zip(pairwise(shapes), kinds, strict=False)
    ]
    for chain in (parts, parts[::-1] if shapes[0] == shapes[-1] else parts):
        found = np.linalg.multi_dot([sa.asarray(chain[0], format="csr"), *chain[1:]])
        np.testing.assert_array_equal(found, np.linalg.multi_dot(chain))
        assert found.dtype == np.linalg.multi_dot(chain).dtype
