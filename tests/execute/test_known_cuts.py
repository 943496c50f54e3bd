"""Cuts are found once for calls that are cut alike, and keep nothing alive."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any
from weakref import ref

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import stored
from structarr._execute import known_cuts, partition_append
from structarr._execute.call_size import is_alone
from structarr._execute.partition_split import Split
from structarr._storage.row_parts import widths_of
from structarr._testing.fuzz.pieces import in_pieces

N = 60


def matrix(seed: int) -> Any:
    """A matrix of as many elements as the others, which are elsewhere."""
    rng = np.random.default_rng(seed)
    return sp.random_array((N, N), density=0.2, rng=rng, format="csr")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The cuts that are found from now on, of all calls that can be cut."""
    found: list[Any] = []
    cuts_for = known_cuts.cuts_for

    def noted(*args: Any) -> Any:
        found.append(cuts_for(*args))
        return found[-1]

    monkeypatch.setattr(known_cuts, "cuts_for", noted)
    with in_pieces(), sa.options(tier="compiled", threads=2):
        yield found


def test_rows_that_store_as_much_as_each_other_are_cut_alike(made: list[Any]) -> None:
    """Other categories make no new cuts, as rows of one element each are cut by their number."""
    lengths = []
    for turn in range(4):
        codes = np.random.default_rng(turn).integers(-1, 5, (2, N))
        hot = [sa.one_hot(one, 5) for one in codes]
        x, y = sa.concatenate(hot, axis=1), np.arange(turn, turn + N).astype(float)
        dense = np.concatenate([one.todense() for one in hot], axis=1)
        np.testing.assert_allclose(np.asarray(x.T @ y), dense.T @ y, rtol=1e-12)
        lengths.append(len(made))
    assert lengths[0]
    assert lengths == [lengths[0]] * 4


def test_rows_that_are_stretches_of_buffers() -> None:
    def widths(array: Any) -> tuple[int, ...]:
        one = stored(array)
        return widths_of(one.format.levels, one.dims, one.buffers)

    dense = np.arange(24.0).reshape(4, 3, 2)
    assert widths(sa.asarray(dense)) == (6,)
    assert widths(sa.one_hot([1, 0, -1], 2)) == (1,)
    assert widths(sa.asarray(np.eye(3), format="point")) == (1, 1)
    assert widths(sa.asarray(dense[0] == 1, format="1-bit")) == ()
    assert widths(sa.asarray(dense[0], format="csr")) == ()
    assert widths(sa.asarray(dense[0], format="dcsr")) == ()
    assert widths(sa.asarray(np.zeros((0, 3)))) == ()


@pytest.mark.parametrize("name", ["sum", "rows", "scaled", "product"])
def test_cuts_are_those_of_the_matrix_at_hand(name: str, made: list[Any]) -> None:
    """Another vector makes no new ones; another matrix of the same magnitudes does."""
    compute = {
        "sum": lambda a, y: a.T @ y,
        "rows": lambda a, y: a @ y,
        "scaled": lambda a, y: a * y[:, None],
        "product": lambda a, y: (a * y) @ y,
    }[name]
    matrices = [matrix(seed) for seed in range(3)]
    arrays = [sa.asarray(one) for one in matrices]
    numbers = []
    for turn in range(6):
        y = np.arange(turn, turn + N).astype(float)
        for one, array in zip(matrices, arrays, strict=True):
            got, wanted = compute(array, y), compute(one.toarray(), y)
            np.testing.assert_allclose(np.asarray(got.todense()), wanted, rtol=1e-12)
        numbers.append(len(made))
    assert numbers[1:] == [numbers[1]] * 5
    assert len({tuple(cuts) for cuts in made}) >= len(matrices)


def test_cuts_depend_on_the_number_of_threads(made: list[Any]) -> None:
    a, y = sa.asarray(matrix(0)), np.ones(N)
    for threads in (2, 3, 2, 3):
        with sa.options(threads=threads):
            np.testing.assert_allclose(np.asarray(a @ y), matrix(0) @ y)
    lengths = [len(cuts) for cuts in made]
    assert len(lengths) == len({*lengths}) == 2


def test_nothing_is_kept_alive_by_its_cuts(made: list[Any]) -> None:
    a, y = sa.asarray(matrix(0)), np.ones(N)
    for _ in range(3):
        np.asarray(a @ y)
        np.asarray(y @ a)
    gone = ref(stored(a))
    del a
    gc.collect()
    assert gone() is None


def test_a_vector_remembers_no_rows(made: list[Any]) -> None:
    """Rows that are stretches of one buffer are made as quickly as they are looked up."""
    a, x = sa.asarray(matrix(0)), sa.asarray(np.arange(float(N)))
    got = (a * x[:, None]).todense()
    np.testing.assert_allclose(got, matrix(0).toarray() * np.arange(float(N))[:, None])
    assert made
    assert "rows" in stored(a).memo
    assert "rows" not in stored(x).memo


@pytest.mark.parametrize(("name", "often"), [("product", 1), ("matrix product", 2)])
def test_lengths_that_counts_tell_wake_up_no_thread(
    name: str, often: int, made: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    mapped = partition_append.mapped

    def noted(*args: Any) -> Any:
        asked.append(args)
        return mapped(*args)

    monkeypatch.setattr(partition_append, "mapped", noted)
    a, b = sa.asarray(matrix(0)), sa.asarray(matrix(1))
    got = (a * b if name == "product" else a @ b).compute()
    wanted = matrix(0) * matrix(1) if name == "product" else matrix(0) @ matrix(1)
    np.testing.assert_allclose(got.todense(), wanted.toarray())
    assert len(asked) == often


@pytest.mark.parametrize("op", ["logical_and", "logical_or", "add", "maximum"])
def test_booleans_are_not_cut_for_one_thread(op: str) -> None:
    within = Split(0, frozenset({0}), (op,), frozenset({0}), (op,))
    inner = Split(0, frozenset({0}), (op,), inner=frozenset({0}), inner_join=(op,))
    exact = op.startswith("logical")
    with sa.options(threads=1):
        for split in (within, inner):
            assert is_alone(split) is exact
            assert split.rounds is not exact
    with sa.options(threads=2):
        assert not is_alone(within)
    assert Split(0, frozenset({0}), (None,), partial=True).rounds
