"""Levels and formats: the interface of every level, and trees of levels with the order of axes.

A level is a specification, equal by value; the tensor holds the buffers. It names two parts for
kernels: a reading, the looplets of a fiber, and a writing, which stores one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from structarr._support.renamed import adopt, read
from structarr.cin import Node
from structarr.formats.entries import Caller, Rows, Written
from structarr.formats.former import FORMER, FormerMethods, adapt, former
from structarr.formats.host_side import HostSide
from structarr.formats.kinds import DENSE, Kind, kind_of
from structarr.formats.reading import Reading, Unread
from structarr.formats.sizes import Measures, Placement
from structarr.formats.writing import ReadOnly, Writing

RENAMED = {
    "word": "kind",
    "alike": "uniform",
    "omits": "optional_children",
    "raw": "uninitialized",
    "tallies": "counters",
    "exact": "stores_nonfill_only",
    "demands": "is_partial",
    "spans": "starts_group",
    "joins": "continues_group",
    "apart": "slicing",
}
"""Former names of a level's class attributes, which formats from outside may still use."""


class Level(HostSide, FormerMethods, Node):
    """
    Base class of levels: one axis of a format, as the host sees it, with two parts for kernels.

    Subclasses are kinds of storage; an instance says which level is below. `docs/formats.md` shows
    how to write one. The class attributes say what other levels, conversions and kernels may rely
    on.

    Parameters
    ----------
    child : Level
        The level below, or a leaf.

    See Also
    --------
    Reading : The part that describes a fiber to a kernel.
    Writing : The part that stores a fiber.
    structarr.testing.check_format : The tests of a level.

    Examples
    --------
    >>> from structarr.formats import Dense, SparseList
    >>> level = Dense(SparseList())
    >>> level.child.buffers
    ('ptr', 'idx')
    """

    child: Level
    kind: ClassVar[Kind] = DENSE  # all that is asked of it but what its methods tell
    reading: ClassVar[Reading] = Unread()
    writing: ClassVar[Writing] = ReadOnly()
    uniform: ClassVar[bool] = False  # a leaf whose value is the same at every position
    stores_nonfill_only: ClassVar[bool] = False  # elements that equal the fill need not be stored
    leafy: ClassVar[bool] = False  # stands directly above the leaf
    ordered: ClassVar[bool] = True  # its children come in the order of its fibers
    below: ClassVar[tuple[str, ...]] = ()  # the classes it must stand directly below one of
    at_depth: ClassVar[int | None] = None  # how many levels must be above, if that matters
    arithmetic: ClassVar[bool] = False  # every child is there, in order, and found by arithmetic
    starts_group: ClassVar[bool] = False  # its children are the elements of several modes
    continues_group: ClassVar[bool] = False  # a further mode of the level that starts the group
    tells_length: ClassVar[bool] = False  # the length of the mode is its field `length`
    is_rule: ClassVar[bool] = False  # has every element, told by the fiber's position and the index

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        adopt(cls, RENAMED)
        adapt(cls)
        if "kind" in vars(cls):
            cls.kind = kind_of(vars(cls)["kind"], cls.__name__)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            return former(self, name) if name in FORMER else read(self, name, RENAMED)

    @property
    def details(self) -> tuple[Any, ...]:
        """The fields besides the level below."""
        return tuple(getattr(self, field) for field in self._fields if field != "child")

    def above(self, child: Level) -> Level:
        """The same level above another child."""
        return self.replace(child=child)

    @property
    def mirrored(self) -> Level | None:
        """The level that holds the transpose of a matrix whose rows this level holds."""
        return None

    def concrete(self, entries: Written, dim: int) -> Level:
        """This level with its open fields decided by the entries to be stored."""
        return self

    def settled(self, rows: Rows, itemsize: int, call: Caller) -> Level | None:
        """As `concrete`, for a matrix of lists; None if only the entries themselves tell."""
        return None

    def variants(self, measures: Measures) -> Mapping[str, Level]:
        """Levels of this kind that `auto` tries for a measured array, by a suffix of the name."""
        return {"": self}

    def decided(self, at: Placement) -> Level:
        """As `concrete`, for a measured array."""
        return self


class Format(Node):
    """
    Tree of levels, with the axis that each holds and the dtype of coordinates and positions.

    Parameters
    ----------
    root : Level
        The outermost level.
    order : tuple of int
        The axis that each level holds, from the outermost on: ``(1, 0)`` for columns of a matrix.
    index : {"int64", "int32"}
        The dtype of coordinates and positions.

    Attributes
    ----------
    levels : tuple of Level
        From the outermost to the leaf.
    is_dense : bool
        Whether every element is stored, and found by arithmetic.
    is_constant : bool
        Whether one value stands everywhere.

    See Also
    --------
    parse : The format that a name or a tree of levels stands for.
    Layout : A format with its usual name.

    Examples
    --------
    >>> from structarr.formats import Dense, Format, SparseList
    >>> csc = Format(Dense(SparseList()), (1, 0))
    >>> csc.ndim, csc.is_dense
    (2, False)
    """

    __slots__ = ("is_constant", "is_dense", "levels")

    root: Level
    order: tuple[int, ...]
    index: str = "int64"

    if TYPE_CHECKING:

        @property
        def levels(self) -> tuple[Level, ...]:
            """The levels from the outermost to the leaf."""

        @property
        def is_dense(self) -> bool:
            """Whether every element is stored, and found by arithmetic."""

        @property
        def is_constant(self) -> bool:
            """Whether one value stands everywhere."""

    else:

        def __getattr__(self, name: str) -> Any:
            # What each call asks for is found once: a property would take a frame each time.
            if name not in _FOUND:
                raise AttributeError(name, name=name, obj=self)
            found = _FOUND[name](self)
            object.__setattr__(self, name, found)
            return found

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.order)

    def without(self, kept: Sequence[int], leaf: Level | None = None) -> Format:
        """The format of some of its modes, whose order names the axes of the whole."""
        root: Level = self.levels[-1] if leaf is None else leaf
        for depth in reversed(kept):
            root = self.levels[depth].above(root)
        return Format(root, tuple(self.order[depth] for depth in kept), self.index)

    @property
    def drops_fill(self) -> bool:
        """Whether a value that equals the fill need not be written."""
        return all(level.writing.drops_fill for level in self.levels)

    def covers(self, depth: int) -> bool:
        """Whether all that a fiber of a level stands for is to be written, fill too."""
        for level in self.levels[depth:]:
            if level.writing.optional_children:
                return False
            if not level.writing.drops_fill:
                return True
        return False


def _levels(format: Format) -> tuple[Level, ...]:
    found = [format.root]
    while not found[-1].leaf:
        found.append(found[-1].child)
    return tuple(found)


def _is_constant(format: Format) -> bool:
    above = format.levels[:-1]
    return bool(above) and all(level.kind.is_constant for level in above)


_FOUND: Final[Mapping[str, Callable[[Format], Any]]] = {
    "levels": _levels,
    "is_dense": lambda format: all(level.arithmetic for level in format.levels),
    "is_constant": _is_constant,
}
"""What a format finds out about itself, when it is first asked."""
