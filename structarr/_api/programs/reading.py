"""Protocols by which operands are read: walking, galloping, looking up."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.expressions import derive
from structarr._api.core.operands import lift
from structarr._array import Array
from structarr._lazy import graph
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented


@documented
def gallop(x: ArrayLike, /) -> Any:
    """
    Return the same array, to be read galloping: the others skip to where it stores something.

    Two galloping operands leap over each other (the paper's section 7), which pays where they
    meet seldom. It changes how long a kernel takes, never what it computes.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    Array
        Lazy; of the same shape, dtype and structure.

    Raises
    ------
    $dtype_error

    See Also
    --------
    walk : In order.
    locate : At random.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 2.0, 0.0], format="list")
    >>> float(sa.gallop(a) @ sa.gallop(a))
    4.0
    """
    return _by(x, "gallop")


@documented
def walk(x: ArrayLike, /) -> Any:
    """
    Return the same array, to be read in order, which is the default.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    Array
        Lazy; of the same shape, dtype and structure.

    Raises
    ------
    $dtype_error

    See Also
    --------
    gallop : From one stored element to the next.
    locate : At random.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.walk(sa.asarray([1.0, 2.0])).sum())
    3.0
    """
    return _by(x, "walk")


@documented
def locate(x: ArrayLike, /) -> Any:
    """
    Return the same array, to be read at random: each index is looked up when it is needed.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    Array
        Lazy; of the same shape, dtype and structure.

    Raises
    ------
    $dtype_error

    See Also
    --------
    walk : In order.
    gallop : From one stored element to the next.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.locate(sa.asarray([0.0, 2.0], format="list")).sum())
    2.0
    """
    return _by(x, "locate")


def _by(x: Any, protocol: str) -> Any:
    if isinstance(x, int | np.integer):  # an index, of a program that runs as plain Python
        return x
    array = lift(x)
    if not isinstance(array, Array):
        raise TypeError(f"{protocol} takes an array, not {type(x).__name__}")
    return derive(lambda node: graph.protocol(node, protocol), array)
