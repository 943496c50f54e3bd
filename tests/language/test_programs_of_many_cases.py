"""Programs whose operands meet in too many cases: every element is looked up instead."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._language.execute import compile as stages
from structarr.errors import ProgramError

SHIFTED = """
def program(x, A):
    y = np.full((3, len(x)), 1, np.bool)
    for i in range(2):
        for j in range(2):
            if i - 2 >= 0:
                y[i - 2, i] = x[j] * A[j, i]
            y[j, i] = coalesce(A[edge(i - j), permit(i + j - 2)], True) * A[1 - i, j]
    return y
"""


def shifted(x: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The program in plain Python."""
    y = np.ones((3, 2), bool)
    for i in range(2):
        for j in range(2):
            read = a[max(i - j, 0), i + j - 2] if i + j >= 2 else True
            y[j, i] = read & a[1 - i, j]
    return y


@pytest.mark.usefixtures("as_shipped")
def test_many_cases_make_a_short_kernel() -> None:
    x, a = np.zeros(2, bool), np.array([[True, False, True], [False, True, False]])
    ours = sa.asarray(x, format="vbl"), sa.asarray(a, format="dcsr")
    with sa.options(tier="interpreted", strict_ieee=True):
        program = sa.kernel(SHIFTED)
        np.testing.assert_array_equal(program(*ours), shifted(x, a))
        assert str(sa.explain(program, *ours)).count("\n") < 1500


@pytest.mark.parametrize("format", ["csr", "dcsr", "rle", "band", "coo", "bitmap"])
@pytest.mark.parametrize(
    "text",
    [
        "y[i] += A[i, j] * B[i, j] + B[i, j] * x[j]",
        "y[i, j] = A[i, j] + B[j, i] if i < j else x[i]",
    ],
)
def test_elements_that_are_looked_up_are_those_walked_over(
    monkeypatch: pytest.MonkeyPatch, format: str, text: str
) -> None:
    chosen = stages._chosen
    monkeypatch.setattr(stages, "_chosen", lambda *given: chosen(*given).located())
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 3, (2, 4, 4))
    x, (i, j) = rng.integers(0, 3, 4), np.ogrid[:4, :4]
    wanted = (a * b + b * x).sum(axis=1) if "+=" in text else np.where(i < j, a + b.T, x[:, None])
    given = {name: sa.asarray(one, format=format) for name, one in (("A", a), ("B", b))}
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(sa.loops(text, **given, x=x), wanted)


def test_of_two_programs_beyond_the_budget_the_shorter_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stages, "BUDGET", 15)  # of 20 and of 338 statements
    data = np.array([[0.0, 1.0, 0.0, 2.0]])
    given = {name: sa.asarray(data, format="vbl") for name in "abc"}
    with sa.options(tier="interpreted"):
        text = "y[i] += a[i, j] + b[i, j] + c[i, j]"
        np.testing.assert_array_equal(sa.loops(text, **given), [9.0])
        assert str(sa.explain(text, **given)).count("\n") < 100


def test_what_cannot_be_made_shorter_may_be_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "BUDGET", 1)
    a = sa.asarray(np.eye(4), format="csr")
    with sa.options(tier="interpreted"):
        found = sa.loops("y[j] += A[i, j] * A[j, i] * A[i, i]", A=a)
        np.testing.assert_array_equal(found, np.ones(4))
        monkeypatch.setattr(stages, "MOST", 1)
        with pytest.raises(ProgramError, match="would grow too large"):
            sa.loops("y[j] += A[i, j] * A[j, i] - A[i, i]", A=a)


class Tried:
    """A choice that tells how it was made of another."""

    def __init__(self, *made: object) -> None:
        self.made = made

    def located(self) -> Tried:
        return Tried(*self.made, "located")

    def within(self, budget: int) -> Tried:
        return Tried(*self.made, budget)


def test_the_shorter_program_has_the_largest_budget_before_the_other() -> None:
    tried = [one.made for one in stages._ever_larger(Tried())]  # type: ignore[arg-type,attr-defined]
    assert tried == [
        (),
        ("located",),
        (2 * stages.BUDGET,),
        ("located", stages.MOST),
        (stages.MOST,),
    ]
