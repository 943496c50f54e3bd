"""Small programs of all kinds, which are called again and again to see what is left of them."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

import structarr as sa

Program = Callable[[], Any]

OFTEN: Final = 4
"""Times that the programs which take microseconds are called for each call of the others."""

LENGTHS: Final = 50
"""Lengths of the operands of programs that meet another at each call."""


def programs(folder: Path) -> Iterator[Program]:
    """One turn of all programs; they may write to a folder."""
    rng, numbers = np.random.default_rng(0), itertools.count()
    dense = np.where(rng.random((9, 9)) < 0.4, rng.random((9, 9)), 0.0)
    a, r = sa.asarray(dense, format="csr"), sa.asarray(dense, format="rle")
    often = [*_warm(a, r, dense, rng.random(9), numbers)]
    rare = [*_seldom(a, r, dense, numbers), *_files(a, folder), *_refused(a)]
    for one in rare:
        yield from often * OFTEN
        yield one


def _warm(a: Any, r: Any, dense: Any, x: Any, numbers: Iterator[int]) -> Iterator[Program]:
    """Programs that were called before, on other values and scalars."""

    @sa.jit
    def step(m: Any, v: Any, rate: float) -> Any:
        return rate * (m @ v) + 1.0

    yield lambda: np.asarray(a @ x)
    yield lambda: (a * r).sum(axis=0).compute()
    yield lambda: float((a * float(next(numbers))).sum())
    yield lambda: step(a, x, float(next(numbers)))
    yield lambda: (a + sa.asarray(dense)).compute()
    yield _unlike(a)


def _unlike(a: Any) -> Program:
    """A sum of shapes that do not go together."""
    wrong = np.ones(4)
    return _raises(ValueError, lambda: sa.add(a, wrong))


def _raises(kind: type[Exception], call: Program) -> Program:
    def refused() -> None:
        with suppress(kind):
            call()
            raise AssertionError(f"no {kind.__name__}")

    return refused


def _seldom(a: Any, r: Any, dense: Any, numbers: Iterator[int]) -> Iterator[Program]:
    """Assignments, other lengths, texts, copies, explanations, tiers, programs of loops."""

    def assigned() -> Any:
        b = a.copy()
        b[2, 3] = float(next(numbers))
        return b.sum().compute()

    def other_length() -> float:
        n = 2 + next(numbers) % LENGTHS
        return float((sa.asarray(np.ones(n), format="list") * 2.0).sum())

    def interpreted() -> Any:
        with sa.options(tier="interpreted"):
            return (a @ r).compute()

    def in_pieces() -> Any:
        with sa.options(threads=2):
            return (a.T @ a).sum().item()

    def cyclic() -> None:
        made: list[Any] = [(a + float(next(numbers))).compute()]
        made.append(made)

    yield assigned
    yield other_length
    yield interpreted
    yield in_pieces
    yield cyclic
    yield lambda: sa.loops("y[i] += A[i, j] * x[j]", A=a, x=dense[0])
    yield lambda: repr(a[1:])
    yield lambda: str(sa.explain(a * 2.0))
    yield lambda: (copy.deepcopy(a), copy.copy(r))
    yield lambda: pickle.loads(pickle.dumps(a))
    yield lambda: sa.concat([a, r]).compute()
    yield lambda: sa.sort(a, axis=1).compute()
    yield lambda: a[[0, 3, 1]][:, ::2].compute()
    yield lambda: [float(row.sum()) for row in a]
    yield lambda: sa.asarray(a.todense(), format="dcsr")


def _files(a: Any, folder: Path) -> Iterator[Program]:
    path, other = folder / "array.npz", folder / "other.npz"
    sa.save(path, a)
    yield lambda: sa.load(path, mmap=True).sum().compute()
    yield lambda: sa.load(path)
    yield lambda: sa.save(other, a)


def _refused(a: Any) -> Iterator[Program]:
    """Programs that end by an error, at the call and within a kernel."""
    beyond = sa.asarray(np.array([0, 3, 30]))
    yield _raises(IndexError, lambda: a[20])
    yield _raises(IndexError, lambda: sa.take(a, beyond, axis=0).compute())
    yield _raises(ValueError, lambda: sa.loops("y[i] += A[i, j", A=a))
    yield _raises(FileNotFoundError, lambda: sa.load("no-such-file.npz"))
    yield _raises(ValueError, lambda: sa.asarray(np.ones(4), format="csr"))
