"""Stored data: a format, a shape, a dtype, a fill value, and the buffers of the format's levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, ClassVar, Final

import numpy as np

from structarr._compiler.backend.python.host import straight
from structarr._storage.buffers import conformed, settled
from structarr._storage.earlier_layouts import in_this_layout
from structarr._storage.invariants import checked_buffers, checked_fill, checked_shape, validate
from structarr._storage.row_parts import part
from structarr._support import dtypes
from structarr._support.caches import MOST
from structarr.formats.base import Format
from structarr.formats.element import Element
from structarr.formats.entries import Array
from structarr.formats.names import name_of

FIRST = np.zeros(1, np.int64)  # the position of the one value of a tensor that is constant
LAYOUT = 2  # of levels' buffers in pickles: in the first, diagonals were stored row by row


class Tensor:
    """
    An immutable array of a format; compared by identity, as its buffers may be shared.

    The constructor does not check its arguments, since each result of a kernel passes through it;
    `Tensor.checked` checks everything.

    Parameters
    ----------
    format : Format
        The tree of levels, and the axis that each holds.
    shape : tuple of int
        In the order of the user's axes.
    dtype : numpy.dtype
        Of the values.
    fill : numpy.generic
        The value, of that dtype, wherever nothing is stored.
    buffers : tuple of numpy.ndarray
        The levels' buffers from the outermost level to the leaf, whose values come last: each
        one-dimensional and C-contiguous.
    memo : dict, optional
        What was found out about the tensor, such as copies in another order of its axes. It is
        there from the start, as threads would each make one.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", ndim=2)
    >>> Tensor.checked(csr, (2, 3), 0.0, ([0, 1, 3], [2, 0, 1], [1.0, 2.0, 3.0]))
    <Tensor csr of shape (2, 3), dtype float64, fill 0.0: 3 stored, 72 bytes>
    """

    __slots__ = ("__weakref__", "buffers", "dtype", "fill", "format", "memo", "shape")

    # Read-only to mypy; a guard at run time would take longer than all of a tensor's making.
    format: Final[Format]
    shape: Final[tuple[int, ...]]
    dtype: Final[np.dtype[Any]]
    fill: Final[Any]
    buffers: tuple[Array, ...]
    memo: Final[dict[Any, Any]]
    by_parts: ClassVar[bool] = False  # whether rows are worth a tensor of their own, by `part`

    def __init__(
        self,
        format: Format,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        fill: Any,
        buffers: tuple[Array, ...],
        memo: dict[Any, Any] | None = None,
    ) -> None:
        self.format = format
        self.shape = shape
        self.dtype = dtype
        self.fill = fill
        self.buffers = buffers
        self.memo = {} if memo is None else memo

    @classmethod
    def checked(
        cls,
        format: Format,
        shape: Sequence[int],
        fill: Any,
        buffers: Sequence[Any],
        dtype: Any = None,
        valid: bool = False,
    ) -> Tensor:
        """
        Make a tensor of buffers from outside, which are copied only where they must be.

        Parameters
        ----------
        format : Format
            As `structarr.formats.parse` returns it.
        shape : sequence of int
            In the order of the user's axes.
        fill : scalar
            The value wherever nothing is stored; it must be exact in the dtype.
        buffers : sequence of array_like
            The levels' buffers from the outermost level to the leaf, whose values come last.
        dtype : dtype_like, optional
            Of the values; None stands for that of the last buffer.
        valid : bool
            Whether the invariants of the levels were checked, of coordinates that nobody can write.

        Raises
        ------
        FormatError
            If the buffers do not fit the format or break the invariants of a level.
        TypeError
            If the dtype of the values cannot be stored.
        """
        stored, flat = checked_buffers(format, buffers, dtype)
        extents = checked_shape(shape, format)
        tensor = cls(format, extents, stored, checked_fill(fill, stored), flat)
        if not valid:
            validate(format, tensor.shape, tensor.dims, tensor.level_buffers)
        return tensor

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.format, self.shape, self.dtype, self.fill, self.buffers, LAYOUT)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        buffers = tuple(buffer.copy() for buffer in self.buffers)
        return Tensor(self.format, self.shape, self.dtype, self.fill, buffers)

    def __repr__(self) -> str:
        return f"<Tensor {self.summary()}>"

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def dims(self) -> tuple[int, ...]:
        """The shape in storage order: the extent of each level."""
        shape = self.shape
        return tuple([shape[axis] for axis in self.format.order])

    @property
    def nbytes(self) -> int:
        """The bytes of all buffers."""
        return sum([buffer.nbytes for buffer in self.buffers])

    @property
    def level_buffers(self) -> tuple[tuple[Array, ...], ...]:
        """The buffers of each level, from the outermost to the leaf."""
        buffers = self.buffers
        return tuple([buffers[part] for part in _parts(self.format)])

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of children of each level above the leaf."""
        found: tuple[int, ...] | None = self.memo.get("counts")
        if found is None:
            found = _counting(self.format, False)(self.shape, self.buffers)
            self.memo["counts"] = found
        return found

    @property
    def magnitudes(self) -> tuple[int, ...]:
        """The number of bits of each count."""
        memo = self.memo
        found: tuple[int, ...] | None = memo.get("magnitudes")
        if found is None:
            if "counts" in memo or self.by_parts:  # whose buffers are checked if asked for
                found = tuple([count.bit_length() for count in self.counts])
            else:  # most are asked for nothing else
                found = _counting(self.format, True)(self.shape, self.buffers)
            memo["magnitudes"] = found
        return found

    @property
    def is_constant(self) -> bool:
        """Whether the format has one value for all elements."""
        return self.format.is_constant

    @property
    def constant(self) -> Any:
        """The one value of a tensor whose format has one for all elements."""
        if type(self.format.levels[-1]) is Element:  # as nearly all have
            values = self.buffers[-1]
            return values[0] if len(values) else self.fill
        leaf = self.level_buffers[-1]
        if leaf and not len(leaf[0]):
            return self.fill
        return self.format.levels[-1].values(FIRST, leaf)[0]

    @property
    def is_vacant(self) -> bool:
        """Whether an axis along which nothing varies has the length 0."""
        return 0 in self.shape and any(
            level.kind.is_constant and dim == 0
            for level, dim in zip(self.format.levels, self.dims, strict=False)
        )

    def values_at(self, positions: Array) -> Array:
        """The values at some of the leaf's positions."""
        return self.format.levels[-1].values(positions, self.level_buffers[-1])

    @property
    def nstored(self) -> int:
        """The number of stored values; of a bitmap, the marked ones."""
        below = 1
        levels = zip(self.format.levels, self.dims, self.level_buffers, strict=False)
        for level, dim, buffers in reversed(list(levels)):
            if level.flags:
                # Nothing is stored below a child that is not marked.
                return int(np.count_nonzero(buffers[level.buffers.index(level.flags[0])])) * below
            if level.buffers or not level.kind.arithmetic:
                break
            below *= dim
        return self.counts[-1] if self.counts else 1

    def part(self, lo: int, hi: int) -> Tensor | None:
        """The rows from one to another along the outermost level; None where they cannot be cut."""
        levels, axis, shape = self.format.levels, self.format.order[0], self.shape
        if not levels[0].kind.arithmetic or not all(one.slicing for one in levels[:-1]):
            return None
        cut = part(levels, self.dims, self.buffers, lo, hi)
        shape = (*shape[:axis], hi - lo, *shape[axis + 1 :])
        return Tensor(self.format, shape, self.dtype, self.fill, cut)

    def transposed(self, axes: Sequence[int]) -> Tensor:
        """
        Return the tensor whose axis `k` is this one's axis `axes[k]`, with the same buffers.

        Examples
        --------
        >>> from structarr import formats
        >>> csr = formats.parse("csr", ndim=2)
        >>> tensor = Tensor.checked(csr, (1, 3), 0.0, ([0, 1], [2], [1.0]))
        >>> tensor.transposed((1, 0))
        <Tensor csc of shape (3, 1), dtype float64, fill 0.0: 1 stored, 32 bytes>
        """
        shape = self.shape
        format = _transposed(self.format, tuple(axes))
        lengths = tuple(map(shape.__getitem__, axes))
        counts = self.memo.get("counts")  # the same levels, even of a tensor without buffers
        memo = {} if counts is None else {"counts": counts}
        return Tensor(format, lengths, self.dtype, self.fill, self.buffers, memo)

    def summary(self) -> str:
        """Return format, shape, dtype, fill, number of stored values and bytes, in a line."""
        return (
            f"{name_of(self.format)} of shape {self.shape}, dtype {self.dtype}, "
            f"fill {self.fill}: {self.nstored:,} stored, {self.nbytes:,} bytes"
        )


