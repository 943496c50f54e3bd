"""Where a fiber stores elements, how values repeat there, and what its children stand for."""

from __future__ import annotations

from enum import Enum, IntEnum


class Support(Enum):
    """
    Support of a fiber: where it stores elements; outside of it, elements have the fill.

    See Also
    --------
    Repeat : How values repeat within.
    Kind : What else is known of a level.

    Examples
    --------
    >>> from structarr.formats import SparseBand, Support
    >>> SparseBand().kind.support is Support.STRETCH
    True
    """

    FULL = "full"  # everywhere
    MARKED = "marked"  # at marked places among those of all elements
    SINGLE = "single"  # at single elements
    STRETCH = "stretch"  # in one stretch of neighbours
    STRETCHES = "stretches"  # in some stretches of neighbours


class Repeat(IntEnum):
    """
    Repetition of values within the support, the most regular first.

    See Also
    --------
    Support : Where the values are.
    Kind : What else is known of a level.

    Examples
    --------
    >>> from structarr.formats import Repeat, RunList
    >>> RunList().kind.repeat is Repeat.RUNS, Repeat.CONST < Repeat.EACH
    (True, True)
    """

    CONST = 0  # one value
    RUNS = 1  # stretches of equal values; single elements are stretches of length one
    PACK = 2  # stretches of equal and stretches of literal values
    EACH = 3  # no repetition


class Children(Enum):
    """
    Meaning of a fiber's children, by which they are counted.

    See Also
    --------
    Kind : What else is known of a level.

    Examples
    --------
    >>> from structarr.formats import Children, Symmetric
    >>> Symmetric().kind.children is Children.MIRRORED
    True
    """

    ELEMENTS = "elements"  # one element of the fiber each, or none
    RUNS = "runs"  # neighbours of one value
    MIRRORED = "mirrored"  # an element of the fiber, and one of the fiber with its index
    RULE = "rule"  # nothing that can be told apart: a rule makes the elements of them
