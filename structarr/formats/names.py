"""The usual names of formats: from what a user writes to a tree of levels, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from structarr.errors import FormatError
from structarr.formats.base import Format, Level
from structarr.formats.bitmap import Bitmap
from structarr.formats.constant import Constant
from structarr.formats.coordinate import Coordinate, Singleton
from structarr.formats.dense import Dense
from structarr.formats.diagonals import Diagonals
from structarr.formats.element import Element
from structarr.formats.fit import check_tree
from structarr.formats.hash import Hash
from structarr.formats.pack_bits import PackBits
from structarr.formats.ragged import Ragged
from structarr.formats.run_list import RunList
from structarr.formats.sparse_band import SparseBand
from structarr.formats.sparse_interval import SparseInterval
from structarr.formats.sparse_list import SparseList
from structarr.formats.sparse_point import SparsePoint
from structarr.formats.sparse_run_list import SparseRunList
from structarr.formats.sparse_vbl import SparseVBL
from structarr.formats.symmetric import Hermitian, Symmetric
from structarr.formats.tiles import Tiles
from structarr.formats.triangular import Triangular

INDEX_DTYPES = ("int32", "int64")


@dataclass(frozen=True, slots=True)
class _Name:
    """A name's tree for a number of modes, and the number that it demands, if it does."""

    tree: Callable[[int], Level]
    ndim: int | None = None
    swapped: bool = False  # level 0 holds axis 1

    def format(self, ndim: int, index: str) -> Format:
        axes = tuple(range(ndim))
        return Format(self.tree(ndim), axes[::-1] if self.swapped else axes, index)

    def takes(self, ndim: int) -> bool:
        return self.ndim is None or self.ndim == ndim


def _every(kind: type[Level]) -> Callable[[int], Level]:
    return lambda ndim: _nest([kind] * ndim)


def _last(kind: type[Level]) -> Callable[[int], Level]:
    return lambda ndim: _nest([Dense] * (ndim - 1) + [kind] * min(ndim, 1))


def _nest(kinds: list[type[Level]]) -> Level:
    tree: Level = Element()
    for kind in reversed(kinds):
        tree = kind(tree)
    return tree


# Where two names mean one tree, the first is printed.
_NAMES: dict[str, _Name] = {
    "dense": _Name(_every(Dense)),
    "csr": _Name(_last(SparseList), ndim=2),
    "csc": _Name(_last(SparseList), ndim=2, swapped=True),
    "dcsr": _Name(_every(SparseList), ndim=2),
    "dcsc": _Name(_every(SparseList), ndim=2, swapped=True),
    "list": _Name(_last(SparseList)),
    "csf": _Name(_every(SparseList)),
    "coo": _Name(lambda ndim: _nest([Coordinate] * min(ndim, 1) + [Singleton] * (ndim - 1))),
    "hash": _Name(_last(Hash)),
    "band": _Name(_last(SparseBand)),
    "vbl": _Name(_last(SparseVBL)),
    "ragged": _Name(_last(Ragged)),
    "point": _Name(_last(SparsePoint)),
    "interval": _Name(_last(SparseInterval)),
    "rle": _Name(_last(RunList)),
    "sparse-rle": _Name(_last(SparseRunList)),
    "packbits": _Name(_last(PackBits)),
    "bitmap": _Name(_last(Bitmap)),
    "triu": _Name(lambda ndim: Dense(Triangular(Element(), "upper")), ndim=2),
    "tril": _Name(lambda ndim: Dense(Triangular(Element(), "lower")), ndim=2),
    "symmetric": _Name(lambda ndim: Dense(Symmetric(Element())), ndim=2),
    "hermitian": _Name(lambda ndim: Dense(Hermitian(Element())), ndim=2),
    "dia": _Name(lambda ndim: Dense(Diagonals(Element())), ndim=2),
    "bsr": _Name(lambda ndim: Dense(Tiles(Element())), ndim=2),
    "constant": _Name(_every(Constant)),
}

