"""The lazy array: the protocols of NumPy and of the array API, but no maths.

Functions are published into the tables here by `structarr._api`; the protocols look them up.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from copy import deepcopy
from functools import cache
from inspect import signature
from typing import Any, Final, Literal, NoReturn, Protocol, TypeAlias

import numpy as np

from structarr._execute import compute as _compute
from structarr._execute.dense_values import dense_to_read, dense_values
from structarr._lazy import graph
from structarr._lazy.told import is_light
from structarr._methods.along_axes import AlongAxes
from structarr._methods.elements import Elements
from structarr._methods.linear_operator import AppliedMatrix
from structarr._methods.reductions import Reductions
from structarr._methods.refused import Refused
from structarr._methods.scipy_names import SciPyNames
from structarr._methods.shapes import Shapes
from structarr._methods.tables import FUNCTIONS as FUNCTIONS, UFUNC_METHODS as UFUNC_METHODS
from structarr._scheduler.inputs import index_of, positioned
from structarr._storage import mapped_files
from structarr._storage.auto_format import choose
from structarr._storage.coordinates import is_listed
from structarr._storage.dense import dense_view, from_dense, from_own
from structarr._storage.density import check_density
from structarr._storage.digest import digest
from structarr._storage.display import show, shown
from structarr._storage.mapped_files import FILES
from structarr._storage.memo import OWN, owning
from structarr._storage.nnz import nnz
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike, FormatName, NumPyArray as NumPyArray, Order
from structarr._support.dtypes import Scalar as Scalar
from structarr._support.hints import ASSIGNED, ATTRIBUTES
from structarr._support.locks import lock
from structarr.formats import Format, Layout, Level, parse
from structarr.interop import foreign
from structarr.interop.pandas import is_pandas, to_pandas
from structarr.interop.xarray import is_outer, paired


class Watcher(Protocol):
    """A watcher of a function of arrays, some of which have no values of their own yet."""

    def watches(self, array: Array) -> bool:
        """Whether an array has no value of its own; told of each array that is looked at."""

    def told(self, array: Array, fact: str) -> Any:
        """The answer to a question about it; TraceError where no trace may depend on that."""

    def settle(self, array: Array) -> None:
        """Compute such an array as a step of its own."""

    def applied(self, function: Callable[[list[Any]], Array], args: Sequence[Any]) -> Array:
        """The array of a function that looks at the values of its arguments, as a step."""


class Number:
    """A number of a function that is traced: another at each replay."""

    __slots__ = ()

    value: Any

    def claim(self, node: graph.Node, op: str) -> None:
        """Note the scalar of an expression that it is converted to, as an operator's operand."""

    def fix(self) -> Any:
        """Make the trace one for this value, by an exception."""


Layouts: TypeAlias = Literal["csr", "csc", "coo", "bsr", "dia", "lil", "dok"]

Libraries: TypeAlias = Literal[
    "arrow", "awkward", "graphblas", "jax", "numba", "polars", "pydata_sparse", "torch"
]

Spec: TypeAlias = FormatName | Format | Level | Layout

WATCHER: Final[ContextVar[Watcher | None]] = ContextVar("structarr_watcher", default=None)
"""Who is asked before arrays are computed, while a function is traced."""

_watching: Final = WATCHER.get

_EXCHANGE: Final = lock()
"""Held while an array gets another value by assignment."""

WEAK: Final = frozenset({bool, int, float, complex})
"""The types of scalars that take the dtype of the arrays beside them."""


def _ours(twin: Any) -> Callable[..., Array]:
    """The function for one of NumPy's that returns an array."""
    return FUNCTIONS[twin]


def _unary(ufunc: Any) -> Callable[[Array], Array]:
    def operation(self: Array) -> Array:
        return _ours(ufunc)(self)

    return operation


def _binary(ufunc: Any) -> Callable[[Array, ArrayLike], Array]:
    def operation(self: Array, other: ArrayLike) -> Array:
        return FUNCTIONS[ufunc](self, other) if operable(other) else NotImplemented

    return operation


