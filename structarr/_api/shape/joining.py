"""Arrays one after the other and side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.expressions import cast, derive
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.shape.manipulation import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    axis_in,
    expand_dims,
)
from structarr._api.shape.reshaping import ravel, reshape
from structarr._array import Array
from structarr._lazy.joining import concatenate as concatenate_nodes
from structarr._support import dtypes
from structarr._support.array_types import Casting, DTypeLike


@publish(np.concatenate)
@by_structure(None)
def concat(
    arrays: Sequence[Any],
    /,
    axis: int | None = 0,
    out: Out | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: Casting = "same_kind",
) -> Out:
    """
    Join arrays one after the other along an axis.

    Parameters
    ----------
    arrays : sequence of array_like
        Arrays whose shapes agree in all other axes.
    axis : int, optional
        Axis along which to join; None joins the flattened arrays.
    $out
    dtype : dtype_like, optional
        Dtype of the result; None stands for the promoted one.
    $casting

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If there is no array, or their shapes do not agree.
    TypeError
        If a cast to `dtype` is not allowed, or elements are neither numbers nor booleans.
    $axis_error

    See Also
    --------
    stack : Along a new axis.
    block : From nested lists.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.concat([sa.asarray([1, 2]), [3]]).tolist()
    [1, 2, 3]
    """
    if out is not None:
        return deliver(concat(arrays, axis, dtype=dtype, casting=casting), out, casting)
    given = [as_array(x) for x in arrays]
    if not given:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        given, axis = [ravel(array) for array in given], 0
    if not given[0].ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated; expand_dims first")
    _check_joinable(given, axis_in(axis, given[0].ndim))
    joined = np.result_type(*[array.dtype for array in given])
    if dtype is not None:
        joined = dtypes.check(dtype)
        given = [cast(array, joined, casting, "array data") for array in given]
    place = axis_in(axis, given[0].ndim)
    return derive(lambda *nodes: concatenate_nodes(nodes, place, joined), *given)  # type: ignore[return-value]


concatenate = concat


def _check_joinable(arrays: Sequence[Array], axis: int) -> None:
    first = arrays[0].shape
    for number, array in enumerate(arrays):
        if array.ndim != len(first):
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index "
                f"0 has {len(first)} dimension(s) and the array at index {number} has "
                f"{array.ndim} dimension(s)"
            )
        for place, (mine, length) in enumerate(zip(array.shape, first, strict=True)):
            if place != axis and mine != length:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match "
                    f"exactly, but along dimension {place}, the array at index 0 has size {length} "
                    f"and the array at index {number} has size {mine}"
                )


@publish(np.stack)
@by_structure(None)
def stack(
    arrays: Sequence[Any],
    /,
    axis: int = 0,
    out: Out | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: Casting = "same_kind",
) -> Out:
    """
    Join arrays of one shape along a new axis.

    Parameters
    ----------
    arrays : sequence of array_like
        Arrays of one shape.
    axis : int, optional
        Position of the new axis among those of the result.
    $out
    dtype : dtype_like, optional
        Dtype of the result; None stands for the promoted one.
    $casting

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If there is no array, or their shapes differ.
    TypeError
        If a cast to `dtype` is not allowed.
    $axis_error

    See Also
    --------
    concat : Along an axis that there is.
    unstack : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.stack([sa.asarray([1, 2]), [3, 4]]).tolist()
    [[1, 2], [3, 4]]
    """
    given = [as_array(x) for x in arrays]
    if not given:
        raise ValueError("need at least one array to stack")
    if any(array.shape != given[0].shape for array in given):
        raise ValueError("all input arrays must have the same shape")
    place = axis_in(axis, given[0].ndim + 1)
    raised = [expand_dims(array, axis=place) for array in given]
    return concat(raised, place, out, dtype=dtype, casting=casting)


@publish(np.vstack)
@by_structure(None)
def vstack(
    arrays: Sequence[Any], *, dtype: DTypeLike | None = None, casting: Casting = "same_kind"
) -> Array:
    """
    Join arrays by rows; a vector is a row.

    Parameters
    ----------
    arrays : sequence of array_like
        Their shapes agree in all axes but the first.
    dtype : dtype_like, optional
        Dtype of the result; None stands for the promoted one.
    $casting

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If there is no array, or their shapes do not agree.

    See Also
    --------
    hstack : By columns.
    vsplit : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.vstack([[1, 2], [3, 4]]).tolist()
    [[1, 2], [3, 4]]
    """
    return concat([atleast_2d(x) for x in arrays], 0, dtype=dtype, casting=casting)


@publish(np.hstack)
@by_structure(None)
def hstack(
    arrays: Sequence[Any], *, dtype: DTypeLike | None = None, casting: Casting = "same_kind"
) -> Array:
    """
    Join arrays by columns; vectors end to end.

    Parameters
    ----------
    arrays : sequence of array_like
        Their shapes agree in all axes but the second; those of vectors may differ.
    dtype : dtype_like, optional
        Dtype of the result; None stands for the promoted one.
    $casting

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If there is no array, or their shapes do not agree.

    See Also
    --------
    vstack : By rows.
    hsplit : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.hstack([[1, 2], [3]]).tolist()
    [1, 2, 3]
    """
    given = [atleast_1d(x) for x in arrays]
    place = 0 if given and given[0].ndim == 1 else 1
    return concat(given, place, dtype=dtype, casting=casting)


@publish(np.dstack)
@by_structure(None)
def dstack(arrays: Sequence[Any]) -> Array:
    """
    Join arrays along the third axis; vectors and matrices get one.

    Parameters
    ----------
    arrays : sequence of array_like
        Their shapes agree in all axes but the third.

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If there is no array, or their shapes do not agree.

    See Also
    --------
    stack : Along any new axis.
    dsplit : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.dstack([[1, 2], [3, 4]]).tolist()
    [[[1, 3], [2, 4]]]
    """
    return concat([atleast_3d(x) for x in arrays], 2)


@publish(np.column_stack)
@by_structure(None)
def column_stack(arrays: Sequence[Any]) -> Array:
    """
    Join matrices by columns; a vector is a column.

    Parameters
    ----------
    arrays : sequence of array_like
        Vectors and matrices of as many rows.

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If there is no array, or their lengths differ.

    See Also
    --------
    hstack : Joins vectors end to end.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.column_stack([[1, 2], [3, 4]]).tolist()
    [[1, 3], [2, 4]]
    """
    given = [as_array(x) for x in arrays]
    return concat([reshape(x, (-1, 1)) if x.ndim < 2 else x for x in given], 1)


@publish(np.block)
def block(arrays: Any) -> Array:
    """
    Join nested lists of blocks, the innermost along the last axis.

    Parameters
    ----------
    arrays : nested lists of array_like
        The blocks; numbers are blocks of one element.

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If the lists are nested unequally deep or empty, or the shapes do not agree.

    See Also
    --------
    concat : Along one axis.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.eye(2, dtype="int64")
    >>> sa.block([[a, sa.zeros((2, 1), dtype="int64")], [5, 6, 7]]).tolist()
    [[1, 0, 0], [0, 1, 0], [5, 6, 7]]
    """
    depth = _depth(arrays)
    ndim = max(depth, *(array.ndim for array in _leaves(arrays)))
    return _joined(arrays, depth, ndim)


def _depth(arrays: Any) -> int:
    """The depth of nested lists, which must be the same everywhere."""
    if not isinstance(arrays, list):
        return 0
    depths = {_depth(one) for one in arrays}
    if len(depths) != 1:
        raise ValueError("the lists of block must be nested equally deep, and none be empty")
    return 1 + depths.pop()


def _leaves(arrays: Any) -> list[Array]:
    if not isinstance(arrays, list):
        return [as_array(arrays)]
    return [leaf for one in arrays for leaf in _leaves(one)]


def _joined(arrays: Any, depth: int, ndim: int) -> Array:
    if not depth:
        array = as_array(arrays)
        missing = ndim - array.ndim
        return expand_dims(array, axis=tuple(range(missing))) if missing else array
    return concat([_joined(one, depth - 1, ndim) for one in arrays], -depth)
