"""The table of usual names of formats, and each format's name from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import cast

from structarr._compiler.options import CHECKS
from structarr._support.array_types import FormatName
from structarr._support.caches import MOST
from structarr._support.meant import meant
from structarr._support.records import record
from structarr.errors import FormatError
from structarr.formats.base import Format, Level
from structarr.formats.bitmap import Bitmap
from structarr.formats.constant import Constant
from structarr.formats.coordinate import Coordinate, Singleton
from structarr.formats.dense import Dense
from structarr.formats.diagonals import Diagonals
from structarr.formats.element import Element
from structarr.formats.hash import Hash
from structarr.formats.one_bit import OneBit
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
from structarr.formats.two_bit import TwoBit


@record(slots=True, eq=False)
class _Name:
    """A name's tree for a number of modes, and the number that it demands, if it does."""

    tree: Callable[[int], Level]
    ndim: int | None = None
    swapped: bool = False  # level 0 holds axis 1

    @lru_cache(MOST)  # noqa: B019  # names last
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
NAMES: dict[str, _Name] = {
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
    "1-bit": _Name(_last(OneBit)),
    "2-bit": _Name(_last(TwoBit)),
    "triu": _Name(_last(Triangular), ndim=2),
    "tril": _Name(lambda ndim: Dense(Triangular(Element(), "lower")), ndim=2),
    "symmetric": _Name(_last(Symmetric), ndim=2),
    "hermitian": _Name(_last(Hermitian), ndim=2),
    "dia": _Name(_last(Diagonals), ndim=2),
    "bsr": _Name(_last(Tiles), ndim=2),
    "constant": _Name(_every(Constant)),
}

ALIASES = {"compressed": "list"}  # accepted, never printed

# From what is read fastest to what is read slowest; names that are registered come after these.
_BY_SPEED = (
    *("dense", "constant", "symmetric", "hermitian", "triu", "tril", "dia", "band", "ragged"),
    *("interval", "point", "bitmap", "csr", "csc", "list", "vbl", "bsr", "sparse-rle", "rle"),
    *("packbits", "dcsr", "dcsc", "csf", "coo"),
)


def slowness(name: str) -> int:
    """Return the rank of a format's name by the speed of reading; trees without one come last."""
    word = name.replace(",", " ").split()[0]
    return _BY_SPEED.index(word) if word in _BY_SPEED else len(_BY_SPEED) + (word not in NAMES)


def trees(ndim: int) -> Iterator[tuple[str, Level]]:
    """Yield each tree that has a name, once, with the first name that it has."""
    found: dict[Level, str] = {}
    for name, known in NAMES.items():
        if known.takes(ndim) and not known.swapped:
            found.setdefault(known.tree(ndim), name)
    for tree, name in found.items():
        yield name, tree


def name_in(order: tuple[int, ...], name: str) -> str:
    """Return a name with an order of two or more axes: csc for csr, else with the order itself."""
    if order == tuple(range(len(order))):
        return name
    if order == (1, 0) and name in NAMES:
        tree = NAMES[name].tree(2)
        for other, known in NAMES.items():
            if known.swapped and known.tree(2) is tree:
                return other
    return f"{name}, order {order}"


def names_for(ndim: int) -> tuple[FormatName, ...]:
    """
    Return the names that a format of `ndim` axes may have.

    Parameters
    ----------
    ndim : int
        The number of axes.

    Returns
    -------
    tuple of str
        Those of the package, and those that are registered.

    See Also
    --------
    parse : The format of a name.
    register : Adds a name.

    Examples
    --------
    >>> "csr" in names_for(2), "csr" in names_for(3)
    (True, False)
    """
    # Those that are registered are taken for names of ours.
    return tuple(cast(FormatName, name) for name, known in NAMES.items() if known.takes(ndim))


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
    return name.lower() == "auto" or known(name).takes(ndim)


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

    See Also
    --------
    names_for : The names that there are.

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
    taken = NAMES.get(ALIASES.get(name, name))
    if taken is not None:
        ndim = taken.ndim or 1
        if taken.ndim is None and taken.tree(ndim) is tree(ndim):
            return
        raise FormatError(
            f"format name {name!r} is taken, by {tree_of(taken.tree(ndim))} for {ndim} "
            f"{'axis' if ndim == 1 else 'axes'}; choose another"
        )
    NAMES[name] = _Name(tree)
    name_of.cache_clear()


def by_name(name: str, ndim: int, index: str) -> Format:
    """Return the format that a name means."""
    found = NAMES.get(name) or known(name)
    if found.ndim is not None and found.ndim != ndim:
        raise FormatError(
            f"format {name!r} is for {found.ndim} axes, not {ndim}; for {ndim} there are "
            + ", ".join(names_for(ndim))
        )
    return found.format(ndim, index)


def known(name: str) -> _Name:
    """Return the record of a name."""
    wanted = name.lower()
    found = NAMES.get(ALIASES.get(wanted, wanted))
    if found is None:
        raise FormatError(
            f"format {name!r} is unknown; {meant(wanted, (*NAMES, *ALIASES, 'auto'))}there are "
            f"auto, {', '.join(NAMES)}"
        )
    return found


def check_name(name: str) -> None:
    """Raise FormatError for a name that neither a format nor "auto" has."""
    if name.lower() != "auto":
        known(name)


CHECKS.append(check_name)


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

    Parameters
    ----------
    format : Format
        The format.

    Returns
    -------
    str
        Such as "csr"; other leaves and orders of axes are added.

    See Also
    --------
    parse : The format that a name stands for.
    names_for : The names that there are.

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
    for name, known in NAMES.items():
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
