"""Python's syntax trees of texts, read in several threads at once."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from structarr._support.locks import TREES

T = TypeVar("T")


def undisturbed(read: Callable[[], T]) -> T:
    """
    Call what reads syntax trees, again if other threads disturb it.

    CPython before 3.11.8 and 3.12.2 counts the depth of syntax trees once for all threads (its
    issue gh-106905). If a thread is interrupted within a tree, as by a collection of garbage, and
    another thread reads a tree, one of them fails. Readers of this package take turns; others, such
    as `numpy.load` with its headers, do not. `compile` to code objects makes no such tree.

    Examples
    --------
    >>> undisturbed(lambda: ast.literal_eval("(1, 2)"))
    (1, 2)
    """
    with TREES:
        try:
            return read()
        except SystemError as error:
            if "recursion depth mismatch" not in str(error):
                raise
        with (
            _without_collection()
        ):  # only a collection lets another thread run in the middle of a tree
            return read()


@contextmanager
def _without_collection() -> Iterator[None]:
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def expression(text: str) -> ast.expr:
    """The tree of an expression."""
    return undisturbed(lambda: ast.parse(text, mode="eval")).body


def module(text: str) -> ast.Module:
    """The tree of statements."""
    return undisturbed(lambda: ast.parse(text))
