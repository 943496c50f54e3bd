"""Checks of storage without a kernel: declared, listed, copied, saved, printed, converted."""

from __future__ import annotations

import copy
import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import structarr as sa
from structarr._array import of_tensor
from structarr._storage.coordinates import Buffers, coordinates
from structarr._storage.tensor import Tensor
from structarr._testing.case import Case, differ, operand, same, sound, spelled
from structarr._testing.pairing import hold
from structarr.errors import FormatError
from structarr.formats import Format, Layout, Level, names_for
from structarr.formats.entries import Entries, Fibers
from structarr.formats.reading import Reading
from structarr.formats.support import Children
from structarr.formats.writing import Writing


def declare(level: Level) -> None:
    """Check what a level's class says of itself."""
    name = type(level).__name__
    if level.leaf:
        return
    hold(level)
    assert type(level.reading).locate is not Reading.locate, (
        f"level {name} must name a `reading` whose `locate` finds the element at an index"
    )
    writing = level.writing
    assert not writing.writable or type(writing).place is not Writing.place, (
        f"level {name} is written, so that its `writing` must tell in `place` where; a level that "
        "no kernel writes names none"
    )
    assert not writing.appends or writing.ends in level.buffers, (
        f"level {name} appends, so that `ends` must name the buffer that says where each "
        f"fiber ends, one of {level.buffers}, not {writing.ends!r}"
    )
    assert not (level.kind.arithmetic and level.buffers), (
        f"level {name} is of kind {level.kind.name!r}, which says that its child i is at place i "
        "of its fiber and that nothing else is stored; levels that compute elements are 'computed'"
    )


def store(case: Case) -> None:
    """Check the buffers, and what they say by themselves."""
    with case.reporting("a"):
        sound(case.tensor)
        same(case.own.array, case.own.data)
        asked = Layout(case.format)
        assert case.own.array.format == asked, f"the format is {case.own.array.format}"
    with case.reporting("coordinates(a)"):
        _listed(case)
    with case.reporting("hulls and counts of a's levels"):
        _levels(case.tensor)


def _listed(case: Case) -> None:
    coords, values = coordinates(case.tensor)
    out = np.full(case.tensor.shape, case.tensor.fill, case.tensor.dtype)
    seen = np.zeros(case.tensor.shape, np.int64)
    np.add.at(seen, coords, 1)
    assert seen.max(initial=0) <= 1, f"an element is listed {seen.max()} times"
    out[coords] = values
    differ(out, case.own.data)


def _levels(tensor: Tensor) -> None:
    """The hulls hold what is stored, and the counts are those of `validate`."""
    zero = np.zeros(1, np.int64)
    fibers, count = Fibers(zero, zero, zero, 1), 1
    parts = zip(tensor.format.levels[:-1], tensor.dims, tensor.level_buffers, strict=False)
    for level, dim, buffers in parts:
        name = type(level).__name__
        entries = level.expand(fibers, dim, buffers)
        if level.has_hulls:
            begin, end = level.hulls(count, dim, buffers)
            at, of = entries.coordinate, fibers.position[entries.fiber]
            outside = (at < begin[of]) | (at >= end[of])
            assert not outside.any(), f"{name}.hulls leaves out index {at[outside][:1]}"
        _keeps_word(level, entries, fibers, dim)
        _tells_where(level, entries, fibers, count, dim, buffers)
        held, valid = level.stored(count, dim, buffers), level.validate(count, dim, buffers)
        assert held == valid, f"{name}.stored gives {held}, {name}.validate {valid}"
        fibers = Fibers(entries.child, entries.coordinate, fibers.position[entries.fiber], dim)
        count = held


def _tells_where(
    level: Level, entries: Entries, fibers: Fibers, count: int, dim: int, buffers: Buffers
) -> None:
    """Check that `whereabouts` tells of each child what `expand` lists, if it tells anything."""
    child = np.unique(entries.child)
    told = None if level.is_rule else level.whereabouts(child, count, dim, buffers)
    if told is None or level.kind.is_mirrored:
        return
    of, at = fibers.position[entries.fiber], entries.coordinate
    place = np.searchsorted(child, entries.child)
    inside = (at >= told.start[place]) & (at < told.stop[place])
    # A child that stands in every fiber above is found in one of them.
    inside &= (of == told.fiber[place]) | level.kind.is_constant
    name = type(level).__name__
    assert inside.all(), f"{name}.whereabouts leaves out index {at[~inside][:1]}"
    wide = int((told.stop - told.start).sum())
    assert wide == len(at), f"{name}.whereabouts tells {wide} indices and {name}.expand {len(at)}"


