"""Products of Dask arrays, cut by what their chunks store and by what has to travel."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import dask.array as da
import numpy as np
from dask.utils import parse_bytes

from structarr._array import Array
from structarr._dask.known_counts import stored_bytes
from structarr._dask.splitting import USUAL
from structarr._dask.united import as_dask
from structarr._dask.unknown_sizes import (
    can_be_joined,
    check_joined,
    cut_as,
    joined,
    length_or_guess,
    may_be_equal,
)

Way: TypeAlias = Literal["rows", "columns", "tiles", "inner"]

LEFT_JOINED: Final = {"rows": (1,), "columns": (0, 1), "tiles": (), "inner": (0,)}
"""The axes of the first factor whose chunks become one, for each way."""

RIGHT_JOINED: Final = {"rows": (0, 1), "columns": (0,), "tiles": (), "inner": (1,)}
"""The same of the second factor."""

FACTOR: Final = 8
"""So many times the size of a usual chunk may be held whole, as the other factor, by a worker."""


def matmul(a: Any, b: Any, /, *, mask: Any = None, by: Way | None = None) -> Any:
    """
    Multiply matrices, or a matrix by a vector, chunk by chunk.

    Parameters
    ----------
    a, b : dask.array.Array or array_like
        Matrices; `b` may be a vector.
    mask : dask.array.Array or array_like, optional
        By which the product is multiplied; where it stores nothing, nothing is computed.
    by : {"rows", "columns", "tiles", "inner"}, optional
        How the product is cut; None stands for what moves the fewest bytes (`product_costs`).

        - "rows": chunks of rows of `a`, each by the whole of `b`;
        - "columns": the whole of `a` by chunks of columns of `b`;
        - "tiles": each tile of the result by a row of chunks of `a` and a column of chunks of `b`;
        - "inner": chunks of columns of `a` by chunks of rows of `b`, whose products are added.

    Returns
    -------
    dask.array.Array
        With chunks of ours.

    Raises
    ------
    ValueError
        If the shapes do not agree, or there is no such way; or where chunks of unknown sizes would
        have to be joined or cut.
    TypeError
        If the chunks of an operand cannot be ours.

    See Also
    --------
    product_costs : What decides.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> x = sa.dask.from_array(sa.asarray(np.tri(8), format="csr"), nbytes=320)
    >>> sa.dask.matmul(x, np.ones(8)).compute().tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    """
    left, right = as_dask(a, "a"), as_dask(b, "b")
    _check(left, right)
    over = None if mask is None else as_dask(mask, "mask")
    shape = (*left.shape[:1], *right.shape[1:])
    if over is not None and not (
        over.ndim == len(shape) and all(map(may_be_equal, over.shape, shape))
    ):
        raise ValueError(f"mask has shape {over.shape}; the product has {shape}")
    way = product_costs(left, right).least if by is None else by
    check_joined(left, LEFT_JOINED.get(way, ()), "a")
    check_joined(right, RIGHT_JOINED.get(way, ()), "b")
    left, right = _cut(left, right, way)
    if way == "inner":
        made = da.matmul(left, right)
        kind = np.result_type(left.dtype, right.dtype)
        made = made if made.dtype == kind else made.astype(kind)  # Dask adds integers up as int64
        return made if over is None else made * cut_as(over, made.chunks, "mask")
    return _tiled(left, right, over)


class ProductCosts(NamedTuple):
    """The bytes that travel between workers, by how a product is cut; infinite where too large."""

    rows: float
    columns: float
    tiles: float
    inner: float

    @property
    def least(self) -> Way:
        """The way with the fewest; of equals, the first."""
        ways: tuple[Way, ...] = ("rows", "columns", "tiles", "inner")
        return min(ways, key=lambda way: float(getattr(self, way)))


def product_costs(a: Any, b: Any, /, *, workers: int | None = None) -> ProductCosts:
    """
    Return the bytes that travel for a product, for each way to cut it.

    Parameters
    ----------
    a, b : dask.array.Array
        What is multiplied. Counts of chunks that are known (`count`) are used; of others, one in a
        hundred elements is taken to be stored.
    workers : int, optional
        How many there are; None stands for those of the current client, or for the chunks.

    Returns
    -------
    ProductCosts
        In bytes. A factor that every worker has to hold whole must not be larger than eight usual
        chunks, 1 GiB. Chunks of unknown sizes cannot be joined: a way that would is infinite, too.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> x = sa.dask.from_array(sa.asarray(np.tri(64), format="csr"), nbytes=4000)
    >>> sa.dask.product_costs(x, x[:, :1], workers=2).least
    'rows'
    """
    left, right = stored_bytes(a), stored_bytes(b)
    most = workers or _workers() or max(a.npartitions, b.npartitions)
    limit = FACTOR * parse_bytes(USUAL)
    rows, inner, columns = a.numblocks[0], a.numblocks[1], (*b.numblocks[1:], 1)[0]
    long, between, wide = map(length_or_guess, (*a.shape, (*b.shape[1:], 1)[0]))
    entries = min(left * right / max(between, 1) / 16, long * wide * 8.0)
    can: dict[str, bool] = {
        way: can_be_joined(a, LEFT_JOINED[way]) and can_be_joined(b, RIGHT_JOINED[way])
        for way in LEFT_JOINED
    }
    return ProductCosts(
        rows=(
            _regrouped(left, inner) + right * min(most, rows)
            if right <= limit and can["rows"]
            else np.inf
        ),
        columns=(
            _regrouped(right, b.numblocks[0]) + left * min(most, columns)
            if left <= limit and b.ndim > 1 and can["columns"]
            else np.inf
        ),
        tiles=left * min(columns, most) + right * min(rows, most),
        inner=(
            _regrouped(left, rows) + _regrouped(right, columns) + entries * min(most, inner)
            if inner > 1 and can["inner"]
            else np.inf
        ),
    )


def _regrouped(total: float, pieces: int) -> float:
    """The bytes that travel where so many chunks along an axis become one."""
    return total * (pieces - 1) / pieces


def _workers() -> int:
    """The workers of the current client of `distributed`, if there is one."""
    try:
        from distributed import default_client
    except ImportError:
        return 0
    try:
        return len(default_client().scheduler_info()["workers"])
    except ValueError:
        return 0


def _check(a: Any, b: Any) -> None:
    if a.ndim != 2 or b.ndim not in (1, 2):
        raise ValueError(
            f"a product by chunks is of a matrix and a matrix or vector, not of {a.ndim} and "
            f"{b.ndim} axes; dask.array.matmul and tensordot take more"
        )
    if not may_be_equal(a.shape[1], b.shape[0]):
        raise ValueError(f"a has {a.shape[1]} columns and b has {b.shape[0]} rows")


def _cut(a: Any, b: Any, way: Way) -> tuple[Any, Any]:
    """The factors in chunks for a way, which agree along the axis that is summed over."""
    match way:
        case "rows":
            return joined(a, (1,)), joined(b, range(b.ndim))
        case "columns":
            return joined(a, (0, 1)), joined(b, (0,))
        case "inner":
            parts = a.chunks[1] if a.numblocks[1] > 1 else b.chunks[0]
            left, right = joined(a, (0,)), joined(b, (1,) * (b.ndim - 1))
            return (
                cut_as(left, (left.chunks[0], parts), "a"),
                cut_as(right, (parts, *right.chunks[1:]), "b"),
            )
        case "tiles":
            return a, cut_as(b, (a.chunks[1], *b.chunks[1:]), "b")
    raise ValueError(f"by must be 'rows', 'columns', 'tiles' or 'inner', not {way!r}")


def _tiled(a: Any, b: Any, mask: Any) -> Any:
    """The product whose chunks are each computed by one task."""
    out = "ij"[: b.ndim]
    kind = np.result_type(a.dtype, b.dtype)
    others = [] if mask is None else [cut_as(mask, (a.chunks[0], *b.chunks[1:]), "mask"), out]
    kind = kind if mask is None else np.result_type(kind, mask.dtype)
    meta = _tile([a._meta], [b._meta], *([] if mask is None else [mask._meta])).compute()
    return da.blockwise(
        _tile, out, a, "ik", b, "kj"[: b.ndim], *others, concatenate=False, dtype=kind, meta=meta
    )


def _tile(lefts: list[Array], rights: list[Array], mask: Array | None = None) -> Any:
    """A chunk of the product: lazy, so that a mask is pushed into its sums."""
    made = reduce(add, [left @ right for left, right in zip(lefts, rights, strict=True)])
    return made if mask is None else made * mask
