"""The lazy array: the protocols of NumPy and of the array API, but no maths.

Functions are published into the tables here by `structarr._api`; the protocols look them up.
"""

from __future__ import annotations

import numbers
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from inspect import signature
from typing import Any, Final, NoReturn

import numpy as np

from structarr._lazy import graph
from structarr._methods.along_axes import AlongAxes
from structarr._methods.conversions import Conversions, Spec as Spec
from structarr._methods.elements import Elements
from structarr._methods.linear_operator import AppliedMatrix
from structarr._methods.reductions import Reductions
from structarr._methods.refused import Refused
from structarr._methods.scipy_names import SciPyNames
from structarr._methods.shapes import Shapes
from structarr._methods.tables import FUNCTIONS as FUNCTIONS, UFUNC_METHODS as UFUNC_METHODS
from structarr._storage.change import Change, Patch
from structarr._storage.dense import from_dense
from structarr._storage.digest import digest
from structarr._storage.display import show, shown
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike, NumPyArray as NumPyArray
from structarr._support.dtypes import Scalar as Scalar
from structarr._support.hints import ASSIGNED, ATTRIBUTES
from structarr._support.locks import lock
from structarr._support.sole_owner import is_only_thread
from structarr._value import (
    WATCHER as WATCHER,
    Watcher as Watcher,
    at_hand,
    is_open as is_open,
    note_lengths,
    seen,
    settle as settle,
    store as store,
    stored as stored,
    value_again as value_again,
    value_of as value_of,
)
from structarr.interop import foreign
from structarr.interop.pandas import is_pandas
from structarr.interop.xarray import is_outer, paired


class Number:
    """A number of a function that is traced: another at each replay."""

    __slots__ = ()

    value: Any

    def claim(self, node: graph.Node, op: str) -> None:
        """Note the scalar of an expression that it is converted to, as an operator's operand."""

    def fix(self) -> Any:
        """Make the trace one for this value, by an exception."""


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
    def operation(self: Array, other: ArrayLike) -> Any:
        # Most are of these types: a call for each operation would take a tenth of it.
        if type(other) in _OPERABLE or operable(other):
            return FUNCTIONS[ufunc](self, other)
        return NotImplemented

    return operation


def _reflected(ufunc: Any) -> Callable[[Array, ArrayLike], Array]:
    def operation(self: Array, other: ArrayLike) -> Any:
        if type(other) in _OPERABLE or operable(other):
            return FUNCTIONS[ufunc](other, self)
        return NotImplemented

    return operation


def _equality(ufunc: Any, name: str, unequal: bool) -> Callable[[Array, Any], Any]:
    def operation(self: Array, other: Any) -> Any:
        if operable(other):
            return FUNCTIONS[ufunc](self, other)
        found = getattr(type(other), name)(other, self)
        if found is not NotImplemented:
            return found
        # Python would compare identities now.
        given = np.asarray(other)
        if given.ndim or given.dtype.kind in "biufc":
            return FUNCTIONS[ufunc](self, given)
        if isinstance(other, numbers.Number):
            raise TypeError(
                f"elements are not compared with a {type(other).__name__}: give a number of "
                "Python's or NumPy's, as float(x)"
            )
        # No element equals what is no number, such as None.
        return FUNCTIONS[np.full_like](self, unequal, dtype=bool)

    return operation


def _inplace(ufunc: Any) -> Callable[[Array, ArrayLike], Array]:
    def operation(self: Array, other: ArrayLike) -> Array:
        return _replace(ufunc, self, other) if operable(other) else NotImplemented

    return operation


_power = _binary(np.power)


