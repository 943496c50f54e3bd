"""Random windows over random formats against scipy.signal and scipy.ndimage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.ndimage
import scipy.signal
from example_counts import examples
from hypothesis import assume, given, strategies as st
from strategies import expressions, leaves

import structarr as sa
from structarr._compiler.options import options

Draw = Callable[..., Any]
SIGNAL: dict[Any, Callable[..., Any]] = {
    sa.convolve: scipy.signal.convolve,
    sa.correlate: scipy.signal.correlate,
}
FILTERS: dict[Any, Callable[..., Any]] = {
    sa.ndimage.convolve: scipy.ndimage.convolve,
    sa.ndimage.correlate: scipy.ndimage.correlate,
}


@st.composite
def shapes(draw: Draw, ndim: int, longest: int) -> tuple[int, ...]:
    """Lengths from one on."""
    return tuple(draw(st.integers(1, longest)) for _ in range(ndim))


def check(got: sa.Array, want: Any) -> None:
    """The same shape and dtype, and values to rounding."""
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got.todense(), want, rtol=1e-4, atol=1e-4)


def widened(value: Any, dtype: Any) -> Any:
    """Numbers in a dtype that SciPy adds exactly; it is cast afterwards."""
    return np.asarray(value).astype("complex128" if dtype.kind == "c" else "float64")


@examples(0.5)
@given(st.data(), st.sampled_from(list(SIGNAL)), st.sampled_from(["full", "same", "valid"]))
def test_windows_are_scipy_signals(data: Any, ours: Any, mode: str) -> None:
    ndim = data.draw(st.integers(2, 3))
    a = data.draw(expressions(data.draw(shapes(ndim, 7 - ndim)), 1))
    v = data.draw(leaves(data.draw(shapes(ndim, 5 - ndim))))
    pairs = list(zip(a.node.shape, v.node.shape, strict=True))
    assume(mode != "valid" or all(n >= m for n, m in pairs) or all(n <= m for n, m in pairs))
    dtype = np.result_type(a.value, v.value)
    wide = [widened(one.value, dtype) for one in (a, v)]
    want = SIGNAL[ours](*wide, mode, "direct")
    if dtype.kind in "iu":
        want = want.astype(np.int64)  # then whole numbers wrap around
    with options(tier="interpreted"):
        check(ours(sa.Array(a.node), sa.Array(v.node), mode=mode), want.astype(dtype))


@given(st.data(), st.sampled_from(list(FILTERS)))
def test_filters_are_scipy_ndimages(data: Any, ours: Any) -> None:
    ndim = data.draw(st.integers(1, 2))
    a = data.draw(leaves(data.draw(shapes(ndim, 6))))
    weights = data.draw(leaves(data.draw(shapes(ndim, 4)))).value
    asked: dict[str, Any] = {
        "mode": data.draw(st.sampled_from(["reflect", "constant", "nearest", "mirror", "wrap"])),
        "cval": data.draw(st.sampled_from([0, 1, 2.0])),
        "origin": [data.draw(st.integers(-(m // 2), (m - 1) // 2)) for m in weights.shape],
    }
    # Sums beyond the dtype are cast from whole numbers here, and from floats in SciPy.
    assume(a.value.dtype != np.uint8 and a.value.dtype != np.int8)
    want = FILTERS[ours](a.value, weights, **asked)
    with options(tier="interpreted"):
        check(ours(sa.Array(a.node), weights, **asked), want)
