"""Protocols: by which looplets a fiber is read.

A protocol is a method of the fiber's level, named in `Level.protocols`: given the fiber and the
context it returns looplets. Every level has three.

- ``walk``: what is stored, in order.
- ``gallop``: in order, leading: the others skip to where this one stores something.
- ``locate``: at random, each index looked up when it is needed.

A level from outside may have further ones: a method, and its name in ``protocols``. Which one reads
an array is said of the array, by the functions here. It changes how long a kernel takes, never what
it computes.

Examples
--------
>>> import structarr as sa
>>> a = sa.asarray([0.0, 2.0, 0.0], format="list")
>>> names(a)
('walk', 'gallop', 'locate')
>>> float((by(a, "gallop") * [1.0, 2.0, 3.0]).sum())
4.0
"""

from __future__ import annotations

from typing import Any

from structarr._api.core import expressions, operands
from structarr._api.programs.reading import gallop as gallop, locate as locate, walk as walk
from structarr._array import Array, stored as stored
from structarr._lazy import graph


def by(x: Any, protocol: str, /) -> Array:
    """
    Return the same array, to be read by a protocol along the axes whose levels have it.

    Parameters
    ----------
    x : array_like
        What is read.
    protocol : str
        A name out of `names`.

    Returns
    -------
    Array
        Lazy, of the same value and format: nothing is copied. The protocol changes how long a
        kernel takes, never what it computes.

    Raises
    ------
    ValueError
        If no level of the array has the protocol.

    See Also
    --------
    names : The protocols that there are.
    structarr.gallop : The same for the protocol "gallop".

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 2.0, 0.0], format="list")
    >>> float((by(a, "gallop") * [1.0, 2.0, 3.0]).sum())
    4.0
    """
    array = operands.as_array(x)
    known = names(array)
    if protocol not in known:
        raise ValueError(f"there is no protocol {protocol!r} here: there are {', '.join(known)}")
    return expressions.derive(lambda node: graph.protocol(node, protocol), array)


def names(x: Any, /) -> tuple[str, ...]:
    """
    Return the protocols that some level of an array has.

    Parameters
    ----------
    x : array_like
        What is read.

    Returns
    -------
    tuple of str
        The names, those of the outermost level first.

    See Also
    --------
    by : Has an array read by one.

    Examples
    --------
    >>> import structarr as sa
    >>> names(sa.asarray([0.0, 2.0, 0.0], format="list"))
    ('walk', 'gallop', 'locate')
    """
    levels = stored(operands.as_array(x)).format.levels[:-1]
    return tuple(dict.fromkeys(name for level in levels for name in level.reading.protocols))
