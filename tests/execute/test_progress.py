"""What is told of calls and compilations that take long, to whom, and when."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler import progress
from structarr._compiler.options import Forced, force

DATA = np.where(np.random.default_rng(5).random((300, 40)) < 0.3, 1.5, 0.0)


class Terminal(io.StringIO):
    """A standard error that somebody reads."""

    def isatty(self) -> bool:
        return True


class Cell(io.StringIO):
    """What ipykernel shows below a cell, and says is no terminal."""


Cell.__module__ = "ipykernel.iostream"


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything takes long enough to be told of."""
    monkeypatch.setattr(progress, "SLOW", -1.0)
    monkeypatch.setattr(progress, "OFTEN", -1.0)


@pytest.mark.parametrize(
    ("make", "want"),
    [
        (lambda a: a @ np.ones(40), DATA.sum(axis=1)),  # rows that are stored where they belong
        (lambda a: (a * 2).sum(), 2 * DATA.sum()),  # sums that are added up
        (lambda a: a * a, DATA * DATA),  # rows that are appended
    ],
)
def test_pieces_of_a_call_are_told_as_they_are_done(make: Any, want: Any, slow: None) -> None:
    a, told = sa.asarray(DATA, format="csr"), list[str]()
    with sa.options(tier="interpreted", progress=told.append), force(Forced(pieces=4)):
        np.testing.assert_allclose(make(a).todense(), want)
    shares = [int(text.removeprefix("computing: ").removesuffix("%")) for text in told]
    assert len(shares) >= 4
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 100


def test_a_line_is_written_over_and_left_empty(slow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    a = sa.asarray(DATA, format="csr")
    for asked, stream, is_written in [
        (None, Terminal(), True),
        (None, Cell(), True),
        (None, io.StringIO(), False),
        (True, io.StringIO(), True),
        (False, Terminal(), False),
    ]:
        monkeypatch.setattr(sys, "stderr", stream)
        with sa.options(tier="interpreted", progress=asked), force(Forced(pieces=3)):
            np.asarray(a @ np.ones(40))
        shown = stream.getvalue()
        assert bool(shown) == is_written
        if is_written:
            assert "\n" not in shown
            *_, last, end = shown.split("\r")
            assert (last.strip(), end) == ("", "")


def test_a_line_is_no_wider_than_the_terminal(slow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wider one would go on in the next line, and stay there."""
    stream = Terminal()
    stream.fileno = lambda: 2  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(os, "get_terminal_size", lambda number: os.terminal_size((12, 24)))
    with progress.followed("computing") as follow:
        follow(0.5)
    assert {len(line) for line in stream.getvalue().split("\r")} == {0, 11}


def test_nothing_is_told_of_what_is_short() -> None:
    told: list[str] = []
    a = sa.asarray(DATA, format="csr")
    with sa.options(tier="interpreted", progress=told.append), force(Forced(pieces=3)):
        np.asarray(a @ np.ones(40))
    assert not told


def test_the_line_is_empty_after_an_error(slow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with pytest.raises(KeyError), progress.followed("computing") as follow:
        follow(0.5)
        raise KeyError
    assert "computing: 50%" in stream.getvalue()
    assert stream.getvalue().split("\r")[-2].strip() == ""


def test_without_a_standard_error_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert not progress.is_told()


def test_calls_of_one_thread_are_cut_where_they_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are the same in pieces, which are told of and can be interrupted."""
    from structarr._execute import call_size

    data = np.random.default_rng(3).random((400, 500))
    a, x, told = sa.asarray(data, format="csr"), np.ones(500), list[str]()
    monkeypatch.setattr(call_size.partition_cuts, "WORK", 1e-6)
    with sa.options(tier="compiled"):
        plain = np.asarray(a @ x)
    monkeypatch.setattr(call_size, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "SLOW", -1.0)
    monkeypatch.setattr(progress, "OFTEN", -1.0)
    with sa.options(tier="compiled", progress=told.append):
        np.testing.assert_array_equal(np.asarray(a @ x), plain)
    assert "computing" in told[-1]
    told.clear()
    with sa.options(tier="compiled", progress=False):
        np.testing.assert_array_equal(np.asarray(a @ x), plain)
