"""Each public error is raised, and says what is wrong, where, and what to do instead."""

import contextlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr import errors, rules
from structarr._support.memory_account import free_all, held

MATRIX = sa.asarray([[0.0, 2.0], [3.0, 0.0]], format="csr")


def _of_none() -> None:
    sa.operator(lambda a: None)(sa.ones(2))


def _endless() -> None:
    there = rules.pair("sin(x)", "cos(x)", name="there")
    back = rules.pair("cos(x)", "sin(x)", name="back")
    with sa.options(rules=[there, back]):
        sa.sin(sa.asarray([1.0, 2.0])).compute()


def _beyond_memory() -> None:
    a = sa.asarray(np.arange(40_000.0))
    free_all()  # what waits in the pool would be enough
    with sa.options(memory_limit=held() + a.nbytes // 2):
        (a * 2 + 1).compute()


RAISED: dict[type[errors.StructarrError], tuple[Callable[[], Any], tuple[str, ...]]] = {
    errors.FormatError: (
        lambda: sa.asarray([[1, 2], [3, 4]], format="triu"),
        ("cannot be stored as triu", "a[1, 0] = 3"),
    ),
    errors.DensificationError: (
        lambda: np.asarray(sa.zeros((10**6, 10**6))),
        ("dense array", "(1000000, 1000000)", "call .todense()", "options(densify_limit="),
    ),
    errors.MemoryLimitError: (
        _beyond_memory,
        ("bytes more are needed", "memory_limit allows", "compute less at a time"),
    ),
    errors.ProgramError: (
        lambda: sa.loops("y[i] = fo(A[i, i])", A=MATRIX),
        ("no function fo", "line 1, column 8", "structarr.operator"),
    ),
    errors.OperatorError: (_of_none, ("returns None", "must return a number")),
    errors.RuleError: (_endless, ("'there'",)),
    errors.TraceError: (
        lambda: sa.jit(lambda a: float(a.sum()))(MATRIX),
        ("traced by structarr.jit", "asks for values", "return it and look at it outside"),
    ),
}


def test_there_is_a_case_for_every_error() -> None:
    public = {one for one in vars(errors).values() if isinstance(one, type)}
    own = {one for one in public if issubclass(one, errors.StructarrError)}
    assert own == {errors.StructarrError, *RAISED}


@pytest.mark.parametrize("kind", RAISED, ids=lambda kind: kind.__name__)
def test_an_error_says_what_and_where_and_what_to_do(kind: type[errors.StructarrError]) -> None:
    call, parts = RAISED[kind]
    with sa.options(tier="interpreted"), pytest.raises(kind) as caught:
        call()
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: sa.asarray([1], format="crs"), "format 'crs' is unknown; did you mean csr?"),
        (lambda: MATRIX.to_scipy("crs"), "there is no layout 'crs'; did you mean csr?"),  # type: ignore[arg-type]
        (lambda: sa.options(thread=2), "no option 'thread'; did you mean threads?"),  # type: ignore[call-arg]
        (lambda: sa.options(tier="compild"), "no tier 'compild'; did you mean compiled?"),  # type: ignore[arg-type]
        (lambda: sa.options(default_format="crs"), "did you mean csr?"),  # type: ignore[arg-type]
        (
            lambda: sa.matmul(sa.ones((5, 2, 3)), sa.ones((4, 3, 3))),
            "stacks of shapes (5,) and (4,) cannot be broadcast, of operands of shapes (5, 2, 3)",
        ),
        (lambda: sa.loops("y[i] = x[i / 2]", x=sa.ones(2)), "divide by `//`"),
        (
            lambda: sa.loops("y[i] = x[-i]", x=[1, 2], extents={"i": 2}),
            "index -1 is out of bounds for axis 0 of x, of length 2; in programs no index counts",
        ),
        (
            lambda: sa.reduce(sa.operator(lambda a, b: a - b, name="q"), [1, 2]),
            "over 1 axis would depend on the order; declare associative=True",
        ),
    ],
)
def test_mistakes_are_told_with_what_is_meant(call: Callable[[], Any], message: str) -> None:
    with sa.options(tier="interpreted"), pytest.raises(Exception, match=re.escape(message)):
        call()


def test_a_default_format_that_there_is_not_changes_nothing() -> None:
    before = sa.options.current
    for change in (sa.options, sa.set_options):
        with pytest.raises(errors.FormatError):
            change(default_format="crs")  # type: ignore[arg-type]
    assert sa.options.current == before


def test_an_error_that_nobody_catches_is_shown_without_frames_of_the_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("STRUCTARR_DEBUG", raising=False)
    with pytest.raises(ValueError) as caught, _as_cause():
        sa.asarray([1], format="crs")
    errors._uncaught(caught.type, caught.value, caught.tb)
    shown = capsys.readouterr().err
    assert Path(__file__).name in shown and "did you mean csr" in shown
    assert "name_table.py" in shown  # of an error of Python's own, all is shown

    with pytest.raises(errors.FormatError) as ours:
        sa.asarray([1], format="crs")
    errors._uncaught(ours.type, ours.value, ours.tb)
    assert "name_table.py" not in capsys.readouterr().err
    monkeypatch.setenv("STRUCTARR_DEBUG", "1")
    errors._uncaught(ours.type, ours.value, ours.tb)
    assert "name_table.py" in capsys.readouterr().err
    assert sys.excepthook is not None


@contextlib.contextmanager
def _as_cause() -> Any:
    """Raise an error of Python's for one of ours."""
    try:
        yield
    except errors.FormatError as error:
        raise ValueError("no such thing") from error
