"""Discrete Fourier transforms: NumPy's, on dense arrays below the limit; shifts keep structure."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from structarr import _dtypes
from structarr._api.dense import of_numpy, through
from structarr._api.joining import concat
from structarr._api.manipulation import Axes
from structarr._api.operands import as_array, check_device, owned
from structarr._api.publish import publish
from structarr._api.ranges import arange
from structarr._api.reductions import deliver
from structarr._api.shifting import roll
from structarr._array import Array


def _transformed(function: Callable[..., Any], x: Any, out: Any, **options: Any) -> Any:
    found = of_numpy(through(function, as_array(x), **options))
    return found if out is None else deliver(found, out)


@publish(np.fft.fft)
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
    return _transformed(np.fft.fft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.ifft)
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
    return _transformed(np.fft.ifft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.rfft)
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
    return _transformed(np.fft.rfft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.irfft)
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
    return _transformed(np.fft.irfft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.hfft)
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
    return _transformed(np.fft.hfft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.ihfft)
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
    return _transformed(np.fft.ihfft, a, out, n=n, axis=axis, norm=norm)


@publish(np.fft.fftn)
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
    return _transformed(np.fft.fftn, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.ifftn)
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
    return _transformed(np.fft.ifftn, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.rfftn)
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
    return _transformed(np.fft.rfftn, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.irfftn)
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
    return _transformed(np.fft.irfftn, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.fft2)
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
    return _transformed(np.fft.fft2, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.ifft2)
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
    return _transformed(np.fft.ifft2, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.rfft2)
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
    return _transformed(np.fft.rfft2, a, out, s=s, axes=axes, norm=norm)


@publish(np.fft.irfft2)
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
    return _transformed(np.fft.irfft2, a, out, s=s, axes=axes, norm=norm)


def fftfreq(n: int, /, d: float = 1.0, *, dtype: Any = None, device: str | None = None) -> Array:
    """
    Return the frequencies of the elements of `fft`'s result.

    Parameters
    ----------
    n : int
        The length of the vector.
    d : float, optional
        The distance of its elements.
    dtype : dtype, optional
        Of the result; float64 by default.
    device : {"cpu"}, optional
        Where the array is to live.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.fftfreq(4, d=0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    count = _count(n, device)
    middle = (count - 1) // 2 + 1
    places = concat([arange(0, middle), arange(-(count // 2), 0)])
    return _scaled(places, count, d, dtype)


def rfftfreq(n: int, /, d: float = 1.0, *, dtype: Any = None, device: str | None = None) -> Array:
    """
    Return the frequencies of the elements of `rfft`'s result; the arguments are `fftfreq`'s.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.rfftfreq(4, d=0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    count = _count(n, device)
    return _scaled(arange(0, count // 2 + 1), count, d, dtype)


def _count(n: int, device: str | None) -> int:
    check_device(device)
    return operator.index(n)


def _scaled(places: Array, count: int, d: float, dtype: Any) -> Array:
    kind = _dtypes.check(np.float64 if dtype is None else dtype)
    result: Array = (places * (1.0 / (count * d))).astype(kind)
    return result


@publish(np.fft.fftshift)
def fftshift(x: Any, /, axes: Axes | None = None) -> Array:
    """
    Move the element of frequency zero to the middle; a roll, which keeps structure.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or sequence of int, optional
        Along which axes; None stands for all.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.fftshift([0, 1, 2, -2, -1]).tolist()
    [-2, -1, 0, 1, 2]
    """
    return _shifted(x, axes, 1)


@publish(np.fft.ifftshift)
def ifftshift(x: Any, /, axes: Axes | None = None) -> Array:
    """
    Undo `fftshift`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.ifftshift([-2, -1, 0, 1, 2]).tolist()
    [0, 1, 2, -2, -1]
    """
    return _shifted(x, axes, -1)


def _shifted(x: Any, axes: Axes | None, sign: int) -> Array:
    array = as_array(x)
    every = range(array.ndim) if axes is None else axes
    places = np.lib.array_utils.normalize_axis_tuple(every, array.ndim, "axes", True)
    shifts = [sign * (array.shape[place] // 2) for place in places]
    return roll(array, shifts, places) if places else owned(array)
