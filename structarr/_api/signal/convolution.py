"""Convolution and correlation: sums over a window that slides along all axes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from structarr._api.core.expressions import conjugated, derive, product, product_dtype
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.shape.manipulation import atleast_1d
from structarr._api.shape.shifting import flip
from structarr._array import Array
from structarr._lazy import graph
from structarr._support.array_types import ArrayLike, Overlap

Shape: TypeAlias = tuple[int, ...]
MODES = ("full", "same", "valid")


@publish(np.convolve)
def convolve(a: ArrayLike, v: ArrayLike, /, mode: Overlap = "full") -> Array:
    """
    Convolve two arrays: sums of the elements of `a` times those of `v`, reversed and moved.

    Parameters
    ----------
    a, v : array_like
        Arrays of as many axes, none of them empty.
    mode : {"full", "same", "valid"}
        Whether to give all overlaps; the middle ones, as many as `a` has elements (of vectors, as
        the longer one has); or the complete ones.

    Returns
    -------
    Array
        Lazy. What no pair of stored elements reaches is not stored, if the operands are sparse. The
        time is proportional, at most, to the number of pairs of stored elements.

    Raises
    ------
    ValueError
        If an array is empty, they have not as many axes, or there is no such mode.

    See Also
    --------
    correlate : With one of them in opposite order.
    structarr.ndimage.convolve : With edges.

    Notes
    -----
    Of vectors the result is that of `numpy.convolve`, of more axes that of
    `scipy.signal.convolve`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.convolve(sa.asarray([0, 1, 0, 0]), [1, 2]).tolist()
    [0, 1, 2, 0, 0]
    >>> grid = sa.asarray([[0, 0, 0], [0, 0, 5], [0, 0, 0]], format="csr")
    >>> smooth = sa.convolve(grid, [[1, 2, 1]], mode="same")
    >>> smooth.tolist(), str(smooth.format)
    ([[0, 0, 0], [0, 5, 10], [0, 0, 0]], 'csr')
    """
    left, right = _operands(a, v, mode)
    if left.ndim == 1 or mode == "valid":
        left, right, _ = _larger_first(left, right, mode)
    starts, shape = _place(left.shape, right.shape, mode)
    if right.size > left.size:  # the smaller one is the window
        left, right = right, left
    numpys: Any = partial(np.convolve, mode=mode)
    return _product(left, right, starts, shape, True, numpys)


@publish(np.correlate)
def correlate(a: ArrayLike, v: ArrayLike, /, mode: Overlap = "valid") -> Array:
    """
    Correlate two arrays: sums of the elements of `a` times those of `v`, conjugated and moved.

    Parameters
    ----------
    a, v : array_like
        Arrays of as many axes, none of them empty.
    mode : {"valid", "same", "full"}
        As of `convolve`.

    Returns
    -------
    Array
        Lazy. What no pair of stored elements reaches is not stored, if the operands are sparse. The
        time is proportional, at most, to the number of pairs of stored elements.

    Raises
    ------
    ValueError
        If an array is empty, they have not as many axes, or there is no such mode.

    See Also
    --------
    convolve : With one of them in opposite order.
    structarr.ndimage.correlate : With edges.

    Notes
    -----
    Of vectors the result is that of `numpy.correlate`, of more axes that of
    `scipy.signal.correlate`, whose `mode` is "full" if it is left out.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.correlate(sa.asarray([1, 2, 3]), [0, 1, 0.5]).tolist()
    [3.5]
    >>> sa.correlate(sa.asarray([[1, 2, 3], [4, 5, 6]]), [[1, 1]]).tolist()
    [[3, 5], [9, 11]]
    """
    left, right = _operands(a, v, mode)
    right = conjugated(right)
    swapped = False
    if left.ndim == 1 or mode == "valid":
        left, right, swapped = _larger_first(left, right, mode)
    backward, shape = _place(left.shape, right.shape, mode)
    starts = tuple(start + 1 - m for start, m in zip(backward, right.shape, strict=True))
    # The weights are conjugated already; NumPy's function conjugates them.
    numpys = partial(_plain_correlate, mode=mode)
    result = _product(left, right, starts, shape, False, numpys)
    return flip(result) if swapped else result


def _plain_correlate(a: Any, v: Any, mode: Any) -> Any:
    return np.correlate(
        a, np.conj(v) if np.iscomplexobj(v) else v, mode
    )  # NumPy's is int8 for bool


def _operands(a: Any, v: Any, mode: str) -> tuple[Array, Array]:
    if mode not in MODES:
        raise ValueError(f"mode must be one of 'full', 'same', 'valid', not {mode!r}")
    left, right = atleast_1d(as_array(a)), atleast_1d(as_array(v))
    if left.ndim != right.ndim:
        raise ValueError(
            f"a and v must have as many axes, not shapes {left.shape} and {right.shape}; add axes "
            "of length one to the smaller"
        )
    for name, array in (("a", left), ("v", right)):
        if not array.size:
            raise ValueError(f"{name} cannot be empty: its shape is {array.shape}")
    return left, right


def _larger_first(left: Array, right: Array, mode: str) -> tuple[Array, Array, bool]:
    """The operand first that is no shorter along any axis; and whether that was the second."""
    pairs = list(zip(left.shape, right.shape, strict=True))
    if all(n >= m for n, m in pairs):
        return left, right, False
    if all(n <= m for n, m in pairs):
        return right, left, True
    raise ValueError(
        f"mode 'valid': one operand must be at least as long as the other along every axis, not "
        f"shapes {left.shape} and {right.shape}"
    )


def _place(shape: Shape, window: Shape, mode: str) -> tuple[Shape, Shape]:
    """The start and the shape of a mode's part of the full convolution."""
    pairs = list(zip(shape, window, strict=True))
    if mode == "full":
        return (0,) * len(shape), tuple(n + m - 1 for n, m in pairs)
    if mode == "same":
        return tuple((m - 1) // 2 for m in window), shape
    return tuple(m - 1 for m in window), tuple(n - m + 1 for n, m in pairs)


def _product(
    left: Array,
    right: Array,
    starts: Shape,
    shape: Shape,
    backward: bool,
    numpys: Callable[..., Any],
) -> Array:
    dtype = product_dtype(left.dtype, right.dtype)
    if left.ndim > 1:
        return slid(left, right, starts, shape, backward, dtype)
    slide = partial(graph.slide, starts=starts, shape=shape, backward=backward, dtype=dtype)
    return product(slide, numpys, left, right)


def slid(
    array: Array, weights: Array, starts: Shape, shape: Shape, backward: bool, dtype: np.dtype[Any]
) -> Array:
    """Return sums over a window that slides over an array; see `graph.slide`."""
    return derive(lambda a, v: graph.slide(a, v, starts, shape, backward, dtype), array, weights)
