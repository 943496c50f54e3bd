"""Linear algebra and Fourier transforms against NumPy's, over formats, dtypes and shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from test_numpy_protocols import DTYPES, same, shapes, stored, values

import structarr as sa

SQUARES = ("dense", "csr", "csc", "dcsr", "coo", "hash", "band", "vbl", "bitmap", "rle", "dia")
SQUARES += ("triu", "tril", "main diagonal")
UNWRITTEN = ("irfft", "hfft")  # of nothing, NumPy reads memory that nobody wrote
ORDERS = (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf, 0, 3, 2.5, -2, "other")


def alike(function: Callable[..., Any], ours: tuple[Any, ...], numpys: tuple[Any, ...]) -> None:
    """Compare results, or that both sides refuse; NumPy refuses some axes by IndexError."""
    try:
        with np.errstate(all="ignore"):
            function(*numpys)
    except IndexError:
        with pytest.raises(IndexError):
            function(*ours)
        return
    except (TypeError, ValueError):
        pass
    same(function, ours, numpys)


@st.composite
def squares(draw: Any, definite: bool = False) -> tuple[Any, Any]:
    """A matrix that is not singular, stored in some format, and NumPy's of the same value."""
    n = draw(st.integers(0, 6))
    dtype = draw(
        st.sampled_from(("int8", "int64", "float32", "float64", "complex64", "complex128"))
    )
    name = draw(st.sampled_from(SQUARES))
    data = draw(values((n, n), dtype))
    if draw(st.booleans()):
        data = np.triu(np.tril(data, 1), -2)
    if definite:
        data = np.tril(data) + np.tril(data, -1).conj().T
        data[np.diag_indices(n)] = data.diagonal().real
    # Greater than the sum of the rest of the row.
    data[np.diag_indices(n)] = data.diagonal().real + 60
    if name == "main diagonal":
        data = np.diag(np.diag(data))
        return sa.asarray(data, format="dia"), data
    if name in ("triu", "tril"):
        data = getattr(np, name)(data)
        if definite and n:
            return sa.asarray(data, format="csr"), data
    ours = sa.asarray(data, format=name)
    return (ours.mT, data.T) if draw(st.booleans()) else (ours, data)


@given(data=st.data())
def test_norms(data: Any) -> None:
    shape = data.draw(shapes)
    ours, dense = data.draw(stored(shape, data.draw(st.sampled_from(DTYPES))))
    order, keepdims = data.draw(st.sampled_from(ORDERS)), data.draw(st.booleans())
    axes = st.integers(-len(shape) - 1, len(shape))
    axis = data.draw(st.one_of(st.none(), axes, st.tuples(axes, axes)))
    same(lambda x: np.linalg.norm(x, order, axis, keepdims), (ours,), (dense,))
    same(
        lambda x: np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=order or 0),
        (ours,),
        (dense,),
    )
    same(lambda x: np.linalg.matrix_norm(x, keepdims=keepdims, ord=order), (ours,), (dense,))


@given(data=st.data())
def test_diagonals_and_traces(data: Any) -> None:
    shape = data.draw(shapes)
    ours, dense = data.draw(stored(shape, data.draw(st.sampled_from(DTYPES))))
    offset = data.draw(st.integers(-5, 5))
    axes = data.draw(st.permutations(range(max(2, len(shape)))))
    same(lambda x: np.diagonal(x, offset, *axes[:2]), (ours,), (dense,))
    same(lambda x: np.trace(x, offset, *axes[:2]), (ours,), (dense,))
    same(lambda x: np.linalg.diagonal(x, offset=offset), (ours,), (dense,))
    same(lambda x: np.linalg.trace(x, offset=offset, dtype="complex128"), (ours,), (dense,))


@given(data=st.data())
def test_products(data: Any) -> None:
    (a, x), (b, y) = (
        data.draw(stored(data.draw(shapes), data.draw(st.sampled_from(DTYPES)))) for _ in range(2)
    )
    same(np.kron, (a, b), (x, y))
    same(np.kron, (a, y), (x, y))
    same(np.outer, (a, b), (x, y))
    same(np.linalg.outer, (a, b), (x, y))


@given(data=st.data())
def test_cross_products(data: Any) -> None:
    batch, kinds = data.draw(shapes)[:2], [data.draw(st.sampled_from(DTYPES)) for _ in range(2)]
    a, x = data.draw(stored((*batch, 3), kinds[0]))
    b, y = data.draw(stored(data.draw(st.sampled_from([(3,), (*batch, 3), (2, 4)])), kinds[1]))
    same(np.linalg.cross, (a, b), (x, y))
    same(lambda u, v: np.cross(u, v, axisc=0), (a, b), (x, y))


