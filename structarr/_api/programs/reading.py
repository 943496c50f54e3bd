"""Protocols by which operands are read: walking, galloping, looking up."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.expressions import derive
from structarr._api.core.operands import lift
from structarr._array import Array
from structarr._lazy import graph


def gallop(x: Any, /) -> Any:
    """
    Return the same array, to be read galloping: the others skip to where it stores something.

    Two galloping operands leap over each other (the paper's section 7), which pays where they
    meet seldom. It changes how long a kernel takes, never what it computes.

    Parameters
    ----------
    x : array_like

    Returns
    -------
    Array
        Lazy; of the same shape, dtype and structure.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 2.0, 0.0], format="list")
    >>> float(sa.gallop(a) @ sa.gallop(a))
    4.0
    """
    return _by(x, "gallop")


def walk(x: Any, /) -> Any:
    """
    Return the same array, to be read in order, which is the default.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.walk(sa.asarray([1.0, 2.0])).sum())
    3.0
    """
    return _by(x, "walk")


def locate(x: Any, /) -> Any:
    """
    Return the same array, to be read at random: each index is looked up when it is needed.

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
