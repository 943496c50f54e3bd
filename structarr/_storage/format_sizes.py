"""How large the buffers of each format would be, and which levels make it: a formula a format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from structarr import formats
from structarr._storage.run_lists import Order
from structarr._storage.statistics import REPEATS, TILES, Counts, Measures, Profile
from structarr.formats import Dense, Level

Tree: TypeAlias = Callable[[Level], Level]  # of a leaf


class Size(NamedTuple):
    """
    Lengths of buffers.

    Attributes
    ----------
    places : int
        Coordinates, positions and counts.
    children : int
        What the leaf holds.
    mask : int
        Booleans beside it.
    full : bool
        Whether no child that is read is the fill, in a format that leaves fill out.
    """

    places: int
    children: int
    mask: int = 0
    full: bool = False


class Option(NamedTuple):
    """A format above its leaf, and its size or why it cannot be.

    `extent` is what its coordinates stay below.
    """

    name: str
    order: Order
    extent: int
    size: Size | str
    tree: Tree


def options(measures: Measures) -> Iterator[Option]:
    """
    Yield each format for each order of the axes that makes a difference to it.

    Examples
    --------
    >>> from structarr._storage.statistics import measure
    >>> from structarr._storage.dense import from_dense
    >>> sizes = {one.name: one.size for one in options(measure(from_dense(np.array([0, 7]))))}
    >>> sizes["list"], sizes["band"]
    (Size(places=3, children=1, mask=0, full=True), Size(places=3, children=1, mask=0, full=True))
    """
    yield from _overall(measures)
    for profile in measures.profiles:
        yield from _by_last_axis(profile)
        if len(profile.dims) > 1:
            yield from _below_lists(profile)
    if measures.matrix is not None:
        yield from _of_matrices(measures)


def _overall(measures: Measures) -> Iterator[Option]:
    """Formats that do not mind the order: they take the tensor's own."""
    order = measures.own
    dims, size = [measures.shape[axis] for axis in order], prod(measures.shape)
    yield Option("dense", order, 0, Size(0, size), _nest(["Dense"] * len(order)))
    if not order:
        return
    constant = {one.order[-1] for one in measures.profiles if _is_constant(one)}
    kinds = ["Constant" if axis in constant else "Dense" for axis in order]
    rest = prod(dim for dim, kind in zip(dims, kinds, strict=True) if kind == "Dense")
    told = Size(0, rest) if rest < size else "along no axis are all elements equal"
    yield Option("constant", order, 0, told, _nest(kinds))
    bitmap = ["Dense"] * (len(order) - 1) + ["Bitmap"]
    yield Option("bitmap", order, 0, Size(0, size, mask=size), _nest(bitmap))
    count = measures.profiles[0].counts.elements
    listed = Size(2 + len(order) * count, count, full=True)
    coo = ["Coordinate"] + ["Singleton"] * (len(order) - 1)
    yield Option("coo", order, max(dims), listed, _nest(coo))


def _is_constant(profile: Profile) -> bool:
    counts = profile.counts
    return 0 not in profile.dims and counts.runs + counts.gaps == counts.fibers


def _by_last_axis(profile: Profile) -> Iterator[Option]:
    """Each level as the innermost, below dense ones."""
    *outer, dim = profile.dims
    for name, (kind, sized) in _LAST.items():
        size = sized(profile.counts, prod(outer), dim)
        tree = _nest(["Dense"] * len(outer) + [kind])
        yield Option(_name(name, profile.order), profile.order, dim, size, tree)


def _below_lists(profile: Profile) -> Iterator[Option]:
    """Lists at all levels; and below lists what is larger below dense levels."""
    *outer, dim = profile.dims
    above = _entries_above(profile)
    for name in _OMITTED:
        kind, sized = _LAST[name]
        below = sized(profile.counts, profile.counts.fibers, dim)
        size = below._replace(places=above + below.places)
        if name != "list" and size.places >= sized(profile.counts, prod(outer), dim).places:
            continue
        kinds = ["SparseList"] * len(outer) + [kind]
        nested = "(".join(kinds) + ")" * len(outer)
        label = _name("csf", profile.order) if name == "list" else nested
        yield Option(label, profile.order, max(profile.dims), size, _nest(kinds))


def _name(name: str, order: Order) -> str:
    return _OF_TWO_AXES.get((name, order), name)


def _entries_above(profile: Profile) -> int:
    """Pointers and coordinates of lists at all levels but the last."""
    fibers = (1, *profile.slices[:-1])
    return sum(fibers) + len(fibers) + sum(profile.slices)


def _list(counts: Counts, fibers: int, dim: int) -> Size:
    return Size(fibers + 1 + counts.elements, counts.elements, full=True)


def _band(counts: Counts, fibers: int, dim: int) -> Size:
    return Size(2 * fibers + 1, counts.hull, full=counts.hull == counts.elements)


def _blocks(counts: Counts, fibers: int, dim: int) -> Size:
    return Size(fibers + 1 + 2 * counts.blocks + 1, counts.elements, full=True)


def _point(counts: Counts, fibers: int, dim: int) -> Size | str:
    if counts.elements != counts.fibers:
        return "a fiber has more than one element"
    return Size(fibers, fibers, full=True)


def _interval(counts: Counts, fibers: int, dim: int) -> Size | str:
    if counts.runs != counts.fibers:
        return "a fiber has more than one run"
    return Size(2 * fibers, fibers, full=True)


