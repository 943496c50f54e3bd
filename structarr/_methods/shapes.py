"""Methods that give another shape, and the parts of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, overload

import numpy as np

from structarr._methods.tables import FUNCTIONS
from structarr._support.array_types import ArrayLike, NumPyArray, Order, Out
from structarr._support.docstrings import documented


class Shapes:
    """The methods of arrays that give another shape."""

    __slots__ = ()

    @documented
    def transpose(
        self,
        *order: int | Sequence[int] | None,
        axes: int | Sequence[int] | None = None,
        copy: bool = False,
    ) -> Self:
        """
        Return the array with its axes permuted, by default reversed.

        Parameters
        ----------
        *order : int or sequence of int, optional
            An axis of the array for each axis of the result, one by one or as a sequence.
        axes : sequence of int, optional
            The same by its name, as SciPy's method has it.
        copy : bool, optional
            Of no consequence here: accepted as SciPy's method has it.

        Returns
        -------
        $view

        Raises
        ------
        ValueError
            If the axes are not those of the array, each once.
        $axis_error

        See Also
        --------
        structarr.permute_dims : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.zeros((2, 3, 4)).transpose(2, 0, 1).shape
        (4, 2, 3)
        """
        if order and axes is not None:
            raise TypeError("transpose takes the order of the axes once")
        given: Any = order[0] if len(order) == 1 and not isinstance(order[0], int) else order
        return FUNCTIONS[np.transpose](self, given if order else axes)  # type: ignore[no-any-return]

    @documented
    def reshape(
        self, *shape: int | Sequence[int], order: Order = "C", copy: bool | None = None
    ) -> Self:
        """
        Return the elements in another shape.

        Parameters
        ----------
        *shape : int or sequence of int
            The lengths of the axes, one by one or as a sequence; one may be -1, which stands for
            what is left.
        order : {"C", "F", "A"}, optional
            Whether the last index varies fastest ("C") or the first ("F"); "A" is "C".
        copy : bool, optional
            False is refused where elements move.

        Returns
        -------
        Array
            Lazy: a list for lists, with dense rows if the first axis was dense; runs for runs. The
            time is proportional to what is stored.

        Raises
        ------
        ValueError
            If the shape has another number of elements, or `copy` is False and elements move.

        See Also
        --------
        structarr.reshape : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2, 3, 4]).reshape(2, -1).tolist()
        [[1, 2], [3, 4]]
        """
        wanted = shape[0] if len(shape) == 1 else shape
        return FUNCTIONS[np.reshape](self, wanted, order, copy=copy)  # type: ignore[no-any-return]

    @documented
    def flatten(self, order: Order = "C") -> Self:
        """
        Return all elements as a vector.

        Parameters
        ----------
        order : {"C", "F", "A", "K"}, optional
            Whether the last index varies fastest ("C") or the first ("F").

        Returns
        -------
        Array
            Lazy, in the format and the time of `structarr.reshape`.

        Raises
        ------
        ValueError
            If there is no such order.

        See Also
        --------
        structarr.ravel : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2], [3, 4]]).flatten().tolist()
        [1, 2, 3, 4]
        """
        return FUNCTIONS[np.ravel](self, order)  # type: ignore[no-any-return]

    @documented
    def conjugate(self) -> Self:
        """
        Return the complex conjugates.

        Returns
        -------
        $mapped
            Booleans stay booleans, as with NumPy's method.

        See Also
        --------
        structarr.conj : The same as a function, which makes int8 of booleans.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1 + 2j]).conjugate().tolist()
        [(1-2j)]
        """
        if self.dtype.kind == "b":  # type: ignore[attr-defined]
            return FUNCTIONS[np.copy](self)  # type: ignore[no-any-return]
        return FUNCTIONS[np.conjugate](self)  # type: ignore[no-any-return]

    conj = conjugate

    @overload
    def compress(self, condition: ArrayLike, axis: int | None = ..., out: None = ...) -> Self: ...

    @overload
    def compress(self, condition: ArrayLike, axis: int | None = ..., *, out: Out) -> Out: ...

    @documented
    def compress(
        self, condition: ArrayLike, axis: int | None = None, out: NumPyArray | None = None
    ) -> Any:
        """
        Return the slices along an axis where a condition holds.

        Parameters
        ----------
        condition : array_like of bool
            A vector, no longer than the axis.
        axis : int, optional
            Axis to work along; None stands for all elements in C order.
        $out

        Returns
        -------
        Array
            Lazy, in the format and the time of `structarr.take`; `out` if it is given.

        Raises
        ------
        ValueError
            If the condition is not a vector.
        IndexError
            If it is true beyond the axis.
        $axis_error

        See Also
        --------
        structarr.compress : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2, 3]).compress([True, False, True]).tolist()
        [1, 3]
        """
        return FUNCTIONS[np.compress](condition, self, axis, out)
