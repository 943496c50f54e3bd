"""Discrete Fourier transforms over several axes: NumPy's, on dense arrays below the limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.core.publish import publish
from structarr._api.signal.fourier import transformed


@publish(np.fft.fftn, how="dense")
def fftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """
    Return discrete Fourier transforms over several axes.

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
        Where to put the result, which is returned.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.fftn([[1.0, 0.0]]).tolist()
    [[(1+0j), (1+0j)]]
    """
    return transformed(np.fft.fftn, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.ifftn, how="dense")
def ifftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """
    Return inverses of `fftn`, whose arguments it has.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.ifftn([[2.0, 0.0]]).tolist()
    [[(1+0j), (1+0j)]]
    """
    return transformed(np.fft.ifftn, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.rfftn, how="dense")
def rfftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """
    Return transforms of real arrays: along the last axis the first half; see `fftn`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.rfftn([[1.0, 0.0]]).tolist()
    [[(1+0j), (1+0j)]]
    """
    return transformed(np.fft.rfftn, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.irfftn, how="dense")
def irfftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """
    Return inverses of `rfftn`, real arrays; the arguments are those of `fftn`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.irfftn([[2.0, 0.0]]).tolist()
    [[1.0, 1.0]]
    """
    return transformed(np.fft.irfftn, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.fft2, how="dense")
def fft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """
    Return transforms over two axes; see `fftn`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.fft2([[1.0, 0.0]]).tolist()
    [[(1+0j), (1+0j)]]
    """
    return transformed(np.fft.fft2, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.ifft2, how="dense")
def ifft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """
    Return inverses of `fft2`; see `fftn`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.ifft2([[2.0, 0.0]]).tolist()
    [[(1+0j), (1+0j)]]
    """
    return transformed(np.fft.ifft2, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.rfft2, how="dense")
def rfft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """
    Return transforms of real arrays over two axes; see `rfftn`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.rfft2([[1.0, 0.0]]).tolist()
    [[(1+0j), (1+0j)]]
    """
    return transformed(np.fft.rfft2, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.irfft2, how="dense")
def irfft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """
    Return inverses of `rfft2`; see `irfftn`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.irfft2([[2.0, 0.0]]).tolist()
    [[1.0, 1.0]]
    """
    return transformed(np.fft.irfft2, a, out, s=s, axes=axes, norm=norm)
