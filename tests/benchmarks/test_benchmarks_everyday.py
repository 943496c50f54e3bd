"""The benchmark of every day: that its rows tell right from wrong, and new operands from old."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from benchmarks import everyday, everyday_formats, everyday_summary, everyday_timing, report
from benchmarks.everyday_checks import delivered, fault, ordered, shares
from benchmarks.everyday_operands import SHAPES, made
from benchmarks.everyday_operations import Operation, Spelling, operations, structured
from benchmarks.everyday_timing import Contender, memory, race


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Nothing is compiled here."""
    monkeypatch.setattr(everyday_timing, "TIER", "interpreted")


@pytest.fixture(scope="module")
def operands():
    return made("even", 300)


@pytest.fixture(scope="module")
def matrix():
    return sp.csr_array(np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]]))


def _operation(ours, *theirs):
    spelled = tuple(Spelling(text) for text in theirs) or (Spelling(ours),)
    return Operation("vectors", Spelling(ours), spelled, True)


def _rows(operation, operands):
    return list(everyday._rows("csr even 3e+02 it", operation, operands, 0.0))


def test_there_are_operations_of_a_dozen_families():
    counts = Counter(one.family for one in operations())
    assert len(counts) == 12
    assert sum(counts.values()) >= 120
    assert {one.family for one in operations(few=True)} == set(counts)


def test_no_operation_is_listed_twice():
    texts = [one.ours.text for one in operations()]
    assert len(set(texts)) == len(texts)


@pytest.mark.filterwarnings("ignore:Changing the sparsity structure")
@pytest.mark.parametrize("operation", operations(), ids=lambda one: one.ours.text)
def test_every_spelling_of_scipy_computes_the_same(operation, operands):
    peers = everyday._peers(operation, operands)
    assert len(peers) == len(operation.theirs)
    peers = everyday._alike(peers, None)
    first, *others = [one.call(*one.make()) for one in peers.values()]
    assert [fault(other, first) for other in others] == [""] * len(others)


@pytest.mark.filterwarnings("ignore:Changing the sparsity structure")
@pytest.mark.parametrize("text", ["a @ x", "a[i, j] = 2.5"])
def test_our_spelling_is_compared_and_timed(text, operands):
    operation = next(one for one in operations() if one.ours.text == text)
    rows = _rows(operation, operands)
    assert all(row.checked for row in rows)
    variants = ["anew", "reused", "first", "bytes peak", "bytes kept"]
    assert [row.variant for row in rows] == [
        v for v in variants if " = " not in text or v != "reused"
    ]


def test_a_wrong_result_is_a_row_that_says_so(operands):
    rows = _rows(_operation("a @ x", "a @ x + 1.0"), operands)
    assert not any(row.checked for row in rows)
    assert rows[0].variant == "anew, values"


def test_a_refusal_is_a_row(operands):
    (row,) = _rows(_operation("a @ x[1:]", "a @ x"), operands)
    assert (row.variant, row.ratio, row.checked) == ("refused: ValueError", 0.0, False)
    assert row.peer_seconds > 0.0


def test_what_scipy_does_not_have_is_no_row(operands):
    assert _rows(_operation("a @ x", "a.unheard_of()"), operands) == []


def test_what_is_unlike_the_peer_is_named(matrix):
    ours = sa.asarray(matrix)
    assert fault(ours, matrix) == ""
    assert fault(ours, matrix * 2.0) == "values"
    assert fault(ours, matrix.astype("float32")) == "dtype float64, not float32"
    assert fault(ours, matrix.T) == "shape (2, 3), not (3, 2)"
    assert fault((ours, ours), (matrix, matrix * 2.0)) == "values"


def test_order_and_memory_of_values_are_seen(matrix):
    turned = sp.csr_array((matrix.data[:2], [2, 1], [0, 2, 2]), (2, 3))
    assert ordered(matrix) and not ordered(turned)
    ours = sa.asarray(matrix)
    assert shares(ours.T.compute(), [ours])
    assert not shares((ours * 2.0).compute(), [ours])


def test_what_scipy_has_dense_is_delivered_so(matrix):
    ours = sa.asarray(matrix)
    assert isinstance(delivered(ours.sum(axis=0), matrix.sum(axis=0)), np.ndarray)
    assert isinstance(delivered(ours * 2.0, matrix), sa.Array)


def test_every_call_of_a_race_has_operands_of_its_own():
    made_ones, taken = [], []

    def make():
        made_ones.append(object())
        return (made_ones[-1],)

    one = Contender(taken.append, make)
    race({"one": one}, 0.0)
    assert taken == made_ones
    taken.clear()
    race({"one": one.again()}, 0.0)
    assert len(set(taken)) == 1


def test_memory_is_what_a_call_takes_and_what_it_leaves():
    kept = []
    held = memory(Contender(lambda: kept.append(np.zeros(10**5)), tuple))
    passing = memory(Contender(lambda: np.zeros(10**5), tuple))
    assert held.kept > 8 * 10**5 > passing.kept
    assert passing.peak > 8 * 10**5


@pytest.mark.parametrize("shape", SHAPES)
def test_matrices_have_about_the_entries_asked_for(shape):
    one = made(shape, 2000)
    assert 0.8 * 2000 <= one.stored <= 2000
    assert one.ours("a").format == "csr"
    assert ordered(one.theirs("b"))


def test_a_format_is_compared_with_dense_numpy():
    chosen = [one for one in operations() if one.ours.text in ("a @ x", "a.to_scipy('csc')")]
    with sa.options(tier="interpreted"):
        (row,) = everyday_formats.compared("symmetric", 200, chosen, 0.0)
    assert (row.case, row.variant, row.peer) == ("symmetric a @ x", "anew", "numpy")
    assert row.checked


def test_what_is_slower_than_numpy_has_a_reason_or_a_question():
    def of(case, seconds, ratio):
        return report.Row(case, "anew", seconds, "numpy", seconds * ratio, ratio, True)

    rows = [of("rle a.T", 1e-3, 0.1), of("rle a + b", 1e-5, 0.95), of("dia a @ b", 1.0, 0.7)]
    rows += [of("bitmap sa.sort(a, axis=1)", 1.0, 0.5), of("vbl sa.median(a)", 1.0, 3.0)]
    text = everyday_summary.summary(rows)
    assert "rle a.T  (NumPy copies nothing: it gives a view)" in text
    assert "rle a + b  (the call itself" in text
    assert "dia a @ b  (why?)" in text
    assert "vbl sa.median(a)  (" not in text


def test_operations_of_order_are_raced_with_numpy():
    chosen = [one for one in structured() if "unique" in one.ours.text]
    with sa.options(tier="interpreted"):
        found = list(everyday_formats.compared("vbl", 2000, chosen, 0.0))
    assert [row.checked for row in found] == [True, True]
    assert len({one.family for one in structured()}) == 2


def test_the_summary_counts_each_family_once():
    def of(text, ratio, variant="anew", checked=True):
        return report.Row(f"csr even 1e+05 {text}", variant, 1.0, "scipy", ratio, ratio, checked)

    rows = [of("a @ x", 4.0), of("a.T @ y", 4.0), of("a + b", 1.0), of("a - b", 0.85)]
    rows += [of("a * b", 1.0 / 0.85), of("a[i]", 0.0, "refused: X", checked=False)]
    lines = everyday_summary.summary(rows).splitlines()
    assert any(line.split()[:3] == ["families", "together", "2.00"] for line in lines)
    assert "1 of 5 from 0.8 to 0.9:" in lines
    assert lines[-1] == "  refused: X: csr even 1e+05 a[i]"