class Array(
    Conversions, Reductions, AlongAxes, Elements, Shapes, SciPyNames, AppliedMatrix, Refused
):
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

    __slots__ = ()

    __array_priority__ = 10_000.0  # above those of scipy.sparse and pandas
    __pandas_priority__ = 10_000  # operators of a frame or series and an array give an array

    def __repr__(self) -> str:
        """Facts and the values, or the first and last that are stored; never computes for long."""
        tensor = at_hand(self)
        if tensor is None:
            note_lengths(self)
            facts = f"shape={self.shape} dtype={self.dtype}"
            return f"<structarr.Array {facts} lazy: .compute() or print() computes it>"
        return shown(tensor)

    def _repr_html_(self) -> str:
        from structarr._explain import card  # not for those who draw nothing

        tensor = at_hand(self)
        return card.lazy_card(self._node) if tensor is None else card.card(tensor)

    def __str__(self) -> str:
        """Facts, levels and a corner of the values, or the scalar; this computes the array."""
        return show(seen(self))

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if self.ndim else format(self.item(), spec)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in ATTRIBUTES]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        note_lengths(self)
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        if self.ndim > 1 and not seen(self).format.is_dense:
            return (self[place] for place in range(len(self)))  # rows keep their structure
        return (of_tensor(from_dense(np.asarray(row))) for row in self.__array__())

    def __contains__(self, value: Any) -> bool:
        found: Any = self == value
        return bool(found if isinstance(found, bool) else found.any())

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
        value, it becomes one that can. Elements that are stored are written in place, if no view,
        result or other thread can see it. Others take time proportional to what is stored, so that
        many single assignments are slow: collect coordinates for `from_coordinates` instead.

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
        while not self._exchange(FUNCTIONS[operator.setitem](self, key, value)):
            pass

    def _exchange(self, change: Change) -> bool:
        """Take the tensor of an assignment if the value is still the old one, and tell."""
        # Views and expressions of the old value keep it: this array alone gets the new one.
        patch = change if isinstance(change, Patch) and is_only_thread() else None
        new = change.made() if patch is None else patch.twin()
        with _EXCHANGE:
            if self._tensor is not change.old:
                return False
            self._borrowed, self._product = False, None
            self._plain = True
            self._node, self._cost, self._tensor = graph.leaf(new), 0, new
        if patch is not None:
            patch.write(new)
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        return of_tensor, (seen(self),)

    def __dask_tokenize__(self) -> str:
        _dask()
        return digest(seen(self), lent=self._borrowed)

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

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        return self.copy()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        for value in inputs:
            if type(value) not in _OPERABLE and not operable(value):
                return NotImplemented
        if method == "__call__" and not kwargs:
            ours = FUNCTIONS.get(ufunc)
            if ours is not None:
                return ours(*inputs)
        return UFUNC_METHODS[method](ufunc, *inputs, **kwargs)

    def __array_function__(
        self, func: Any, types: Sequence[type], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        for kind in types:
            if kind is not Array and not issubclass(kind, (Array, np.ndarray)):
                return NotImplemented
        ours = FUNCTIONS.get(func) or FUNCTIONS.found(func)
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

    __hash__ = None  # type: ignore[assignment]  # equality is elementwise
    __eq__ = _equality(np.equal, "__eq__", False)
    __ne__ = _equality(np.not_equal, "__ne__", True)
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


class _Unfinished:
    """A method whose docstring is to take sections from NumPy's twin's, which is imported then."""

    def __init__(self, name: str, method: Any) -> None:
        self._name = name
        self._method = method

    def __get__(self, array: Array | None, kind: type[Array]) -> Any:
        if vars(Array).get(self._name) is self:
            with suppress(AttributeError):  # another thread may have done so
                delattr(Array, self._name)  # what is published asks for the method itself
            FUNCTIONS.found(getattr(np, self._name))
        return self._method.__get__(array, kind)


for _name in dir(Array):
    if "$function" in (getattr(Array, _name).__doc__ or ""):
        setattr(Array, _name, _Unfinished(_name, getattr(Array, _name)))
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
        or (_is_read_by_numpy(value) and not hasattr(value, "__array_ufunc__"))
    )


def _is_read_by_numpy(value: Any) -> bool:
    return hasattr(value, "__array__") or hasattr(value, "__array_interface__")


def is_scipy(value: Any) -> bool:
    """Whether a value is a sparse array or matrix of SciPy."""
    # SciPy is not imported: unless it is loaded, no value is of its types.
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(value))
