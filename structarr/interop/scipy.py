"""scipy.sparse arrays and matrices to tensors and back.

The readers of SciPy's layouts are in `layouts`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from structarr._storage.as_rows import in_rows
from structarr._storage.dense import dense_view
from structarr._storage.listed_runs import each_of, runs_of
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_relisted, relisted
from structarr._support import dtypes
from structarr._support.buffer_pool import copied
from structarr._support.meant import meant
from structarr.errors import FormatError
from structarr.formats import Coordinate, Diagonals, Element, Format, Singleton, name_of, parse
from structarr.formats.entries import Array
from structarr.interop.layouts import READERS

LAYOUTS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
_INT32 = np.iinfo(np.int32).max
_COO = Coordinate(Singleton(Element()))


def from_scipy(matrix: Any, *, copy: bool = False) -> Tensor:
    """
    Make a tensor of any scipy.sparse array or matrix; stored zeros stay stored.

    CSR, CSC, COO, BSR and DIA keep their structure and share their values, if the entries are
    sorted without duplicates, and diagonals are as long as a matrix that is not wider than high.
    Otherwise they are sorted and duplicates are added up, in a copy. Coordinates and pointers are
    shared only if nobody can write them. LIL becomes "csr". DOK becomes "coo", which takes no more
    memory than the entries, however large the shape; ask for "hash" to look elements up.

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
    if not copy:
        return tensor
    given = _arrays(matrix)
    buffers = tuple([copied(one) if _is_lent(one, given) else one for one in tensor.buffers])
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, buffers)


def _is_lent(buffer: Array, given: dict[int, Array]) -> bool:
    """Whether a buffer is one of some arrays, or a view that may lie in their memory."""
    if id(buffer) in given or id(buffer.base) in given:
        return True
    return buffer.base is not None and any(
        [np.may_share_memory(buffer, one) for one in given.values()]
    )


def _arrays(matrix: Any) -> dict[int, Array]:
    """The NumPy arrays that a sparse array has as attributes or in these, by identity."""
    parts = [*vars(matrix).values()]
    parts += [one for part in parts if isinstance(part, tuple) for one in part]
    return {id(one): one for one in parts if isinstance(one, np.ndarray)}


def to_scipy(tensor: Tensor, layout: str | None = None) -> Any:
    """
    Make a scipy.sparse array of a tensor whose fill is zero; of more than two axes, a COO array.

    Buffers that fit are shared, as read-only views. Zeros that a list, band or bitmap stores stay
    stored; those in dense parts and runs do not. Only entries of the result are listed: a long run
    of zeros takes no memory.

    Parameters
    ----------
    tensor : Tensor
        What to convert.
    layout : {"csr", "csc", "coo", "bsr", "dia", "lil", "dok"}, optional
        None stands for that of the tensor's format: "coo", "bsr" and "dia" for the formats of
        these names, "coo" unless there are two axes, "csc" if the outermost level holds columns,
        else "csr".

    Raises
    ------
    FormatError
        If the fill is not zero, there are no axes, or no such layout for so many.
    DensificationError
        If values that are stored once stand for so many entries that these take too much memory.

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
    asked = _lists(tensor, chosen)
    tensor = tensor if asked is None else in_rows(tensor, None)
    if asked not in (None, tensor.format) and is_relisted(tensor, asked):
        tensor = relisted(tensor, asked)
    if name_of(tensor.format) == chosen and chosen in _WRITERS:
        return _WRITERS[chosen](tensor)
    made = _coo(tensor)
    return made if chosen == "coo" else made.asformat(chosen)


def _layout(tensor: Tensor, layout: str | None) -> str:
    if not tensor.ndim:
        raise FormatError("scipy.sparse takes one axis or more, not 0: use .item()")
    if layout is None:
        return _natural(tensor.format)
    if layout not in LAYOUTS:
        raise FormatError(
            f"there is no layout {layout!r}; {meant(layout, LAYOUTS)}the layouts are "
            f"{', '.join(LAYOUTS)}"
        )
    if tensor.ndim == 1 and layout not in ("coo", "csr", "dok"):
        raise FormatError(f"layout {layout!r} is for two axes; for one there are coo, csr, dok")
    if tensor.ndim > 2 and layout != "coo":
        raise FormatError(f"layout {layout!r} is for two axes; for {tensor.ndim} there is coo")
    return layout


def _lists(tensor: Tensor, layout: str) -> Format | None:
    """The format of a layout's lists, in the order of the axes that costs least."""
    if tensor.ndim != 2 or layout not in ("csr", "csc", "coo"):
        return None
    index = tensor.format.index
    return Format(_COO, tensor.format.order, index) if layout == "coo" else parse(layout, 2, index)


