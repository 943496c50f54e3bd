"""Operands of functions, as arrays and scalars of the values that they have at the call.

Small buffers that others can write are copied; expressions of large ones are computed at once.
"""

from __future__ import annotations

import operator
from copy import deepcopy
from typing import Any, Final

import numpy as np

from structarr._api.core.copies import COPIES, anew, copied, kept, turned
from structarr._array import WEAK, Array, Number, NumPyArray, Scalar, is_scipy, of_tensor, stored
from structarr._lazy import graph
from structarr._lazy.dense_kinds import dense_kind
from structarr._storage.buffers import writable
from structarr._storage.dense import from_dense
from structarr._storage.memo import origin_of
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr._support.broadcasting import countable
from structarr.interop import foreign, pandas as frames

# The largest writable buffers of others, in bytes, that are copied so that operations stay lazy.
COPY_LIMIT: Final = 128 * 1024

_SCALARS: Final = (np.ndarray, np.generic, int, float, complex, str, bytes)

_TURNED: Final = "turned"
"""The key of a matrix with its axes swapped."""

LENDER: Final = "lender"
"""The memo of the array whose buffer a tensor has, and which others can write."""


def lift(value: Any) -> Array | Scalar | Number:
    """Return an operand as an array, or as a weak scalar: a Python number of its very type."""
    if type(value) is Array or type(value) in WEAK:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Number):
        return _of_number(value)
    if isinstance(value, np.generic):
        return of_numpy_scalar(value)
    for weak in (int, float, complex):
        if isinstance(value, weak):
            # A subclass's instance, such as a member of an IntEnum.
            return weak(value)  # type: ignore[arg-type]
    return as_array(value)


def of_numpy_scalar(value: np.generic) -> Array:
    """One of NumPy's scalars as an array, which keeps its dtype."""
    return Array(graph.constant(value, dtypes.check(value.dtype)))


def _of_number(number: Number) -> Array | Number:
    """A number that has a dtype as an array; any other takes that of the arrays beside it."""
    value = number.value
    if type(value) in WEAK:
        return number
    array = Array(graph.constant(value, value.dtype))
    number.claim(array._node, "")
    return array


def as_array(value: Any, dtype: Any = None) -> Array:
    """Return an operand as an array of the values that it has at this moment.

    Python numbers, alone or in lists, are converted to `dtype`; values with a dtype keep it.
    """
    if type(value) is Array:
        return value
    if type(value) is np.ndarray and value.ndim:  # no need to ask what else it may be
        node = copied_leaf(value)
        return _not_copied(value) if node is None else Array(node, 0, node.data)
    if type(value) in WEAK:  # nor what else a number may be
        number = numpy_of(value, dtype)
        return Array(graph.constant(number[()], number.dtype))
    if is_scipy(value):
        from structarr.interop.scipy import from_scipy

        return _shielded(from_scipy(value))
    if frames.is_pandas(value) and not frames.is_plain(value):
        return _shielded(frames.from_pandas(value))
    if foreign.is_foreign(value):
        return _shielded(foreign.tensor_of(value))
    return _of_numpy(numpy_of(value, dtype))


def numpy_of(value: Any, dtype: Any = None) -> NumPyArray:
    """Return an array-like as a NumPy array of a dtype that can be stored.

    Python numbers, alone or in lists, are converted to `dtype` as NumPy does, which refuses inexact
    integers. Values with a dtype keep it.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError("masked arrays are not supported: give a.filled(value)")
    if dtype is not None and not hasattr(value, "dtype"):
        return np.asarray(value, dtypes.check(dtype))
    try:
        array = np.asarray(value)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        raise ValueError(
            f"{error} Lists of unlike lengths are rows with padding: structarr.asarray stores them "
            'as they are, in format "ragged"'
        ) from None
    if array.dtype == object and not (array.ndim or isinstance(value, _SCALARS)):
        raise TypeError(f"{type(value).__name__} is no array: {foreign.CONVERSIONS}")
    native = dtypes.check(array.dtype)
    return array if array.dtype == native else array.astype(native)


def copied_leaf(array: Any) -> graph.Node | None:
    """The node of a copy of one of NumPy's arrays that others can write; None of anything else."""
    if type(array) is not np.ndarray:
        return None
    held = COPIES.get(id(array))
    known = None if held is None or held[1]() is None else kept(array)  # few are still used
    if known is None:
        if array.nbytes > COPY_LIMIT or not array.flags.writeable or not array.ndim:
            return None
        if array.ndim == 2 and turned(array) is not None:
            return None
        known = anew(array)
    return graph.operand(known)


def turned_leaf(value: Any) -> graph.Node | None:
    """The node of a copy of a short matrix of NumPy's with its axes swapped, once one was met.

    None of anything else.
    """
    if type(value) is not np.ndarray or value.ndim != 2 or value.nbytes > COPY_LIMIT:
        return None
    whole = turned(value) if value.flags.writeable else None
    return None if whole is None else swapped(graph.operand(copied(whole)))


