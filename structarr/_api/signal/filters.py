"""Filters: correlation and convolution of an array with small weights, as large as the array."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from structarr._api.core.expressions import combine, conjugated, derive
from structarr._api.core.operands import as_array
from structarr._api.creation.full import constant
from structarr._api.indexing.padding import pad
from structarr._api.signal.convolution import slid
from structarr._array import Array
from structarr._lazy import graph
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, Boundary, Padding

DType = np.dtype[Any]

PADDED: Final[dict[str, Padding]] = {
    "reflect": "symmetric",
    "grid-mirror": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}
"""The boundary modes, and the modes of `pad` that make the same of an array."""


def correlate(
    input: ArrayLike,
    weights: ArrayLike,
    output: Any = None,
    mode: Boundary = "reflect",
    cval: complex = 0.0,
    origin: int | Sequence[int] = 0,
) -> Array:
    """
    Replace each element by the sum of its neighbours, times weights.

    Parameters
    ----------
    input : array_like
        The array.
    weights : array_like
        Weights, of as many axes as the input; complex ones are conjugated.
    output : dtype_like, optional
        Of the result; None stands for the input's, and complex if the weights are.
    mode : {"reflect", "constant", "nearest", "mirror", "wrap"}
        What lies beyond the edges: elements in opposite order, with or (mirror) without the one at
        the edge; `cval`; the one at the edge; or those of the other end. SciPy's names with "grid-"
        are known too.
    cval : scalar
        Value beyond the edges in mode "constant".
    origin : int or sequence of int
        Shift of the weights' middle along each axis.

    Returns
    -------
    Array
        Lazy; sparse in mode "constant" if `cval` is the fill value. The time is proportional to
        what is stored then, times the number of weights, and to the size of the array otherwise.

    Raises
    ------
    ValueError
        If the weights are empty or of another number of axes, the origin is outside of them, there
        is no such mode, or `output` cannot hold complex sums.
    TypeError
        If `output` is an array.

    See Also
    --------
    structarr.ndimage.convolve : With weights in opposite order.
    structarr.correlate : Without edges.

    Notes
    -----
    It is `scipy.ndimage.correlate`: sums are computed in double precision, or of whole numbers in
    whole numbers of 64 bits, and cast.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.ndimage.correlate(sa.asarray([1.0, 2.0, 4.0]), [1, 0, 10]).tolist()
    [21.0, 41.0, 42.0]
    """
    array, kernel = _operands(input, weights, mode)
    middle = [
        m // 2 + shift for m, shift in zip(kernel.shape, _origins(origin, kernel), strict=True)
    ]
    starts = tuple(-place for place in middle)
    return _filtered(array, conjugated(kernel), starts, False, output, mode, cval)


def convolve(
    input: ArrayLike,
    weights: ArrayLike,
    output: Any = None,
    mode: Boundary = "reflect",
    cval: complex = 0.0,
    origin: int | Sequence[int] = 0,
) -> Array:
    """
    Spread each element over its neighbours, by weights; `scipy.ndimage.convolve`.

    Parameters
    ----------
    input : array_like
        The array.
    weights : array_like
        Weights, of as many axes as the input.
    output : dtype_like, optional
        That of the result; None stands for the input's, and complex if the weights are.
    mode : {"reflect", "constant", "nearest", "mirror", "wrap"}, optional
        What lies beyond the edges, as of `correlate`.
    cval : scalar, optional
        Value beyond the edges in mode "constant".
    origin : int or sequence of int, optional
        Shift of the weights' middle along each axis.

    Returns
    -------
    Array
        Lazy; sparse in mode "constant" if `cval` is the fill value. The time is proportional to
        what is stored then, times the number of weights, and to the size of the array otherwise.

    Raises
    ------
    ValueError
        If the weights are empty or of another number of axes, the origin is outside of them, there
        is no such mode, or `output` cannot hold complex sums.
    TypeError
        If `output` is an array.

    See Also
    --------
    structarr.ndimage.correlate : With weights in their order.
    structarr.convolve : Without edges.

    Examples
    --------
    >>> import structarr as sa
    >>> image = sa.asarray([[0, 0, 0], [0, 8, 0], [0, 0, 0]], format="csr")
    >>> spread = sa.ndimage.convolve(image, [[0, 1, 0], [2, 4, 2], [0, 1, 0]], mode="constant")
    >>> spread.tolist(), str(spread.format)
    ([[0, 8, 0], [16, 32, 16], [0, 8, 0]], 'csr')
    """
    array, kernel = _operands(input, weights, mode)
    origins = _origins(origin, kernel)
    starts = tuple(m // 2 + shift for m, shift in zip(kernel.shape, origins, strict=True))
    return _filtered(array, kernel, starts, True, output, mode, cval)


def _operands(input: Any, weights: Any, mode: str) -> tuple[Array, Array]:
    if mode not in PADDED:
        raise ValueError(f"boundary mode {mode!r} is not one of {', '.join(PADDED)}")
    array, kernel = as_array(input), as_array(weights)
    if array.ndim != kernel.ndim:
        raise ValueError(
            f"the weights must have as many axes as the input, not shapes {kernel.shape} and "
            f"{array.shape}"
        )
    if not kernel.size:
        raise ValueError(f"the weights cannot be empty: their shape is {kernel.shape}")
    return array, kernel


def _origins(origin: int | Sequence[int], kernel: Array) -> list[int]:
    given = [origin] * kernel.ndim if isinstance(origin, (int, np.integer)) else list(origin)
    if len(given) != kernel.ndim:
        raise ValueError(f"origin must be a number or one for each of {kernel.ndim} axes")
    shifts = [operator.index(one) for one in given]
    for axis, (m, shift) in enumerate(zip(kernel.shape, shifts, strict=True)):
        if not -(m // 2) <= shift <= (m - 1) // 2:
            raise ValueError(
                f"origin {shift} of axis {axis} is outside of the {m} weights: it must be within "
                f"[{-(m // 2)}, {(m - 1) // 2}]"
            )
    return shifts


def _filtered(
    array: Array,
    kernel: Array,
    starts: tuple[int, ...],
    backward: bool,
    output: Any,
    mode: str,
    cval: Any,
) -> Array:
    kind = _computed(array.dtype, kernel.dtype, cval if "constant" in mode else 0)
    final = _final(array.dtype, kernel.dtype, output)
    shape = array.shape
    if not array.size:
        return constant(shape, 0, final)
    array, kernel = _as(array, kind), _as(kernel, kind)
    if not shape:
        return _as(combine("multiply", array, kernel), final)
    if mode not in ("constant", "grid-constant") or cval != 0:
        ends = zip(starts, kernel.shape, strict=True)
        before = [m - 1 - start if backward else -start for start, m in ends]
        widths = [(one, m - 1 - one) for one, m in zip(before, kernel.shape, strict=True)]
        value = {"constant_values": cval} if "constant" in mode else {}
        array = pad(array, widths, PADDED[mode], **value)
        starts = tuple(start + one for start, one in zip(starts, before, strict=True))
    sums = slid(array, kernel, starts, shape, backward, kind)
    if final.kind == "b":  # SciPy truncates sums before it takes their truth
        sums = _as(sums, np.dtype(np.int64))
    return _as(sums, final)


def _computed(array: DType, kernel: DType, cval: Any) -> DType:
    """The dtype of the sums."""
    whole = isinstance(cval, int) or float(np.real(cval)).is_integer()
    kind = np.result_type(array, kernel, *([] if whole else [float]))
    if kind.kind in "biu":
        return np.dtype(np.uint64 if kind == np.uint64 else np.int64)
    is_complex = kind.kind == "c" or isinstance(cval, complex)
    return np.dtype(np.complex128 if is_complex else np.float64)


def _final(array: DType, kernel: DType, output: Any) -> DType:
    """The dtype of the result."""
    is_complex = "c" in (array.kind, kernel.kind)
    if output is None:
        return np.promote_types(array, np.complex64) if is_complex else array
    if isinstance(output, (np.ndarray, Array)):
        raise TypeError("output= takes a dtype; bind the result to a name")
    kind = dtypes.check(output)
    if is_complex and kind.kind != "c":
        raise ValueError(f"output={kind.name} cannot hold complex sums; give a complex dtype")
    return kind


def _as(array: Array, dtype: DType) -> Array:
    return derive(lambda node: graph.astype(node, dtype), array)