_ALIASES = {"compressed": "list"}  # accepted, never printed


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """
    A format as users see it: printed by its usual name, equal to it.

    It equals another layout, a format or a tree of levels of the same structure, order of axes
    and index dtype; and a name, whatever the index dtype.

    Parameters
    ----------
    format : Format
        The format shown.

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

    Raises
    ------
    FormatError
        If there is no such name, or the format is for another number of axes.
    TypeError
        If `spec` is of none of these types.

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
            return _by_name(spec, ndim, index)
        case Layout():
            return _fitting(spec.format, ndim)
        case Format():
            return _fitting(spec, ndim)
        case Level():
            return _fitting(Format(spec, tuple(range(ndim)), index), ndim)
    raise TypeError(f"a format is a name, a tree of levels or a Format, not {spec!r}")


def names_for(ndim: int) -> tuple[str, ...]:
    """
    Return the names that a format of `ndim` axes may have.

    Examples
    --------
    >>> "csr" in names_for(2), "csr" in names_for(3)
    (True, False)
    """
    return tuple(name for name, known in _NAMES.items() if known.takes(ndim))


def takes(name: str, ndim: int) -> bool:
    """
    Whether a name means a format for arrays of `ndim` axes.

    Raises
    ------
    FormatError
        If there is no such name.

    Examples
    --------
    >>> takes("csr", 2), takes("csr", 3), takes("auto", 3)
    (True, False, True)
    """
    return name.lower() == "auto" or _known(name).takes(ndim)


def register(name: str, kind: type[Level]) -> None:
    """
    Name the formats whose last level is of a kind, below dense ones, as "list" names lists.

    A package that brings a level calls it once. Registering the same again changes nothing.

    Parameters
    ----------
    name : str
        In lower case; no other format may have it.
    kind : type
        A subclass of `Level`.

    Raises
    ------
    FormatError
        If the name is taken, or is not in lower case.

    Examples
    --------
    >>> from structarr.formats import SparseList
    >>> register("csr", SparseList)
    Traceback (most recent call last):
        ...
    structarr.errors.FormatError: format name 'csr' is taken, by Dense(SparseList) for 2 axes; ...
    """
    if not name or name != name.lower() or name == "auto":
        raise FormatError(f"format name {name!r} must be in lower case, and not 'auto'")
    tree = _last(kind)
    known = _NAMES.get(_ALIASES.get(name, name))
    if known is not None:
        ndim = known.ndim or 1
        if known.ndim is None and known.tree(ndim) is tree(ndim):
            return
        raise FormatError(
            f"format name {name!r} is taken, by {tree_of(known.tree(ndim))} for {ndim} "
            f"{'axis' if ndim == 1 else 'axes'}; choose another"
        )
    _NAMES[name] = _Name(tree)
    name_of.cache_clear()


def _by_name(name: str, ndim: int, index: str) -> Format:
    known = _known(name)
    if not known.takes(ndim):
        raise FormatError(
            f"format {name!r} is for {known.ndim} axes, not {ndim}; for {ndim} there are "
            + ", ".join(names_for(ndim))
        )
    return known.format(ndim, index)


def _known(name: str) -> _Name:
    wanted = name.lower()
    known = _NAMES.get(_ALIASES.get(wanted, wanted))
    if known is None:
        raise FormatError(f"format {name!r} is unknown; there are auto, {', '.join(_NAMES)}")
    return known


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


def matches(meant: Format, format: Format) -> bool:
    """Whether a format is the one meant, or decides what that leaves open (None)."""
    if meant is format:
        return True
    if (meant.order, meant.index) != (format.order, format.index):
        return False
    if len(meant.levels) != len(format.levels):
        return False
    return all(map(_level_matches, meant.levels, format.levels))


def _level_matches(meant: Level, level: Level) -> bool:
    if type(meant) is not type(level):
        return False
    return all(
        getattr(meant, field) in (None, getattr(level, field))
        for field in meant._fields
        if field != "child"
    )


@lru_cache(maxsize=1024)
def name_of(format: Format) -> str:
    """
    Return a format's usual name, or its tree of levels if it has none.

    Examples
    --------
    >>> from structarr.formats import Dense, Element, Format, Pattern, SparseList
    >>> name_of(Format(Dense(SparseList(Element())), (1, 0)))
    'csc'
    >>> name_of(Format(SparseList(Dense(Element())), (1, 0)))
    'SparseList(Dense), order (1, 0)'
    >>> name_of(Format(Dense(SparseList(Pattern())), (0, 1)))
    'csr, leaf Pattern'
    """
    ndim = format.ndim
    for name, known in _NAMES.items():
        if known.takes(ndim) and matches(known.format(ndim, format.index), format):
            return name
    leaf = format.levels[-1]
    if leaf is not Element() and ndim:
        plain = format.without(range(ndim), Element())
        return f"{name_of(plain)}, leaf {type(leaf).__name__}"
    natural = format.order == tuple(range(ndim))
    return tree_of(format.root) + ("" if natural else f", order {format.order}")


def tree_of(level: Level) -> str:
    """
    Return a tree of levels as a user would write it, without the leaf that is there by default.

    Examples
    --------
    >>> from structarr.formats import Dense, SparseList
    >>> tree_of(SparseList(Dense()))
    'SparseList(Dense)'
    """
    below = "" if level.leaf or level.child is Element() else tree_of(level.child)
    own = [f"{field}={getattr(level, field)!r}" for field in level._fields if field != "child"]
    inner = ", ".join(([below] if below else []) + own)
    return type(level).__name__ + (f"({inner})" if inner else "")
