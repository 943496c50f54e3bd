"""The kind of a level: one record of all that is asked of a level but what its methods tell.

A kind says where elements are stored along a mode and how values repeat there, which kinds stand
in for it where it cannot be kept, how it unites and intersects with others, and what it costs to
read and write. It is complete when it is made: what it does not say has the default given here.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import field
from typing import Any, Final, TypeAlias, TypeVar, cast

from structarr._support.records import record
from structarr.cin import Index, Node
from structarr.errors import FormatError
from structarr.formats.kind_contract import clauses_broken
from structarr.formats.support import (
    Children as Children,
    Repeat as Repeat,
    Support as Support,
)


class ModeStructure(Node):
    """
    Structure of one mode of a result, by which a level is chosen that can store it.

    Parameters
    ----------
    kind : Kind
        The kind of the mode.
    details : tuple
        The fields of the level, besides its child, that matter.
    beside : Index, optional
        The index of the mode above, for kinds that relate the two.
    uniform : bool
        Whether one value stands throughout, for kinds with details.

    See Also
    --------
    Kind : What is known of a level.

    Examples
    --------
    >>> from structarr.formats import ModeStructure, SparseList
    >>> ModeStructure(SparseList().kind).uniform
    False
    """

    kind: Kind
    details: tuple[Any, ...] = ()
    beside: Index | None = None  # the index of the mode above, of kinds that relate the two
    uniform: bool = False  # of kinds with details: one value stands throughout


Maker: TypeAlias = Callable[..., Any]
Pairing: TypeAlias = Callable[[ModeStructure, ModeStructure], ModeStructure | None]
M = TypeVar("M", bound=Maker)

ITSELF: Final = cast("Kind", None)
"""The default of a kind that stands in for another: that kind itself."""


def general(own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    """Leave a union or intersection to the other operand, and then to the general rule."""
    return None


@record(eq=False)
class Kind:
    """
    Kind of a level: what the scheduler, conversions and prices ask of it.

    Equal kinds are identical objects.

    Parameters
    ----------
    name : str
        By which it is printed.
    support, repeat, children
        Where elements are stored, how values repeat there, and what a child stands for.
    plain : Kind
        What it is without its details and its relation to the mode above; itself if it has none.
        The details of a level are kept in the structure if this is another kind.
    relates : bool
        It relates its mode to the one above.
    each : Kind
        What stores the same elements one by one: required of a kind of runs or of a rule. Results
        that are updated are stored so, and all results if no level holds those of this kind.
    in_runs : bool
        Its stretches are stored as runs where values repeat.
    above : Kind
        What it becomes above other modes.
    partial : Kind
        What holds a part of it, where the rest is not written. By default, `plain`.
    looser : Kind
        What takes any further element. By default, `plain`.
    several : Kind
        What holds several copies side by side.
    beside_full : Repeat
        How values repeat in a union with something that stores every element.
    joins, meets : callable
        The union and the intersection with another structure, by the structure of this kind and
        the other one. None leaves them to the other, and then to the general rule of supports.
    chains : callable
        The structure of a product that is summed over the mode above, by the structure of this kind
        and that of the mode above, which relates to a mode further up. None leaves it to their
        supports.
    arithmetic : bool
        Child i of fiber p is at `p * dim + i`, and nothing else is stored.
    direct : bool
        An element is found without a search and without looking at a mark.
    searched : bool
        An element takes a search, so that rows that are read often are scattered.
    leaps : bool
        A gallop skips elements.
    vacant : bool
        It has children that no element stands for, which are never read.
    from_start : bool
        The one stretch begins at index 0.
    conjugates : bool
        Mirrored elements are conjugates.
    elementwise : bool
        It stores elements one by one, wherever they come from: a result keeps the kind if another
        operand leads, and is collected in a workspace if it comes out of order.
    few : bool
        It is expected to store few of its elements.
    share : float, optional
        The share of a fiber's elements that is stored, if the kind tells.
    step : float, optional
        Nanoseconds of a step from one child to the next; None if each index is looked at.
    lookup : float
        Nanoseconds to locate an element.
    scatter : float, optional
        The price, among orders of loops, of writing it out of order; None if it is written in
        order alone.

    See Also
    --------
    Level : Levels, which have one.

    Examples
    --------
    >>> from structarr.formats import RunList, SparseList
    >>> RunList().kind.name, SparseList().kind.searched
    ('runs', True)
    """

    name: str
    support: Support
    repeat: Repeat
    children: Children = Children.ELEMENTS
    plain: Kind = ITSELF
    relates: bool = False
    each: Kind = ITSELF
    in_runs: bool = False
    above: Kind = ITSELF
    partial: Kind = ITSELF
    looser: Kind = ITSELF
    several: Kind = ITSELF
    beside_full: Repeat = Repeat.RUNS
    joins: Pairing = general
    meets: Pairing = general
    chains: Pairing = general
    arithmetic: bool = False
    direct: bool = False
    searched: bool = False
    leaps: bool = False
    vacant: bool = False
    from_start: bool = False
    conjugates: bool = False
    elementwise: bool = False
    few: bool = False
    share: float | None = None
    step: float | None = 0.5
    lookup: float = 6.0
    scatter: float | None = None

    level: Maker | None = field(default=None, init=False)  # told by `holds`

    def __post_init__(self) -> None:
        broken = next(clauses_broken(self), None)
        if broken is not None:
            raise FormatError(f"kind {self.name!r}: {broken}")
        plain = self if self.plain is ITSELF else self.plain
        defaults = {"plain": plain, "partial": plain, "looser": plain}
        defaults |= dict.fromkeys(("each", "above", "several"), self)
        for name, default in defaults.items():
            if getattr(self, name) is ITSELF:
                object.__setattr__(self, name, default)

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        """Whether it is the same kind; a text was a kind in former versions."""
        if not isinstance(other, str):
            return self is other
        message = f"compare a kind with a record of structarr.formats.kinds, not with {other!r}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.name == other

    def __repr__(self) -> str:
        return f"<kind {self.name}>"

    def holds(self, level: M) -> M:
        """Have results of this kind stored in a level: a decorator of its class."""
        if self.level is not None:
            raise FormatError(f"kind {self.name!r}: results are held by {self.level} already")
        writing = getattr(level, "writing", None)
        if self.scatter is not None and writing is not None and writing.appends:
            raise FormatError(
                f"kind {self.name!r}: `scatter` is the price of writing out of order, but {level} "
                "appends"
            )
        object.__setattr__(self, "level", level)
        return level

    @property
    def result(self) -> Kind:
        """The kind of results of this structure: its own, if some level holds them."""
        if self.level is None and self.each is self:
            raise FormatError(
                f"kind {self.name!r}: no level holds results of it; decorate the class of one with "
                "`holds`, or name the kind that results have by `each`"
            )
        return self if self.level is not None else self.each

    def made(self, child: Any, *details: Any) -> Any:
        """The level that holds results of this kind, above another level."""
        held = self.result
        assert held.level is not None
        return held.level(child, *(details if held is self else ()))

    @property
    def is_ordered(self) -> bool:
        """Whether results have the children of a row side by side."""
        held = self.result.level
        return bool(getattr(held, "ordered", True))

    @property
    def appends(self) -> bool:
        """Whether what results store follows one another, in the order of the loops."""
        writing = getattr(self.result.level, "writing", None)
        return writing is not None and bool(writing.appends)

    @property
    def is_sparse(self) -> bool:
        """Whether it leaves out elements that equal the fill."""
        return self.support is not Support.FULL

    @property
    def holds_one(self) -> bool:
        """Whether a fiber has one element at most."""
        return self.support is Support.SINGLE and self.repeat is Repeat.CONST

    @property
    def is_constant(self) -> bool:
        """Whether one child stands for all."""
        return self.repeat is Repeat.CONST and not self.is_sparse

    @property
    def has_runs(self) -> bool:
        """Whether neighbours of one value are stored as one."""
        return self.children is Children.RUNS

    @property
    def has_stretches_of_runs(self) -> bool:
        """Whether a fiber has as many children as it has stretches of equal values."""
        return self.has_runs and self.repeat is not Repeat.CONST

    @property
    def covers(self) -> bool:
        """Whether stretches of equal values cover the axis."""
        return self.has_stretches_of_runs and not self.is_sparse

    @property
    def is_mirrored(self) -> bool:
        """Whether a child stands for two elements of a matrix."""
        return self.children is Children.MIRRORED

    @property
    def is_symmetric(self) -> bool:
        """Whether elements are equal to those that mirror them."""
        return self.is_mirrored and not self.conjugates

    @property
    def maps_children(self) -> bool:
        """Whether a function of the elements is one of all children; vacant ones are not read."""
        return (self.children is Children.ELEMENTS and not self.is_marked) or self.is_symmetric

    @property
    def is_rule(self) -> bool:
        """Whether elements are made of children by a rule."""
        return self.children is Children.RULE

    @property
    def is_marked(self) -> bool:
        """Whether marks tell what is stored."""
        return self.support is Support.MARKED

    @property
    def is_stretch(self) -> bool:
        """Whether a fiber has no gaps between elements that it stores."""
        return self.support is Support.STRETCH