@given(data=st.data())
def test_powers_and_chains(data: Any) -> None:
    n = data.draw(st.integers(0, 4))
    shape = data.draw(st.sampled_from([(n, n), (2, n, n), (n, n + 1), (n,)]))
    (a, x), (b, y) = (
        data.draw(stored(shape, data.draw(st.sampled_from(DTYPES)))) for _ in range(2)
    )
    exponent = data.draw(st.integers(0, 5))
    same(lambda u: np.linalg.matrix_power(u, exponent), (a,), (x,))
    same(lambda u, v: np.linalg.multi_dot([u, v, u]), (a, b), (x, y))


@given(data=st.data())
def test_systems(data: Any) -> None:
    ours, dense = data.draw(squares())
    n = len(dense)
    shape = data.draw(st.sampled_from([(n,), (n, 2), (2, n, 3), (n, 0), (n + 1,)]))
    right, plain = data.draw(stored(shape, data.draw(st.sampled_from(DTYPES))))
    same(np.linalg.solve, (ours, right), (dense, plain))
    same(np.linalg.solve, (ours, plain), (dense, plain))
    same(np.linalg.inv, (ours,), (dense,))
    same(lambda x: np.linalg.slogdet(x)[0], (ours,), (dense,))
    same(lambda x: np.linalg.slogdet(x)[1], (ours,), (dense,))
    same(lambda x: np.linalg.det(x) / 60.0**n, (ours,), (dense,))
    same(lambda x: np.linalg.matrix_power(x, -2), (ours,), (dense,))
    if n:
        order = data.draw(st.sampled_from([None, 1, -1, 2, -2, np.inf, -np.inf, "fro"]))
        same(lambda x: np.linalg.cond(x, order), (ours,), (dense,))


@given(data=st.data())
def test_cholesky(data: Any) -> None:
    ours, dense = data.draw(squares(definite=True))
    upper = data.draw(st.booleans())
    same(lambda x: np.linalg.cholesky(x, upper=upper), (ours,), (dense,))
    same(lambda x: np.linalg.cholesky(-x, upper=upper), (ours,), (dense,))


@given(data=st.data())
def test_what_goes_to_numpy(data: Any) -> None:
    shape = data.draw(shapes)
    kind = data.draw(st.sampled_from(("int64", "float32", "float64", "complex128")))
    ours, dense = data.draw(stored(shape, kind))
    same(np.linalg.svdvals, (ours,), (dense,))
    same(np.linalg.matrix_rank, (ours,), (dense,))
    same(lambda x: abs(np.linalg.qr(x, "r")), (ours,), (dense,))
    same(np.linalg.eigvalsh, (ours,), (dense,))
    if dense.size:
        same(np.linalg.pinv, (ours,), (dense,))
    same(lambda x: np.linalg.lstsq(x, np.ones(shape[:1]))[0], (ours,), (dense,))


@given(data=st.data())
def test_transforms(data: Any) -> None:
    name = data.draw(st.sampled_from(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]))
    shape = data.draw(shapes)
    ours, dense = data.draw(stored(shape, data.draw(st.sampled_from(DTYPES))))
    n, axis = data.draw(st.sampled_from([None, 0, 1, 3, 6])), data.draw(st.integers(-3, 3))
    norm = data.draw(st.sampled_from([None, "backward", "ortho", "forward", "other"]))
    assume(dense.size or name not in UNWRITTEN)
    alike(lambda x: getattr(np.fft, name)(x, n, axis, norm=norm), (ours,), (dense,))


@given(data=st.data())
def test_transforms_of_several_axes(data: Any) -> None:
    kind = data.draw(st.sampled_from(["fft", "ifft", "rfft", "irfft"]))
    function = getattr(np.fft, kind + data.draw(st.sampled_from(["n", "2"])))
    shape = data.draw(shapes)
    ours, dense = data.draw(stored(shape, data.draw(st.sampled_from(DTYPES))))
    axes = data.draw(st.lists(st.integers(-3, 3), min_size=1, max_size=2))
    lengths = data.draw(st.one_of(st.none(), st.just([3, 4][: len(axes)])))
    assume(dense.size or kind not in UNWRITTEN)
    alike(lambda x: function(x, lengths, axes), (ours,), (dense,))
    alike(function, (ours,), (dense,))


@pytest.mark.parametrize("function", [np.fft.irfft, np.fft.hfft, np.fft.fft, np.fft.irfftn])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_nothing_is_padded_by_zeros(function: Callable[..., Any], dtype: str) -> None:
    lengths: Any = [3] if function is np.fft.irfftn else 3
    found = function(sa.asarray(np.zeros((2, 0), dtype), format="csr"), lengths)
    assert found.shape == (2, 3)
    assert not np.any(found.todense())


@given(data=st.data())
def test_shifts(data: Any) -> None:
    shape = data.draw(shapes.filter(len))
    ours, dense = data.draw(stored(shape, data.draw(st.sampled_from(DTYPES))))
    axes = data.draw(st.one_of(st.none(), st.integers(-3, 3), st.just([0, -1])))
    function = data.draw(st.sampled_from([np.fft.fftshift, np.fft.ifftshift]))
    alike(lambda x: function(x, axes), (ours,), (dense,))