def _reflected(ufunc: Any) -> Callable[[Array, ArrayLike], Array]:
    def operation(self: Array, other: ArrayLike) -> Array:
        return FUNCTIONS[ufunc](other, self) if operable(other) else NotImplemented

    return operation


def _inplace(ufunc: Any) -> Callable[[Array, ArrayLike], Array]:
    def operation(self: Array, other: ArrayLike) -> Array:
        return _replace(ufunc, self, other) if operable(other) else NotImplemented

    return operation


_power = _binary(np.power)


class Array(Reductions, AlongAxes, Elements, Shapes, SciPyNames, AppliedMatrix, Refused):
    """
    N-dimensional array with structure, computed when its elements are used.

    Arrays are made by `asarray` and the functions of the package, not by the class itself. They
    are values: no operation changes one. ``a += b`` binds the name to another array; only
    ``a[key] = value`` changes an array, and no other array with it, views included.

    Parameters
    ----------
    node : Node
        Expression whose value it is.
    cost : int
        Number of operations of the expression, counted as a tree.
    tensor : Tensor, optional
        The value, if it is known.

    See Also
    --------
    asarray : Makes an array.
    explain : How an array is computed, or why it is dense.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0.0, 2.0], [0.0, 0.0]], format="csr")
    >>> a
    <structarr.Array shape=(2, 2) dtype=float64 format=csr nstored=1 fill=0.0
       .  2.
       .   .>
    >>> b = a + a
    >>> b
    <structarr.Array shape=(2, 2) dtype=float64 format=csr nstored=1 fill=0.0
       .  4.
       .   .>
    >>> b.todense()
    array([[0., 4.],
           [0., 0.]])
    >>> print(b)
    csr of shape (2, 2), dtype float64, fill 0.0: 1 stored, 40 bytes
    axis 0  Dense       1 fiber of 2: 2 stored
    axis 1  SparseList  2 fibers of 2: 1 stored, ptr int64 24 bytes, idx int64 8 bytes
    leaf    Element     1 value, val float64 8 bytes
    values ("." where nothing is stored: 0.0):
      .  4.
      .   .
    """

    __slots__ = (
        "__weakref__",
        "_borrowed",
        "_cost",
        "_dense",
        "_node",
        "_plain",
        "_product",
        "_tensor",
    )

    __array_priority__ = 10_000.0  # above those of scipy.sparse and pandas
    __pandas_priority__ = 10_000  # operators of a frame or series and an array give an array

    def __init__(self, node: graph.Node, cost: int = 0, tensor: Tensor | None = None) -> None:
        self._node = node
        self._cost = cost
        self._tensor = tensor
        # The value as NumPy read it, where that is dense and the array's own is not.
        self._dense: Tensor | None = None
        # Whether others can write to the buffers; its expressions are then computed at once.
        self._borrowed = False
        # BLAS for a product of two dense arrays, which is faster than a kernel.
        self._product: Callable[[], NumPyArray | None] | None = None
        # Whether the array is neither borrowed nor such a product: both are tested at once.
        self._plain = True

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
        return self._node.shape

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
        return math.prod(self._node.shape)

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
        return Layout(_told(self, "format"))

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
            _told(self, "fill")
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
        return _told(self, "nstored")  # type: ignore[no-any-return]

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
        return _told(self, "nnz")  # type: ignore[no-any-return]

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
        return _told(self, "nbytes")  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        """Facts and the values, or the first and last that are stored; never computes for long."""
        tensor = _at_hand(self)
        if tensor is None:
            facts = f"shape={self.shape} dtype={self.dtype}"
            return f"<structarr.Array {facts} lazy: .compute() or print() computes it>"
        return shown(tensor)

    def _repr_html_(self) -> str:
        from structarr._explain import card  # not for those who draw nothing

        tensor = _at_hand(self)
        return card.lazy_card(self._node) if tensor is None else card.card(tensor)

    def __str__(self) -> str:
        """Facts, levels and a corner of the values, or the scalar; this computes the array."""
        return show(stored(self))

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if self.ndim else format(self.item(), spec)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in ATTRIBUTES]

    def compute(self) -> Array:
        """
        Compute the value now, once.

        Returns
        -------
        Array
            The array itself, computed, in its format; later uses take no time.

        Raises
        ------
        DensificationError
            If the result is dense, nobody asked for that, and it is larger than the option
            `densify_limit`.

        See Also
        --------
        structarr.compute : Several arrays, in one pass.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([1, 2]) * 2
        >>> a.compute() is a
        True
        """
        settle(self)
        return self

    def todense(self) -> NumPyArray:
        """
        Return a fresh, writable NumPy array, however large.

        ``np.asarray(a)`` is a read-only view where `a` is a dense result: nothing is copied.

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
        return dense_values(_to_read(self))

    def asformat(self, format: Spec) -> Array:
        """
        Return the array in another format, converted at the call; always a new array.

        Parameters
        ----------
        format : str, Level, Format or Layout
            A name, such as "csr", or a tree of levels; "auto" stands for the format that takes
            the fewest bytes. Coordinates are as wide as this array's, unless a Format tells.

        Returns
        -------
        Array
            Computed, in the format; it takes time in proportion to what both formats store.

        Raises
        ------
        FormatError
            If there is no such format for so many axes, or the elements do not fit into it; the
            message names the first that does not.

        See Also
        --------
        structarr.formats.names_for : The names that there are.
        structarr.explain : The bytes that an array takes in each format.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[0, 0, 3, 3], [0, 0, 0, 4]]).asformat("auto")
        <structarr.Array shape=(2, 4) dtype=int64 format=interval nstored=2 fill=0
          .  .  3  3
          .  .  .  4>
        """
        auto = isinstance(format, str) and format.lower() == "auto"
        asked = choose(stored(self)).format if auto else parse(format, self.ndim)
        exact = auto or isinstance(format, Format)  # with a width of its own
        if not exact:
            asked = positioned(asked, index_of(self._node))
        if self._tensor is not None and self._tensor.format is asked:
            return self._twin()
        if is_open(self):
            return _step(lambda one: one.asformat(format), self)
        made = _compute.in_format(self._node, asked, widens=not exact)
        return of_tensor(made if self._tensor is None else owning(made, self._tensor))

    def to_scipy(self, layout: Layouts | None = None) -> Any:
        """
        Return a scipy.sparse array; read-only where it shares buffers with this one.

        Parameters
        ----------
        layout : {"csr", "csc", "coo", "bsr", "dia", "lil", "dok"}, optional
            SciPy's format; None stands for the nearest to that of the array.

        Returns
        -------
        scipy.sparse.sparray
            Of one axis or two; for "coo" of any number.

        Raises
        ------
        FormatError
            If there is no such layout for so many axes, or the fill value is not 0.

        See Also
        --------
        structarr.asarray : The way back.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[0.0, 2.0], [0.0, 0.0]], format="csr").to_scipy().nnz
        1
        """
        from structarr.interop.scipy import to_scipy  # SciPy takes 0.2 s to import

        return to_scipy(stored(self), layout)

    def to_pandas(self, index: Any = None, columns: Any = None, sparse: bool | None = None) -> Any:
        """
        Return a Series of an array of one axis, a DataFrame of one of two.

        Parameters
        ----------
        index, columns : index-like, optional
            The labels, which an array does not keep; for one axis, `columns` is the name.
        sparse : bool, optional
            Whether the columns are sparse, with the array's fill value, and of blocks if its
            format is. None makes them so if the format is sparse; with True other formats are
            converted to "csc" first.

        Returns
        -------
        pandas.Series or pandas.DataFrame
            Sparse columns store what the array stores.

        Raises
        ------
        FormatError
            If there are neither one axis nor two.

        See Also
        --------
        structarr.from_pandas : The way back.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0.0, 2.0], [3.0, 0.0]], format="csr")
        >>> a.to_pandas(columns=["x", "y"]).dtypes.tolist()
        [Sparse[float64, 0.0], Sparse[float64, 0.0]]
        """
        tensor = stored(self)
        if sparse is None:
            sparse = is_listed(tensor)
            if not sparse:
                check_density(tensor)
        if sparse and not is_listed(tensor):
            # Elements equal to the fill are left out.
            tensor = stored(self.asformat("list" if self.ndim == 1 else "csc"))
        return to_pandas(tensor, index, columns, sparse=sparse)

    def to(self, library: Libraries, /, layout: str | None = None) -> Any:
        """
        Return an object of another library, of shared buffers where the layouts agree.

        Parameters
        ----------
        library : str
            "arrow", "awkward", "graphblas", "jax", "numba", "polars", "pydata_sparse" or "torch";
            for Numba a named tuple of the shape and the buffers.
        layout : str, optional
            One of the library's; None stands for the nearest to the array's format.

        Returns
        -------
        object
            Of that library.

        Raises
        ------
        FormatError
            If there is no such library or layout, or it has no place for the array.
        ImportError
            If the library is not installed.

        See Also
        --------
        structarr.asarray : The way back.
        Array.to_scipy : Arrays of SciPy.
        Array.to_pandas : Frames of pandas.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).to("tensorflow")
        Traceback (most recent call last):
        structarr.errors.FormatError: there is no way to 'tensorflow'; .to() makes arrow, ...
        """
        return foreign.made(library, self._as_stored, layout)

    def _as_stored(self, format: str | Format | None) -> Tensor:
        """The array in a format, for those who hand its buffers on."""
        return stored(self if format is None else self.asformat(format))  # type: ignore[arg-type]

    def __binsparse_descriptor__(self) -> dict[str, Any]:
        """What `binsparse <https://graphblas.org/binsparse-specification>`_ says of the array."""
        return {"binsparse": self.__binsparse__()[0]}

    def __binsparse__(self) -> tuple[dict[str, Any], list[NumPyArray]]:
        """The array's description, and its buffers in the order of the description's data types."""
        from structarr.interop.binsparse import descriptor_of

        told, buffers = descriptor_of(stored(self))
        return told, [buffers[name] for name in told["data_types"]]

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.to("arrow").__arrow_c_array__(requested_schema)

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
        if not place and self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        tensor = stored(self)
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
        value: Scalar = self[tuple(where)].item()
        return value

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

    def copy(self) -> Array:
        """
        Return an array of the same value that shares no buffer with any other.

        Returns
        -------
        Array
            Computed, in the same format; it takes time in proportion to what is stored.

        See Also
        --------
        structarr.copy : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).copy().tolist()
        [1, 2]
        """
        return self._twin() if is_open(self) else of_tensor(deepcopy(stored(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NumPyArray:
        tensor = _to_read(self)
        target = tensor.dtype if dtype is None else np.dtype(dtype)
        if not copy and target == tensor.dtype and (OWN in tensor.memo or copy is False):
            shared = dense_view(tensor)  # nobody writes to it, neither we nor those who get it
            if shared is not None and (shared.ndim or copy is False):
                return shared
        check_density(tensor, target)
        if copy is False:
            raise ValueError(
                "Unable to avoid copy while creating an array as requested: the values are not "
                f"stored as a NumPy array of {target}; leave copy=False out"
            )
        dense = dense_values(tensor)
        return dense if target == tensor.dtype else dense.astype(target)

    def __bool__(self) -> bool:
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

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        if self.ndim > 1 and not stored(self).format.is_dense:
            return (self[place] for place in range(len(self)))  # rows keep their structure
        return (of_tensor(from_dense(np.asarray(row))) for row in self.__array__())

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    def __getitem__(self, key: Any) -> Array:
        """
        Return the elements that an index selects, as NumPy does.

        Parameters
        ----------
        key : int, slice, Ellipsis, None, array_like of int or bool, or tuple of these
            The index. Masks and arrays of indices may be arrays of structarr.

        Returns
        -------
        Array
            Lazy; never a view that writes through. Slices and single indices copy nothing, and what
            is not stored stays so. An element is found by a search in its row at most; arrays of
            indices take time proportional to what they select.

        Raises
        ------
        IndexError
            If an index is out of bounds, or of another kind.

        See Also
        --------
        structarr.take : Indices along one axis.
        structarr.where : Elements of two arrays by a mask.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0, 3, 0], [5, 0, 7]], format="csr")
        >>> a[1, 2].item(), a[1].tolist(), a[:, ::2].tolist(), a[a > 4].tolist()
        (7, [5, 0, 7], [[0, 0], [5, 7]], [5, 7])
        """

        return _ours(operator.getitem)(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        """
        Assign to the elements that an index selects: the array gets a new value, in its format.

        Views and results made before keep the old value. Where the format cannot hold the new
        value, it becomes one that can. It takes time proportional to what is stored, so that many
        single assignments are slow: collect coordinates for `from_coordinates` instead.

        Parameters
        ----------
        key : int, slice, Ellipsis, None, array_like of int or bool, or tuple of these
            The index, as `__getitem__` takes it.
        value : array_like
            The new elements, which are cast to the dtype and broadcast to the shape of the
            selection.

        Raises
        ------
        IndexError
            If an index is out of bounds, or of another kind.
        ValueError
            If the value cannot be broadcast.

        See Also
        --------
        structarr.from_coordinates : An array from coordinates and values.
        structarr.where : A new array by a mask.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0, 3, 0], [5, 0, 7]], format="csr")
        >>> row = a[0]
        >>> a[0, 0] = 1
        >>> a.tolist(), row.tolist(), str(a.format)
        ([[1, 3, 0], [5, 0, 7]], [0, 3, 0], 'csr')
        """

        if type(key) is tuple and len(key) > 1 and is_outer(sys._getframe(1), key):
            key = paired(key, self.shape)
        # Several threads may assign to parts of one array: a result from an old value is discarded.
        while not self._exchange(stored(self), key, value):
            pass

    def _exchange(self, old: Tensor, key: Any, value: Any) -> bool:
        """Assign by an index if the value is still the old one, and tell."""
        # Views and expressions of the old value keep it: this array alone gets the new one.
        new = _ours(operator.setitem)(self, key, value)
        with _EXCHANGE:
            if self._tensor is not old:
                return False
            self._borrowed, self._product = False, None
            self._plain = True
            self._node, self._cost, self._tensor = new._node, new._cost, new._tensor
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        return of_tensor, (stored(self),)

    def __dask_tokenize__(self) -> str:
        _dask()
        return digest(stored(self), lent=self._borrowed)

    def to_dask_array(self) -> Any:
        """
        Return a Dask array of chunks of this one.

        `structarr.dask.from_array` makes chunks of other sizes, and along other axes.

        Returns
        -------
        dask.array.Array
            Its chunks are some rows each (columns, where these are stored), of about 128 MiB.

        Raises
        ------
        ImportError
            If Dask is not installed.

        See Also
        --------
        Array.to_scipy : A matrix of SciPy's.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0.0, 2.0], [3.0, 0.0]], format="csr")
        >>> a.to_dask_array()
        dask.array<structarr, shape=(2, 2), dtype=float64, chunksize=(2, 2), chunktype=...>
        """
        return _dask().from_array(self)

    def __copy__(self) -> Array:
        return self._twin()

    def _twin(self) -> Array:
        """Another array of the same value, independent of later assignments to this one."""
        twin = Array(self._node, self._cost, self._tensor)
        twin._borrowed, twin._product, twin._plain = self._borrowed, self._product, self._plain
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        return self.copy()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        for value in inputs:
            if not operable(value):
                return NotImplemented
        if method == "__call__" and not kwargs:
            ours = FUNCTIONS.get(ufunc)
            if ours is not None:
                return ours(*inputs)
        return UFUNC_METHODS[method](ufunc, *inputs, **kwargs)

    def __array_function__(
        self, func: Any, types: Sequence[type], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        if not all(issubclass(kind, (Array, np.ndarray)) for kind in types):
            return NotImplemented
        ours = FUNCTIONS.get(func)
        if ours is None:
            name = f"{func.__module__}.{func.__name__}"
            raise TypeError(
                f"{name} is not implemented for structarr arrays; give it NumPy arrays instead: "
                f"{name}(a.todense())"
            )
        if kwargs:
            args, kwargs = _placed(func, args, kwargs)
        return ours(*args, **kwargs)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        namespace = sys.modules["structarr"]
        newest = namespace.__array_api_version__
        if api_version is not None and api_version > newest:
            raise ValueError(f"array API version {api_version} is not supported; use {newest}")
        return namespace

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
        tensor = stored(self)
        check_density(tensor)
        told = max_version is not None and max_version[0] >= 1
        view = dense_view(tensor) if told and copy is False else None
        exported = dense_values(tensor) if view is None else view
        return exported.__dlpack__(max_version=max_version)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the host's memory

    def to_device(self, device: str, /, *, stream: None = None) -> Array:
        """
        Return the array itself: there is one device, "cpu".

        Parameters
        ----------
        device : {"cpu"}
            Device of the array; there is one.
        stream : None, optional
            The CPU has none.

        Returns
        -------
        Array
            The array itself, in its format.

        Raises
        ------
        ValueError
            If there is no such device, or a stream is given.

        See Also
        --------
        Array.device : Always "cpu".

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).to_device("cpu").device
        'cpu'
        """
        if device != "cpu":
            raise ValueError(f'there is no device {device!r}; use "cpu"')
        if stream is not None:
            raise ValueError("stream must be None: the CPU has none")
        return self

    @property
    def T(self) -> Array:
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
        return self.transpose()

    @property
    def mT(self) -> Array:
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
        return _ours(np.matrix_transpose)(self)

    @property
    def real(self) -> Array:
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
        return _ours(np.real)(self)

    @property
    def imag(self) -> Array:
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
        return _ours(np.imag)(self)

    @property
    def flat(self) -> Array:
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
        return self.flatten()

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

    __hash__ = None  # type: ignore[assignment]  # equality is elementwise
    __eq__ = _binary(np.equal)  # type: ignore[assignment]
    __ne__ = _binary(np.not_equal)  # type: ignore[assignment]
    __lt__, __le__ = _binary(np.less), _binary(np.less_equal)
    __gt__, __ge__ = _binary(np.greater), _binary(np.greater_equal)
    __neg__, __pos__ = _unary(np.negative), _unary(np.positive)
    __abs__, __invert__ = _unary(np.absolute), _unary(np.invert)

    __add__, __radd__, __iadd__ = _binary(np.add), _reflected(np.add), _inplace(np.add)
    __sub__, __rsub__ = _binary(np.subtract), _reflected(np.subtract)
    __mul__, __rmul__ = _binary(np.multiply), _reflected(np.multiply)
    __truediv__, __rtruediv__ = _binary(np.divide), _reflected(np.divide)
    __floordiv__, __rfloordiv__ = _binary(np.floor_divide), _reflected(np.floor_divide)
    __mod__, __rmod__ = _binary(np.remainder), _reflected(np.remainder)
    __rpow__ = _reflected(np.power)
    __lshift__, __rlshift__ = _binary(np.left_shift), _reflected(np.left_shift)
    __rshift__, __rrshift__ = _binary(np.right_shift), _reflected(np.right_shift)
    __and__, __rand__ = _binary(np.bitwise_and), _reflected(np.bitwise_and)
    __or__, __ror__ = _binary(np.bitwise_or), _reflected(np.bitwise_or)
    __xor__, __rxor__ = _binary(np.bitwise_xor), _reflected(np.bitwise_xor)

    def __pow__(self, other: ArrayLike) -> Array:
        """The power; of booleans the square is int8, as by NumPy's operator."""
        if type(other) is int and other == 2 and self.dtype == bool:
            return _ours(np.square)(self)
        return _power(self, other)

    __isub__, __imul__ = _inplace(np.subtract), _inplace(np.multiply)
    __itruediv__, __ifloordiv__ = _inplace(np.divide), _inplace(np.floor_divide)
    __imod__, __ipow__ = _inplace(np.remainder), _inplace(np.power)
    __ilshift__, __irshift__ = _inplace(np.left_shift), _inplace(np.right_shift)
    __iand__, __ior__ = _inplace(np.bitwise_and), _inplace(np.bitwise_or)
    __ixor__ = _inplace(np.bitwise_xor)

    __matmul__, __rmatmul__ = _binary(np.matmul), _reflected(np.matmul)
    __imatmul__ = _inplace(np.matmul)

    def __divmod__(self, other: ArrayLike) -> tuple[Array, Array]:
        return FUNCTIONS[np.divmod](self, other) if operable(other) else NotImplemented

    def __rdivmod__(self, other: ArrayLike) -> tuple[Array, Array]:
        return FUNCTIONS[np.divmod](other, self) if operable(other) else NotImplemented


