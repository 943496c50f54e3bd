"""Compiling ahead of need."""

from __future__ import annotations

from typing import Any

from structarr._array import Array, store
from structarr._compiler.backend.kernel import statistics
from structarr._compiler.options import options


def warmup(*arrays: Any) -> int:
    """
    Compile the kernels that some lazy arrays need ahead of their first use.

    Kernels are kept on disk, so one call while a service is installed serves all its processes.
    What is compiled depends on formats, dtypes and the magnitude of what is stored: warm up with
    operands like those to come.

    Parameters
    ----------
    *arrays : Array
        Expressions; they are computed, and stay lazy themselves.

    Returns
    -------
    int
        How many kernels were compiled or loaded from disk; those that this process had do not
        count.

    Raises
    ------
    TypeError
        If something else is given than arrays.

    See Also
    --------
    warm : The commonest kernels.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0.0, 2.0], [3.0, 0.0]], format="csr")
    >>> first = sa.warmup(a @ a, (a * 2.5).sum())
    >>> sa.warmup(a @ a, (a * 2.5).sum())
    0
    """
    for array in arrays:
        if not isinstance(array, Array):
            raise TypeError(f"warmup takes arrays, not {type(array).__name__}")
    before = _built()
    with options(tier="compiled"):
        store([array[...] for array in arrays])
    return _built() - before


def _built() -> int:
    found = statistics()
    return found["compiled"] + found["loaded"]
