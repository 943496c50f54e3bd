"""Discrete Fourier transforms of vectors: NumPy's, on dense arrays below the limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._api.core.dense import computed, of_numpy
from structarr._api.core.operands import as_array
from structarr._api.core.out import deliver
from structarr._api.core.publish import publish


def transformed(function: Callable[..., Any], x: Any, out: Any, **options: Any) -> Any:
    """What a function of NumPy's makes of the dense array."""
    array = as_array(x)
    dense = computed(function, array, **options)
    if not array.size:  # NumPy's inverses with real results read memory that nobody wrote
        dense = np.zeros_like(dense)
    return deliver(of_numpy(dense), out)


@publish(np.fft.fft, how="dense")
def fft(
    a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None
) -> Any:
    """
    Return discrete Fourier transforms of vectors.

    Parameters
    ----------
    a : array_like
        The vectors, of which every element is needed: a dense array must be below
        `densify_limit`.
    n : int, optional
        The length of the result; vectors are cut, or padded by zeros.
    axis : int, optional
        The axis of the vectors.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by the length: the inverse by default.
    out : numpy.ndarray, optional
        Where to put the result, which is returned.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.fft(sa.asarray([1.0, 0.0, 0.0], format="list")).tolist()
    [(1+0j), (1+0j), (1+0j)]
    """
    return transformed(np.fft.fft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.ifft, how="dense")
def ifft(
    a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None
) -> Any:
    """
    Return inverses of `fft`, whose arguments it has.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.ifft([2.0, 0.0]).tolist()
    [(1+0j), (1+0j)]
    """
    return transformed(np.fft.ifft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.rfft, how="dense")
def rfft(
    a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None
) -> Any:
    """
    Return the first halves of transforms of real vectors; the rest are their conjugates.

    The arguments are those of `fft`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.rfft([1.0, 0.0, 0.0]).tolist()
    [(1+0j), (1+0j)]
    """
    return transformed(np.fft.rfft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.irfft, how="dense")
def irfft(
    a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None
) -> Any:
    """
    Return inverses of `rfft`, of an even length if `n` is left out.

    The arguments are those of `fft`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.irfft([2.0, 0.0]).tolist()
    [1.0, 1.0]
    """
    return transformed(np.fft.irfft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.hfft, how="dense")
def hfft(
    a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None
) -> Any:
    """
    Return transforms of vectors whose second half is the conjugate of the first: real ones.

    The arguments are those of `fft`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.hfft([1.0, 0.0]).tolist()
    [1.0, 1.0]
    """
    return transformed(np.fft.hfft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.ihfft, how="dense")
def ihfft(
    a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None
) -> Any:
    """
    Return inverses of `hfft`: the first halves.

    The arguments are those of `fft`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.ihfft([1.0, 1.0]).tolist()
    [(1-0j), -0j]
    """
    return transformed(np.fft.ihfft, a, out, n=n, axis=axis, norm=norm)
