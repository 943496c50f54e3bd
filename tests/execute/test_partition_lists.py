"""Outermost lists are cut at one index of all operands, and no group of equal coordinates is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute import divided_rows, partition, partition_gather, program_choice
from structarr._execute.partition_cuts import Cut
from structarr._testing.forcing import witnessed
from structarr._testing.fuzz.pieces import in_pieces

RNG = np.random.default_rng(3)
DENSE = np.where(RNG.random((40, 11)) < 0.3, RNG.integers(1, 9, (40, 11)), 0).astype(float)
DENSE[17] = 1.0
OTHER = np.roll(DENSE, 3, axis=0)
VECTOR = np.where(np.arange(90) % 4, 0.0, np.arange(90.0))

Cuts = list[tuple[list[Cut], Any]]


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> Cuts:
    """The cuts of each call in pieces, and its operands."""
    found: Cuts = []
    run = partition.run

    def noted(plan: Any, split: Any, cuts: Any, given: Any, shapes: Any, starts: Any) -> Any:
        found.append((cuts, given))
        return run(plan, split, cuts, given, shapes, starts)

    divided = program_choice.run_divided

    def noted_too(plans: Any, split: Any, cuts: Any, given: Any, shapes: Any) -> Any:
        found.append((cuts, given))
        return divided(plans, split, cuts, given, shapes)

    monkeypatch.setattr(partition, "run", noted)
    monkeypatch.setattr(program_choice, "run_divided", noted_too)
    return found


CUT: dict[str, Callable[..., Any]] = {
    "matvec": lambda a, b: a @ np.arange(11.0),
    "rows": lambda a, b: a.sum(axis=1),
    "product": lambda a, b: a * b,
    "sum": lambda a, b: a + b,
    "dot": lambda a, b: (a * b).sum(),
    "rows of a product": lambda a, b: (a * b).sum(axis=1),
}


@pytest.mark.parametrize("format", ["coo", "dcsr"])
@pytest.mark.parametrize("name", CUT)
def test_matrices(name: str, format: str, cuts: Cuts) -> None:
    a, b = [sa.asarray(one, format=format) for one in (DENSE, OTHER)]
    with witnessed(lambda call: None, pieces=6), sa.options(threads=2, tier="interpreted"):
        found = CUT[name](a, b).compute()
    np.testing.assert_array_equal(found.todense(), CUT[name](DENSE, OTHER))
    ((made, given),) = cuts
    assert len(made) > 3
    for number, place in [(k, place) for cut in made for k, place in enumerate(cut.at)]:
        rows = stored(a if given.tensors[number] is stored(a) else b).level_buffers[0][1]
        assert place in (0, len(rows)) or rows[place - 1] < rows[place]


def test_vectors(cuts: Cuts) -> None:
    u, v = [sa.asarray(one, format="list") for one in (VECTOR, VECTOR[::-1].copy())]
    with witnessed(lambda call: None, pieces=4), sa.options(threads=2, tier="interpreted"):
        np.testing.assert_array_equal((u + v).todense(), VECTOR + VECTOR[::-1])
        assert float((u * v).sum()) == (VECTOR * VECTOR[::-1]).sum()
    assert [len(made) for made, _ in cuts] == [5, 5]


@pytest.mark.parametrize("name", ["extremes", "comparison", "other fill"])
def test_what_does_something_where_nothing_is_stored_is_whole(name: str, cuts: Cuts) -> None:
    make: Callable[..., Any] = {
        "extremes": lambda a: a.max(axis=1),
        "comparison": lambda a: (a == 0).sum(axis=1),
        "other fill": lambda a: (a + 1).sum(axis=1),
    }[name]
    a = sa.asarray(DENSE, format="coo")
    with witnessed(lambda call: None, pieces=6), sa.options(threads=2, tier="interpreted"):
        np.testing.assert_array_equal(make(a).todense(), make(DENSE))
    for made, given in cuts:
        lists = [one for one in given.tensors if not one.format.is_dense]
        assert not lists or all(lo.row < hi.row for lo, hi in pairwise(made))


def test_pieces_are_of_equal_steps(cuts: Cuts) -> None:
    """Of rows of many lengths, by what they store."""
    dense = np.triu(np.ones((60, 60)))
    a = sa.asarray(dense, format="dcsr")
    with witnessed(lambda call: None, pieces=4), sa.options(threads=2, tier="interpreted"):
        np.testing.assert_array_equal(np.asarray(a.sum(axis=1)), dense.sum(axis=1))
    ((made, _),) = cuts
    rows = [cut.at[0] if cut.at else 60 * cut.row for cut in made]
    steps = [dense[lo:hi].sum() + hi - lo for lo, hi in pairwise(rows)]
    assert max(steps) < 1.2 * sum(steps) / 4


GATHERED: dict[str, Callable[..., Any]] = {
    "vecmat": lambda a: np.arange(40.0) @ a,
    "transposed": lambda a: a.T @ np.arange(40.0),
    "columns": lambda a: a.sum(axis=0),
    "columns of a map": lambda a: (a * 2).sum(axis=0),
    "any": lambda a: a.astype(bool).any(axis=0),
}


@pytest.mark.parametrize("format", ["coo", "dcsr"])
@pytest.mark.parametrize("name", GATHERED)
def test_sums_that_are_listed_are_added_up(
    name: str, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alike by any number of threads; a column without entries is not stored."""
    dense = DENSE.copy()
    dense[:, 3] = 0
    made: list[int] = []
    gathered = partition.gathered
    for module in (partition, divided_rows):
        monkeypatch.setattr(
            module, "gathered", lambda *args: made.append(len(args[0])) or gathered(*args)
        )
    monkeypatch.setattr(partition_gather, "STRETCH", 4)
    a = sa.asarray(dense, format=format)
    results = []
    for threads in (1, 2, 3):
        with in_pieces(), sa.options(threads=threads, tier="auto"):
            results.append(GATHERED[name](a).compute())
    assert len(made) == 3 and min(made) > 3
    for result in results:
        np.testing.assert_array_equal(result.todense(), GATHERED[name](dense))
        assert result.nstored <= 10
    first, *others = [[one.tobytes() for one in stored(result).buffers] for result in results]
    assert all(bits == first for bits in others)
