"""Methods that users of scipy.sparse type, and those that its solvers call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from structarr._methods.tables import FUNCTIONS
from structarr._support.array_types import ArrayLike, DTypeLike, NumPyArray, Order


def _to_scipy(name: str) -> Callable[..., Any]:
    layout = name.removeprefix("to")

    def method(self: Any, copy: bool = False) -> Any:
        made = self.to_scipy(layout)
        return made.copy() if copy else made

    method.__name__, method.__qualname__ = name, f"SciPyNames.{name}"
    method.__doc__ = _CONVERSION.format(name=name, layout=layout)
    return method


_CONVERSION = """
Return a `scipy.sparse.{layout}_array`, with its buffers.

``a.asformat(...)`` stores an array of this package in another format, which is rarely needed.

Parameters
----------
copy : bool, optional
    Whether buffers are copied; else they are shared where they fit, and read-only.

Returns
-------
scipy.sparse.sparray
    Of SciPy's own class.

Raises
------
FormatError
    If the layout does not have so many axes, or the fill value is not 0.

See Also
--------
Array.to_scipy : The same, in the layout nearest to the array's format.

Examples
--------
>>> import structarr as sa
>>> sa.asarray([[0, 2], [0, 0]], format="csr").{name}().nnz
1
"""


def _elementwise(ufunc: Any) -> Callable[[Any], Any]:
    name = ufunc.__name__

    def method(self: Any) -> Any:
        return FUNCTIONS[ufunc](self)

    method.__name__, method.__qualname__ = name, f"SciPyNames.{name}"
    method.__doc__ = _FUNCTION.format(name=name)
    return method


_FUNCTION = """
Apply ``numpy.{name}``, which takes arrays of this package as they are.

Returns
-------
Array
    Lazy, in the format of the array.

Raises
------
TypeError
    If the dtype has no such function.

See Also
--------
structarr.{name} : The same as a function.

