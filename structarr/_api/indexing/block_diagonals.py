"""Matrices of blocks along the diagonal."""

from __future__ import annotations

from collections.abc import Sequence

from structarr._api.core.operands import as_array
from structarr._api.indexing.padding import pad
from structarr._api.shape.joining import concat
from structarr._array import Array
from structarr._support.array_types import ArrayLike


def block_diag(blocks: Sequence[ArrayLike], /) -> Array:
    """
    Return a matrix of blocks along its diagonal, with zeros beside them.

    The counterpart of `scipy.sparse.block_diag`, with the dtype of the blocks joined.

    Parameters
    ----------
    blocks : sequence of array_like
        Matrices of any shapes, without rows or columns too; a vector is a row, a number a block of
        one element.

    Returns
    -------
    Array
        Lazy, in the format of the blocks joined by rows: blocks of lists make lists, dense ones a
        dense matrix. Computing takes time proportional to what the result stores.

    Raises
    ------
    ValueError
        If there are no blocks, or one has more than two axes.

    See Also
    --------
    block : Blocks anywhere.
    diags : A matrix of its diagonals.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[1, 2]], format="csr")
    >>> joined = sa.block_diag([a, 3 * a, a.T])
    >>> joined.tolist()
    [[1, 2, 0, 0, 0], [0, 0, 3, 6, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 2]]
    """
    arrays = [as_array(one) for one in blocks]
    if not arrays:
        raise ValueError("need at least one block")
    for number, one in enumerate(arrays):
        if one.ndim > 2:
            raise ValueError(f"block {number} has {one.ndim} axes, of shape {one.shape}, and no 2")
    matrices = [one if one.ndim == 2 else one.reshape(1, -1) for one in arrays]
    width = sum([one.shape[1] for one in matrices])
    rows, before = [], 0
    for one in matrices:
        columns = one.shape[1]
        rows.append(pad(one, ((0, 0), (before, width - before - columns))))
        before += columns
    return concat(rows, 0)
