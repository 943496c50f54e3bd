"""Discrete Fourier transforms: NumPy's, on dense arrays below the limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from structarr._api.core.dense import computed, of_numpy
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import member
from structarr._support.array_types import ArrayLike, Direction


class Transform(Protocol):
    """The type of transforms of vectors."""

    def __call__(
        self,
        a: ArrayLike,
        n: int | None = None,
        axis: int = -1,
        norm: Direction = None,
        out: Out | None = None,
    ) -> Out: ...


class TransformOfAxes(Protocol):
    """The type of transforms over several axes."""

    def __call__(
        self,
        a: ArrayLike,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = ...,
        norm: Direction = None,
        out: Out | None = None,
    ) -> Out: ...


def _transformed(twin: Any, x: Any, out: Out | None, **options: Any) -> Out:
    """The transform of a dense copy."""
    array = as_array(x)
    dense = computed(twin, array, **options)
    if not array.size:  # NumPy's inverses with real results return uninitialized memory
        dense = np.zeros_like(dense)
    return deliver(of_numpy(dense), out)


def _vectors(
    twin: Any,
    a: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: Direction = None,
    out: Out | None = None,
) -> Out:
    """
    Transforms of vectors.

    Parameters
    ----------
    a : array_like
        The vectors, of which every element is needed: a dense array must be below
        `densify_limit`.
    n : int, optional
        The length of the result; vectors are cut, or padded by zeros. Where the result is real,
        it is even by default.
    axis : int, optional
        The axis of the vectors.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by the length: the inverse by default.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.

    Returns
    -------
    $transform

    Raises
    ------
    ValueError
        If `n` is below one, or there is no such norm.
    $axis_error
    $densification

    See Also
    --------
    structarr.fft.fftn : Over several axes.
    structarr.fft.fftfreq : The frequencies.
    """
    return _transformed(twin, a, out, n=n, axis=axis, norm=norm)


def _axes(
    twin: Any,
    a: ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Direction = None,
    out: Out | None = None,
) -> Out:
    """
    Transforms over several axes.

    Parameters
    ----------
    a : array_like
        The array, of which every element is needed: a dense one must be below `densify_limit`.
    s : sequence of int, optional
        The lengths of the axes of the result; the array is cut, or padded by zeros.
    axes : sequence of int, optional
        Which axes; None stands for all.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by the lengths: the inverse by default.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.

    Returns
    -------
    $transform

    Raises
    ------
    ValueError
        If there are not as many lengths as axes, or there is no such norm.
    $axis_error
    $densification

    See Also
    --------
    structarr.fft.fft : Of vectors.
    """
    return _transformed(twin, a, out, s=s, axes=axes, norm=norm)


def _planes(
    twin: Any,
    a: ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: Direction = None,
    out: Out | None = None,
) -> Out:
    """
    Transforms over two axes.

    Parameters
    ----------
    a : array_like
        The array, of which every element is needed: a dense one must be below `densify_limit`.
    s : sequence of int, optional
        The lengths of the axes of the result; the array is cut, or padded by zeros.
    axes : sequence of int, optional
        Which two axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by the lengths: the inverse by default.
    $out

    Returns
    -------
    $transform

    Raises
    ------
    ValueError
        If there are not as many lengths as axes, or there is no such norm.
    $axis_error
    $densification

    See Also
    --------
    structarr.fft.fftn : Over any axes.
    """
    return _axes(twin, a, s, axes, norm, out)


fft: Transform = member(
    _vectors,
    np.fft.fft,
    "Return discrete Fourier transforms of vectors.",
    'sa.fft.fft(sa.asarray([1.0, 0.0, 0.0], format="list")).tolist()',
    "[(1+0j), (1+0j), (1+0j)]",
    how="dense",
)
ifft: Transform = member(
    _vectors,
    np.fft.ifft,
    "Return inverses of `fft`.",
    "sa.fft.ifft([2.0, 0.0]).tolist()",
    "[(1+0j), (1+0j)]",
    how="dense",
)
rfft: Transform = member(
    _vectors,
    np.fft.rfft,
    "Return transforms of real vectors: the first halves, of which the rest are conjugates.",
    "sa.fft.rfft([1.0, 0.0, 0.0]).tolist()",
    "[(1+0j), (1+0j)]",
    how="dense",
)
irfft: Transform = member(
    _vectors,
    np.fft.irfft,
    "Return inverses of `rfft`, of an even length if `n` is left out.",
    "sa.fft.irfft([2.0, 0.0]).tolist()",
    "[1.0, 1.0]",
    how="dense",
)
hfft: Transform = member(
    _vectors,
    np.fft.hfft,
    "Return real transforms of vectors of which the second half is the conjugate of the first.",
    "sa.fft.hfft([1.0, 0.0]).tolist()",
    "[1.0, 1.0]",
    how="dense",
)
ihfft: Transform = member(
    _vectors,
    np.fft.ihfft,
    "Return the inverses of `hfft`: the first halves.",
    "sa.fft.ihfft([1.0, 1.0]).tolist()",
    "[(1-0j), -0j]",
    how="dense",
)
fftn: TransformOfAxes = member(
    _axes,
    np.fft.fftn,
    "Return discrete Fourier transforms over several axes.",
    "sa.fft.fftn([[1.0, 0.0]]).tolist()",
    "[[(1+0j), (1+0j)]]",
    how="dense",
)
ifftn: TransformOfAxes = member(
    _axes,
    np.fft.ifftn,
    "Return inverses of `fftn`.",
    "sa.fft.ifftn([[2.0, 0.0]]).tolist()",
    "[[(1+0j), (1+0j)]]",
    how="dense",
)
rfftn: TransformOfAxes = member(
    _axes,
    np.fft.rfftn,
    "Return transforms of real arrays: along the last axis the first half.",
    "sa.fft.rfftn([[1.0, 0.0]]).tolist()",
    "[[(1+0j), (1+0j)]]",
    how="dense",
)
irfftn: TransformOfAxes = member(
    _axes,
    np.fft.irfftn,
    "Return inverses of `rfftn`, real arrays.",
    "sa.fft.irfftn([[2.0, 0.0]]).tolist()",
    "[[1.0, 1.0]]",
    how="dense",
)
fft2: TransformOfAxes = member(
    _planes,
    np.fft.fft2,
    "Return transforms over two axes.",
    "sa.fft.fft2([[1.0, 0.0]]).tolist()",
    "[[(1+0j), (1+0j)]]",
    how="dense",
)
ifft2: TransformOfAxes = member(
    _planes,
    np.fft.ifft2,
    "Return inverses of `fft2`.",
    "sa.fft.ifft2([[2.0, 0.0]]).tolist()",
    "[[(1+0j), (1+0j)]]",
    how="dense",
)
rfft2: TransformOfAxes = member(
    _planes,
    np.fft.rfft2,
    "Return transforms of real arrays over two axes; see `rfftn`.",
    "sa.fft.rfft2([[1.0, 0.0]]).tolist()",
    "[[(1+0j), (1+0j)]]",
    how="dense",
)
irfft2: TransformOfAxes = member(
    _planes,
    np.fft.irfft2,
    "Return inverses of `rfft2`; see `irfftn`.",
    "sa.fft.irfft2([[2.0, 0.0]]).tolist()",
    "[[1.0, 1.0]]",
    how="dense",
)