def _replace(ufunc: Any, old: Array, other: Any) -> Array:
    """Return the result of an in-place operator: an array of the old one's shape and dtype."""
    watcher = _watching()
    if watcher is not None and watcher.watches(old):
        watcher.told(old, "memory")
    new = _ours(ufunc)(old, other)
    if new.shape != old.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {old.shape} doesn't match the broadcast "
            f"shape {new.shape}; in-place operators keep the shape"
        )
    if new.dtype == old.dtype:
        return new
    return _ours(np.astype)(new, old.dtype, casting="same_kind")


def _placed(
    func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Sequence[Any], dict[str, Any]]:
    """Arguments with those in front by position: NumPy and the array API name them differently."""
    left, places = dict(kwargs), [*args]
    for name in _required(func)[len(args) :]:
        if name not in left:
            break
        places.append(left.pop(name))
    return places, left


@cache
def _required(func: Any) -> tuple[str, ...]:
    """The names of the arguments that one of NumPy's functions cannot do without."""
    return tuple(
        parameter.name
        for parameter in signature(func).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    )


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


class _Absent:
    """An attribute that arrays lack, with what to use instead.

    A method `__getattr__` would be asked in each conversion to NumPy, in vain.
    """

    def __init__(self, name: str, instead: str) -> None:
        self._name = name
        self._instead = instead

    def __get__(self, array: Array | None, kind: type[Array]) -> Any:
        told = f"{kind.__name__!r} object has no attribute {self._name!r}; {self._instead}"
        raise AttributeError(told, name=self._name, obj=kind if array is None else array)


