"""Kronecker products: of lists a list, of diagonals diagonals."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.entry_lists import is_listed, listed, nested
from structarr._api.core.expressions import combine, derive, product_dtype
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.creation.diagonals import of_diagonals
from structarr._api.linalg.square_checks import diagonals
from structarr._api.shape.manipulation import expand_dims
from structarr._api.shape.reshaping import reshape
from structarr._array import Array, settle, stored
from structarr._compiler.backend.call import call
from structarr._compiler.options import current
from structarr._execute.compute import in_format
from structarr._lazy.graph import leaf
from structarr._scheduler import kronecker
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.kronecker import Formed
from structarr._storage.coordinates import coordinates
from structarr._storage.density import check_density, check_size
from structarr._storage.entry_order import longest_counted
from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_entries, is_relisted, is_rows, relisted
from structarr._support.array_types import ArrayLike
from structarr._support.broadcasting import countable
from structarr._support.buffer_pool import empty
from structarr.formats import Dense, Element, Format, SparseList


@publish(np.kron)
def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """
    Return the Kronecker product: a block, `b` times the element, for each element of `a`.

    Parameters
    ----------
    a, b : array_like
        The operands; the one with fewer axes gets new ones in front.

    Returns
    -------
    Array
        Lazy: products with dense arrays apply `a` and `b` one after the other. Where it is
        computed, it has format "dia" for diagonals if `b` is square; if an operand is sparse,
        compressed levels below a first axis that is dense if both operands' are, in time
        proportional to the number of pairs of stored entries; else the format of a product that is
        reshaped.

    Raises
    ------
    DensificationError
        If the result's rows alone take more than `densify_limit`, and more than the entries.

    See Also
    --------
    outer : Not in blocks.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.kron(sa.eye(2), [[1, 2]])
    >>> a.tolist(), str(a.format)
    ([[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 2.0]], 'csr')
    """
    left, right = as_array(a), as_array(b)
    if not left.ndim or not right.ndim:
        return combine("multiply", left, right)
    ndim = max(left.ndim, right.ndim)
    left, right = (
        x if x.ndim == ndim else expand_dims(x, tuple(range(ndim - x.ndim))) for x in (left, right)
    )
    for one in (left, right):
        settle(one)
    return _of_stored(left, right)


@by_structure(2)
def _of_stored(left: Array, right: Array) -> Array:
    shape = _shape(left, right)
    if _of_entries(stored(left), stored(right)):
        return _lazy(left, right)
    ndim = left.ndim
    spread = combine(
        "multiply",
        expand_dims(left, tuple(range(1, 2 * ndim, 2))),
        expand_dims(right, tuple(range(0, 2 * ndim, 2))),
    )
    return reshape(spread, shape)


def _shape(left: Array | Tensor, right: Array | Tensor) -> tuple[int, ...]:
    return countable(tuple(m * n for m, n in zip(left.shape, right.shape, strict=True)))


def _of_entries(left: Tensor, right: Tensor) -> bool:
    """Whether the product is zero but for products of entries, and not all are there."""
    if current().strict_ieee and (left.dtype.kind in "fc" or right.dtype.kind in "fc"):
        return False
    sparse = [is_listed(tensor) for tensor in (left, right)]
    zero = [not one or tensor.fill == 0 for one, tensor in zip(sparse, (left, right), strict=True)]
    return any(sparse) and all(zero)


def _lazy(left: Array, right: Array) -> Array:
    """The products of all pairs of entries, which are formed where applying them is not enough."""
    one, other = stored(left), stored(right)
    for tensor in (one, other):
        if not is_listed(tensor):
            check_density(tensor)
    of_rows = _offsets(one, other) is not None
    if not of_rows:
        entries = expected_entries(left._node) * expected_entries(right._node)
        of_rows = left.ndim == 2 and _format(one, other, entries).root.kind.arithmetic
    dtype = product_dtype(left.dtype, right.dtype)
    formed = Formed(_formed, of_rows)
    return derive(lambda a, b: kronecker.kron(a, b, formed, dtype), left, right)


def _formed(left: Tensor, right: Tensor) -> Tensor:
    """The products of all pairs of entries."""
    dtype = product_dtype(left.dtype, right.dtype)
    offsets = _offsets(left, right)
    if offsets is None and left.ndim == 2:
        entries = left.counts[-1] * right.counts[-1]
        format = _format(left, right, entries)
        if not (left.is_constant or right.is_constant):
            if is_rows(format):
                return _of_rows(left, right, dtype, format)
            if _shape(left, right)[format.order[0]] <= longest_counted(entries):
                every = Format(Dense(SparseList(Element())), format.order, format.index)
                made = _of_rows(left, right, dtype, every)
                return in_format(leaf(made), format, prune=False)
    (mine, first), (others, second) = coordinates(left), coordinates(right)
    axes = [
        (one[:, None] * length + other).reshape(-1)
        for one, other, length in zip(mine, others, right.shape, strict=True)
    ]
    with np.errstate(all="ignore"):
        values = np.multiply(first[:, None], second, dtype=dtype).reshape(-1)
    shape = _shape(left, right)
    if offsets is not None:
        rows, columns = axes
        packed = np.zeros((len(offsets), min(shape)), values.dtype)
        along = columns if shape[1] <= shape[0] else rows
        packed[np.searchsorted(offsets, columns - rows), along] = values
        return stored(of_diagonals(offsets, packed.reshape(-1), shape, Element()))
    return listed(axes, values, shape, dtype.type(0), _format(left, right, len(values)))


def _of_rows(left: Tensor, right: Tensor, dtype: np.dtype[Any], format: Format) -> Tensor:
    """Rows or columns of products of entries, which are in order as they are made.

    Of factors with entries: a constant in rows has its value as the fill, and none.
    """
    rows = Format(format.root, format.order, "int64")
    factors = [_in_rows(one, rows) for one in (left, right)]
    (*_, first), (*_, second) = parts = [one.buffers for one in factors]
    size, shape = len(first) * len(second), _shape(left, right)
    made = empty(size, np.dtype(np.int64)), empty(size, dtype)
    ptr = np.zeros(shape[format.order[0]] + 1, np.int64)
    values = [_wrapping(one.astype(dtype, copy=False)) for one in (first, second)]
    inputs = [(*part[:2], one) for part, one in zip(parts, values, strict=True)]
    width = right.shape[format.order[1]]
    outputs = (ptr, made[0], _wrapping(made[1]))
    call("multiply_rows", (*inputs[0], *inputs[1], width), outputs, size)
    return Tensor(rows, shape, dtype, dtype.type(0), (ptr, *made), {OWN: True})


def _wrapping(values: np.ndarray) -> np.ndarray:
    """Values whose products wrap around: signed integers are read as unsigned, of the same bits.

    Interpreted, signed ones are integers of Python's, which grow.
    """
    return values.view(f"u{values.itemsize}") if values.dtype.kind == "i" else values


def _in_rows(tensor: Tensor, rows: Format) -> Tensor:
    """A factor as lists of rows or columns, with all that it stores."""
    if is_entries(tensor.format) and is_relisted(tensor, rows):
        return relisted(tensor, rows)
    return in_format(leaf(tensor), rows, prune=False)


def _offsets(left: Tensor, right: Tensor) -> tuple[int, ...] | None:
    """The diagonals of a product of diagonals."""
    mine, others, columns = diagonals(left), diagonals(right), right.shape[-1]
    if mine is None or others is None or right.shape != (columns, columns):
        return None
    return tuple(sorted({one * columns + other for one, other in product(mine, others)}))


def _format(left: Tensor, right: Tensor, entries: int) -> Format:
    """Lists, below a first axis that stores every element if both operands' first axis does."""
    natural = tuple(range(left.ndim))
    orders = [one.format.order for one in (left, right) if not one.format.is_dense]
    order = orders[0] if orders.count(orders[0]) == len(orders) else natural
    above = left.ndim > 1
    for tensor in (left, right):
        apart = tensor.format.order[0] != order[0] or tensor.format.root.kind.is_sparse
        above &= tensor.format.is_dense or not apart
    fibers = _shape(left, right)[order[0]]
    if above:
        what = f"kron: the {fibers} rows of the result need pointers, an array of which"
        check_size(8 * fibers, what, 'give an operand as "dcsr" or "coo"', 16 * entries)
    return nested([above, *[False] * (left.ndim - 1)], order, "int64")
