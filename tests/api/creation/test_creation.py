"""Arrays made of a rule: NumPy's values, a few bytes, and kernels that use the structure."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._testing.counted_calls import counting
from structarr.errors import DensificationError
from structarr.formats import Constant, Diagonals, Pattern, Range, Triangular, Uniform

SHAPES = [(4, 4), (3, 5), (5, 3), (1, 4), (0, 3), (3, 0), (1, 1)]
DTYPES = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex128"]
FORMATS = ["dense", "csr", "csc", "dcsr", "band", "vbl", "rle", "sparse-rle", "bitmap", "coo"]


def same(array: sa.Array, wanted: Any) -> None:
    """Equal to the bit, and of the dtype."""
    found = array.todense()
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes()


def steps_of(make: Callable[[], sa.Array]) -> int:
    """How many iterations the loops of all kernels make that compute an array."""
    with counting() as calls:
        make().compute()
    return sum(counts.iterations for counts in calls)


def scattered(n: int, m: int, per_row: int, seed: int = 0) -> sa.Array:
    """A matrix of lists with some entries a row."""
    rng = np.random.default_rng(seed)
    columns = np.sort(rng.permuted(np.tile(np.arange(m), (n, 1)), axis=1)[:, :per_row], axis=1)
    matrix = sp.csr_array(
        (rng.random(n * per_row), columns.ravel(), np.arange(0, n * per_row + 1, per_row)), (n, m)
    )
    return sa.asarray(matrix)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_eye_and_tri_are_numpys(shape: tuple[int, int], dtype: str) -> None:
    for k in range(-6, 7):
        same(sa.eye(*shape, k=k, dtype=dtype), np.eye(*shape, k=k, dtype=dtype))
        same(sa.tri(*shape, k=k, dtype=dtype), np.tri(*shape, k=k, dtype=dtype))
    assert sa.eye(*shape, k=10**30).nbytes <= 24


def test_a_rule_takes_a_few_bytes() -> None:
    n = 10**6
    made = {
        (Constant, 8): sa.ones((n, n)),
        (Diagonals, 16): sa.eye(n),
        (Triangular, 8): sa.tri(n),
        (Range, 16): sa.arange(10**9),
    }
    for (kind, nbytes), array in made.items():
        assert type(array.format.levels[array.ndim - 1]) is kind
        assert array.nbytes == nbytes
    assert all("of shape" in str(array) for array in made.values())
    assert sa.full((n, n), 3, dtype="int8").nbytes == 1
    assert type(sa.tri(n, dtype=bool).format.levels[-1]) is Pattern
    assert type(sa.tri(n).format.levels[-1]) is Uniform


@pytest.mark.parametrize("name", ["full", "eye", "tri", "arange"])
def test_a_rule_can_be_printed_copied_and_stored_otherwise(name: str) -> None:
    array = {"full": sa.full((5, 4), 2.0), "eye": sa.eye(5, 4), "tri": sa.tri(5, 4)}.get(name)
    array = sa.arange(5.0) if array is None else array
    dense = array.todense()
    assert "of shape" in str(array)
    same(array.copy(), dense)
    same(array.T, dense.T.copy())
    formats = ["dense", "rle", "list", "coo"] + (["csc", "band"] if array.ndim == 2 else [])
    for format in formats:
        same(array.asformat(format), dense)
        same(sa.asarray(array, format=format) + array, dense + dense)


def test_arange_is_numpys() -> None:
    arguments: list[tuple[Any, ...]] = [
        *[(0,), (1,), (2,), (7,), (3, 3), (5, 2), (2, 9, 3), (9, 2, -3), (-5, 5, 2), (10, 0, -1)],
        *[(0.0, 1.0, 0.1), (1.0, 0.0, -0.1), (0.1, 5.3, 0.7), (1e10, 1e10 + 9, 0.3), (-0.0, 4.0)],
        *[
            (np.int64(5),),
            (np.float32(0), np.float32(2), np.float32(0.1)),
            (np.int8(3), np.int8(9)),
        ],
        *[(5, 3000), (0.0, 300.0, 0.1), (2**53, 2**53 + 5), (1, 2, 10**6)],
    ]
    for given in arguments:
        same(sa.arange(*given), np.arange(*given))
    for dtype, given in product(["float32", "complex64", "int64", "float64"], arguments):
        same(sa.arange(*given, dtype=dtype), np.arange(*given, dtype=dtype))
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64"):
        for given in [(0,), (100,), (3, 120, 7), (120, 3, -7), (0, 5, 2), (1.5, 9)]:
            same(sa.arange(*given, dtype=dtype), np.arange(*given, dtype=dtype))


def test_arange_in_kernels_wraps_and_rounds_as_numpys() -> None:
    for given, dtype in product([(0, 9), (9, 0, -2), (3, 120, 7)], ["int8", "uint8", "float32"]):
        wanted = np.arange(*given, dtype=dtype)
        same(sa.arange(*given, dtype=dtype) + np.zeros(len(wanted), dtype), wanted)
    same(sa.arange(-128, 127, 5, dtype="int8") * 1, np.arange(-128, 127, 5, dtype="int8"))
    wide = np.arange(0, 300, dtype="uint8")
    same(sa.arange(0, 300, dtype="uint8") * 1, wide)
    rng = np.random.default_rng(0)
    for low, step in rng.normal(size=(20, 2)):
        wanted = np.arange(low, low + 99 * step, step)
        same(sa.arange(low, low + 99 * step, step) + np.zeros(len(wanted)), wanted)


def test_linspace_is_numpys() -> None:
    rng = np.random.default_rng(0)
    for start, stop in [(0, 1), (1, 0), (0, 0), (0.1, 0.7), *rng.normal(size=(20, 2)).tolist()]:
        for num, endpoint in product([0, 1, 2, 3, 10, 49], [True, False]):
            same(
                sa.linspace(start, stop, num, endpoint=endpoint),
                np.linspace(start, stop, num, endpoint=endpoint),
            )
    assert type(sa.linspace(0, 1, 5).format.levels[0]) is Range
    same(sa.linspace(0, 9, 4, dtype="int64"), np.linspace(0, 9, 4, dtype="int64"))
    same(sa.linspace(0, 1j, 4), np.linspace(0, 1j, 4))


def test_ranges_refuse_what_numpy_does() -> None:
    with pytest.raises(ZeroDivisionError):
        sa.arange(0, 3, 0)
    with pytest.raises(ValueError, match="cannot compute length"):
        sa.arange(0.0, float("nan"))
    with pytest.raises(DensificationError):
        sa.arange(0.0, float("inf"))
    with pytest.raises(TypeError):
        sa.arange(5, dtype="float16")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("format", FORMATS)
def test_triangles_are_numpys(format: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    dense = rng.integers(1, 9, shape) * (rng.random(shape) < 0.6)
    array = sa.asarray(dense, format=format)
    for k in (-5, -1, 0, 1, 2):
        same(sa.tril(array, k=k), np.tril(dense, k))
        same(np.triu(array, k), np.triu(dense, k))


def test_triangles_of_stacks_vectors_and_what_is_not_finite() -> None:
    stack = np.arange(1.0, 25).reshape(2, 3, 4)
    stack[:, 0, 3] = np.nan
    stack[:, 2, 0] = np.inf
    for array in (sa.asarray(stack), sa.asarray(stack, format="csf")):
        same(sa.tril(array), np.tril(stack))
        same(sa.triu(array, k=1), np.triu(stack, 1))
        with sa.options(strict_ieee=True):
            same(sa.tril(array, k=-1), np.tril(stack, -1))
    same(np.tril(sa.asarray([1, 2, 3])), np.tril(np.array([1, 2, 3])))
    same(sa.triu(np.ones((3, 3), bool)), np.triu(np.ones((3, 3), bool)))
    filled = sa.asarray(np.full((3, 3), 7), format="csr", fill_value=7)
    same(sa.tril(filled), np.tril(np.full((3, 3), 7)))


def test_triangles_of_structure() -> None:
    dense = np.arange(1.0, 17).reshape(4, 4)
    wanted = {
        "csr": "csr",
        "csc": "csc",
        "dcsr": "dcsr",
        "dense": "tril",
        "tril": "tril",
        "band": "band",
        "vbl": "vbl",
    }
    found = {name: str(sa.tril(sa.asarray(np.tril(dense), format=name)).format) for name in wanted}
    assert found == wanted
    assert str(sa.triu(dense).format) == "triu"
    assert sa.tril(sa.triu(dense)).format == "dia"


@pytest.mark.parametrize("format", ["dense", "csr", "csc", "dcsr", "rle", "bitmap", "coo"])
def test_diagonals_are_read(format: str) -> None:
    rng = np.random.default_rng(2)
    for shape in SHAPES:
        dense = rng.integers(1, 9, shape) * (rng.random(shape) < 0.7)
        array = sa.asarray(dense, format=format)
        for k in range(-5, 6):
            same(sa.diag(array, k), np.diag(dense, k))
            same(np.diagonal(array, k, 1, 0), np.diagonal(dense, k, 1, 0))


def test_diagonals_of_stacks_and_bools() -> None:
    stack = np.random.default_rng(0).random((2, 3, 4))
    for array in (sa.asarray(stack), sa.asarray(stack, format="csf")):
        same(sa.diagonal(array, 1), np.diagonal(stack, 1))
        same(sa.diagonal(array, -1, 0, 2), np.diagonal(stack, -1, 0, 2))
        same(np.linalg.diagonal(array), np.linalg.diagonal(stack))
    flags = np.array([[True, False], [True, True]])
    same(sa.diag(sa.asarray(flags, format="csr")), np.diag(flags))
    small = np.full((3, 3), 100, np.int8)
    same(sa.diag(small), np.diag(small))
    same(sa.diag(np.array([[np.nan, np.inf], [np.inf, 2.0]])), np.array([np.nan, 2.0]))
    same(sa.diag(sa.full((3, 3), 5)), np.full(3, 5))
    filled = sa.asarray(np.eye(3), format="csr", fill_value=1)
    same(sa.diag(filled), np.ones(3))


@pytest.mark.parametrize("format", ["dense", "list", "rle", "band", "bitmap", "constant"])
def test_diagonals_are_made(format: str) -> None:
    vector = np.array([2, 2, 2, 2]) if format == "constant" else np.array([0, 2, 0, 3])
    array = sa.asarray(vector, format=format)
    for k in (-2, 0, 1):
        matrix = sa.diag(array, k)
        same(matrix, np.diag(vector, k))
        same(matrix + 0, np.diag(vector, k))
        same(sa.diag(matrix, k), vector)
    assert matrix.format == ("dcsr" if format == "list" else matrix.format)


def test_a_diagonal_shares_the_vectors_buffer() -> None:
    vector = sa.asarray([1.0, 2.0, 3.0])
    assert sa.shares_memory(sa.diag(vector), vector)
    assert str(sa.diag(vector).format) == "dia"
    assert sa.diag(sa.ones(10**6)).nbytes == 16
    same(sa.diag(sa.arange(3)), np.diag(np.arange(3)))
    filled = sa.asarray([7, 1], format="list", fill_value=7)
    same(sa.diag(filled), np.diag([7, 1]))
    given = np.arange(20_000.0)
    matrix = sa.diag(given)
    given[:] = 0
    assert float(matrix.sum()) == 199_990_000


@pytest.mark.parametrize(
    ("diagonals", "offsets", "shape"),
    [
        ([[1.0, 2.0, 3.0]], [0], None),
        ([[1.0, 2.0], [3.0, 4.0, 5.0]], [1, 0], None),
        ([[1.0], [-2.0], [1.0]], [-1, 0, 1], (4, 4)),
        ([[1.0, 2.0, 9.0, 9.0], [5.0]], [2, -1], (3, 4)),
        ([[1.0, 2.0], [3.0]], [-3, 3], (5, 4)),
        ([1.0, 2.0, 3.0], 1, None),
        ([[7.0]], [3], (3, 3)),
    ],
)
def test_diags_are_scipys(diagonals: Any, offsets: Any, shape: Any) -> None:
    wanted = sp.diags_array(diagonals, offsets=offsets, shape=shape).toarray()
    made = sa.diags(diagonals, offsets, shape)
    same(made, wanted)
    assert made.format == "dia"
    same(made @ sa.eye(made.shape[1]), wanted)


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="negative dimensions"):
        sa.eye(-1)
    with pytest.raises(TypeError):
        sa.eye(3, k=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="without axes"):
        sa.tril(3)
    with pytest.raises(ValueError, match="needs two axes"):
        sa.diagonal([1, 2])
    with pytest.raises(ValueError, match="a vector or a matrix"):
        sa.diag(np.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="must differ"):
        sa.diags([1, 2], [0, 0], (3, 3))
    with pytest.raises(ValueError, match="outside of shape"):
        sa.diags([[1.0]], [4], (3, 3))
    with pytest.raises(ValueError, match="has 2 elements, and 3 lie at offset 0"):
        sa.diags([[1, 2]], [0], (3, 3))
    with pytest.raises(ValueError, match="1 diagonals need as many offsets, not 2"):
        sa.diags([[1, 2]], [0, 1])
    with pytest.raises(ValueError, match="there is no device"):
        sa.tri(3, device="gpu")


N, ROW = 300, 3
LISTED = N * ROW  # entries of the matrix of lists


def test_kernels_do_work_proportional_to_the_lists() -> None:
    a, x = scattered(N, N, ROW), sa.asarray(np.ones(N))
    work = {
        "a * eye": lambda: a * sa.eye(N),
        "tril(a)": lambda: sa.tril(a),
        "a * tri": lambda: a * sa.tri(N),
        "(a * tri).sum()": lambda: (a * sa.tri(N)).sum(),
        "a * full": lambda: a * sa.full((N, N), 2.5),
        "a + full": lambda: a + sa.full((N, N), 2.5),
        "ones @ a": lambda: sa.ones((N, N)) @ a,
        "eye @ a": lambda: sa.eye(N) @ a,
        "a @ eye": lambda: a @ sa.eye(N),
        "a @ ones": lambda: a @ sa.ones((N, N)),
        "a * arange": lambda: a * sa.arange(N),
        "diag(a)": lambda: sa.diag(a),
        "where(i < j, a, 0)": lambda: sa.where(sa.arange(N)[:, None] < sa.arange(N), a, 0.0),
        "eye @ x": lambda: sa.eye(N) @ x,
        "eye.sum()": lambda: sa.eye(N).sum(),
        "tri.sum(axis=1)": lambda: sa.tri(N).sum(axis=1),
        "tri.sum()": lambda: sa.tri(N).sum(),
        "ones.sum()": lambda: sa.ones((N, N)).sum(),
        "arange.sum()": lambda: sa.arange(N).sum(),
        "eye * tri": lambda: sa.eye(N) * sa.tri(N),
        "ones @ x": lambda: sa.ones((N, N)) @ x,
    }
    steps = {name: steps_of(make) for name, make in work.items()}
    assert {name: count for name, count in steps.items() if count > 4 * (LISTED + N)} == {}


def test_formats_follow_the_structure() -> None:
    a, dense = scattered(9, 9, 3), np.arange(81.0).reshape(9, 9)
    wanted = {
        "csr": [sa.tril(a), a + sa.full((9, 9), 3), sa.eye(9) @ a, sa.triu(a) + sa.eye(9)],
        "csc": [sa.tril(a.T), a.T + sa.eye(9)],
        "dia": [a * sa.eye(9), sa.eye(9) * dense, sa.eye(9) + sa.eye(9, k=1)],
        "tril": [sa.tri(9) * dense, sa.tril(dense)],
    }
    for format, arrays in wanted.items():
        assert [str(array.format) for array in arrays] == [format] * len(arrays)
    assert (a + sa.full((9, 9), 3)).fill_value == 3


def test_a_list_meets_what_is_wide_where_it_stores_something() -> None:
    n = 10**6
    far = sa.asarray(sp.coo_array(([1.0, 2.0, 3.0], ([5, 70, 999_999], [5, 9, 0])), (n, n)))
    assert steps_of(lambda: (far * sa.ones((n, n))).sum()) < 20
    assert steps_of(lambda: (far * sa.full((n, n), 2.0)).sum()) < 20
    assert float((far * sa.tri(n)).sum()) == 6.0
    assert float((far * sa.eye(n)).sum()) == 1.0
    assert sa.tril(far).nstored == 3
    assert float(sa.ones((n, n)).sum()) == 1e12


def test_products_with_diagonals_are_as_large_as_the_other_operand() -> None:
    n = 10**6
    far = sa.asarray(sp.coo_array(([1.0, 2.0, 3.0], ([5, 70, 999_999], [5, 9, 0])), (n, n)))
    far = far.asformat("csr")
    for made in (far @ sa.eye(n), sa.eye(n) @ far, far @ sa.diag(sa.ones(n)), far.T @ sa.eye(n)):
        assert made.nstored == 3
    assert (sa.eye(n) @ sa.eye(n, k=-1)).nnz == n - 1
    assert (far @ sa.diags([1.0, 1.0], [0, 2], (n, n))).nstored == 6
    small = scattered(8, 8, 3)
    band = sa.diags([1.0, 2.0, 3.0], [-1, 0, 2], (8, 8))
    for left, right in product([small, small.T, band, band.T], repeat=2):
        np.testing.assert_allclose((left @ right).todense(), left.todense() @ right.todense())


def test_a_list_dot_a_band_visits_what_is_inside_the_band() -> None:
    """The paper's Figure 1."""
    n = 100_000
    places = np.arange(0, n, 7)
    listed = sa.asarray(np.bincount(places, minlength=n).astype(float), format="list")
    values = np.zeros(n)
    values[5000:5070] = np.arange(1, 71)
    band = sa.asarray(values, format="band")
    inside = np.count_nonzero((places >= 5000) & (places < 5070))
    assert steps_of(lambda: listed @ band) <= inside + 2
    assert float(listed @ band) == values[::7].sum()


