"""``python -m structarr.testing threads``: many threads at the same arrays, with forks in between.

They build expressions, look at values, have kernels compiled and replayed, assign, and empty the
caches, all of the same arrays. Each compares what it gets with NumPy.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import structarr as sa

FORMATS: Final = ("csr", "dcsr", "rle", "bitmap", "dense")


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if something failed."""
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing threads",
        description="Have many threads work at the same arrays.",
    )
    parser.add_argument("--threads", type=int, default=16, help="how many (16)")
    parser.add_argument("--turns", type=int, default=200, help="of each (200)")
    parser.add_argument("--seed", type=int, default=0, help="of all that is random (0)")
    given = parser.parse_args(words)
    start = time.monotonic()
    errors = crowded(given.threads, given.turns, given.seed)
    print("\n".join(errors[:20]), file=sys.stderr)
    seconds = time.monotonic() - start
    print(
        f"{given.threads} threads, {given.turns} turns each, {len(errors)} failed; {seconds:.0f} s"
    )
    return int(bool(errors))


def crowded(threads: int, turns: int, seed: int = 0) -> list[str]:
    """Have threads work at the same arrays; return what went wrong."""
    crowd = _Crowd(seed)
    begin = threading.Barrier(threads)
    errors: list[str] = []

    def work(number: int) -> None:
        rng = np.random.default_rng([seed, number])
        begin.wait()
        for turn in range(turns):
            name = str(rng.choice([*crowd.actions]))
            try:
                crowd.actions[name](rng)
            except Exception as error:
                errors.append(
                    f"thread {number}, turn {turn}, {name}: {type(error).__name__}: {error}"
                )

    started = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for one in started:
        one.start()
    for one in started:
        one.join()
    return errors


class _Crowd:
    """The arrays, which hold whole numbers so that sums are exact, and what is done to them."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._plain = np.where(rng.random((12, 12)) < 0.3, rng.integers(1, 5, (12, 12)), 0).astype(
            float
        )
        self._arrays = [sa.asarray(self._plain, format=name) for name in FORMATS]
        self._lazy = [one * 2 + 1 for one in self._arrays]
        self._step = sa.jit(lambda m, v, rate: rate * (m @ v))
        self.actions: dict[str, Callable[[np.random.Generator], None]] = {
            "build": self._build,
            "look": self._look,
            "compile": self._compile,
            "replay": self._replay,
            "assign": self._assign,
            "program": self._program,
            "clear": lambda rng: sa.clear_cache() if rng.random() < 0.1 else None,
            "fork": self._fork,
        }

    def _one(self, rng: np.random.Generator) -> Any:
        return self._arrays[int(rng.integers(len(self._arrays)))]

    def _build(self, rng: np.random.Generator) -> None:
        left, right = self._one(rng), self._one(rng)
        _same(
            (left * right + left).sum(axis=1), (self._plain * self._plain + self._plain).sum(axis=1)
        )

    def _look(self, rng: np.random.Generator) -> None:
        """All threads look at the same lazy arrays, of which each is computed once."""
        _same(self._lazy[int(rng.integers(len(self._lazy)))], self._plain * 2 + 1)

    def _compile(self, rng: np.random.Generator) -> None:
        with sa.options(tier="compiled", threads=int(rng.integers(1, 4))):
            _same(self._one(rng) @ self._one(rng), self._plain @ self._plain)

    def _replay(self, rng: np.random.Generator) -> None:
        rate, v = float(rng.integers(1, 9)), rng.integers(0, 9, 12).astype(float)
        _same(self._step(self._one(rng), v, rate), rate * (self._plain @ v))

    def _assign(self, rng: np.random.Generator) -> None:
        own, plain = self._one(rng).copy(), self._plain.copy()
        i, j = rng.integers(12, size=2).tolist()
        own[i, j] = plain[i, j] = 7.0
        _same(own, plain)
        _same(self._one(rng), self._plain)

    def _program(self, rng: np.random.Generator) -> None:
        x = np.arange(12.0)
        found = sa.loops("y[i] += A[i, j] * x[j]", A=self._one(rng), x=x)
        _same(found, self._plain @ x)

    def _fork(self, rng: np.random.Generator) -> None:
        """A child begins with whatever the others were doing."""
        if not hasattr(os, "fork") or rng.random() > 0.1:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
            child = os.fork()
        if child == 0:
            try:
                self._build(rng)
                self._replay(rng)
            except BaseException:
                os._exit(1)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            raise RuntimeError("a child failed")


def _same(found: Any, wanted: Any) -> None:
    if not np.array_equal(np.asarray(found.todense()), wanted):
        raise ValueError(f"{found} is not {wanted}")
