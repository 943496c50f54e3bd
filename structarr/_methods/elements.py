"""Methods that choose and move elements, or make others of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self, overload

import numpy as np

from structarr._methods.tables import FUNCTIONS
from structarr._support.array_types import (
    ArrayLike,
    Axes,
    Casting,
    Device,
    DTypeLike,
    NumPyArray,
    Order,
    Out,
)


class Elements:
    """The methods of arrays that choose, move and change elements."""

    __slots__ = ()

    def astype(
        self,
        dtype: DTypeLike,
        /,
        order: Order = "K",
        casting: Casting = "unsafe",
        subok: bool = True,
        copy: bool = True,
        *,
        device: Device = None,
    ) -> Self:
        """
        Cast to a dtype.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1.7, -1.7]).astype("int8").tolist()
        [1, -1]
        """
        return FUNCTIONS[np.astype](self, dtype, order, casting, subok, copy, device=device)  # type: ignore[no-any-return]

    @overload
    def dot(self, b: ArrayLike, /, out: None = ...) -> Self: ...

    @overload
    def dot(self, b: ArrayLike, /, out: Out) -> Out: ...

    def dot(self, b: ArrayLike, /, out: NumPyArray | None = None) -> Any:
        """
        Multiply vectors or matrices.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).dot([3, 4]).item()
        11
        """
        return FUNCTIONS[np.dot](self, b, out)

    def squeeze(self, axis: Axes | None = None) -> Self:
        """
        Remove axes of length one.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2]]).squeeze().shape
        (2,)
        """
        return FUNCTIONS[np.squeeze](self, axis)  # type: ignore[no-any-return]

    def swapaxes(self, axis1: int, axis2: int) -> Self:
        """
        Exchange two axes.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2, 3]]).swapaxes(0, 1).shape
        (3, 1)
        """
        return FUNCTIONS[np.swapaxes](self, axis1, axis2)  # type: ignore[no-any-return]

    @overload
    def clip(
        self,
        min: ArrayLike | None = ...,
        max: ArrayLike | None = ...,
        out: None = ...,
        *,
        a_min: ArrayLike | None = ...,
        a_max: ArrayLike | None = ...,
        casting: Casting = ...,
        dtype: DTypeLike | None = ...,
    ) -> Self: ...

    @overload
    def clip(
        self,
        min: ArrayLike | None = ...,
        max: ArrayLike | None = ...,
        *,
        out: Out,
        a_min: ArrayLike | None = ...,
        a_max: ArrayLike | None = ...,
        casting: Casting = ...,
        dtype: DTypeLike | None = ...,
        where: ArrayLike = ...,
    ) -> Out: ...

    def clip(
        self,
        min: ArrayLike | None = None,
        max: ArrayLike | None = None,
        out: NumPyArray | None = None,
        *,
        a_min: ArrayLike | None = None,
        a_max: ArrayLike | None = None,
        casting: Casting = "same_kind",
        dtype: DTypeLike | None = None,
        where: ArrayLike = True,
    ) -> Any:
        """
        Limit elements to an interval.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([-2, 0, 5]).clip(0, 3).tolist()
        [0, 0, 3]
        """
        given = {"a_min": a_min, "a_max": a_max, "casting": casting, "dtype": dtype, "where": where}
        return FUNCTIONS[np.clip](self, min, max, out, **given)

    @overload
    def round(self, decimals: int = ..., out: None = ...) -> Self: ...

    @overload
    def round(self, decimals: int = ..., *, out: Out) -> Out: ...

    def round(self, decimals: int = 0, out: NumPyArray | None = None) -> Any:
        """
        Round to a number of decimals, halves to even.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([0.5, 1.5]).round().tolist()
        [0.0, 2.0]
        """
        return FUNCTIONS[np.round](self, decimals, out)

    def ravel(self, order: Order = "C") -> Self:
        """
        Return all elements as a vector.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2], [3, 4]]).ravel().tolist()
        [1, 2, 3, 4]
        """
        return FUNCTIONS[np.ravel](self, order)  # type: ignore[no-any-return]

    @overload
    def take(
        self,
        indices: ArrayLike,
        axis: int | None = ...,
        out: None = ...,
        mode: Literal["raise", "wrap", "clip"] = ...,
    ) -> Self: ...

    @overload
    def take(
        self,
        indices: ArrayLike,
        axis: int | None = ...,
        *,
        out: Out,
        mode: Literal["raise", "wrap", "clip"] = ...,
    ) -> Out: ...

    def take(
        self,
        indices: ArrayLike,
        axis: int | None = None,
        out: NumPyArray | None = None,
        mode: Literal["raise", "wrap", "clip"] = "raise",
    ) -> Any:
        """
        Return the elements at given indices along an axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([5, 6, 7]).take([2, 0]).tolist()
        [7, 5]
        """
        return FUNCTIONS[np.take](self, indices, axis, out, mode)

    def repeat(self, repeats: ArrayLike, axis: int | None = None) -> Self:
        """
        Repeat each element along an axis.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).repeat(2).tolist()
        [1, 1, 2, 2]
        """
        return FUNCTIONS[np.repeat](self, repeats, axis)  # type: ignore[no-any-return]

    def diagonal(
        self, offset: int = 0, axis1: int = 0, axis2: int = 1, *, k: int | None = None
    ) -> Self:
        """
        Return a diagonal of a matrix, or of each matrix of a stack.

        Parameters
        ----------
        offset : int, optional
            How far the diagonal is above the main one; below it if it is negative.
        axis1, axis2 : int, optional
            The axes of the matrices.
        k : int, optional
            SciPy's word for the offset.

        Returns
        -------
        Array
            Lazy, with the diagonals along the last axis.

        Raises
        ------
        ValueError
            If there are fewer axes than two, or the two are one.
        numpy.exceptions.AxisError
            If there is no such axis.

        See Also
        --------
        structarr.diagonal : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2], [3, 4]]).diagonal().tolist()
        [1, 4]
        """
        place = offset if k is None else k
        return FUNCTIONS[np.diagonal](self, place, axis1, axis2)  # type: ignore[no-any-return]

    @overload
    def trace(
        self,
        offset: int = ...,
        axis1: int = ...,
        axis2: int = ...,
        dtype: DTypeLike | None = ...,
        out: None = ...,
    ) -> Self: ...

    @overload
    def trace(
        self,
        offset: int = ...,
        axis1: int = ...,
        axis2: int = ...,
        dtype: DTypeLike | None = ...,
        *,
        out: Out,
    ) -> Out: ...

    def trace(
        self,
        offset: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        dtype: DTypeLike | None = None,
        out: NumPyArray | None = None,
    ) -> Any:
        """
        Sum a diagonal of a matrix, or of each matrix of a stack.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2], [3, 4]]).trace().item()
        5
        """
        return FUNCTIONS[np.trace](self, offset, axis1, axis2, dtype, out)

    @overload
    def choose(
        self,
        choices: Sequence[ArrayLike],
        out: None = ...,
        mode: Literal["raise", "wrap", "clip"] = ...,
    ) -> Self: ...

    @overload
    def choose(
        self,
        choices: Sequence[ArrayLike],
        *,
        out: Out,
        mode: Literal["raise", "wrap", "clip"] = ...,
    ) -> Out: ...

    def choose(
        self,
        choices: Sequence[ArrayLike],
        out: NumPyArray | None = None,
        mode: Literal["raise", "wrap", "clip"] = "raise",
    ) -> Any:
        """
        Choose elements from several arrays by an array of their numbers.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([0, 1]).choose([[1, 2], [3, 4]]).tolist()
        [1, 4]
        """
        return FUNCTIONS[np.choose](self, choices, out, mode)
