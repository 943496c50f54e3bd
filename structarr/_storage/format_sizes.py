"""The sizes of a measured array in all formats that have a name, as their levels tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from structarr.formats import Dense, Format, Level, SparseList
from structarr.formats.name_table import name_in, tree_of, trees
from structarr.formats.sizes import Counts, Measures, Placement, Profile, Size, own_order


class Option(NamedTuple):
    """
    A format, and its size or why it cannot hold the measured array.

    Attributes
    ----------
    kind : str
        The usual name, and what tells variants apart.
    name : str
        The same with the order of the axes.
    levels : tuple of Level
        Those above the leaf; what the last one leaves open is not decided.
    at : Placement
        That of the last level.
    size : Size or str
        Of all levels.
    """

    kind: str
    name: str
    levels: tuple[Level, ...]
    at: Placement
    size: Size | str

    @property
    def extent(self) -> int:
        """The bound of all coordinates."""
        dims = zip(self.levels, self.at.profile.dims, strict=True)
        return max((dim for level, dim in dims if level.has_places), default=0)

    @property
    def needs_no_values(self) -> bool:
        """Whether the stored elements are those other than the fill: booleans need no values."""
        last = self.levels[-1:]
        return any(one.stores_nonfill_only and not one.flags for one in last)

    def format(self, leaf: Level, index: str) -> Format:
        """Return the format with a leaf and a dtype of coordinates and positions."""
        *outer, last = self.levels or (leaf,)
        root = last.decided(self.at).above(leaf) if self.levels else leaf
        for level in reversed(outer):
            root = level.above(root)
        return Format(root, self.at.profile.order, index)


def options(measures: Measures) -> Iterator[Option]:
    """
    Yield each format for each order of the axes that makes a difference to it.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr._storage.dense import from_dense
    >>> from structarr._storage.statistics import measure
    >>> sizes = {one.name: one.size for one in options(measure(from_dense(np.array([0, 7]))))}
    >>> sizes["list"], sizes["bitmap"]
    (Size(places=3, children=1, mask=0), Size(places=0, children=2, mask=2))
    """
    if not measures.shape:
        at = Placement(measures, Profile((), (), Counts(), ()), 0, 1)
        yield Option("dense", "dense", (), at, Size(0, 1))
        return
    named = [(name, _above_leaf(tree)) for name, tree in trees(len(measures.shape))]
    for name, (*outer, last) in sorted(named, key=_is_tried_in_each_order):
        for profile in last.orders(measures):
            for variant, level in last.variants(measures).items():
                yield from _sized(f"{name} {variant}".strip(), (*outer, level), profile, measures)
    for profile in measures.profiles if len(measures.shape) > 1 else ():
        for _, levels in named:
            if levels[-1].below_lists:
                yield from _below_lists(levels, profile, measures)


def _above_leaf(tree: Level) -> tuple[Level, ...]:
    return Format(tree, ()).levels[:-1]


def _is_tried_in_each_order(named: tuple[str, tuple[Level, ...]]) -> bool:
    return named[1][-1].orders is not own_order


def _below_lists(
    levels: tuple[Level, ...], profile: Profile, measures: Measures
) -> Iterator[Option]:
    """Yield the last level below lists, if that takes fewer places than below dense levels."""
    nested = levels[-1]
    for _ in levels[1:]:
        nested = SparseList(nested)
    beside = _sized("", levels, profile, measures)
    below = _sized(tree_of(nested), _above_leaf(nested), profile, measures)
    for one, other in zip(below, beside, strict=False):
        if isinstance(one.size, str) or isinstance(other.size, str):
            continue
        if one.size.places < other.size.places:
            yield one


def _sized(
    kind: str, levels: tuple[Level, ...], profile: Profile, measures: Measures
) -> Iterator[Option]:
    """Yield the option of some levels, unless one does not tell its size.

    A dense level replaces a level that cannot store the array.
    """
    stand: list[Level] = []
    total, problem = Size(0, 1), ""
    for depth, level in enumerate(levels):
        at = Placement(measures, profile, depth, total.children)
        size = level.size_at(at)
        if isinstance(size, str):
            level, problem = Dense(level.child), size
            size = level.size_at(at)
        if size is None:
            return
        stand.append(level)
        total = Size(total.places + size.places, size.children, total.mask + size.mask)
    told = problem if problem and all(level.arithmetic for level in stand) else total
    yield Option(kind, name_in(profile.order, kind), tuple(stand), at, told)