BIG = 2**63 + 1  # which a float cannot tell from its neighbours


@pytest.mark.parametrize("format", [None, "list", "rle"])
def test_pythons_numbers_become_the_dtypes_exactly(format: str | None) -> None:
    numbers = [BIG, 1, BIG]
    assert sa.asarray(numbers, dtype="uint64", format=format).tolist() == numbers
    assert sa.asarray([2**70], dtype="float64", format=format).tolist() == [2.0**70]
    array = sa.asarray(np.zeros(3, "uint64"), format=format)
    array[:2] = numbers[:2]
    assert array.tolist() == [BIG, 1, 0]
    assert np.insert(array, 1, [BIG, 7]).tolist() == [BIG, BIG, 7, 1, 0]


@pytest.mark.parametrize("numbers", [[300], [-1, 2], 300, [float("nan")], [1j]])
def test_pythons_numbers_that_do_not_fit_are_refused_as_by_numpy(numbers: Any) -> None:
    with pytest.raises((OverflowError, TypeError, ValueError)) as numpys:
        np.asarray(numbers, dtype="uint8")
    with pytest.raises(numpys.type):
        sa.asarray(numbers, dtype="uint8")
    array = sa.zeros(np.shape(numbers), dtype="uint8")
    with pytest.raises(numpys.type):
        array[...] = numbers
    with pytest.raises(numpys.type):
        np.insert(sa.zeros(3, dtype="uint8"), 0, numbers)
