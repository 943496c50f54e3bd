"""What makes a result of ours the peer's: values, dtype, order of the places, memory of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa

CLOSE = 1e-9  # of the largest value, beside rounding of its own size
DENSE = 4_000_000  # cells that are compared as dense arrays


def delivered(result: Any, like: Any) -> Any:
    """Return a result with every buffer made: what is dense in the peer's is NumPy's in ours."""
    if isinstance(like, tuple):
        return tuple(delivered(one, other) for one, other in zip(result, like, strict=True))
    if isinstance(result, sa.Array):
        return result.compute() if sp.issparse(like) else np.asarray(result)
    return result


def fault(ours: Any, theirs: Any) -> str:
    """
    Return in a few words what is wrong with a delivered result, or nothing.

    Places and counts may be integers of another width: SciPy's are those of its coordinates.
    """
    try:
        return _fault(ours, theirs)
    except MemoryError as error:  # of ours, whose structure does not become SciPy's
        return f"not comparable: {type(error).__name__}"


def _fault(ours: Any, theirs: Any) -> str:
    if isinstance(theirs, tuple):
        return next(filter(None, map(_fault, ours, theirs)), "")
    if np.shape(ours) != np.shape(theirs):
        return f"shape {np.shape(ours)}, not {np.shape(theirs)}"
    dtypes = [
        one.dtype if hasattr(one, "dtype") else np.asarray(one).dtype for one in (ours, theirs)
    ]
    if dtypes[0] != dtypes[1] and not all(one.kind in "iu" for one in dtypes):
        return f"dtype {dtypes[0]}, not {dtypes[1]}"
    if not _close(ours, theirs):
        return "values"
    return "" if ordered(ours) or not ordered(theirs) else "unsorted"


def ordered(result: Any) -> bool:
    """Whether the entries of a result are in the order of their places; True if it has none."""
    if isinstance(result, sa.Array):
        if result.ndim != 2 or str(result.format) not in ("csr", "csc", "coo"):
            return True
        result = result.to_scipy()
    if not sp.issparse(result) or result.ndim != 2:
        return True
    if result.format != "coo":
        return bool(getattr(result, "has_sorted_indices", True))
    places = result.coords[0].astype(np.int64) * result.shape[1] + result.coords[1]
    return bool((np.diff(places) > 0).all())


def put_in_order(result: Any) -> Any:
    """Put the entries of a matrix of SciPy in order, in place, and return it."""
    if result.format == "coo":
        result.sum_duplicates()
    else:
        result.sort_indices()
    return result


def _close(ours: Any, theirs: Any) -> bool:
    if not sp.issparse(theirs) or theirs.ndim != 2 or np.prod(theirs.shape) <= DENSE:
        plain = np.asarray(theirs.todense() if sp.issparse(theirs) else theirs)
        mine = np.asarray(ours.todense() if hasattr(ours, "todense") else ours)
        if plain.dtype.kind == "b" or not plain.size:
            return bool((mine == plain).all())
        bound = CLOSE * float(np.abs(plain[np.isfinite(plain)]).max(initial=0.0))
        return bool(np.allclose(mine, plain, rtol=CLOSE, atol=max(bound, _rounding(plain))))
    mine = ours.asformat("csr").to_scipy() if isinstance(ours, sa.Array) else ours
    other = theirs.tocsr()
    if other.dtype.kind == "b":
        return (mine.tocsr() != other).nnz == 0
    rest = abs(mine.tocsr() - other)
    scale = float(abs(other).max()) if other.nnz else 0.0
    return rest.nnz == 0 or float(rest.max()) <= max(CLOSE * scale, _rounding(other))


def _rounding(values: Any) -> float:
    return 1e-6 if values.dtype in (np.float32, np.complex64) else 1e-12


def shares(result: Any, operands: Iterable[Any]) -> bool:
    """Whether values of a result lie where an operand's do; coordinates that nobody writes may."""
    theirs = [buffer for one in operands for buffer in _buffers(one)]
    return any(np.may_share_memory(mine, other) for mine in _buffers(result) for other in theirs)


def _buffers(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for one in value:
            yield from _buffers(one)
    elif isinstance(value, sa.Array):
        yield from (one for one in value._tensor.buffers[-1:] if one.size > 1)
    elif sp.issparse(value):
        yield from _buffers(getattr(value, "data", None))
    elif isinstance(value, np.ndarray) and value.size > 1:
        yield value