@lru_cache(MOST)
def _transposed(format: Format, axes: tuple[int, ...]) -> Format:
    """The format of a tensor with its axes permuted."""
    if sorted(axes) != list(range(len(format.order))):
        every = tuple(range(len(format.order)))
        raise ValueError(f"axes {axes} must be a permutation of {every}")
    order = tuple([axes.index(axis) for axis in format.order])
    return Format(format.root, order, format.index)


@lru_cache(MOST)
def _parts(format: Format) -> tuple[slice, ...]:
    """The slice of a tensor's buffers that each level has."""
    ends = [0, *accumulate([len(level.buffers) for level in format.levels])]
    return tuple(map(slice, ends, ends[1:]))


@lru_cache(MOST)
def _counting(
    format: Format, bits: bool
) -> Callable[[tuple[int, ...], tuple[Array, ...]], tuple[int, ...]]:
    """From a shape and buffers to the number of children of each level above the leaf, or its bits.

    The code is written, as each new operand is asked for it.
    """
    lines, names, last = [], {}, "1"
    rows = zip(format.levels[:-1], format.order, _parts(format), strict=False)
    for depth, (level, axis, own) in enumerate(rows):
        if level.items is not None:
            code = f"len(buffers[{own.start + level.items}])"
        elif level.arithmetic:
            code = f"{last} * shape[{axis}]"
        else:
            code = f"stored{depth}({last}, shape[{axis}], buffers[{own.start}:{own.stop}])"
            names[f"stored{depth}"] = level.stored
        last = f"n{depth}"
        lines.append(f"{last} = {code}")
    asked = ".bit_length()" if bits else ""
    counts = "".join([f"n{depth}{asked}, " for depth in range(len(lines))])
    return straight("shape, buffers", lines, f"({counts})", names)


def restored(
    format: Format,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    fill: Any,
    buffers: Sequence[Any],
    layout: int = 1,
) -> Tensor:
    """A tensor from a pickle, whose buffers may lie in memory of any layout, or of others."""
    if layout < LAYOUT:
        buffers = in_this_layout(format, shape, buffers)
    values = [level.leaf for level in format.levels for _ in level.buffers]
    conforming = [conformed(buffer) for buffer in buffers]
    own = [
        one if plain or one.base is None else settled(one)
        for plain, one in zip(values, conforming, strict=True)
    ]
    return Tensor(format, shape, dtypes.check(dtype), fill, tuple(own))


def counts_by_axis(tensor: Tensor) -> tuple[int, ...]:
    """The number of children of each axis's level."""
    known = tensor.memo.get("by axis")
    if known is None:
        counts, order = tensor.counts, tensor.format.order
        if order != tuple(range(len(order))):
            counts = tuple([counts[order.index(axis)] for axis in range(len(order))])
        known = tensor.memo["by axis"] = counts
    return known