def _runs(counts: Counts, fibers: int, dim: int) -> Size:
    runs = counts.runs + counts.gaps + (fibers - counts.fibers if dim else 0)
    return Size(fibers + 1 + runs, runs)


def _sparse_runs(counts: Counts, fibers: int, dim: int) -> Size:
    return Size(fibers + 1 + 2 * counts.runs, counts.runs, full=True)


def _packbits(counts: Counts, fibers: int, dim: int) -> Size:
    empty = fibers - counts.fibers if dim else 0
    segments = counts.segments + empty
    packed = counts.packed + empty * (1 if dim >= REPEATS else dim)
    return Size(fibers + 1 + 2 * segments + 1, packed)


def _ragged(counts: Counts, fibers: int, dim: int) -> Size:
    return Size(fibers + 1, counts.reach, full=counts.reach == counts.elements)


_Sized: TypeAlias = Callable[[Counts, int, int], Any]  # a Size, or why there is none
_LAST: dict[str, tuple[str, _Sized]] = {
    "list": ("SparseList", _list),
    "band": ("SparseBand", _band),
    "vbl": ("SparseVBL", _blocks),
    "point": ("SparsePoint", _point),
    "interval": ("SparseInterval", _interval),
    "rle": ("RunList", _runs),
    "sparse-rle": ("SparseRunList", _sparse_runs),
    "packbits": ("PackBits", _packbits),
    "ragged": ("Ragged", _ragged),
}
# Levels whose empty fibers a list above leaves out.
_OMITTED = ("list", "band", "vbl", "sparse-rle")
_OF_TWO_AXES: dict[tuple[str, Order], str] = {
    ("list", (0, 1)): "csr",
    ("list", (1, 0)): "csc",
    ("csf", (0, 1)): "dcsr",
    ("csf", (1, 0)): "dcsc",
}


def _of_matrices(measures: Measures) -> Iterator[Option]:
    yield from _triangles(measures)
    yield from _mirrors(measures)
    # Fewer rows are fewer pointers, and fewer elements of diagonals that lie outside.
    profile = min(measures.profiles, key=lambda profile: profile.dims[0])
    yield _diagonals(measures, profile)
    yield from _tiles(measures, profile)


def _triangles(measures: Measures) -> Iterator[Option]:
    assert measures.matrix is not None
    rows, columns = measures.shape
    height = min(rows, columns)
    # Of `height` rows, each is one shorter than the one before; rows below have nothing.
    upper = height * columns - height * (height - 1) // 2
    outside = {"upper": measures.matrix.below, "lower": measures.matrix.above}
    packed = {"upper": upper, "lower": rows * columns - upper + height}
    for name, side in (("triu", "upper"), ("tril", "lower")):
        place = outside[side]
        beyond = "below" if side == "upper" else "above"
        size: Size | str = Size(0, packed[side])
        if place is not None:
            size = f"a[{place[0]}, {place[1]}] lies {beyond} the diagonal"
        yield Option(name, (0, 1), 0, size, _nest(["Dense", "Triangular"], side=side, k=0))


def _mirrors(measures: Measures) -> Iterator[Option]:
    assert measures.matrix is not None
    rows, columns = measures.shape
    found = [("symmetric", "Symmetric", measures.matrix.asymmetry)]
    if measures.dtype.kind == "c":
        found.append(("hermitian", "Hermitian", measures.matrix.unlike_conjugate))
    for name, kind, reason in found:
        problem = reason if rows == columns else f"shape {measures.shape} is not square"
        size = problem or Size(0, rows * (rows + 1) // 2)
        yield Option(name, (0, 1), 0, size, _nest(["Dense", kind]))


def _diagonals(measures: Measures, profile: Profile) -> Option:
    assert measures.matrix is not None
    low, high = measures.matrix.diagonals
    count = int((high - low).sum())

    def tree(leaf: Level) -> Level:
        offsets = np.concatenate([np.arange(0), *map(np.arange, low, high)])
        if profile.order == (1, 0):
            offsets = -offsets[::-1]
        return _nest(["Dense", "Diagonals"], offsets=tuple(offsets.tolist()))(leaf)

    size = Size(count, profile.dims[0] * count) if count else "there are no elements"
    return Option("dia", profile.order, max(profile.dims), size, tree)


def _tiles(measures: Measures, profile: Profile) -> Iterator[Option]:
    assert measures.matrix is not None
    tiles, (rows, columns) = measures.matrix.tiles, profile.dims
    fitting = [size for size in TILES if rows % size == 0 and columns % size == 0]
    if not fitting:
        problem = f"no tile of side {TILES} divides shape {measures.shape}"
        yield Option("bsr", profile.order, 0, problem, Dense)
    for side in fitting:
        count = tiles.get(side, 0)
        children = count * side**2
        full = children == profile.counts.elements
        size = Size(rows // side + 1 + count, children, full=full)
        tree = _nest(["Dense", "Tiles"], height=side, width=side)
        yield Option(f"bsr {side}x{side}", profile.order, columns, size, tree)


def _nest(kinds: list[str], **fields: Any) -> Tree:
    """Levels by name, outermost first; the fields are the innermost one's."""

    def tree(leaf: Level) -> Level:
        made = leaf
        for depth, kind in reversed(list(enumerate(kinds))):
            made = level(kind, made, **(fields if depth == len(kinds) - 1 else {}))
        return made

    return tree


def level(kind: str, *below: Level, **fields: Any) -> Level:
    """Make a level by the name of its class."""
    made: Level = getattr(formats, kind)(*below, **fields)
    return made
