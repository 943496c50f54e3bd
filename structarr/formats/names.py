"""Formats as users write and see them: names, trees of levels, layouts."""

from __future__ import annotations

from structarr._support.records import record
from structarr.errors import FormatError
from structarr.formats.base import Format, Level
from structarr.formats.fit import check_tree
from structarr.formats.name_table import (
    by_name,
    matches,
    name_of as name_of,
    names_for as names_for,
    register as register,
    takes as takes,
    tree_of,
)

INDEX_DTYPES = ("int32", "int64")


@record(slots=True, eq=False)
class Layout:
    """
    Format as users see it: printed by its usual name, and equal to it.

    It equals another layout, a format or a tree of levels of the same structure, order of axes and
    index dtype; and a name, whatever the index dtype.

    Parameters
    ----------
    format : Format
        The format that is shown.

    See Also
    --------
    structarr.Array.format : The layout of an array.
    parse : The format that a name stands for.

    Examples
    --------
    >>> layout = Layout(parse("csc", ndim=2, index="int32"))
    >>> layout
    Layout('csc', index='int32')
    >>> layout == "csc", layout == "csr", layout in {"csr", "csc"}
    (True, False, True)
    >>> layout.order
    (1, 0)
    """

    format: Format

    @property
    def name(self) -> str:
        """The usual name, or the tree of levels."""
        return name_of(self.format)

    @property
    def order(self) -> tuple[int, ...]:
        """The axis that each level holds, from the outermost level."""
        return self.format.order

    @property
    def index(self) -> str:
        """The dtype of coordinates and positions."""
        return self.format.index

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels from the outermost to the leaf."""
        return self.format.levels

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.format.ndim

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (str, Layout, Format, Level)):
            return NotImplemented
        try:
            meant = parse(other, self.ndim, self.index)
        except FormatError:
            return False
        return matches(meant, self.format)

    def __hash__(self) -> int:
        # A layout is looked up among names more often than among formats.
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        index = "" if self.index == "int64" else f", index={self.index!r}"
        return f"Layout({self.name!r}{index})"


def parse(spec: str | Format | Level | Layout, ndim: int, index: str = "int64") -> Format:
    """
    Return the format that a specification means for an array of `ndim` axes.

    Parameters
    ----------
    spec : str, Format, Level or Layout
        A name ("compressed" is another for "list"), a tree of levels (one for each axis, in
        order), or a format.
    ndim : int
        The number of axes.
    index : {"int64", "int32"}
        The dtype of coordinates and positions; a format brings its own.

    Returns
    -------
    Format
        The one of its kind: equal formats are the same object.

    Raises
    ------
    FormatError
        If there is no such name, or the format is for another number of axes.
    TypeError
        If `spec` is of none of these types.

    See Also
    --------
    names_for : The names that there are.
    Array.asformat : An array in another format.

    Examples
    --------
    >>> from structarr.formats import Dense, SparseList
    >>> parse("csr", ndim=2) is parse(Dense(SparseList()), ndim=2)
    True
    """
    if index not in INDEX_DTYPES:
        raise FormatError(f"index must be one of {', '.join(INDEX_DTYPES)}, not {index!r}")
    match spec:
        case str():
            return by_name(spec, ndim, index)
        case Layout():
            return _fitting(spec.format, ndim)
        case Format():
            return _fitting(spec, ndim)
        case Level():
            return _fitting(Format(spec, tuple(range(ndim)), index), ndim)
    raise TypeError(f"a format is a name, a tree of levels or a Format, not {spec!r}")


def _fitting(format: Format, ndim: int) -> Format:
    depth = len(format.levels) - 1
    if depth != ndim:
        raise FormatError(
            f"format {tree_of(format.root)} has {depth} levels above its leaf for {ndim} axes; "
            "give it one for each axis"
        )
    check_tree(format.levels)
    if sorted(format.order) != list(range(ndim)):
        raise FormatError(f"order {format.order} must be a permutation of the axes 0 to {ndim - 1}")
    if format.index not in INDEX_DTYPES:
        raise FormatError(f"index must be one of {', '.join(INDEX_DTYPES)}, not {format.index!r}")
    return format
