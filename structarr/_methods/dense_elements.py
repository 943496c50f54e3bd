"""Methods that give elements to Python and NumPy: scalars, lists and dense arrays."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from structarr._execute.dense_values import dense_values
from structarr._methods.attributes import Attributes
from structarr._methods.tables import FUNCTIONS
from structarr._storage.dense import dense_view
from structarr._storage.density import check_density
from structarr._storage.memo import OWN
from structarr._support.array_types import NumPyArray, Order
from structarr._support.dtypes import Scalar
from structarr._value import seen, to_read


class DenseElements(Attributes):
    """The methods of arrays that give their elements one by one, or all."""

    __slots__ = ()

    def todense(self) -> NumPyArray:
        """
        Return a fresh, writable NumPy array, however large.

        ``np.asarray(a)`` is read-only, as a write to it would not show in `a`.

        Returns
        -------
        numpy.ndarray
            Dense copy of the array, fresh and writable, in time proportional to its size.

        Raises
        ------
        DensificationError
            If the memory has no room for it.

        See Also
        --------
        Array.asformat : Another format, "dense" among them.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([0, 2, 0], format="list").todense()
        array([0, 2, 0])
        """
        return dense_values(to_read(self))

    def tolist(self) -> Any:
        """
        Return nested lists of Python scalars.

        Returns
        -------
        list or scalar
            A scalar of an array without axes.

        Raises
        ------
        DensificationError
            If the dense array is larger than the option `densify_limit`.

        See Also
        --------
        Array.todense : An array of NumPy.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return self.__array__().tolist()

    def tobytes(self, order: Order = "C") -> bytes:
        """
        Return the bytes of the dense elements.

        Parameters
        ----------
        order : {"C", "F", "A", "K"}, optional
            Whether the last index varies fastest ("C") or the first ("F").

        Returns
        -------
        bytes
            Of all elements, stored or not.

        Raises
        ------
        DensificationError
            If the dense array is larger than the option `densify_limit`.

        See Also
        --------
        structarr.save : With the format, in a file.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2], dtype="int8").tobytes()
        b'\\x01\\x02'
        """
        return self.__array__().tobytes(order)

    def item(self, *args: int | tuple[int, ...]) -> Scalar:
        """
        Return one element as a Python scalar; without arguments the only one.

        Parameters
        ----------
        *args : int or tuple of int
            The index on each axis, or the flat index in C order.

        Returns
        -------
        bool, int, float or complex
            The element.

        Raises
        ------
        ValueError
            If there are no arguments and more elements than one, or neither one nor as many as
            axes.
        IndexError
            If there is no such element.

        See Also
        --------
        Array.tolist : All elements.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 2], [3, 4]]).item(1, 0)
        3
        """
        place: Any = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
        if not place and self._node.shape and self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        tensor = seen(self)
        if not place and tensor.format.is_dense:
            only: Scalar = tensor.buffers[0].item()
            return only
        if not place or tensor.format.is_dense:
            dense: Scalar = self.__array__().item(*place)
            return dense
        where = [operator.index(one) for one in place]
        if len(where) == 1:
            where = _unraveled(where[0], self.shape)
        if len(where) != self.ndim:
            raise ValueError("incorrect number of indices for array")
        value: Scalar = FUNCTIONS[operator.getitem](self, tuple(where)).item()
        return value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NumPyArray:
        tensor = to_read(self)
        own = target = tensor.dtype
        same = True
        if dtype is not None:
            target = np.dtype(dtype)
            same = target == own
        if same and not copy and (OWN in tensor.memo or copy is False):
            shared = dense_view(tensor)  # nobody writes to it, neither we nor those who get it
            if shared is not None:  # but of a number, which NumPy has as one that can be written
                return shared if tensor.shape or copy is False else shared.copy()
        check_density(tensor, target)
        if copy is False:
            raise ValueError(
                "Unable to avoid copy while creating an array as requested: the values are not "
                f"stored as a NumPy array of {target}; leave copy=False out"
            )
        dense = dense_values(tensor)
        if not same:
            return dense.astype(target)
        if not copy and dense.ndim:  # NumPy's own would be this memory: a write must not be lost
            dense.setflags(write=False)
        return dense

    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """
        Return a capsule of the dense elements; see the array API.

        The elements are in fresh memory, since most consumers write to what they get. With
        ``copy=False`` the elements of a dense format are shared if the consumer supports read-only
        memory (DLPack 1.0); other formats cannot be shared. Arrays beyond ``densify_limit`` are
        refused.
        """
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError(f"there is no device {dl_device}; the array is in the host's memory")
        if stream is not None:
            raise ValueError("stream must be None: the CPU has none")
        tensor = seen(self)
        check_density(tensor)
        told = max_version is not None and max_version[0] >= 1
        view = dense_view(tensor) if told and copy is False else None
        exported = dense_values(tensor) if view is None else view
        return exported.__dlpack__(max_version=max_version)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the host's memory

    def __bool__(self) -> bool:
        if not self._node.shape:  # as most are that are asked
            return bool(self.item())
        if self.size == 0:
            raise ValueError(
                "The truth value of an empty array is ambiguous. "
                "Use `array.size > 0` to check that an array is not empty."
            )
        if self.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        return bool(self.item())

    def __int__(self) -> int:
        return int(_only(self))

    def __float__(self) -> float:
        return float(_only(self))

    def __complex__(self) -> complex:
        return complex(_only(self))

    def __index__(self) -> int:
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self)


def _only(array: DenseElements) -> Any:
    if array._node.shape and array.size != 1:
        raise TypeError("only arrays of size 1 can be converted to Python scalars")
    return array.item()


def _unraveled(place: int, shape: tuple[int, ...]) -> list[int]:
    """The index of the element at a place in C order, of however many there are."""
    size = math.prod(shape)
    if not -size <= place < size:
        raise IndexError(f"index {place} is out of bounds for size {size}")
    place, found = place % size, []
    for length in reversed(shape):
        place, index = divmod(place, length)
        found.append(index)
    return found[::-1]
