"""Lists in another shape: an element stays at its place in C order, so nothing is sorted."""

from __future__ import annotations

from itertools import accumulate, takewhile
from math import prod
from operator import mul

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.coordinates import from_sorted, nested, with_room
from structarr._storage.density import check_size
from structarr._storage.put import VECTOR
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import ENTRIES, ROWS, along_axes, entries_of, kinds_of
from structarr._support.buffer_pool import empty
from structarr.formats import Dense, Format, parse
from structarr.formats.entries import Array

Shape = tuple[int, ...]


def reshaped_lists(tensor: Tensor, shape: Shape, outer: int) -> Tensor:
    """
    Return the elements of lists in C order in another shape.

    Parameters
    ----------
    tensor : Tensor
        Of lists of coordinates, as `transpose.is_listed` tells.
    shape : tuple of int
        Of as many elements.
    outer : int
        How many of several axes have a list for each index. If none, entries stay entries, and
        all others become lists of lists.

    Raises
    ------
    DensificationError
        If there are far more lists than the tensor has elements.
    ValueError
        If places in C order are more than int64 counts.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> a = Tensor.checked(csr, (2, 3), 0.0, ([0, 2, 3], [0, 2, 2], [1.0, 2.0, 3.0]))
    >>> [one.tolist() for one in reshaped_lists(a, (3, 2), 1).buffers]
    [[0, 1, 2, 3], [0, 0, 1], [1.0, 2.0, 3.0]]
    """
    source = along_axes(tensor)
    format = with_room(_format(source.format, len(shape), outer), shape)
    check_rows(tensor, format, shape)
    _check_places(tensor.shape)
    if _is_split(source, shape, format):
        return Tensor(format, shape, tensor.dtype, tensor.fill, source.buffers)
    found = _in_one_pass(source, shape, format)
    if found is not None:
        return Tensor(format, shape, tensor.dtype, tensor.fill, (*found, source.buffers[-1]))
    axes, values = entries_of(source)
    return from_sorted(unflat(flat(axes, tensor.shape), shape), values, shape, tensor.fill, format)


def _format(source: Format, ndim: int, outer: int) -> Format:
    if ndim > 1 and not outer and source.root.starts_group:
        return parse("coo", ndim, source.index)
    return nested([k < min(outer, ndim - 1) for k in range(ndim)], range(ndim), source.index)


def outer_axes(tensor: Tensor, shape: Shape) -> int:
    """The number of axes of another shape that have a list for each index.

    Those that stand for its outer axes that do; else the first, if its outermost one does.
    """
    levels = tensor.format.levels
    count = len(list(takewhile(lambda level: level.kind.arithmetic, levels)))
    ends, fibers = list(accumulate(shape, mul)), prod(tensor.shape[:count])
    natural = tensor.format.order == tuple(range(tensor.ndim))
    return ends.index(fibers) + 1 if count and natural and fibers in ends else min(count, 1)


def _is_split(source: Tensor, shape: Shape, format: Format) -> bool:
    """Whether rows keep their number and their width, so that nothing moves."""
    split = (Dense,) * (len(shape) - 1) + ROWS[1:]
    plain = kinds_of(source.format) == ROWS and kinds_of(format) == split
    index = source.format.index == format.index
    return plain and index and shape[-1] == source.shape[-1] and prod(shape) > 0


def _in_one_pass(tensor: Tensor, shape: Shape, format: Format) -> tuple[Array, ...] | None:
    """The coordinates of a matrix or vector in the shape of one; None where levels are others."""
    source, target = kinds_of(tensor.format), kinds_of(format)
    count = len(tensor.buffers[-1])
    idx = empty(count, np.dtype(format.index))
    if {source, target} <= {ROWS, VECTOR} and 0 not in shape:
        ptr = np.zeros(2 if len(shape) == 1 else shape[0] + 1, format.index)
        inputs = *tensor.buffers[:2], tensor.shape[-1], shape[-1]
        call("reshape_rows", inputs, (ptr, idx), count + len(ptr) + len(tensor.buffers[0]))
        return ptr, idx
    if source == target == ENTRIES and 0 not in shape:
        row, inputs = empty(count, idx.dtype), (*tensor.buffers[1:3], tensor.shape[-1], shape[-1])
        call("reshape_entries", inputs, (row, idx), count)
        return np.array([0, count], format.index), row, idx
    return None


def check_rows(tensor: Tensor, like: Format, shape: Shape) -> None:
    """Raise DensificationError if a result of lists has far more fibers than an operand holds."""
    levels = zip(like.levels, like.order, strict=False)
    fibers = prod(shape[axis] for _, axis in takewhile(lambda one: one[0].kind.arithmetic, levels))
    what = f"a result of shape {shape} with pointers to {fibers} lists"
    check_size(8 * fibers, what, 'convert with .asformat("csf") first', tensor.nbytes)


def _check_places(lengths: Shape) -> None:
    if prod(lengths) > np.iinfo(np.int64).max:
        raise ValueError(
            f"axes of lengths {lengths} have more places than int64 counts; take fewer at a time"
        )


def flat(axes: tuple[Array, ...] | list[Array], lengths: Shape) -> Array:
    """The places of entries in C order."""
    _check_places(lengths)
    if not axes:
        return np.zeros(1, np.int64)
    places = axes[0].astype(np.int64)
    for coordinate, length in zip(axes[1:], lengths[1:], strict=True):
        places = places * length + coordinate
    return places


def unflat(places: Array, lengths: Shape) -> list[Array]:
    """The coordinates of places in C order."""
    found = []
    for length in reversed(lengths[1:]):
        above = places // max(length, 1)  # by a number that is one for all, quicker than a rest
        found.append(places - above * length)
        places = above
    return [places, *found[::-1]] if lengths else []
