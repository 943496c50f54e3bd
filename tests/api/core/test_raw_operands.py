"""NumPy's arrays as operands of whatever takes one: results are of what stood there at the call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.core import operands

DENSE = np.array([[0.0, 2.0, 0.0, 1.0], [1.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 4.0]])
MATRIX = np.array([[1.0, 5.0, 2.0, 3.0], [4.0, 1.0, 2.0, 6.0], [3.0, 6.0, 1.0, 7.0]])
ROW, COLUMN = np.arange(1.0, 5.0), np.arange(1.0, 4.0)[:, None]
PLACES, MASK, PICKED = np.array([2, 0]), MATRIX > 2, np.array([True, False, True])

# What takes floats and keeps no state; those of integers and times have tests of their own.
UFUNCS = [
    np.add,
    np.subtract,
    np.multiply,
    np.divide,
    np.floor_divide,
    np.remainder,
    np.power,
    np.float_power,
    np.maximum,
    np.fmin,
    np.greater,
    np.not_equal,
    np.logical_and,
    np.arctan2,
    np.hypot,
    np.copysign,
    np.nextafter,
    np.logaddexp,
    np.heaviside,
    np.fmod,
]

CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "@": (lambda a, y: a @ y, (MATRIX.T,)),
    "r@": (lambda a, y: y @ a, (MATRIX.T,)),
    "vector": (lambda a, x: a @ x, (ROW,)),
    "dot": (np.dot, (MATRIX.T,)),
    "inner": (np.inner, (MATRIX,)),
    "vdot": (np.vdot, (MATRIX,)),
    "tensordot": (np.tensordot, (MATRIX,)),
    "einsum": (lambda a, y, x: np.einsum("ij,ij,j->i", a, y, x), (MATRIX, ROW)),
    "kron": (np.kron, (MATRIX,)),
    "outer": (np.outer, (MATRIX,)),
    "a mask of a product": (lambda a, k, z: a * (k @ z), (MATRIX, MATRIX.T @ MATRIX)),
    "a chain": (lambda a, y: a @ y @ y.T, (MATRIX.T,)),
    "a centred product": (lambda a, m, y: (a - m) @ y, (ROW, MATRIX.T)),
    "low rank": (lambda a, u, v, x: (a + u * v) @ x, (COLUMN, ROW, ROW + 1)),
    "a norm": (lambda a, y: np.linalg.norm(a - y), (MATRIX,)),
    "multi_dot": (lambda a, y, z: np.linalg.multi_dot([a, y, z]), (MATRIX.T, MATRIX)),
    "where": (np.where, (MATRIX, COLUMN)),
    "where's condition": (lambda a, c: np.where(c, a, 5.0), (MASK,)),
    "select": (lambda a, c, y: np.select([c, a > 1], [a, y]), (MASK, MATRIX)),
    "clip": (np.clip, (MATRIX - 3, MATRIX)),
    "concatenate": (lambda a, y: np.concatenate([a, y]), (MATRIX,)),
    "stack": (lambda a, y: np.stack([a, y], axis=1), (MATRIX,)),
    "hstack": (lambda a, y: np.hstack([y, a]), (COLUMN,)),
    "append": (lambda a, y: np.append(a, y, axis=0), (MATRIX,)),
    "insert": (lambda a, y: np.insert(a, 1, y, axis=0), (ROW,)),
    "take": (lambda a, k: np.take(a, k, axis=1), (PLACES,)),
    "rows": (lambda a, k: a[k], (PLACES,)),
    "points": (lambda a, k, j: a[k, j], (PLACES, PLACES + 1)),
    "a mask": (lambda a, c: a[c], (MASK,)),
    "some rows": (lambda a, c: a[c] * 2, (PICKED,)),
    "compress": (lambda a, c: np.compress(c, a, axis=0), (PICKED,)),
    "extract": (lambda a, c: np.extract(c, a), (MASK,)),
    "delete": (lambda a, k: np.delete(a, k, axis=1), (PLACES,)),
    "repeat": (lambda a, k: np.repeat(a, k, axis=0), (np.array([1, 0, 2]),)),
    "along": (lambda a, k: np.take_along_axis(a, k, 1), (np.array([[1], [0], [3]]),)),
    "isin": (np.isin, (ROW,)),
    "searchsorted": (lambda a, x: np.searchsorted(x, a), (ROW,)),
    "digitize": (np.digitize, (ROW,)),
    "convolve": (lambda a, x: np.convolve(a[0], x), (ROW[:2],)),
    "correlate": (lambda a, x: np.correlate(a[0], x), (ROW[:2],)),
    "average": (lambda a, w: np.average(a, axis=1, weights=w), (ROW,)),
    "cov": (np.cov, (MATRIX,)),
    "corrcoef": (np.corrcoef, (MATRIX,)),
    "trapezoid": (np.trapezoid, (ROW,)),
    "gradient": (lambda a, x: np.gradient(a, x, axis=1), (ROW,)),
    "cross": (lambda a, y: np.cross(a[:, :3], y), (MATRIX[:, :3],)),
    "quantile": (lambda a, q: np.quantile(a, q, axis=0), (np.array([0.2, 0.5]),)),
    "interp": (lambda a, x, y: np.interp(a, x, y), (ROW, ROW[::-1])),
    "sum's where": (lambda a, c: a.sum(axis=0, where=c), (MASK,)),
    "var's mean": (lambda a, m: np.var(a, axis=0, mean=m), (ROW[None],)),
    "assigned": (lambda a, x: _assigned(a, x), (ROW,)),
    "a loop": (lambda a, x: a if isinstance(a, np.ndarray) else _looped(a, x), (ROW,)),
}


def _assigned(a: Any, x: Any) -> Any:
    a = a.copy()
    a[1] = x
    return a


def _looped(a: Any, x: Any) -> Any:
    sa.loops("y[i] += A[i, j] * x[j]", A=a, x=x)
    return a


@pytest.fixture(autouse=True, params=[0, 2**16], ids=["borrowed", "copied"])
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(operands, "COPY_LIMIT", request.param)
    with sa.options(tier="interpreted"):
        yield


def check(name: str, compute: Callable[..., Any], given: tuple[Any, ...]) -> None:
    """Compare what is looked at after all operands were written to with what NumPy computes."""
    array, raw = sa.asarray(DENSE, format="csr"), [one.copy() for one in given]
    found = compute(array, *raw)
    for one in raw:
        one[...] = ~one if one.dtype == bool else -one - 7
    with np.errstate(all="ignore"):
        want = compute(DENSE, *[one.copy() for one in given])
    np.testing.assert_allclose(np.asarray(found), want, atol=1e-12, err_msg=name)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", CALLS)
def test_what_is_written_after_a_call_is_not_seen(name: str) -> None:
    check(name, *CALLS[name])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("operator", UFUNCS, ids=lambda one: one.__name__)
def test_operators_take_what_stood_there(operator: np.ufunc) -> None:
    for other in (MATRIX, ROW, COLUMN):
        check("left", operator, (other,))
    check("right", lambda a, y: operator(y, a + 1), (MATRIX,))


@pytest.mark.parametrize(("each", "copied"), [(10, False), (40, True)])
def test_a_matrix_is_copied_where_a_product_has_many_terms_for_each_of_its_elements(
    each: int, copied: bool
) -> None:
    """What is copied lies in no cache, so that ten terms take no longer than the copy."""
    n = 2000
    rows = np.repeat(np.arange(n), each)
    columns = (rows * 7 + np.tile(np.arange(each) * 31, n)) % n
    a = sa.from_coordinates((rows, columns), np.ones(n * each), (n, n), format="csr")
    dense = np.ones((n, 16))
    product = a @ dense
    assert (product._tensor is None) is copied
    dense[:] = 0.0
    np.testing.assert_allclose(np.asarray(product), np.full((n, 16), float(each)))


@pytest.mark.parametrize("kind", ["?", "b", "u8", "f", "d", "F", "D"])
@pytest.mark.parametrize("ufunc", [np.add, np.multiply, np.less, np.maximum])
@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
def test_numpys_scalars_have_the_dtype_that_they_have_beside_numpys_arrays(
    kind: str, ufunc: np.ufunc, dtype: str
) -> None:
    scalar, dense = np.dtype(kind).type(1), DENSE.astype(dtype)
    lazy = sa.asarray(dense, format="csr") @ np.eye(4, dtype=dtype)
    for args, wanted in (((lazy, scalar), (dense, scalar)), ((scalar, lazy), (scalar, dense))):
        found, want = np.asarray(ufunc(*args)), ufunc(*wanted)
        assert found.dtype == want.dtype
        np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("scalar", [np.longdouble(1), np.str_("a"), np.datetime64(1, "D")])
def test_numpys_scalars_that_are_not_stored_are_refused(scalar: Any) -> None:
    with pytest.raises(TypeError):
        sa.asarray(DENSE, format="csr") + scalar
