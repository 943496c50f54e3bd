"""Arrays of coordinates and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from structarr._api.core.operands import as_shape
from structarr._array import Array, NumPyArray, Spec, of_tensor
from structarr._storage.buffers import conformed
from structarr._storage.entry_order import changes, entry_order
from structarr._storage.sorted_entries import from_entries
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import pruned
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import parse
from structarr.formats.name_table import matches

_INT32 = np.iinfo(np.int32).max


def from_coordinates(
    coords: Any,
    values: Any,
    shape: int | Sequence[int] | None = None,
    *,
    format: Spec = "coo",
    fill_value: Any = 0,
    duplicates: Literal["sum", "raise"] = "sum",
) -> Array:
    """
    Make an array from coordinates, in any order, and the values at them.

    Parameters
    ----------
    coords : sequence of array_like
        An array of integers for each axis, or a matrix with a row for each axis; for one axis,
        its array alone will do.
    values : array_like
        Value of each entry, or one for all.
    shape : int or sequence of int, optional
        The lengths of the axes; None stands for the least that hold the coordinates.
    format : str, Level or Format
        How to store the array. "coo" keeps every value given; other formats leave out those that
        equal `fill_value`, as `asformat` does.
    fill_value : scalar
        The value everywhere else.
    duplicates : {"sum", "raise"}
        Whether values at the same coordinates are added up or refused.

    Returns
    -------
    Array
        In the given format, computed at the call in the time that sorting the entries takes.
        Coordinates are int32 if those given are and the shape allows it, else int64.

    Raises
    ------
    FormatError
        If a coordinate is outside the shape, the lengths differ, or, with ``duplicates="raise"``,
        two entries have the same coordinates.
    TypeError
        If the dtype of the values cannot be stored.

    See Also
    --------
    asarray : Of whole arrays.
    nonzero : The coordinates of an array.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.from_coordinates(([1, 0, 1], [2, 0, 2]), [1.0, 5.0, 2.0], (2, 3))
    >>> a
    <structarr.Array shape=(2, 3) dtype=float64 format=coo nstored=2 fill=0.0
      5.   .   .
       .   .  3.>
    >>> a.todense()
    array([[5., 0., 0.],
           [0., 0., 3.]])
    """
    if duplicates not in ("sum", "raise"):
        raise ValueError(f'duplicates must be "sum" or "raise", not {duplicates!r}')
    lengths = None if shape is None else as_shape(shape)
    axes = _axes(coords, lengths)
    count = len(axes[0]) if axes and axes[0].ndim else np.size(values)
    flat = np.broadcast_to(values, (count,)) if np.ndim(values) == 0 else conformed(values)
    if lengths is None:
        lengths = tuple(_length(axis, coord) for axis, coord in enumerate(axes))
    narrow = all([axis.dtype == np.int32 for axis in axes])
    index = "int32" if narrow and max((count, *lengths)) <= _INT32 else "int64"
    auto = isinstance(format, str) and format.lower() == "auto"
    asked, coo = [parse(one, len(lengths), index) for one in ("coo" if auto else format, "coo")]
    is_listed = not auto and matches(asked, coo)
    tensor = from_entries(axes, flat, lengths, index, None if is_listed else asked.order)
    if duplicates == "raise":
        _refuse_duplicates(axes, count, tensor)
    fill = dtypes.scalar(fill_value, tensor.dtype)
    if not dtypes.same(fill, fill_value):
        raise FormatError(
            f"fill_value {fill_value!r} is not exact in dtype {tensor.dtype}; give wider values"
        )
    made = Tensor(tensor.format, lengths, tensor.dtype, fill, tensor.buffers, tensor.memo)
    if is_listed:
        return of_tensor(made)
    return of_tensor(made if made.format == coo else pruned(made)).asformat(format)


def _axes(coords: Any, shape: tuple[int, ...] | None) -> list[NumPyArray]:
    """An array for each axis; one axis may come without a list around it."""
    axes = [conformed(axis) for axis in coords]
    alone = all([axis.ndim == 0 for axis in axes]) and (len(axes) > 0 or shape not in (None, ()))
    return [conformed(coords)] if alone else axes


def _length(axis: int, coord: NumPyArray) -> int:
    if coord.size and coord.dtype.kind not in "iu":
        raise FormatError(f"coordinates of axis {axis} must be integers, not {coord.dtype}")
    return int(coord.max(initial=-1)) + 1 if coord.size else 0


def _refuse_duplicates(axes: list[NumPyArray], count: int, tensor: Tensor) -> None:
    """Raise if entries were added up, naming the first that came to a place taken."""
    if count <= tensor.nstored:
        return
    order = entry_order(axes, count)
    pairs = np.flatnonzero(~changes([axis[order] for axis in axes], count)[1:])
    pair = pairs[np.argmin(order[1:][pairs])]
    one, other = (int(place) for place in order[pair : pair + 2])
    place = tuple(int(axis[other]) for axis in axes)
    raise FormatError(
        f"coordinates: entries {one} and {other} are both at {place}; leave one out, or add them "
        'up with duplicates="sum"'
    )
