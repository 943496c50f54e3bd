"""scipy.sparse arrays and matrices to tensors and back.

The readers of SciPy's layouts are in `layouts`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import scipy.sparse

from structarr._storage.coordinates import coordinates
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import Coordinate, Format, name_of
from structarr.formats.entries import Array
from structarr.interop.layouts import READERS

LAYOUTS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
_INT32 = np.iinfo(np.int32).max


def from_scipy(matrix: Any, *, copy: bool = False) -> Tensor:
    """
    Make a tensor of any scipy.sparse array or matrix; stored zeros stay stored.

    CSR, CSC, COO, BSR and DIA keep their structure and, except for DIA, share their buffers, if the
    entries are sorted without duplicates. Otherwise they are sorted and duplicates are added up, in
    a copy. LIL becomes "csr". DOK becomes "coo", which takes no more memory than the entries,
    however large the shape; ask for "hash" to look elements up.

    Parameters
    ----------
    matrix : scipy.sparse array or matrix
        It is not changed.
    copy : bool
        Whether to copy buffers that could be shared.

    Raises
    ------
    FormatError
        If its buffers contradict each other or its shape.
    DensificationError
        If diagonals that SciPy stores in part would take much memory in whole.
    TypeError
        If it is not a sparse array, or its dtype cannot be stored.

    Examples
    --------
    >>> import scipy.sparse
    >>> from_scipy(scipy.sparse.eye_array(3, format="csc"))
    <Tensor csc of shape (3, 3), dtype float64, fill 0.0: 3 stored, 52 bytes>
    """
    if not scipy.sparse.issparse(matrix):
        raise TypeError(f"a scipy.sparse array or matrix is needed, not {type(matrix).__name__}")
    dtypes.check(matrix.dtype)
    try:
        tensor = READERS[matrix.format](matrix)
    except FormatError as error:
        raise FormatError(
            f"the scipy.sparse {matrix.format} array is corrupted: {error}"
        ) from error
    return deepcopy(tensor) if copy else tensor


def to_scipy(tensor: Tensor, layout: str | None = None) -> Any:
    """
    Make a scipy.sparse array of a tensor of one or two axes, whose fill is zero.

    Buffers that fit are shared, as read-only views. Zeros that a list, band or bitmap stores stay
    stored; those in dense parts and runs do not.

    Parameters
    ----------
    tensor : Tensor
        What to convert.
    layout : {"csr", "csc", "coo", "bsr", "dia", "lil", "dok"}, optional
        None stands for that of the tensor's format: "coo", "bsr" and "dia" for the formats of
        these names, "coo" for one axis, "csc" if the outermost level holds columns, else "csr".

    Raises
    ------
    FormatError
        If the fill is not zero, there are not one or two axes, or the layout is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr._storage.dense import from_dense
    >>> to_scipy(from_dense(np.eye(3))).nnz
    3
    """
    chosen = _layout(tensor, layout)
    if tensor.fill != 0:
        raise FormatError(
            f"scipy.sparse arrays are zero where nothing is stored, this one is {tensor.fill}: "
            "subtract the fill first, or use .todense()"
        )
    if name_of(tensor.format) == chosen and chosen in _WRITERS:
        return _WRITERS[chosen](tensor)
    made = _coo(tensor)
    return made if chosen == "coo" else made.asformat(chosen)


def _layout(tensor: Tensor, layout: str | None) -> str:
    if tensor.ndim not in (1, 2):
        raise FormatError(
            f"scipy.sparse takes one or two axes, not {tensor.ndim}: reshape, or use .todense()"
        )
    if layout is None:
        return _natural(tensor.format)
    if layout not in LAYOUTS:
        raise FormatError(f"layout must be one of {', '.join(LAYOUTS)}, not {layout!r}")
    if tensor.ndim == 1 and layout not in ("coo", "csr", "dok"):
        raise FormatError(f"layout {layout!r} is for two axes; for one there are coo, csr, dok")
    return layout


def _natural(format: Format) -> str:
    """The layout of a format's structure."""
    if format.ndim == 1 or isinstance(format.root, Coordinate):
        return "coo"
    name = name_of(format)
    if name in ("bsr", "dia"):
        return name
    return "csc" if format.order == (1, 0) else "csr"


def _csr(tensor: Tensor) -> Any:
    return _canonical(scipy.sparse.csr_array, _swapped(tensor), tensor.shape)


def _csc(tensor: Tensor) -> Any:
    return _canonical(scipy.sparse.csc_array, _swapped(tensor), tensor.shape)


def _bsr(tensor: Tensor) -> Any:
    tiles = tensor.format.levels[1]
    val, idx, ptr = _swapped(tensor)
    height, width = tiles.details
    return _canonical(
        scipy.sparse.bsr_array, (val.reshape(len(idx), height, width), idx, ptr), tensor.shape
    )


def _swapped(tensor: Tensor) -> tuple[Array, ...]:
    return tuple(_read_only(buffer) for buffer in reversed(tensor.buffers))


def _canonical(kind: Any, buffers: tuple[Array, ...], shape: tuple[int, ...]) -> Any:
    made = kind(buffers, shape=shape)
    # SciPy then neither tests nor sorts the buffers, which are read-only views.
    made.has_canonical_format = True
    return made


def _dia(tensor: Tensor) -> Any:
    """The layout "dia": SciPy stores a diagonal by columns, we by rows."""
    (rows, columns), (offsets, val) = tensor.shape, tensor.buffers
    own = val.reshape(rows, len(offsets))
    data = np.zeros((len(offsets), columns), val.dtype)
    for place, offset in enumerate(offsets.tolist()):
        first, last = max(offset, 0), min(columns, rows + offset)
        if first < last:
            data[place, first:last] = own[first - offset : last - offset, place]
    return scipy.sparse.dia_array((data, offsets.copy()), shape=tensor.shape)


_WRITERS: dict[str, Callable[[Tensor], Any]] = {"csr": _csr, "csc": _csc, "bsr": _bsr, "dia": _dia}


def _coo(tensor: Tensor) -> Any:
    shared = {"list": tensor.ndim == 1, "coo": True}.get(name_of(tensor.format), False)
    if shared:
        _, *places, values = map(_read_only, tensor.buffers)
        coords = tuple(places)
    else:
        coords, values = coordinates(tensor)
        if not tensor.format.levels[-2].kind.is_sparse:
            kept = values != 0
            coords, values = tuple(coord[kept] for coord in coords), values[kept]
        index = tensor.format.index if max(tensor.shape) <= _INT32 else "int64"
        coords = tuple(coord.astype(index, copy=False) for coord in coords)
    made = scipy.sparse.coo_array((values, coords), shape=tensor.shape)
    made.has_canonical_format = tensor.format.order == tuple(range(tensor.ndim))
    return made


def _read_only(buffer: Array) -> Array:
    view = buffer.view()
    view.flags.writeable = False
    return view


def narrowed(matrix: Any) -> Any:
    """
    Return a "csr" or "csc" array with int32 indices, if they fit; its values are not copied.

    Examples
    --------
    >>> import scipy.sparse
    >>> wide = scipy.sparse.csr_array(([1.0], np.array([2]), np.array([0, 1])), shape=(1, 3))
    >>> narrowed(wide).indices.dtype
    dtype('int32')
    """
    if matrix.indices.dtype == np.int32 or max(*matrix.shape, matrix.nnz) > _INT32:
        return matrix
    indices, indptr = (part.astype(np.int32) for part in (matrix.indices, matrix.indptr))
    return _canonical(type(matrix), (matrix.data, indices, indptr), matrix.shape)