def _settled(name: str, instead: str) -> property:
    """A property of arrays that says what to do where a program assigns to it."""

    def refuse(array: Array, value: object) -> NoReturn:
        told = f"{name} of an array of structarr is not assigned to: arrays are values; {instead}"
        raise AttributeError(told, name=name, obj=array)

    read: property = getattr(Array, name)
    return read.setter(refuse)


for _name, _instead in ATTRIBUTES.items():
    setattr(Array, _name, _Absent(_name, _instead))
for _name, _instead in ASSIGNED.items():
    setattr(Array, _name, _settled(_name, _instead))


def _dask() -> Any:
    """What joins Dask, which is told of our arrays when this is first asked for."""
    return sys.modules["structarr"].dask


def of_tensor(tensor: Tensor) -> Array:
    """Return the array of stored data."""
    return Array(graph.leaf(tensor), 0, tensor)


_OPERABLE: Final = frozenset({Array, np.ndarray, *WEAK})


def operable(value: Any) -> bool:
    """Whether an operation takes this; other classes get a chance to take us instead."""
    if type(value) in _OPERABLE:
        return True
    if isinstance(value, (np.ndarray, np.generic, list, tuple, bool, int, float, complex, Number)):
        return True
    return (
        is_scipy(value)
        or is_pandas(value)
        or foreign.is_foreign(value)
        or (hasattr(value, "__array__") and not hasattr(value, "__array_ufunc__"))
    )


