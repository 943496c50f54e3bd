"""Views of tensors: other axes over the same buffers, remembered by the tensor that is seen."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from structarr._storage.memo import derived
from structarr._storage.tensor import Tensor
from structarr._support.caches import MOST
from structarr.formats import Constant, Dense, Diagonals, Element, Format, kinds

SAME_BUFFERS: Final = frozenset(("view", "expand", "twin", "shaped"))
"""The names of what is derived with the very buffers of a tensor, whatever its elements are.

In another shape a dense array has them where these are in C order, as its format says.
"""


@derived("view")
def permuted(tensor: Tensor, axes: tuple[int, ...]) -> Tensor:
    """A tensor with its axes permuted."""
    return tensor.transposed(axes)


@derived("expand")
def expanded(tensor: Tensor, new: tuple[int, ...]) -> Tensor:
    """A tensor with axes of length one at some places."""
    lengths = iter(tensor.shape)
    ndim = len(tensor.shape) + len(new)
    shape = tuple([1 if k in new else next(lengths) for k in range(ndim)])
    fmt = _expanded(tensor.format, new)
    return Tensor(fmt, shape, tensor.dtype, tensor.fill, tensor.buffers)


@lru_cache(MOST)
def _expanded(fmt: Format, new: tuple[int, ...]) -> Format:
    """The format of a tensor with axes of length one at some places."""
    ndim = len(fmt.order) + len(new)
    old = [k for k in range(ndim) if k not in new]
    order = (*new, *[old[axis] for axis in fmt.order])
    root = fmt.root
    # Constant levels do not count where a level must be at some depth.
    outer = Constant if any(one.at_depth is not None for one in fmt.levels) else Dense
    for _ in new:
        root = outer(root)
    # Levels that are alike stand for any axes; one that tells its length stands for its own alone.
    alike = all(type(one) is outer for one in fmt.levels[:-1])
    if alike and fmt.order == tuple(range(len(fmt.order))):
        order = tuple(range(ndim))
    return Format(root, order, fmt.index)


@derived("twin")
def twin(tensor: Tensor, number: int) -> Tensor:
    """The same tensor as another operand, which remembers orders of its own."""
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, tensor.buffers)


def has_main_diagonal_alone(tensor: Tensor) -> bool:
    """Whether a tensor is a square matrix of zeros but for its main diagonal, as it is stored."""
    levels, shape = tensor.format.levels, tensor.shape
    square = len(shape) == 2 and shape[0] == shape[1]
    if not square or levels[0].kind is not kinds.DENSE or levels[1].kind is not kinds.DIAGONALS:
        return False
    return levels[1].details == ((0,),) and not tensor.fill


@derived("main diagonal")
def main_diagonal(tensor: Tensor, detail: None) -> Tensor:
    """The vector of what a matrix stores that stores its main diagonal alone."""
    fmt = _main_diagonal(tensor.format)
    return Tensor(fmt, tensor.shape[:1], tensor.dtype, tensor.fill, tensor.level_buffers[-1])


@lru_cache(MOST)
def _main_diagonal(fmt: Format) -> Format:
    """The format of the main diagonal of a matrix that stores nothing else."""
    return Format(Dense(fmt.levels[-1]), (0,), fmt.index)


def stored_diagonal(tensor: Tensor, places: slice) -> Tensor:
    """
    Return the vector of some neighbours among a matrix's values, such as a diagonal of it.

    Examples
    --------
    >>> fmt = Format(Dense(Diagonals(Element(), (0, 1))), (0, 1))
    >>> a = Tensor.checked(fmt, (2, 2), 0.0, ([0, 1], [1.0, 3.0, 0.0, 2.0]))
    >>> stored_diagonal(a, diagonal_places(a, 1)).buffers[0].tolist()
    [2.0]
    """
    values = tensor.buffers[-1][places]
    return Tensor(_LINE, values.shape, tensor.dtype, tensor.fill, (values,))


def diagonal_places(tensor: Tensor, offset: int) -> slice | None:
    """The places of a diagonal among a matrix's values; None where these are not one stretch."""
    return _diagonal_places(tensor.format, tensor.shape, offset)


@lru_cache(MOST)
def _diagonal_places(fmt: Format, shape: tuple[int, ...], offset: int) -> slice | None:
    if not _has_diagonals(fmt):
        return None
    level, natural = fmt.levels[1], fmt.order[0] == 0
    assert isinstance(level, Diagonals)
    own = offset if natural else -offset
    return level.stretch(own, *(shape if natural else shape[::-1])) if own in level.known else None


def stores_diagonals(tensor: Tensor) -> bool:
    """Whether a matrix stores diagonals as stretches of its values."""
    return _has_diagonals(tensor.format)


@lru_cache(MOST)
def _has_diagonals(fmt: Format) -> bool:
    return [*map(type, fmt.levels)] == [Dense, Diagonals, Element]


@derived("on diagonal")
def on_diagonal(tensor: Tensor, detail: None) -> Tensor:
    """The matrix that has a dense vector on its main diagonal, and zeros elsewhere."""
    buffers = (np.zeros(1, np.int64), *tensor.buffers)
    shape = (*tensor.shape, *tensor.shape)
    return Tensor(_ON_DIAGONAL, shape, tensor.dtype, tensor.dtype.type(0), buffers)


_LINE = Format(Dense(Element()), (0,))
_ON_DIAGONAL = Format(Dense(Diagonals(Element(), (0,))), (0, 1))
