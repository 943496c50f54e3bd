"""Index modifiers of programs, as they run in plain Python."""

from __future__ import annotations

from typing import Any


def offset(delta: int, index: int, /) -> int:
    """
    Return ``index - delta``: in a program, an array read `delta` further on.

    Parameters
    ----------
    delta : int
        Distance of the shift.
    index : int
        The index.

    Returns
    -------
    int
        The difference.

    See Also
    --------
    window : A slice.
    permit : Out of bounds.
    loops : Programs.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.offset(2, 5)
    3
    >>> sa.loops("y[i] = x[offset(-1, i)]", x=[1, 2, 3], extents={"i": 2}).todense()
    array([2, 3])
    """
    return index - delta


def window(start: int, stop: int, index: int, /) -> int:
    """
    Return ``start + index``: in a program, the slice ``[start:stop]`` at `index`.

    Parameters
    ----------
    start : int
        Where the slice begins.
    stop : int
        Where it ends, which bounds the loop over the index.
    index : int
        The index.

    Returns
    -------
    int
        The sum.

    See Also
    --------
    offset : A shift.
    loops : Programs.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.loops("y[i] = x[window(1, 3, i)]", x=[1, 2, 3, 4]).todense()
    array([2, 3])
    """
    return start + index


def permit(index: int, /) -> int:
    """
    Return the index: in a program, one that may be out of bounds, and then reads `missing`.

    Parameters
    ----------
    index : int
        The index.

    Returns
    -------
    int
        The index itself.

    Raises
    ------
    IndexError
        In plain Python, where an array has no `missing` before its first element.

    See Also
    --------
    coalesce : A value for what is missing.
    offset : A shift.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.loops("y[i] = coalesce(x[permit(i)], 0)", x=[1, 2], extents={"i": 3}).todense()
    array([1, 2, 0])
    """
    if index < 0:
        raise IndexError("an index that is permitted to be outside needs the compiler: use kernel")
    return index


class Missing:
    """The value read at a permitted index outside of an array; `coalesce` skips it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "structarr.missing"


missing = Missing()


def coalesce(*values: Any) -> Any:
    """
    Return the first of some values that is not `missing`.

    Parameters
    ----------
    *values : scalar
        In their order.

    Returns
    -------
    scalar
        The first that is there, or `missing`.

    See Also
    --------
    permit : An index out of bounds, which reads `missing`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.coalesce(sa.missing, 2, 3)
    2
    """
    return next((value for value in values if value is not missing), missing)