def is_scipy(value: Any) -> bool:
    """Whether a value is a sparse array or matrix of SciPy."""
    # SciPy is not imported: unless it is loaded, no value is of its types.
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(value))


def stored(array: Array) -> Tensor:
    """
    Return the tensor that holds an array's value; a lazy array is computed, once.

    Parameters
    ----------
    array : Array
        The array.

    Returns
    -------
    Tensor
        With `buffers`, the NumPy arrays of all levels and the leaf, outermost first; `format`,
        `dims` and `fill`. They are shared, and must not be written.

    See Also
    --------
    structarr.Array.compute : Computes an array, and returns it.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 3, 0], [5, 0, 7]], format="csr")
    >>> [buffer.tolist() for buffer in stored(a).buffers]
    [[0, 1, 3], [1, 0, 2], [3, 5, 7]]
    """
    watcher = _watching()
    if watcher is not None and watcher.watches(array):
        watcher.told(array, "value")
    return _stored(array)


def _stored(array: Array) -> Tensor:
    """The value of an array that nobody watches."""
    tensor = array._tensor
    if FILES:
        mapped_files.check(array._node.given if tensor is None else (tensor,))
    if tensor is None:
        shortcut = array._product
        value = None if shortcut is None else shortcut()
        tensor = _compute.value(array._node) if value is None else from_own(value)
        _keep(array, tensor)
    return tensor


