"""Attributes of arrays: what is known without a computation, and how the elements are stored."""

from __future__ import annotations

import math
import sys
from typing import Any, Final, Self

import numpy as np

from structarr._methods.tables import FUNCTIONS
from structarr._value import WATCHER, Lazy, is_open, told
from structarr.formats import Layout

_watching: Final = WATCHER.get


class Attributes(Lazy):
    """The attributes of arrays."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """
        The lengths of the axes, which are known without a computation.

        See Also
        --------
        reshape : The same elements in another shape.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.eye(10**9).shape
        (1000000000, 1000000000)
        """
        watcher = _watching()
        return self._node.shape if watcher is None else watcher.lengths(self, sys._getframe(1))

    @property
    def dtype(self) -> np.dtype[Any]:
        """
        The dtype of the elements, which is known without a computation.

        See Also
        --------
        astype : The array in another dtype.

        Examples
        --------
        >>> import structarr as sa
        >>> (sa.asarray([1, 2]) / 2).dtype
        dtype('float64')
        """
        return self._node.dtype

    @property
    def __numpy_dtype__(self) -> np.dtype[Any]:
        """No dtype: TypeError, as NumPy raises it of its own arrays."""
        # NumPy asks whatever has a `dtype` for one, and refuses its own arrays as we do: a library
        # that takes our array for a dtype means it as an output, and leaves it as it was.
        raise TypeError(
            "Cannot construct a dtype from an array: give its dtype attribute; as an output of "
            "NumPy, SciPy or scikit-image give a NumPy array"
        )

    @property
    def ndim(self) -> int:
        """
        The number of axes, which is known without a computation.

        See Also
        --------
        shape : The lengths of the axes.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.eye(3).ndim
        2
        """
        return len(self._node.shape)

    @property
    def size(self) -> int:
        """
        The number of elements, stored or not.

        See Also
        --------
        nstored : The number of stored values.
        nnz : The number of entries, as SciPy counts them.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.eye(3).size
        9
        """
        watcher = _watching()
        shape = self._node.shape
        return math.prod(shape if watcher is None else watcher.lengths(self, sys._getframe(1)))

    @property
    def itemsize(self) -> int:
        """
        The size in bytes of one element.

        See Also
        --------
        nbytes : The size of all that is stored.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.eye(3).itemsize
        8
        """
        return self._node.dtype.itemsize

    @property
    def base(self) -> None:
        """
        The array whose memory this one would show: always None, as arrays are values.

        See Also
        --------
        todense : An array of NumPy, whose memory is its own.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.eye(3)[1:].base is None
        True
        """
        return None

    @property
    def device(self) -> str:
        """
        The device of the array: always "cpu".

        See Also
        --------
        to_device : The array itself.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.eye(3).device
        'cpu'
        """
        return "cpu"

    @property
    def format(self) -> Layout:
        """
        The format in which the elements are stored; a lazy array is computed to tell it.

        It is compared with names, such as "csr", and with trees of levels.

        See Also
        --------
        asformat : The array in another format.
        structarr.formats.names_for : The names that there are.
        structarr.explain : The bytes that the array takes in each format.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0, 2], [0, 0]], format="csr")
        >>> str(a.format), a.format == "csr", str((a + a).format)
        ('csr', True, 'csr')
        """
        return Layout(told(self, "format"))

    @property
    def fill_value(self) -> Any:
        """
        The value of the elements that are not stored, as a NumPy scalar.

        See Also
        --------
        structarr.with_fill : The same entries with another fill value.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([0.0, 2.0], format="list")
        >>> float(a.fill_value), float((a + 1).fill_value)
        (0.0, 1.0)
        """
        if self._tensor is not None:
            return self._tensor.fill
        if is_open(self):
            told(self, "fill")
        fill = self._node.fill
        return self.dtype.type(0) if fill is None else fill

    @property
    def nstored(self) -> int:
        """
        The number of stored values: a run has one, however long it is; asking computes the array.

        See Also
        --------
        nnz : The number of elements, as SciPy counts them.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([0.0, 3.0, 3.0, 3.0, 0.0], format="sparse-rle")
        >>> a.nstored, a.nnz
        (1, 3)
        """
        return told(self, "nstored")  # type: ignore[no-any-return]

    @property
    def nnz(self) -> int:
        """
        The number of entries of the array as SciPy's COO; asking computes the array.

        Explicit zeros count: all elements that a format stores which leaves others out, as "csr",
        "band", "bitmap", "triu" and "sparse-rle" do, whatever their value. Where a format has every
        element, as "dense", "symmetric", "rle", "constant" and `arange` do, those that differ from
        the fill value count. It is ``a.to_scipy("coo").nnz``, for any number of axes and any fill.

        See Also
        --------
        nstored : The number of stored values.

        Notes
        -----
        Formats of lists and blocks tell it at once; the others are looked through, once for an
        array. Nothing is expanded: a run takes as long as an element.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0.0, 2.0, 2.0], [5.0, 0.0, 7.0]])
        >>> [a.asformat(name).nnz for name in ("dense", "csr", "rle", "band")]
        [4, 4, 4, 5]
        """
        return told(self, "nnz")  # type: ignore[no-any-return]

    @property
    def nbytes(self) -> int:
        """
        The size in bytes of all buffers, coordinates among them; a lazy array is computed for it.

        See Also
        --------
        structarr.explain : The bytes that the array takes in each format.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([0.0, 2.0, 0.0], format="list").nbytes  # two pointers, a coordinate, a value
        32
        """
        return told(self, "nbytes")  # type: ignore[no-any-return]

    @property
    def T(self) -> Self:
        """
        The array with its axes in reversed order: a lazy view.

        See Also
        --------
        transpose : The axes in any order.
        mT : The last two axes alone.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0, 2], [3, 0]], format="csr")
        >>> a.T.tolist(), str(a.T.format)
        ([[0, 3], [2, 0]], 'csc')
        """
        return FUNCTIONS[np.transpose](self)  # type: ignore[no-any-return]

    @property
    def mT(self) -> Self:
        """
        The array with its last two axes exchanged: a lazy view.

        See Also
        --------
        T : All axes.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[[1, 2, 3]]]).mT.shape
        (1, 3, 1)
        """
        return FUNCTIONS[np.matrix_transpose](self)  # type: ignore[no-any-return]

    @property
    def real(self) -> Self:
        """
        The real parts, lazily; the elements themselves if they are not complex.

        See Also
        --------
        imag : The imaginary parts.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1 + 2j, 3]).real.tolist()
        [1.0, 3.0]
        """
        return FUNCTIONS[np.real](self)  # type: ignore[no-any-return]

    @property
    def imag(self) -> Self:
        """
        The imaginary parts, lazily; zeros if the array is not complex.

        See Also
        --------
        real : The real parts.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1 + 2j, 3]).imag.tolist()
        [2.0, 0.0]
        """
        return FUNCTIONS[np.imag](self)  # type: ignore[no-any-return]

    @property
    def flat(self) -> Self:
        """
        All elements in C order, to be iterated over or indexed, but not assigned to.

        See Also
        --------
        ravel : The same.

        Examples
        --------
        >>> import structarr as sa
        >>> list(sa.asarray([[1, 2], [3, 4]]).flat[1:3].tolist())
        [2, 3]
        """
        return FUNCTIONS[np.ravel](self)  # type: ignore[no-any-return]
