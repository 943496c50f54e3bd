"""Computing several arrays at once."""

from __future__ import annotations

from structarr._array import Array, store


def compute(*arrays: Array) -> tuple[Array, ...]:
    """
    Compute arrays together, and return them.

    What they have in common is computed once. Those that read the same arrays element by element in
    the same loops are computed by one kernel, in one pass over these arrays.

    Parameters
    ----------
    *arrays : Array
        The arrays; each keeps its value, in the format that it would have alone.

    Returns
    -------
    tuple of Array
        The arrays themselves, each in the format that it would have alone. What they share is
        computed once, in time proportional, at most, to what the operands and results store.

    Raises
    ------
    TypeError
        If anything else is given.

    See Also
    --------
    Array.compute : One array.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([1.0, 2.0])
    >>> total, doubled = sa.compute(a.sum(), a * 2)
    >>> float(total), doubled.tolist()
    (3.0, [2.0, 4.0])
    """
    for array in arrays:
        if not isinstance(array, Array):
            raise TypeError(f"compute takes structarr arrays, not {type(array).__name__}")
    store(arrays)
    return arrays