def _to_read(array: Array) -> Tensor:
    """An array's value for NumPy: dense where its own are lists that would only be copied."""
    if array._tensor is not None or _watching() is not None:
        return stored(array)
    if array._dense is None and array._product is None:
        array._dense = dense_to_read(array._node)
    return stored(array) if array._dense is None else array._dense


def _at_hand(array: Array) -> Tensor | None:
    """An array's value if it is known, or so small that it is computed; None if neither."""
    if array._tensor is None and _watching() is None and is_light(array._node):
        with suppress(Exception):  # whoever asks for the value is told
            return stored(array)
    return array._tensor


def is_open(array: Array) -> bool:
    """Whether an array is one of a function that is traced, and has no value of its own."""
    watcher = _watching()
    return watcher is not None and watcher.watches(array)


def settle(array: Array) -> None:
    """Compute an array without looking at its value."""
    watcher = _watching()
    if watcher is not None and watcher.watches(array):
        watcher.settle(array)
    else:
        _stored(array)


FACTS: Final[dict[str, Callable[[Tensor], Any]]] = {
    "format": operator.attrgetter("format"),
    "nbytes": operator.attrgetter("nbytes"),
    "nnz": nnz,
    "nstored": operator.attrgetter("nstored"),
}
"""What a trace may depend on beside the structure of its operands."""


