"""Where a fiber stores elements, how values repeat there, and what its children stand for."""

from __future__ import annotations

from enum import Enum, IntEnum


class Support(Enum):
    """Where a fiber stores elements; outside of it, elements have the fill."""

    FULL = "full"  # everywhere
    MARKED = "marked"  # at marked places among those of all elements
    SINGLE = "single"  # at single elements
    STRETCH = "stretch"  # in one stretch of neighbours
    STRETCHES = "stretches"  # in some stretches of neighbours


class Repeat(IntEnum):
    """The repetition of values within the support, the most regular first."""

    CONST = 0  # one value
    RUNS = 1  # stretches of equal values; single elements are stretches of length one
    PACK = 2  # stretches of equal and stretches of literal values
    EACH = 3  # no repetition


class Children(Enum):
    """The meaning of a fiber's children, by which they are counted."""

    ELEMENTS = "elements"  # one element of the fiber each, or none
    RUNS = "runs"  # neighbours of one value
    MIRRORED = "mirrored"  # an element of the fiber, and one of the fiber with its index
    RULE = "rule"  # nothing that can be told apart: a rule makes the elements of them
