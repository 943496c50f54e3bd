"""How an expression is computed: explain it, and choose the protocols of its operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr import _explain, _graph
from structarr._api.expressions import derive
from structarr._api.operands import lift
from structarr._array import Array
from structarr._explain import Explanation


def explain(array: Array) -> Explanation:
    """
    Tell what the compiler makes of a lazy array: the program, its looplets and the kernel.

    Parameters
    ----------
    array : Array
        An expression; one that is computed already tells its format, and how many bytes it would
        take in any other.

    Returns
    -------
    Explanation
        With `format`, `inputs`, `cin`, `looplets` and `kernel`, or `sizes`; ``str()`` shows them.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 2.0, 0.0], format="list")
    >>> print(sa.explain(a * 3.5).cin)
    for i in [0, i_n):
        C[i] = A[i] * scalar0
    >>> print(str(sa.explain(a)).splitlines()[0])
    stored as list in 32 bytes
    >>> sa.explain(a).sizes.splitlines()[0].split()
    ['point', '12', '1.00']
    """
    if not isinstance(array, Array):
        raise TypeError(f"explain takes a structarr array, not {type(array).__name__}")
    return _explain.explain(array._node)


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
    return derive(lambda node: _graph.protocol(node, protocol), array)
