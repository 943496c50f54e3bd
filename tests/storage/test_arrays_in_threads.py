"""One array in several threads: what is remembered of it, and kernels of its structure."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute import choices, replay_table

DATA = np.arange(30.0).reshape(5, 6) * (np.arange(6) % 2)
X = np.arange(6.0)

OPERATIONS: list[Callable[[Any], Any]] = [
    lambda a: a @ X,
    lambda a: a.T @ np.ones(5),
    lambda a: (a * 2 + a).sum(axis=0),
    lambda a: a[1:4, ::2] * 3.0,
    lambda a: a.T + a.T,
    lambda a: np.concatenate([a, a], axis=1) - 1.0,
    lambda a: a.max(axis=1),
    lambda a: a @ a.T,
]


@pytest.fixture(autouse=True)
def changing_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def agree(rounds: int, formats: tuple[str, ...]) -> None:
    wanted = [np.asarray(operation(DATA)) for operation in OPERATIONS]

    def work(job: tuple[int, Any]) -> None:
        start, array = job
        with sa.options(tier="interpreted"):
            for turn in range(len(OPERATIONS)):
                number = (start + turn) % len(OPERATIONS)
                found = np.asarray(OPERATIONS[number](array))
                np.testing.assert_allclose(found, wanted[number])

    with ThreadPoolExecutor(4) as pool:
        for turn in range(rounds):
            array = sa.asarray(DATA, format=formats[turn % len(formats)]).compute()
            list(pool.map(work, [(2 * k, array) for k in range(4)]))


def test_threads_share_an_array(monkeypatch: pytest.MonkeyPatch) -> None:
    replay_table._recorded.clear()
    monkeypatch.setattr(choices, "_choices", {})
    agree(3, ("csr", "rle", "coo"))


@pytest.mark.long
def test_threads_share_many_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    formats = ("csr", "csc", "rle", "coo", "band", "bitmap", "vbl", "dense", "packbits")
    for _ in range(5):
        replay_table._recorded.clear()
        monkeypatch.setattr(choices, "_choices", {})
        agree(50, formats)


def test_threads_remember_in_one_place() -> None:
    tensor = stored(sa.asarray(DATA, format="csr"))
    with ThreadPoolExecutor(8) as pool:
        memos = list(pool.map(lambda _: tensor.memo, range(100)))
    assert all(memo is tensor.memo for memo in memos)