def _told(array: Array, fact: str) -> Any:
    """A fact about how an array is stored."""
    watcher = _watching()
    if watcher is not None and watcher.watches(array):
        return watcher.told(array, fact)
    return FACTS[fact](stored(array))


def _step(function: Callable[[Array], Array], array: Array) -> Array:
    """The result, as a step of the trace, of a function that looks at values."""
    watcher = _watching()
    assert watcher is not None
    return watcher.applied(lambda given: function(given[0]), [array])


def store(arrays: Sequence[Array]) -> None:
    """Compute arrays together."""
    if _watching() is not None:
        for array in arrays:
            settle(array)
        return
    lazy = [array for array in arrays if array._tensor is None and array._product is None]
    tensors = _compute.values([array._node for array in lazy])
    for array, tensor in zip(lazy, tensors, strict=True):
        _keep(array, tensor)
    for array in arrays:
        stored(array)


def _keep(array: Array, tensor: Tensor) -> None:
    # Several threads may have computed the value; all computed the same.
    array._tensor, array._product, array._plain = tensor, None, not array._borrowed
    array._dense = None
    array._node, array._cost = graph.leaf(tensor), 0


def _only(array: Array) -> Any:
    if array.size != 1:
        raise TypeError("only arrays of size 1 can be converted to Python scalars")
    return array.item()