def _natural(format: Format) -> str:
    """The layout of a format's structure."""
    if format.ndim != 2 or isinstance(format.root, Coordinate):
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
    *places, values = tensor.buffers
    return read_only(values), *map(fixed, reversed(places))


def _canonical(kind: Any, buffers: tuple[Array, ...], shape: tuple[int, ...]) -> Any:
    made = kind(buffers, shape=shape)
    # SciPy then neither tests nor sorts the buffers, which are read-only views.
    made.has_canonical_format = True
    return made


def _dia(tensor: Tensor) -> Any:
    """The layout "dia": SciPy stores diagonals by columns, and so do we where there are few."""
    (rows, columns), (offsets, val), level = tensor.shape, tensor.buffers, tensor.format.levels[1]
    assert isinstance(level, Diagonals)
    if columns <= rows:
        data = read_only(val).reshape(len(offsets), columns)
    else:
        data = np.zeros((len(offsets), columns), val.dtype)
        places = {offset: place for place, offset in enumerate(offsets.tolist())}
        for offset, first, stop, own in level.along(rows, columns, val):
            data[places[offset], first + offset : stop + offset] = own
    return scipy.sparse.dia_array((data, offsets.copy()), shape=tensor.shape)


_WRITERS: dict[str, Callable[[Tensor], Any]] = {"csr": _csr, "csc": _csc, "bsr": _bsr, "dia": _dia}


def _coo(tensor: Tensor) -> Any:
    format = tensor.format
    *axes, leaf = format.levels
    listed = isinstance(axes[0], Coordinate) and all(type(one) is Singleton for one in axes[1:])
    if type(leaf) is Element and (listed or name_of(format) == "list"):
        places = [fixed(place) for place in tensor.buffers[1:-1]]
        coords = tuple([places[format.order.index(axis)] for axis in range(tensor.ndim)])
        values = read_only(tensor.buffers[-1])
    else:
        coords, values = _entries(tensor)
        index = tensor.format.index if max(tensor.shape) <= _INT32 else "int64"
        coords = tuple(coord.astype(index, copy=False) for coord in coords)
    made = scipy.sparse.coo_array(tensor.shape, dtype=values.dtype)
    made.coords, made.data = coords, values  # which are inside: SciPy need not look
    made.has_canonical_format = tensor.format.order == tuple(range(tensor.ndim))
    return made


def _entries(tensor: Tensor) -> tuple[tuple[Array, ...], Array]:
    """The coordinates and values of all that is not left out, or not zero in what has it all."""
    dense = dense_view(tensor)
    if dense is not None:
        places = dense.nonzero()
        return places, dense[places]
    if tensor.is_constant and tensor.constant == 0:
        return (np.zeros(0, np.int64),) * tensor.ndim, np.zeros(0, tensor.dtype)
    runs = runs_of(tensor, tensor.format.order)
    if not tensor.format.levels[-2].kind.is_sparse:
        runs = runs.where(runs.values != 0)
    listed = each_of(runs)
    by_axis = dict(zip(tensor.format.order, (*listed.outer, listed.start), strict=True))
    return tuple(by_axis[axis] for axis in range(tensor.ndim)), listed.values


def read_only(buffer: Array) -> Array:
    """A view of values, by which nobody can write them."""
    view = buffer.view()
    view.flags.writeable = False
    return view


def fixed(places: Array) -> Array:
    """A view of coordinates or pointers, which are our own: nobody can write them from now on."""
    held: object = places
    while isinstance(held, np.ndarray):  # a view of what is writable could be made writable again
        held.flags.writeable = False
        held = held.base
    return places.view()


def narrow(matrix: Any) -> Any:
    """
    Give a "csr" or "csc" array that has just been made int32 indices, if they fit, and return it.

    It keeps its identity: SciPy takes long to make another.

    Examples
    --------
    >>> import scipy.sparse
    >>> values = np.array([1.0])
    >>> made = scipy.sparse.csr_array((values, np.array([2]), np.array([0, 1])), shape=(1, 3))
    >>> np.shares_memory(narrow(made).data, values), made.indices.dtype
    (True, dtype('int32'))
    """
    if max(*matrix.shape, matrix.nnz) <= _INT32:
        matrix.indices = matrix.indices.astype(np.int32, copy=False)
        matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
    return matrix


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
