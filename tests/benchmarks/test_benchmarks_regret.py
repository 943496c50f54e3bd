"""The benchmark of regret: that every spelling of a case computes the same, and what rows say."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from benchmarks import matrices, regret, regret_race
from benchmarks.regret_case import Case, names_in, spelled
from benchmarks.regret_operands import Family
from benchmarks.regret_summary import summary
from benchmarks.report import row
from structarr._array import stored


def _family(rows, columns):
    random = np.random.default_rng(0)
    size = rows * columns
    places = random.choice(size, size // 6, replace=False)
    return Family(matrices._matrix(np.sort(places), (rows, columns), random), 12, 7)


@pytest.fixture(scope="module")
def families():
    return {True: _family(14, 14), False: _family(15, 9)}


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(regret_race, "TIER", "interpreted")
    with sa.options(tier="interpreted"):
        yield


def _plain(value):
    if isinstance(value, sa.Array):
        return value.todense()
    return value.toarray() if sp.issparse(value) else value


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case, marks=pytest.mark.long if number % 3 or not case.quick else (), id=case.text
        )
        for number, case in enumerate(regret.CASES)
    ],
)
def test_every_spelling_computes_the_same(case, families, interpreted):
    family = families[case.square]
    wanted = spelled(case.text)(family.dense(case.names))
    for text in case.scipy:
        value = spelled(text)(family.plain(case.names))
        np.testing.assert_allclose(_plain(value), wanted, rtol=1e-9, atol=1e-9)
    for text in (case.text, *case.hand):
        value = spelled(text)(family.ours(case.names))
        np.testing.assert_allclose(_plain(value), wanted, rtol=1e-9, atol=1e-9)


def test_there_are_as_many_cases_as_promised():
    assert len({case.text for case in regret.CASES}) == len(regret.CASES) >= 120
    assert all(case.scipy for case in regret.CASES)


def test_names_that_a_spelling_assigns_are_no_operands():
    assert names_in("t = (A @ x).compute(); np.abs(A.T @ t)") == {"A", "x"}


def test_rows_of_a_case(families, interpreted):
    case = Case("", "(A * B) @ x", ("(A * B).compute() @ x",), ("A.multiply(B) @ x",))
    rows = list(regret.compared("name", case, families[False], quick=True))
    assert all(one.checked for one in rows)
    variants = {one.variant for one in rows}
    assert {"pick", "pick, reused", "by hand", "scipy", "scipy, reused"} <= variants
    assert any(variant.startswith("program") for variant in variants)
    assert {one.peer for one in rows if one.variant == "pick"} == {
        "best of all", "by hand", "scipy",
    }  # fmt: skip
    assert max(one.ratio for one in rows if one.peer == "best of all") == 1


def test_what_is_wrong_or_refused_has_its_row(families, interpreted, capsys):
    case = Case("", "A @ x", ("A @ x + 1", "A.nothing"), ("A @ x",))
    rows = list(regret.compared("name", case, families[False], quick=True))
    checked = {one.variant: one.checked for one in rows if one.peer == "best of all"}
    assert checked["pick"] and checked["scipy"]
    assert not checked["by hand"]
    assert not checked["by hand 2: AttributeError"]
    assert "nothing" in capsys.readouterr().err


def test_operands_are_made_anew(families):
    first, second = (families[False].ours(frozenset(["A_csc"]))["A_csc"] for _ in range(2))
    stored(first).memo["known"] = 1
    assert "known" not in stored(second).memo
    assert stored(first).buffers is stored(second).buffers


def test_summary_counts_each_family_once():
    rows = [
        row("a", "pick", 8.0, "best of all", 1.0, True),
        row("b", "pick", 2.0, "best of all", 1.0, True),
        row("c", "pick", 1.0, "best of all", 1.0, True),
        row("d", "pick", 1.0, "best of all", 1.0, False),
    ]
    text = summary(rows, {"a": "first", "b": "first", "c": "second", "d": "third"}, ())
    assert "geometric mean 2.52, of families 2.00; below 1.5: 33%, above 3: 33%; most 8.0" in text
    assert "refused or wrong: 1\n  pick: d" in text


def test_a_call_that_is_joined_to_one_kernel_puts_nobody_behind(monkeypatch):
    times = iter([regret_race.Times(5.0, 4.0), regret_race.Times(1.0, 3.0)] * 2)
    monkeypatch.setattr(regret_race.Contender, "once", lambda self: next(times))
    one = regret_race.Contender("one", dict, spelled("1"))
    assert regret._warm(one, 1) == regret_race.Times(1.0, 3.0)
