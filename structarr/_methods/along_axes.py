"""Methods that look along axes: running sums, places of elements."""

from __future__ import annotations

from typing import Any, Literal, Self, overload

import numpy as np

from structarr._methods.tables import FUNCTIONS
from structarr._support.array_types import (
    ArrayLike,
    Axes,
    DTypeLike,
    NumPyArray,
    Out,
    SortKind,
)


class AlongAxes:
    """The methods of arrays that look along an axis."""

    __slots__ = ()

    @overload
    def cumsum(
        self, axis: int | None = ..., dtype: DTypeLike | None = ..., out: None = ...
    ) -> Self: ...

    @overload
    def cumsum(self, axis: int | None = ..., dtype: DTypeLike | None = ..., *, out: Out) -> Out: ...

    def cumsum(
        self, axis: int | None = None, dtype: DTypeLike | None = None, out: NumPyArray | None = None
    ) -> Any:
        """
        Return cumulative sums along an axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2, 3]).cumsum().tolist()
        [1, 3, 6]
        """
        return FUNCTIONS[np.cumsum](self, axis, dtype, out)

    @overload
    def cumprod(
        self, axis: int | None = ..., dtype: DTypeLike | None = ..., out: None = ...
    ) -> Self: ...

    @overload
    def cumprod(
        self, axis: int | None = ..., dtype: DTypeLike | None = ..., *, out: Out
    ) -> Out: ...

    def cumprod(
        self, axis: int | None = None, dtype: DTypeLike | None = None, out: NumPyArray | None = None
    ) -> Any:
        """
        Return cumulative products along an axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2, 3]).cumprod().tolist()
        [1, 2, 6]
        """
        return FUNCTIONS[np.cumprod](self, axis, dtype, out)

    @overload
    def argmax(self, axis: int | None = ..., out: None = ..., *, keepdims: bool = ...) -> Self: ...

    @overload
    def argmax(self, axis: int | None = ..., *, out: Out, keepdims: bool = ...) -> Out: ...

    def argmax(
        self, axis: int | None = None, out: NumPyArray | None = None, *, keepdims: bool = False
    ) -> Any:
        """
        Return the indices of the maximum along an axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([3, 7, 1]).argmax().item()
        1
        """
        return FUNCTIONS[np.argmax](self, axis, out, keepdims=keepdims)

    @overload
    def argmin(self, axis: int | None = ..., out: None = ..., *, keepdims: bool = ...) -> Self: ...

    @overload
    def argmin(self, axis: int | None = ..., *, out: Out, keepdims: bool = ...) -> Out: ...

    def argmin(
        self, axis: int | None = None, out: NumPyArray | None = None, *, keepdims: bool = False
    ) -> Any:
        """
        Return the indices of the minimum along an axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([3, 7, 1]).argmin().item()
        2
        """
        return FUNCTIONS[np.argmin](self, axis, out, keepdims=keepdims)

    def argsort(
        self,
        axis: int | None = -1,
        kind: SortKind = None,
        order: None = None,
        *,
        descending: bool = False,
        stable: bool | None = True,
    ) -> Self:
        """
        Return the indices that sort an array along an axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([3, 1, 2]).argsort().tolist()
        [1, 2, 0]
        """
        return FUNCTIONS[np.argsort](self, axis, kind, order, descending=descending, stable=stable)  # type: ignore[no-any-return]

    def argpartition(
        self,
        kth: Axes,
        axis: int | None = -1,
        kind: Literal["introselect"] = "introselect",
        order: None = None,
    ) -> Self:
        """
        Return the indices that partition the array along an axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([3, 1, 2]).argpartition(1)[1].item()
        2
        """
        return FUNCTIONS[np.argpartition](self, kth, axis, kind, order)  # type: ignore[no-any-return]

    def searchsorted(
        self, v: ArrayLike, side: Literal["left", "right"] = "left", sorter: ArrayLike | None = None
    ) -> Self:
        """
        Return where values would be put into a sorted vector so that it stays sorted.

        Parameters
        ----------
        v : array_like
            The values.
        side : {"left", "right"}, optional
            Whether before or after the elements that are equal.
        sorter : array_like of int, optional
            Indices that sort the vector.

        Returns
        -------
        Array
            Of int64, in the format of the values, computed at the call: a binary search for each
            stored value.

        Raises
        ------
        ValueError
            If the array is not a vector, the sorter is not of its length, or there is no such side.

        See Also
        --------
        structarr.searchsorted : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 3, 5]).searchsorted(3).item()
        1
        """
        return FUNCTIONS[np.searchsorted](self, v, side, sorter)  # type: ignore[no-any-return]

    def nonzero(self) -> tuple[Self, ...]:
        """
        Return the indices of the nonzero elements, one vector for each axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> [axis.tolist() for axis in sa.asarray([0, 5]).nonzero()]
        [[1]]
        """
        return FUNCTIONS[np.nonzero](self)  # type: ignore[no-any-return]
