"""Python's frames of calls that are cut into pieces: none for a piece, as they hold the lock."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from python_frames import frames_of

import structarr as sa
from structarr._execute import call_size, laid_pieces, partition_cuts

WARM = 20
"""Calls after which nothing is planned or compiled any more."""


def operands(seed: int) -> tuple[Any, np.ndarray]:
    """A matrix that is large enough to be cut, and a block of vectors."""
    rng = np.random.default_rng(seed)
    matrix = sp.random_array((30_000, 300), density=0.02, rng=rng, format="csr")
    return sa.asarray(matrix), rng.random((30_000, 2))


def least_frames_of(call: Callable[[], Any]) -> Counter[str]:
    """The least frames of Python of several calls, by the names of functions."""
    return min([frames_of(call) for _ in range(5)], key=Counter.total)


def frames_of_pieces(
    call: Callable[[Any, np.ndarray], Any], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, int]:
    """The frames of a call that is cut into few pieces, and of one that is cut into many."""
    found, pieces = [], list[int]()
    run = laid_pieces.Laid.run
    monkeypatch.setattr(
        laid_pieces.Laid, "run", lambda self, *args: (pieces.append(self.pieces), run(self, *args))
    )
    with sa.options(tier="compiled", threads=1):
        for seed, work in enumerate((1e-4, 2e-5)):
            monkeypatch.setattr(partition_cuts, "WORK", work)
            a, y = operands(seed)  # cuts are remembered by what is cut
            for _ in range(WARM):
                call(a, y)
            found.append((pieces[-1], least_frames_of(lambda a=a, y=y: call(a, y)).total()))
    (few, least), (many, most) = found
    assert 2 <= few < many
    return least, most


def test_pieces_that_are_added_up_take_no_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition_cuts, "MUCH", 0.0)
    monkeypatch.setattr(partition_cuts, "COMBINING", 0.0)
    least, most = frames_of_pieces(lambda a, y: np.asarray(a.T @ y), monkeypatch)
    assert least <= 135
    assert most - least <= 40  # of their slots, which are added up


def test_pieces_of_rows_take_no_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_size, "PATIENCE", 0.0)
    least, most = frames_of_pieces(lambda a, y: np.asarray(a.sum(axis=1)), monkeypatch)
    assert least == most <= 125
