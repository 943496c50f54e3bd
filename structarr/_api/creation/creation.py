"""Arrays made of other arrays, of array-likes, and of SciPy's and pandas' objects."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from structarr._api.core.default_format import placed
from structarr._api.core.expressions import cast
from structarr._api.core.operands import as_array, check_device, numpy_of, owned
from structarr._api.core.publish import publish
from structarr._array import Array, Spec, is_open, is_scipy, of_tensor, stored
from structarr._storage.dense import from_dense
from structarr._storage.ragged_rows import from_lists
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, Casting, DTypeLike, Number, Order
from structarr.errors import FormatError
from structarr.interop import foreign, pandas as frames


def asarray(
    obj: Any,
    /,
    dtype: DTypeLike | None = None,
    format: Spec | None = None,
    fill_value: Number | None = None,
    copy: bool | None = None,
    device: str | None = None,
) -> Array:
    """
    Make an array from an array-like, an object of another library, or another array.

    Buffers are shared where that is possible, as by `numpy.asarray`: a later write to `obj` changes
    the array, too. ``copy=True`` prevents that.

    Parameters
    ----------
    obj : array_like, or an object of another library
        The elements. Nested lists of unlike lengths become ragged rows. Of scipy.sparse, pandas,
        pydata/sparse, Awkward Array, Arrow, Polars, python-graphblas, PyTorch and JAX, and of what
        has ``__binsparse__`` or ``__arrow_c_array__``, the structure is kept; labels have no place
        here. Columns of categories are their values, if these are numbers; else each category is a
        column of truth values, as `from_pandas` makes it of all.
    dtype : dtype_like, optional
        Of the result; None keeps that of `obj`.
    format : str, Level or Format, optional
        How to store the elements: a name, such as "csr", or a tree of levels. None keeps the
        structure that `obj` has, or stores dense data as `options(default_format=...)` says;
        "auto" chooses the format that takes the fewest bytes.
    fill_value : scalar, optional
        Value of the elements that are not stored. Elements of a dense `obj` that equal it are not
        stored; of a sparse `obj` it is the value of what `obj` does not store. Zero by default.
        In a nullable column of pandas it stands for missing values, too.
    copy : bool, optional
        True always copies, False raises where a copy is needed, None copies only where needed.
    device : {"cpu"}, optional
        Device of the array; there is one.

    Returns
    -------
    Array
        In `format` if it is given, else in the structure of `obj`, or dense. Sharing buffers takes
        constant time, a conversion time proportional to what both store.

    Raises
    ------
    TypeError
        If the dtype is not supported.
    FormatError
        If there is no such format for so many axes, or the buffers of `obj` are corrupted.
    ValueError
        If a copy is forbidden and needed, nested lists have unequal lengths, or a sparse
        `obj` has another fill.

    See Also
    --------
    numpy.asarray : The same for arrays of NumPy.
    from_coordinates : An array from coordinates and values.
    Array.asformat : Another format of an array.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.asarray([[0.0, 2.0], [0.0, 0.0]], format="csr")
    <structarr.Array shape=(2, 2) dtype=float64 format=csr nstored=1 fill=0.0
       .  2.
       .   .>
    """
    check_device(device)
    if isinstance(obj, Array) and is_open(obj) and fill_value is None:
        array = obj.copy() if copy else obj
        array = array if dtype is None else astype(array, dtype)
        return array if format is None else array.asformat(format)
    tensor = _tensor_of(obj, dtype, fill_value, copy)
    array = obj if isinstance(obj, Array) and tensor is obj._tensor else of_tensor(tensor)
    if dtype is not None and dtypes.check(dtype) != array.dtype:
        _refuse(copy, f"dtype {array.dtype} has to become {np.dtype(dtype)}")
        array = astype(array, dtype).compute()
    if format is not None and array.format != format:
        given, array = array, array.asformat(format)
        if stored(array) is not stored(given):
            _refuse(copy, f"format {given.format} has to become {array.format}")
    if format is not None or copy is False or not tensor.format.is_dense:
        return array
    if isinstance(obj, Array) or is_scipy(obj) or frames.is_pandas(obj):
        return array
    return placed(array)


def _tensor_of(obj: Any, dtype: Any, fill_value: Any, copy: bool | None) -> Tensor:
    if isinstance(obj, Array):
        tensor = stored(obj.copy() if copy else obj)
        if fill_value is not None and not dtypes.same(tensor.fill, fill_value):
            raise ValueError(
                f"the array's fill_value is {tensor.fill}, not {fill_value}: use "
                "asarray(a.todense(), format=..., fill_value=...)"
            )
        return tensor
    if is_scipy(obj):
        from structarr.interop.scipy import from_scipy

        tensor = from_scipy(obj, copy=bool(copy))
    elif frames.is_pandas(obj) and not frames.is_plain(obj):
        return _of_pandas(obj, fill_value, copy)
    elif foreign.is_foreign(obj):
        return _of_foreign(obj, fill_value, copy)
    else:
        given = obj.to_numpy() if frames.is_pandas(obj) else obj
        try:
            tensor = from_dense(_numpys(given, dtype, copy))
        except ValueError as error:
            if "inhomogeneous" not in str(error):
                raise
            return from_lists(given, dtype, 0 if fill_value is None else fill_value)
        values = tensor.buffers[-1]
        if copy is False and values.size and not np.may_share_memory(values, given):
            _refuse(copy, "the elements lie apart in memory or unaligned, or are not native")
    return tensor if fill_value is None else _filled(tensor, fill_value)


def _of_pandas(obj: Any, fill_value: Any, copy: bool | None) -> Tensor:
    _refuse(copy, "pandas keeps the columns apart")
    tensor = frames.from_pandas(obj, fill_value)
    if copy:
        tensor = deepcopy(tensor)
    if fill_value is None:
        return tensor
    if tensor.format.is_dense:
        return _filled(tensor, fill_value)
    if dtypes.same(tensor.fill, fill_value):
        return tensor
    raise ValueError(
        f"the columns' fill_value is {tensor.fill}, not {fill_value}: for other values where "
        "nothing is stored, use with_fill(asarray(x), value)"
    )


def _of_foreign(obj: Any, fill_value: Any, copy: bool | None) -> Tensor:
    tensor = foreign.tensor_of(obj, fill_value)
    return deepcopy(tensor) if copy else tensor


def _numpys(obj: Any, dtype: Any, copy: bool | None) -> Any:
    array = numpy_of(obj, dtype)
    if not isinstance(obj, np.ndarray):
        _refuse(copy, f"{type(obj).__name__} is no NumPy array")
    shared = array is obj or not isinstance(obj, (list, tuple, int, float, complex))
    return array.copy() if copy and shared else array


def _filled(tensor: Tensor, fill_value: Any) -> Tensor:
    fill = dtypes.scalar(np.asarray(fill_value)[()], tensor.dtype)
    if not dtypes.same(fill, fill_value):
        raise FormatError(
            f"fill_value {fill_value!r} is not exact in dtype {tensor.dtype}; give a wider dtype="
        )
    return Tensor(tensor.format, tensor.shape, tensor.dtype, fill, tensor.buffers)


def _refuse(copy: bool | None, why: str) -> None:
    if copy is False:
        raise ValueError(f"unable to avoid a copy: {why}; leave copy=False out")


@publish(np.astype)
def astype(
    x: ArrayLike,
    dtype: DTypeLike | None,
    /,
    order: Order = "K",
    casting: Casting = "unsafe",
    subok: bool = True,
    copy: bool = True,
    *,
    device: str | None = None,
) -> Array:
    """
    Cast an array to a dtype.

    Parameters
    ----------
    $elements:x
    dtype : dtype_like
        Dtype of the result.
    order, subok
        Accepted as NumPy's function has them, and ignored.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Which casts are allowed.
    copy : bool, optional
        False returns an array that has the dtype as it is.
    $device

    Returns
    -------
    Array
        Lazy, in the format of `x`. Computing takes time proportional to what is stored.

    Raises
    ------
    TypeError
        If the dtype is not supported, or the cast is not allowed.
    ValueError
        If the device is not "cpu".

    See Also
    --------
    can_cast : Which casts are allowed.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.astype(sa.asarray([1.7, -1.7]), "int8").tolist()
    [1, -1]
    """
    check_device(device)
    array, kind = as_array(x), dtypes.check(dtype)
    if not copy and array is x and array.dtype == kind:
        return array
    return cast(owned(array), kind, casting, "array data")


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> Array:
    """
    Make an array from an object that exports its memory by DLPack, sharing it where possible.

    Parameters
    ----------
    x : object
        With the methods ``__dlpack__`` and ``__dlpack_device__``. An array of this package is taken
        as it is, whatever its format.
    device : {"cpu"}, optional
        Device of the array; there is one.
    copy : bool, optional
        True always copies, False raises where a copy is needed, None copies only where needed.

    Returns
    -------
    Array
        Dense; memory is shared where possible, in constant time, and copied otherwise.

    Raises
    ------
    BufferError
        If the elements are not in the host's memory and are not to be copied.
    TypeError
        If the dtype is not supported.

    See Also
    --------
    numpy.from_dlpack : The same for arrays of NumPy.
    asarray : Of NumPy's, SciPy's and pandas' objects.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> sa.from_dlpack(np.arange(3)).tolist()
    [0, 1, 2]
    """
    check_device(device)
    if isinstance(x, Array):
        return asarray(owned(x), copy=copy)
    return asarray(
        np.from_dlpack(x, device="cpu" if device else None, copy=copy),
        copy=False if copy is False else None,
    )
