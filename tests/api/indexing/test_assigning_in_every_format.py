"""Assignment into arrays of every format, those that cannot be written among them."""

import itertools
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr import formats
from structarr.errors import FormatError
from structarr.formats import Constant, Dense, Element, Level, RunList, Tiles
from structarr.formats.names import names_for

MATRIX = np.array([[0, 2, 0, 0], [0, 0, 3, 3], [0, 0, 0, 4], [0, 0, 0, 0.0]])
SYMMETRIC = np.ones((4, 4)) + np.eye(4)
KEYS = [
    (1, 2),
    (slice(None), 1),
    (slice(0, 2), slice(1, 4)),
    slice(None, None, 2),
    ([0, 2], [1, 3]),
]
KEYS += [([0, 2], [1, 3]), np.eye(4) > 0, (slice(None, None, -1), 2), Ellipsis]

RULES = {
    "eye": lambda: sa.eye(4),
    "eye of truth": lambda: sa.eye(4, dtype=bool),
    "eye beside the diagonal": lambda: sa.eye(4, k=1),
    "eye of columns": lambda: sa.eye(4).T,
    "tri": lambda: sa.tri(4),
    "tri of truth": lambda: sa.tri(4, dtype=bool),
    "diagonal of one number": lambda: np.diag(sa.full(4, 2.0)),
    "constant": lambda: sa.full((4, 4), 3.0),
    "range": lambda: sa.broadcast_to(sa.arange(4.0), (4, 4)),
    "pattern": lambda: sa.asarray(MATRIX, format="csr") != 0,
    "triangle": lambda: np.triu(sa.full((4, 4), 5.0)),
    "kron": lambda: np.kron(sa.eye(2), sa.eye(2)),
}


def check(a, key, value):
    """One assignment beside NumPy's; the array that was copied stays."""
    before = a.todense()
    want, b = before.copy(), a.copy()
    want[key] = value
    b[key] = value
    assert np.array_equal(b.todense(), want)
    assert b.dtype == want.dtype
    assert np.array_equal(a.todense(), before)


@pytest.mark.parametrize("name", RULES)
def test_what_a_rule_says_becomes_what_can_be_written(name):
    with sa.options(tier="interpreted"):
        a = RULES[name]()
        for key in KEYS:
            check(a, key, 7)
            check(a, key, 0)


def test_a_structure_that_leaves_something_out_stays_one():
    a, b, c = sa.eye(1000), sa.tri(50), sa.eye(1000, dtype=bool)
    a[3, 5], b[3, 5], c[3, 5] = 2.0, 2.0, True
    assert (a.format, a.nstored) == ("csr", 1001)
    assert b.format == "band"
    assert (c.format, c.nstored) == ("csr", 1001)


@pytest.mark.parametrize("name", names_for(2))
def test_a_named_format_takes_any_assignment(name):
    data = SYMMETRIC if name in ("symmetric", "hermitian") else MATRIX
    data = np.diag(np.arange(4.0)) if name in ("tril", "point", "ragged", "interval") else data
    data = np.full((4, 4), 2.0) if name == "constant" else data
    data = np.where(MATRIX != 0, 2.0, 0.0) if name == "1-bit" else data
    with sa.options(tier="interpreted"):
        a = sa.asarray(data, format=name)
        for key in KEYS:
            check(a, key, 5)


def test_vectors_of_a_rule():
    for a in (sa.arange(6), sa.arange(6.0) * 1, sa.full(6, 2.0), sa.zeros(6)):
        check(a, 2, 9)
        check(a, slice(1, None, 2), [1, 2, 3])


TILES = np.kron(np.array([[1, 0, 1], [0, 0, 1.0]]), np.array([[1, 2], [3, 4]]))