def swapped(matrix: graph.Node) -> graph.Node | None:
    """The node of a matrix with its axes swapped; None where none like it was met."""
    return graph.of_one_again(_TURNED, matrix)


def lent_tensor(array: Any) -> Tensor | None:
    """The tensor of one of NumPy's arrays that others can write, for what reads it at once.

    None of one that is copied or converted, or looked at more closely.
    """
    if type(array) is not np.ndarray or array.nbytes <= COPY_LIMIT:
        return None
    if not array.flags.carray:  # writable, aligned, and in C order
        return None
    if array.ndim == 1:
        row = array.view()
    elif array.base is None:  # else it may be another one with its axes swapped
        row = array.reshape(-1)
    else:
        return None
    kind = dense_kind(array)
    return None if kind is None else kind.tensor(row)


def _of_numpy(array: NumPyArray) -> Array:
    node = copied_leaf(array)
    return _not_copied(array) if node is None else Array(node, 0, node.data)


def _not_copied(array: NumPyArray) -> Array:
    """One of NumPy's arrays of which `copied_leaf` makes no copy."""
    if not array.ndim:
        return Array(graph.constant(array[()], array.dtype))
    if not (array.flags.writeable or writable(array)):
        return _operand(from_dense(array))
    whole = turned(array) if array.ndim == 2 else None
    if whole is not None:
        known = kept(whole)
        return _turned(_of_writable(whole) if known is None else _operand(known))
    return _of_writable(array)


def _operand(tensor: Tensor) -> Array:
    """A tensor as an array that is an operand at once."""
    return Array(graph.operand(tensor), 0, tensor)


def _of_writable(array: NumPyArray) -> Array:
    """The array of one of NumPy's that others can write, and of which no copy is used."""
    if array.nbytes <= COPY_LIMIT:
        return _operand(anew(array))
    tensor = from_dense(array)
    tensor.memo[LENDER] = array
    return borrow(of_tensor(tensor))


def _turned(array: Array) -> Array:
    """A matrix with its axes swapped, as borrowed as before."""
    node = graph.permute(array._node, (1, 0))
    graph.note(_TURNED, node, array._node)
    result = Array(node, 1)
    return borrow(result) if array._borrowed else result


def borrow(array: Array) -> Array:
    """Mark an operand whose buffers others can write, and return it."""
    array._borrowed, array._plain = True, False
    return array


def owned(array: Array) -> Array:
    """Return an operand as a result, which later changes of the operand do not reach."""
    return array.copy() if array._borrowed else array._twin()


def unborrowed(array: Array) -> Array:
    """Return an operand whose buffers nobody else can write: of a borrowed one, a copy."""
    if not array._borrowed:
        return array
    node = array._node
    if node.kind == "permute" and node.args[0].kind == "leaf":
        base, name, axes = node.args[0].data, "view", node.data
    else:
        tensor = stored(array)
        base, name, axes = origin_of(tensor) or (tensor, "", ())
    lender = base.memo.get(LENDER)
    if lender is None or name not in ("", "view"):
        return array.copy()
    node = of_tensor(copied(lender))._node
    return Array(graph.permute(node, axes), 1) if name else Array(node)


def _shielded(tensor: Tensor) -> Array:
    """An operand whose buffers others may write."""
    small = tensor.nbytes <= COPY_LIMIT
    result = of_tensor(deepcopy(tensor) if small else tensor)
    return result if small else borrow(result)


def as_shape(shape: Any) -> tuple[int, ...]:
    """Return the lengths of axes that a user gives, one number for one axis."""
    if type(shape) is tuple and not [one for one in shape if type(one) is not int]:
        wanted = shape
    else:
        wanted = tuple(whole_numbers(shape))
    if wanted and min(wanted) < 0:
        raise ValueError(f"negative dimensions are not allowed: shape {wanted}")
    return countable(wanted)


def whole_numbers(given: Any) -> list[int]:
    """Return the whole numbers that a user gives, one or several; no floats, whatever they are."""
    several = type(given) is tuple or np.ndim(given)  # NumPy would make an array of most
    return [whole_number(one) for one in (given if several else (given,))]


def whole_number(given: Any) -> int:
    """
    Return the whole number that a user gives; no float, whatever it is.

    Examples
    --------
    >>> whole_number(2.0)
    Traceback (most recent call last):
    ...
    TypeError: 'float' object cannot be interpreted as an integer: give int(2.0), not 2.0
    """
    try:
        return operator.index(given)
    except TypeError as error:
        if isinstance(given, (float, np.floating)):
            given = float(given)
            raise TypeError(f"{error}: give int({given}), not {given}") from None
        raise


def check_device(device: str | None) -> None:
    """Raise ValueError for a device that is not there."""
    if device not in (None, "cpu"):
        raise ValueError(f'there is no device {device!r}; use "cpu"')
