"""Methods that reduce axes."""

from __future__ import annotations

from typing import Any, Self, overload

import numpy as np

from structarr._methods.tables import FUNCTIONS
from structarr._support.array_types import (
    MISSING,
    ArrayLike,
    Axis,
    DTypeLike,
    NumPyArray,
    Out,
)


class Reductions:
    """The methods of arrays that reduce axes."""

    __slots__ = ()

    @overload
    def sum(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        out: None = ...,
        keepdims: bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> Self: ...

    @overload
    def sum(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        *,
        out: Out,
        keepdims: bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> Out: ...

    def sum(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: NumPyArray | None = None,
        keepdims: bool = False,
        initial: Any = MISSING,
        where: ArrayLike = True,
    ) -> Any:
        """
        Sum elements over axes.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2], [3, 4]]).sum(axis=0).tolist()
        [4, 6]
        """
        return FUNCTIONS[np.sum](self, axis, dtype, out, keepdims, initial, where)

    @overload
    def prod(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        out: None = ...,
        keepdims: bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> Self: ...

    @overload
    def prod(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        *,
        out: Out,
        keepdims: bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> Out: ...

    def prod(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: NumPyArray | None = None,
        keepdims: bool = False,
        initial: Any = MISSING,
        where: ArrayLike = True,
    ) -> Any:
        """
        Multiply elements over axes.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([2, 3, 4]).prod().item()
        24
        """
        return FUNCTIONS[np.prod](self, axis, dtype, out, keepdims, initial, where)

    @overload
    def max(
        self,
        axis: Axis = ...,
        out: None = ...,
        keepdims: bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> Self: ...

    @overload
    def max(
        self,
        axis: Axis = ...,
        *,
        out: Out,
        keepdims: bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> Out: ...

    def max(
        self,
        axis: Axis = None,
        out: NumPyArray | None = None,
        keepdims: bool = False,
        initial: Any = MISSING,
        where: ArrayLike = True,
    ) -> Any:
        """
        Return the maximum over axes.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([3, 7, 1]).max().item()
        7
        """
        return FUNCTIONS[np.max](self, axis, out, keepdims, initial, where)

    @overload
    def min(
        self,
        axis: Axis = ...,
        out: None = ...,
        keepdims: bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> Self: ...

    @overload
    def min(
        self,
        axis: Axis = ...,
        *,
        out: Out,
        keepdims: bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> Out: ...

    def min(
        self,
        axis: Axis = None,
        out: NumPyArray | None = None,
        keepdims: bool = False,
        initial: Any = MISSING,
        where: ArrayLike = True,
    ) -> Any:
        """
        Return the minimum over axes.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([3, 7, 1]).min().item()
        1
        """
        return FUNCTIONS[np.min](self, axis, out, keepdims, initial, where)

    @overload
    def any(
        self, axis: Axis = ..., out: None = ..., keepdims: bool = ..., *, where: ArrayLike = ...
    ) -> Self: ...

    @overload
    def any(
        self, axis: Axis = ..., *, out: Out, keepdims: bool = ..., where: ArrayLike = ...
    ) -> Out: ...

    def any(
        self,
        axis: Axis = None,
        out: NumPyArray | None = None,
        keepdims: bool = False,
        *,
        where: ArrayLike = True,
    ) -> Any:
        """
        Return whether any elements over axes are true.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([False, True]).any().item()
        True
        """
        return FUNCTIONS[np.any](self, axis, out, keepdims, where=where)

    @overload
    def all(
        self, axis: Axis = ..., out: None = ..., keepdims: bool = ..., *, where: ArrayLike = ...
    ) -> Self: ...

    @overload
    def all(
        self, axis: Axis = ..., *, out: Out, keepdims: bool = ..., where: ArrayLike = ...
    ) -> Out: ...

    def all(
        self,
        axis: Axis = None,
        out: NumPyArray | None = None,
        keepdims: bool = False,
        *,
        where: ArrayLike = True,
    ) -> Any:
        """
        Return whether all elements over axes are true.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([False, True]).all().item()
        False
        """
        return FUNCTIONS[np.all](self, axis, out, keepdims, where=where)

    @overload
    def mean(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        out: None = ...,
        keepdims: bool = ...,
        *,
        where: ArrayLike = ...,
    ) -> Self: ...

    @overload
    def mean(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        *,
        out: Out,
        keepdims: bool = ...,
        where: ArrayLike = ...,
    ) -> Out: ...

    def mean(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: NumPyArray | None = None,
        keepdims: bool = False,
        *,
        where: ArrayLike = True,
    ) -> Any:
        """
        Average elements over axes.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2, 3, 6]).mean().item()
        3.0
        """
        return FUNCTIONS[np.mean](self, axis, dtype, out, keepdims, where=where)

    @overload
    def var(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        out: None = ...,
        ddof: float = ...,
        keepdims: bool = ...,
        *,
        where: ArrayLike = ...,
        mean: Any = ...,
        correction: Any = ...,
    ) -> Self: ...

    @overload
    def var(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        *,
        out: Out,
        ddof: float = ...,
        keepdims: bool = ...,
        where: ArrayLike = ...,
        mean: Any = ...,
        correction: Any = ...,
    ) -> Out: ...

    def var(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: NumPyArray | None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike = True,
        mean: Any = MISSING,
        correction: Any = MISSING,
    ) -> Any:
        """
        Return the variance over axes.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1.0, 3.0]).var().item()
        1.0
        """
        return FUNCTIONS[np.var](
            self, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction
        )

    @overload
    def std(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        out: None = ...,
        ddof: float = ...,
        keepdims: bool = ...,
        *,
        where: ArrayLike = ...,
        mean: Any = ...,
        correction: Any = ...,
    ) -> Self: ...

    @overload
    def std(
        self,
        axis: Axis = ...,
        dtype: DTypeLike | None = ...,
        *,
        out: Out,
        ddof: float = ...,
        keepdims: bool = ...,
        where: ArrayLike = ...,
        mean: Any = ...,
        correction: Any = ...,
    ) -> Out: ...

    def std(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: NumPyArray | None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike = True,
        mean: Any = MISSING,
        correction: Any = MISSING,
    ) -> Any:
        """
        Return the standard deviation over axes.

        $function

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1.0, 3.0]).std().item()
        1.0
        """
        return FUNCTIONS[np.std](
            self, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction
        )
