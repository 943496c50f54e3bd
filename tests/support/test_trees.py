"""Syntax trees and interpreted kernels in threads of which each disturbs the others."""

from __future__ import annotations

import ast
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._support import syntax_trees
from structarr.rules import pair

DATA = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


def test_what_other_threads_disturb_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    failures = [SystemError("AST constructor recursion depth mismatch (before=6, after=9)")]
    real = ast.parse

    def disturbed(*args: Any, **named: Any) -> ast.AST:
        if failures:
            raise failures.pop()
        return real(*args, **named)

    monkeypatch.setattr(ast, "parse", disturbed)
    assert ast.unparse(syntax_trees.expression("a + b")) == "a + b"
    failures += [SystemError("another one")]
    with pytest.raises(SystemError, match="another"):
        syntax_trees.module("x = 1")
    with pytest.raises(SyntaxError):
        syntax_trees.module("x = ")


@contextmanager
def disturbed() -> Iterator[list[int]]:
    """Garbage is looked for in the middle of trees, and another thread reads one meanwhile."""
    main, before, times = threading.main_thread(), gc.get_threshold(), [0]

    def read(phase: str, info: dict[str, int]) -> None:
        if phase != "start" or threading.current_thread() is not main:
            return
        times[0] += 1
        thread = threading.Thread(target=ast.literal_eval, args=["[1, 2]"])
        thread.start()
        thread.join()

    gc.callbacks.append(read)
    gc.set_threshold(100)
    try:
        yield times
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(read)


@pytest.mark.skipif(sys.version_info >= (3, 11, 8), reason="CPython counts right from there on")
def test_the_disturbance_is_one() -> None:
    with disturbed() as times, pytest.raises(SystemError, match="recursion depth mismatch"):
        for _ in range(100):
            ast.literal_eval("[" + "(1, [2, (3, 4)]), " * 30 + "]")
    assert times[0]


KINDS = ("float64", "float32", "int32", "int64", "complex128", "complex64", "int16", "uint8")

PROGRAM = """
def gathered(x, y):
    z = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            z[i] += {terms}
    return z
"""


def works(tmp: Path, number: int) -> list[Callable[[], Any]]:
    """What reads trees, or did: each with its result checked."""
    file = tmp / f"{number}.npz"

    def files() -> None:
        sa.save(file, sa.asarray(DATA + number, format="csr"))
        np.testing.assert_array_equal(sa.load(file).todense(), DATA + number)

    def kernels() -> None:
        data = DATA.astype(KINDS[number % len(KINDS)])
        x, y = sa.asarray(data, format="csr"), sa.asarray(data, format="rle")
        np.testing.assert_array_equal((x * y + x - y * y).todense(), data * data + data - data**2)

    def programs() -> None:
        found = sa.kernel(PROGRAM.format(terms=" + ".join(["x[i, j] * y[j]"] * (40 + number))))
        wanted = DATA.sum(1) * (40 + number)
        np.testing.assert_array_equal(found(DATA, np.ones(3)).todense(), wanted)

    def rules() -> None:
        left = " + ".join(["sin(x * y)"] * 40)
        assert pair(f"{left} + {number}", f"x * {number + 1}")

    return [files, kernels, programs, rules]


def run(tmp_path: Path, rounds: int) -> None:
    with sa.options(tier="interpreted"):
        for number in range(rounds):
            for work in works(tmp_path, number):
                work()


def test_threads_that_read_trees_do_not_disturb_us(tmp_path: Path) -> None:
    with disturbed() as times:
        run(tmp_path, 1)
    assert times[0] > 10


@pytest.mark.long
def test_threads_that_read_trees_never_disturb_us(tmp_path: Path) -> None:
    with disturbed():
        run(tmp_path, 50)
