"""Making arrays: of other arrays, and of nothing but a shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from structarr import _dtypes, _graph
from structarr._api.expressions import cast
from structarr._api.operands import as_array, as_shape, numpy_of, owned
from structarr._api.publish import publish
from structarr._array import Array, Spec, is_scipy, of_tensor, stored
from structarr._config import current
from structarr._tensor import Tensor
from structarr.errors import DensificationError, FormatError
from structarr.formats import parse
from structarr.interop.coordinates import from_coordinates
from structarr.interop.numpy import from_dense

Shape: TypeAlias = int | Sequence[int]


def asarray(
    obj: Any,
    /,
    dtype: Any = None,
    format: Spec | None = None,
    fill_value: Any = None,
    copy: bool | None = None,
    device: str | None = None,
) -> Array:
    """
    Make an array of an array-like, of any scipy.sparse array or matrix, or of another array.

    Buffers are shared where they fit, as `numpy.asarray` does: who writes to `obj` later writes to
    the array. ``copy=True`` prevents that.

    Parameters
    ----------
    obj : array_like, scipy.sparse array or matrix, or Array
        The elements.
    dtype : dtype, optional
        Of the result; None keeps that of `obj`.
    format : str, Level or Format, optional
        How to store the elements: a name, such as "csr", or a tree of levels. None keeps the
        structure that `obj` has.
    fill_value : scalar, optional
        The value of what is not stored: of a dense `obj`, elements equal to it are left out; of a
        sparse `obj`, it is what stands at the places that `obj` does not store. Zero by default.
    copy : bool, optional
        True copies, False raises where nothing else would do, None copies where it must.
    device : {"cpu"}, optional
        Where the array is to live.

    Raises
    ------
    TypeError
        If the dtype cannot be stored.
    FormatError
        If there is no such format for so many axes, or the buffers of `obj` are corrupted.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.asarray([[0.0, 2.0], [0.0, 0.0]], format="csr")
    <structarr.Array shape=(2, 2) dtype=float64 format=csr nstored=1 fill=0.0>
    """
    _check_device(device)
    tensor = _tensor_of(obj, fill_value, copy)
    array = obj if isinstance(obj, Array) and tensor is obj._tensor else of_tensor(tensor)
    if dtype is not None and _dtypes.check(dtype) != array.dtype:
        _refuse(copy, f"dtype {array.dtype} has to become {np.dtype(dtype)}")
        array = astype(array, dtype).compute()
    if format is not None and array.format != format:
        _refuse(copy, f"format {array.format} has to become {format}")
        array = array.asformat(format)
    return array


def _tensor_of(obj: Any, fill_value: Any, copy: bool | None) -> Tensor:
    if isinstance(obj, Array):
        tensor = stored(obj.copy() if copy else obj)
        if fill_value is not None and tensor.fill != fill_value:
            raise ValueError(
                f"the array's fill_value is {tensor.fill}, not {fill_value}: use "
                "asarray(a.todense(), format=..., fill_value=...)"
            )
        return tensor
    if is_scipy(obj):
        from structarr.interop.scipy import from_scipy

        tensor = from_scipy(obj, copy=bool(copy))
    else:
        tensor = from_dense(_numpys(obj, copy))
    return tensor if fill_value is None else _filled(tensor, fill_value)


def _numpys(obj: Any, copy: bool | None) -> Any:
    array = numpy_of(obj)
    if copy is False and not (isinstance(obj, np.ndarray) and np.may_share_memory(array, obj)):
        _refuse(copy, f"{type(obj).__name__} is no NumPy array of a native dtype")
    shared = array is obj or not isinstance(obj, (list, tuple, int, float, complex))
    return array.copy() if copy and shared else array


def _filled(tensor: Tensor, fill_value: Any) -> Tensor:
    fill = _dtypes.scalar(np.asarray(fill_value)[()], tensor.dtype)
    if fill != fill_value and fill == fill:
        raise FormatError(f"fill_value {fill_value!r} is not exact in dtype {tensor.dtype}")
    return Tensor(tensor.format, tensor.shape, tensor.dtype, fill, tensor.buffers)


def _refuse(copy: bool | None, why: str) -> None:
    if copy is False:
        raise ValueError(f"unable to avoid a copy: {why}; leave copy=False out")


def _check_device(device: str | None) -> None:
    if device not in (None, "cpu"):
        raise ValueError(f'there is no device {device!r}; use "cpu"')


@publish(np.astype)
def astype(
    x: Any,
    dtype: Any,
    /,
    order: Any = "K",
    casting: Any = "unsafe",
    subok: bool = True,
    copy: bool = True,
    *,
    device: str | None = None,
) -> Array:
    """
    Cast an array to a dtype.

    Parameters
    ----------
    x : array_like
        The elements.
    dtype : dtype
        Of the result.
    order, subok, copy
        As NumPy has them; they make no difference, since arrays are values.
    casting : str
        Which casts are allowed.
    device : {"cpu"}, optional
        Where the array is to live.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.astype(sa.asarray([1.7, -1.7]), "int8").tolist()
    [1, -1]
    """
    _check_device(device)
    return cast(owned(as_array(x)), _dtypes.check(dtype), casting, "array data")


def full(shape: Shape, fill_value: Any, *, dtype: Any = None, device: str | None = None) -> Array:
    """
    Make an array of one value; it takes no memory until it is looked at.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.full((2, 2), 7).tolist()
    [[7, 7], [7, 7]]
    """
    _check_device(device)
    value = np.asarray(fill_value)
    if value.ndim:
        raise ValueError(f"fill_value must be a scalar, not of shape {value.shape}")
    kind = _dtypes.check(value.dtype if dtype is None else dtype)
    node = _graph.constant(_dtypes.scalar(value.item(), kind), kind)
    return Array(_graph.broadcast_to(node, as_shape(shape)), 1)


def zeros(shape: Shape, *, dtype: Any = None, device: str | None = None) -> Array:
    """Make an array of zeros; see `full`."""
    return full(shape, 0, dtype=np.float64 if dtype is None else dtype, device=device)


def ones(shape: Shape, *, dtype: Any = None, device: str | None = None) -> Array:
    """Make an array of ones; see `full`."""
    return full(shape, 1, dtype=np.float64 if dtype is None else dtype, device=device)


def empty(shape: Shape, *, dtype: Any = None, device: str | None = None) -> Array:
    """Make an array whose elements do not matter: zeros, as arrays are values."""
    return zeros(shape, dtype=dtype, device=device)


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> Array:
    """Make an array of whatever exports its memory by DLPack, sharing it where possible."""
    _check_device(device)
    return asarray(np.from_dlpack(x), copy=copy)


@publish(np.full_like)
def full_like(
    x: Any,
    /,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: str | None = None,
) -> Array:
    """Make an array of one value, with the shape and dtype of another unless given."""
    like = as_array(x)
    wanted = like.shape if shape is None else shape
    kind = like.dtype if dtype is None else dtype
    return full(wanted, fill_value, dtype=kind, device=device)


@publish(np.zeros_like)
def zeros_like(x: Any, /, dtype: Any = None, *args: Any, **kwargs: Any) -> Array:
    """Make an array of zeros like another; the arguments are those of `full_like`."""
    return full_like(x, 0, dtype, *args, **kwargs)


@publish(np.ones_like)
def ones_like(x: Any, /, dtype: Any = None, *args: Any, **kwargs: Any) -> Array:
    """Make an array of ones like another; the arguments are those of `full_like`."""
    return full_like(x, 1, dtype, *args, **kwargs)


@publish(np.empty_like)
def empty_like(x: Any, /, dtype: Any = None, *args: Any, **kwargs: Any) -> Array:
    """Make an array like another whose elements do not matter."""
    return full_like(x, 0, dtype, *args, **kwargs)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: str | None = None,
) -> Array:
    """
    Make a matrix with ones on one diagonal, in format "csr".

    Examples
    --------
    >>> import structarr as sa
    >>> sa.eye(2, 3, k=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    _check_device(device)
    columns = n_rows if n_cols is None else n_cols
    kind = _dtypes.check(np.float64 if dtype is None else dtype)
    rows = np.arange(max(0, -k), max(0, min(n_rows, columns - k), -k))
    values = np.ones(len(rows), kind)
    csr = parse("csr", 2)
    return of_tensor(from_coordinates((rows, rows + k), values, (n_rows, columns), 0, csr))


def arange(
    start: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: str | None = None,
) -> Array:
    """Make a dense vector of evenly spaced values, as `numpy.arange` does."""
    _check_device(device)
    low, high = (0, start) if stop is None else (start, stop)
    _check_size("arange", (high - low) / step if step else 0)
    return asarray(np.arange(low, high, step, dtype=dtype))


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: str | None = None,
    endpoint: bool = True,
) -> Array:
    """Make a dense vector of `num` evenly spaced values, as `numpy.linspace` does."""
    _check_device(device)
    _check_size("linspace", num)
    return asarray(np.linspace(start, stop, num, endpoint=endpoint, dtype=dtype))


def _check_size(name: str, count: float) -> None:
    limit = current().densify_limit
    if count * 8 > limit:
        raise DensificationError(
            f"{name}: {count:.0f} elements take more than densify_limit={limit} bytes; allow more "
            "with structarr.options(densify_limit=...)"
        )
