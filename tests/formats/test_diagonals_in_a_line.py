"""Diagonals are stretches of values: shared with SciPy, read as views, whatever lies outside."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._array import stored
from structarr._storage.earlier_layouts import in_this_layout
from structarr.errors import FormatError
from structarr.formats import Dense, Diagonals, Element, Format

OFFSETS = (-3, -1, 0, 2)
EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "product": lambda a: a @ np.arange(1.0, a.shape[1] + 1),
    "product of a transpose": lambda a: np.arange(1.0, a.shape[0] + 1) @ a,
    "products": lambda a: a @ a.T,
    "scaled": lambda a: a * np.arange(1.0, a.shape[1] + 1),
    "sum": lambda a: a.sum(),
    "sums": lambda a: a.sum(axis=0),
    "greatest": lambda a: a.max(axis=1),
    "is not itself": lambda a: (a != a).any(),
    "sum with itself": lambda a: a + a,
    "merged": lambda a: (a * (a + a)).sum(axis=1),
    "slice": lambda a: a[1:3] * 2.0,
    "reversed": lambda a: a[::-1] * 2.0,
    "transpose": lambda a: a.T * 2.0,
    "triangle": lambda a: np.tril(a),
    "diagonal": lambda a: np.diagonal(a, 2),
    "no diagonal": lambda a: np.diagonal(a, 1),
    "trace": lambda a: np.trace(a),
    "scan": lambda a: np.cumsum(a, axis=1),
    "full": lambda a: a + 1.0,
    "joined": lambda a: np.concatenate([a, a]),
    "places": lambda a: np.argmax(a, axis=1),
}


def _given(shape: tuple[int, int]) -> Any:
    """A matrix of SciPy, with NaN in what lies outside of it."""
    data = np.random.default_rng(0).integers(1, 9, (len(OFFSETS), shape[1])) * 1.0
    column = np.arange(shape[1])
    for own, offset in zip(data, OFFSETS, strict=True):
        own[(column - offset < 0) | (column - offset >= shape[0])] = np.nan
    return scipy.sparse.dia_array((data, OFFSETS), shape=shape)


@pytest.mark.parametrize("shape", [(6, 6), (9, 5), (5, 9)])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_what_lies_outside_is_never_read(name: str, shape: tuple[int, int]) -> None:
    given = _given(shape)
    with sa.options(tier="interpreted"):
        found = EXPRESSIONS[name](sa.asarray(given))
        values = found.todense() if isinstance(found, sa.Array) else found
        np.testing.assert_array_equal(values, EXPRESSIONS[name](given.toarray()))


def test_values_are_shared_with_scipy() -> None:
    for shape in ((6, 6), (9, 5)):
        given = _given(shape)
        a = sa.asarray(given)
        assert np.shares_memory(stored(a).buffers[-1], given.data)
        assert not np.shares_memory(stored(sa.asarray(given, copy=True)).buffers[-1], given.data)
        back = a.to_scipy()
        assert back.format == "dia" and np.shares_memory(back.data, given.data)
        assert not back.data.flags.writeable
        np.testing.assert_array_equal(back.toarray(), given.toarray())
    wide = _given((5, 9))
    np.testing.assert_array_equal(sa.asarray(wide).to_scipy().toarray(), wide.toarray())
    assert stored(sa.asarray(wide)).nbytes < wide.data.nbytes


def test_diagonals_in_other_places_are_sorted_and_added_up() -> None:
    data = np.arange(1.0, 13.0).reshape(4, 3)
    given = scipy.sparse.dia_array((data, [1, -1, 2, 7]), shape=(4, 4))
    given.offsets = np.array([1, -1, 1, 7])  # which its constructor refuses
    a = sa.asarray(given)
    assert a.format.levels[1].offsets == (-1, 1)
    np.testing.assert_array_equal(a.todense(), given.toarray())


def test_a_stored_diagonal_is_a_view() -> None:
    for shape in ((6, 6), (9, 5), (5, 9)):
        a = sa.asarray(_given(shape)).compute()
        for one, offset in ((a, -3), (a.T.compute(), 3)):
            found = one.diagonal(offset)
            assert found.format == "dense"
            assert np.shares_memory(stored(found).buffers[0], stored(a).buffers[-1])
            np.testing.assert_array_equal(np.asarray(found), np.diagonal(a.todense(), -3))
        assert int(sa.trace(a, offset=2)) == np.trace(a.todense(), offset=2)
    with pytest.raises(ValueError, match="axes"):
        sa.diagonal(sa.asarray([1.0]), 0)


def test_a_traced_diagonal_is_that_of_each_call() -> None:
    traced = sa.jit(lambda a: sa.trace(a) + sa.diagonal(a, 2).sum())
    for factor in (1.0, 3.0):
        a = sa.asarray(_given((6, 6)) * factor)
        dense = a.todense()
        assert float(traced(a)) == np.trace(dense) + np.trace(dense, offset=2)


def test_arrays_that_change_keep_their_diagonals() -> None:
    a = sa.asarray(_given((6, 6)), copy=True)
    before = a.diagonal()
    wanted = np.asarray(before).copy()
    a[2, 2] = 100.0
    np.testing.assert_array_equal(np.asarray(before), wanted)
    assert float(np.asarray(a.diagonal())[2]) == 100.0


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_values_of_earlier_versions_are_moved(shape: tuple[int, int]) -> None:
    fmt = Format(Dense(Diagonals(Element(), (-1, 0, 1))), (0, 1))
    dense = np.arange(1.0, shape[0] * shape[1] + 1).reshape(shape) * (
        abs(np.subtract.outer(np.arange(shape[0]), np.arange(shape[1]))) < 2
    )
    rows = np.zeros((shape[0], 3))
    for place in range(3):
        for i in range(shape[0]):
            if 0 <= i + place - 1 < shape[1]:
                rows[i, place] = dense[i, i + place - 1]
    offsets = np.array([-1, 0, 1])
    moved = in_this_layout(fmt, shape, [offsets, rows.reshape(-1)])
    np.testing.assert_array_equal(stored(sa.asarray(dense, format=fmt.root)).buffers[-1], moved[-1])
    with pytest.raises(FormatError, match="an earlier version stored"):
        in_this_layout(fmt, shape, [offsets, rows.reshape(-1)[1:]])


def test_files_and_pickles_tell_the_layout(tmp_path: Path) -> None:
    a = sa.asarray(_given((6, 6)))
    sa.save(tmp_path / "a.npz", a)
    for found in (
        sa.load(tmp_path / "a.npz"),
        sa.load(tmp_path / "a.npz", mmap=True),
        pickle.loads(pickle.dumps(a)),
    ):
        np.testing.assert_array_equal(found.todense(), a.todense())


def test_a_later_layout_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Diagonals, "layout", 3)
        sa.save(tmp_path / "a.npz", sa.asarray(_given((6, 6))))
    with pytest.raises(FormatError, match="level Diagonals is in layout 3: update structarr"):
        sa.load(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("offsets", "apart"), [((0, 1), False), ((-1, 0, 1), False), ((0, 2), True)]
)
def test_neighbours_are_written_without_a_search(offsets: tuple[int, ...], apart: bool) -> None:
    given = scipy.sparse.diags_array([1.0] * len(offsets), offsets=offsets, shape=(8, 8))
    product = sa.asarray(given, format="dia") * np.arange(64.0).reshape(8, 8)
    assert ("bisect(" in sa.explain(product).kernel) == apart
    np.testing.assert_array_equal(product.todense(), given.toarray() * np.arange(64).reshape(8, 8))