def _keeps_word(level: Level, entries: Entries, fibers: Fibers, dim: int) -> None:
    """Check what a kind says of the support and the children against the entries of fibers."""
    kind, order = level.kind, np.lexsort([entries.coordinate, entries.fiber])
    says = f"level {type(level).__name__}: kind {kind.name!r} says that"
    fiber, at = entries.fiber[order], entries.coordinate[order]
    follows = np.r_[False, fiber[1:] == fiber[:-1]]
    gaps = follows & (np.diff(at, prepend=0) != 1)
    assert not (kind.is_stretch and gaps.any()), f"{says} a fiber has one stretch, without gaps"
    late = ~follows & (at > 0)
    assert not (kind.from_start and late.any()), f"{says} it begins at 0, not {at[late][:1]}"
    shared = kind.children is Children.ELEMENTS and np.unique(entries.child).size < len(at)
    assert not shared, f"{says} children stand for an element each; one stands for several"
    full = kind.is_sparse or len(at) == len(fibers.position) * dim
    assert full, f"{says} every element is stored; {len(at)} of {len(fibers.position) * dim} are"
    off = fibers.coordinate[entries.fiber] != entries.coordinate
    _, count = np.unique(entries.child[off], return_counts=True)
    twice = not kind.is_mirrored or (count == 2).all()
    assert twice, f"{says} children off the diagonal stand for two elements each"


def keep(case: Case) -> None:
    """Check copies, pickles, files and prints."""
    a, want = case.own.array, case.own.data
    with case.reporting("a.copy()"):
        same(a.copy(), want)
        same(copy.deepcopy(a), want)
    with case.reporting("pickle.loads(pickle.dumps(a))"):
        again = pickle.loads(pickle.dumps(a))
        same(again, want)
        assert again.format == a.format, f"the format is {again.format}"
    with case.reporting("sa.load of what sa.save(path, a) wrote"):
        with tempfile.TemporaryDirectory() as folder:
            sa.save(Path(folder) / "a.npz", a)
            loaded = sa.load(Path(folder) / "a.npz")
        same(loaded, want)
        assert loaded.format == a.format, f"the format is {loaded.format}"
        differ(np.asarray(loaded.fill_value), np.asarray(a.fill_value))
    with case.reporting("str(a), repr(a)"):
        assert str(Layout(case.tensor.format)) in repr(a)
        assert type(case.format.root).__name__ in str(a) or not a.ndim
    with case.reporting("a.T.T"):
        same(of_tensor(case.tensor.transposed(range(a.ndim)[::-1])), want.T)


def convert(case: Case) -> None:
    """Check conversions to and from the formats that have a name."""
    ndim, fill = case.tensor.ndim, case.tensor.fill
    for name in names_for(ndim):
        with case.reporting(f"a.asformat({name!r})"):
            try:
                other = case.own.array.asformat(name)
            except FormatError:
                if not _demands(sa.formats.parse(name, ndim)):
                    raise
                continue
            same(other, case.own.data)
        if _writable(case.format):
            text = f"a.asformat({name!r}).asformat({spelled(case.format)})"
            with case.reporting(text):
                same(other.asformat(case.format), case.own.data)
                sound(other.asformat(case.format).compute()._tensor)  # type: ignore[arg-type]
    with case.reporting("the same with int32 coordinates"):
        narrow = Format(case.format.root, case.format.order, "int32")
        if _writable(case.format):
            same(operand(case.own.data, fill, narrow).array, case.own.data)


def _demands(format: Format) -> bool:
    return any(level.is_partial for level in format.levels)


def _writable(format: Format) -> Any:
    return all(level.writing.writable for level in format.levels)