@pytest.mark.parametrize("sides", [(2, 2), (None, None), (1, 2)])
@pytest.mark.parametrize("extent", [0, 1, 3])
def test_tiles_stand_below_what_does_not_vary(sides, extent):
    data = np.broadcast_to(TILES, (extent, *TILES.shape)).copy()
    a = sa.asarray(data).asformat(Constant(Dense(Tiles(Element(), *sides))))
    assert np.array_equal(a.todense(), data)
    assert np.array_equal((a * 2 + 1).todense(), data * 2 + 1)
    assert a.nstored <= 12 and type(a.format.levels[2]) is Tiles
    if extent:
        check(a, (0, 0, 0), 9)
        check(a, (slice(None), 1), 9)


def test_tiles_that_vary_are_refused_by_name():
    data = np.stack([TILES, TILES])
    data[1, 0, 0] = 9
    with pytest.raises(FormatError, match=r"a\[1, 0, 0\] = 9.0 along an axis that must hold one"):
        sa.asarray(data).asformat(Constant(Dense(Tiles(Element(), 2, 2))))
    with pytest.raises(FormatError, match="no multiple of the tiles' height 3"):
        sa.asarray(data[:1]).asformat(Constant(Dense(Tiles(Element(), 3, 2))))


def test_runs_below_a_constant_stay_runs():
    a = sa.asarray(np.ones((3, 4))).asformat(Constant(RunList(Element())))
    a[0, 1] = 5
    assert a.format == "rle"
    assert a.tolist() == [[1, 5, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]


def trees(kinds, ndim):
    """Every tree of levels of some kinds."""
    leaves = [kind for kind in kinds if kind.leaf]
    inner = [kind for kind in kinds if not kind.leaf]
    for chosen in itertools.product(inner, repeat=ndim):
        for leaf in leaves:
            yield (*chosen, leaf)


def tree(kinds):
    """A tree, told what its levels cannot do without."""
    told = {formats.Triangular: ("upper",), formats.Function: ("sqrt",)}
    *levels, leaf = kinds
    made = leaf()
    for level in reversed(levels):
        made = level(made, *told.get(level, ()))
    return made


def convert_and_assign(data, levels):
    """Every conversion works or is refused as one of formats, and then any element is assigned."""
    for one in data:
        given = one if levels[-1].buffers else one != 0
        try:
            a = sa.asarray(given).asformat(tree(levels))
        except FormatError:
            continue
        assert np.array_equal(a.todense(), given), levels
        for key in [(0,) * one.ndim, (-1,), (slice(None),) * (one.ndim - 1) + (1,)]:
            check(a, key, 5)


KINDS = [
    kind
    for kind in vars(formats).values()
    if isinstance(kind, type) and issubclass(kind, Level) and kind is not Level
]


@pytest.mark.parametrize("outer", [kind for kind in KINDS if not kind.leaf])
def test_matrices_of_every_level_are_written_or_refused(outer):
    with sa.options(tier="interpreted"):
        for levels in trees([kind for kind in KINDS if kind is Element or not kind.leaf], 1):
            convert_and_assign([MATRIX[:, 1:]], (outer, *levels))


@pytest.mark.long
@pytest.mark.parametrize("outer", [kind for kind in KINDS if not kind.leaf])
def test_arrays_of_every_tree_are_written_or_refused(outer):
    matrices = [MATRIX, MATRIX[:, 1:], np.ones((4, 4)), np.diag(np.arange(4.0))]
    stack = [np.broadcast_to(MATRIX, (3, 4, 4)).copy(), np.stack([MATRIX, MATRIX * 2])]
    with sa.options(tier="interpreted"):
        for levels in trees(KINDS, 1):
            convert_and_assign(matrices, (outer, *levels))
        for levels in trees([kind for kind in KINDS if kind.buffers or not kind.leaf], 2):
            convert_and_assign(stack, (outer, *levels))


@pytest.mark.parametrize("format", ["dense", "list", "hash", "rle"])
@pytest.mark.parametrize("key", [(), ..., True, (..., None)])
@pytest.mark.parametrize("value", [7, np.int64(7), np.array(7)])
def test_arrays_without_axes(format: str, key: Any, value: Any) -> None:
    for is_computed in (False, True):
        a = sa.asarray(np.array([2, -3, 4]), format=format).sum()
        if is_computed:
            a.compute()
        a[key] = value
        assert a.shape == () and a.item() == 7