Examples
--------
>>> import structarr as sa
>>> sa.asarray([0.0, 0.0], format="list").{name}().tolist()
[0.0, 0.0]
"""


class SciPyNames:
    """The methods of scipy.sparse's arrays that NumPy's do not have."""

    __slots__ = ()

    tocsr, tocsc, tocoo = _to_scipy("tocsr"), _to_scipy("tocsc"), _to_scipy("tocoo")
    todia, tolil, todok = _to_scipy("todia"), _to_scipy("tolil"), _to_scipy("todok")

    sin, tan, sinh, tanh = map(_elementwise, (np.sin, np.tan, np.sinh, np.tanh))
    arcsin, arctan, arcsinh = map(_elementwise, (np.arcsin, np.arctan, np.arcsinh))
    arctanh, expm1, log1p, sqrt = map(_elementwise, (np.arctanh, np.expm1, np.log1p, np.sqrt))
    floor, ceil, rint, trunc = map(_elementwise, (np.floor, np.ceil, np.rint, np.trunc))
    sign, deg2rad, rad2deg = map(_elementwise, (np.sign, np.deg2rad, np.rad2deg))

    def tobsr(self, blocksize: tuple[int, int] | None = None, copy: bool = False) -> Any:
        """
        Return a `scipy.sparse.bsr_array`, with its buffers.

        Parameters
        ----------
        blocksize : tuple of int, optional
            The shape of the blocks; None leaves it to the array's format, or to SciPy.
        copy : bool, optional
            Whether buffers are copied; else they are shared where they fit, and read-only.

        Returns
        -------
        scipy.sparse.bsr_array
            Of SciPy's own class.

        Raises
        ------
        FormatError
            If there are not two axes, or the fill value is not 0.
        ValueError
            If the blocks do not divide the shape.

        See Also
        --------
        Array.to_scipy : The same, in the layout nearest to the array's format.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[0, 2], [0, 0]], format="csr").tobsr((1, 2)).blocksize
        (1, 2)
        """
        made = self.to_scipy("bsr")  # type: ignore[attr-defined]
        if blocksize is not None and made.blocksize != tuple(blocksize):
            return made.tocsr().tobsr(blocksize)
        return made.copy() if copy else made

    def getnnz(self, axis: int | None = None) -> Any:
        """
        Count entries as SciPy does, stored zeros among them: `nnz`, or along one axis.

        Parameters
        ----------
        axis : int, optional
            Over which axis; None stands for all.

        Returns
        -------
        int or Array
            The number of entries; along an axis, lazy.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        See Also
        --------
        structarr.stored : Where they are.
        Array.count_nonzero : Without stored zeros.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0, 2], [0, 5]], format="csr")
        >>> a.getnnz(), a.getnnz(axis=0).tolist()
        (2, [0, 2])
        """
        if axis is None:
            return self.nnz  # type: ignore[attr-defined]
        return FUNCTIONS["entries"](self).sum(axis=axis)

    def toarray(self, order: Order | None = None, out: NumPyArray | None = None) -> NumPyArray:
        """
        Return a fresh NumPy array, as `todense` does.

        Parameters
        ----------
        order : {"C", "F"}, optional
            Whether the last axis or, with "F", the first is the quickest.
        out : numpy.ndarray, optional
            Where to put the elements, which is returned.

        Returns
        -------
        numpy.ndarray
            Dense copy of the array, fresh and writable, however large; in time proportional to its
            size.

        Raises
        ------
        ValueError
            If `out` has another shape.

        See Also
        --------
        Array.todense : The same.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([0, 2], format="list").toarray()
        array([0, 2])
        """
        dense: NumPyArray = self.todense()  # type: ignore[attr-defined]
        if out is None:
            return dense if order is None else np.asarray(dense, order=order)
        if out.shape != dense.shape:
            raise ValueError(f"out has shape {out.shape}, the array {dense.shape}")
        out[...] = dense
        return out

    def multiply(self, other: ArrayLike) -> Self:
        """
        Multiply by another array, element by element: ``a * other`` in NumPy's words.

        Parameters
        ----------
        other : array_like
            Of a shape that broadcasts with the array's.

        Returns
        -------
        Array
            Lazy.

        Raises
        ------
        ValueError
            If the shapes do not broadcast.

        See Also
        --------
        structarr.multiply : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).multiply([3, 4]).tolist()
        [3, 8]
        """
        return FUNCTIONS[np.multiply](self, other)  # type: ignore[no-any-return]

    def maximum(self, other: ArrayLike) -> Self:
        """
        Return the greater of each two elements: ``np.maximum(a, other)`` in NumPy's words.

        Parameters
        ----------
        other : array_like
            Of a shape that broadcasts with the array's.

        Returns
        -------
        Array
            Lazy.

        Raises
        ------
        ValueError
            If the shapes do not broadcast.

        See Also
        --------
        structarr.maximum : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).maximum([3, 0]).tolist()
        [3, 2]
        """
        return FUNCTIONS[np.maximum](self, other)  # type: ignore[no-any-return]

    def minimum(self, other: ArrayLike) -> Self:
        """
        Return the lesser of each two elements: ``np.minimum(a, other)`` in NumPy's words.

        Parameters
        ----------
        other : array_like
            Of a shape that broadcasts with the array's.

        Returns
        -------
        Array
            Lazy.

        Raises
        ------
        ValueError
            If the shapes do not broadcast.

        See Also
        --------
        structarr.minimum : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).minimum([3, 0]).tolist()
        [1, 0]
        """
        return FUNCTIONS[np.minimum](self, other)  # type: ignore[no-any-return]

    def power(self, n: ArrayLike, dtype: DTypeLike | None = None) -> Self:
        """
        Raise the elements to a power: ``a ** n`` in NumPy's words.

        Parameters
        ----------
        n : array_like
            The exponents.
        dtype : dtype_like, optional
            To which the elements are cast before.

        Returns
        -------
        Array
            Lazy.

        Raises
        ------
        ValueError
            If an integer would be raised to a negative integer.

        See Also
        --------
        structarr.power : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).power(3).tolist()
        [1, 8]
        """
        base = self if dtype is None else self.astype(dtype)  # type: ignore[attr-defined]
        return FUNCTIONS[np.power](base, n)  # type: ignore[no-any-return]

    def count_nonzero(self, axis: int | tuple[int, ...] | None = None) -> Self:
        """
        Count elements that are not zero: ``np.count_nonzero(a, axis)`` in NumPy's words.

        Parameters
        ----------
        axis : int or tuple of int, optional
            Over which axes; None stands for all.

        Returns
        -------
        Array
            Lazy.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        See Also
        --------
        structarr.count_nonzero : The same as a function.
        Array.nnz : With stored zeros.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1, 0], [3, 4]]).count_nonzero(axis=0).tolist()
        [2, 1]
        """
        return FUNCTIONS[np.count_nonzero](self, axis)  # type: ignore[no-any-return]

    @property
    def H(self) -> Self:
        """
        The conjugate with its axes in reversed order: ``a.conj().T``, a lazy view.

        See Also
        --------
        T : The axes in reversed order, of the elements themselves.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[1j, 2]]).H.tolist()
        [[-1j], [(2-0j)]]
        """
        conjugate: Self = FUNCTIONS[np.conjugate](self)
        return FUNCTIONS[np.transpose](conjugate, None)  # type: ignore[no-any-return]
