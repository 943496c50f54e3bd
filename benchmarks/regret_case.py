"""A case of regret: an expression as a paper has it, and how an expert would write it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa

Operands = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """
    An expression, and the spellings that it is compared with.

    A spelling is Python text: statements between semicolons, of which the last is the value. The
    names in it that it does not assign are its operands; `benchmarks.regret_operands` makes them.

    Attributes
    ----------
    family : str
        What the expression is an instance of; a family counts once in a mean.
    text : str
        As it stands in a paper, in plain NumPy.
    hand : tuple of str
        What an expert would write with this library, `compute()` included; none, if the text is it.
    scipy : tuple of str
        What an expert would write with SciPy and NumPy.
    square : bool
        Whether the matrix must be square.
    most : int, optional
        How many columns the matrix may have, where something grows with their square.
    quick : bool
        Whether it is among the quick ones.
    """

    family: str
    text: str
    hand: tuple[str, ...] = ()
    scipy: tuple[str, ...] = ()
    square: bool = False
    most: int | None = None
    quick: bool = True

    @property
    def names(self) -> frozenset[str]:
        """The operands of all spellings."""
        return frozenset().union(*map(names_in, (self.text, *self.hand, *self.scipy)))


@cache
def names_in(text: str) -> frozenset[str]:
    """The names that a spelling reads and neither assigns nor finds in its vocabulary."""
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return frozenset({node.id for node in names} - own - VOCABULARY.keys())


def spelled(text: str) -> Callable[[Operands], Any]:
    """The function of its operands that a spelling is."""
    code = _compiled(text)

    def compute(operands: Operands) -> Any:
        scope = {**VOCABULARY, **operands}
        exec(code, scope)
        return scope["_value"]

    return compute


@cache
def _compiled(text: str) -> CodeType:
    *before, last = text.split(";")
    lines = [one.strip() for one in before]
    return compile("\n".join([*lines, f"_value = {last.strip()}"]), f"<{text}>", "exec")


def like(matrix: Any, values: Any) -> Any:
    """A CSR array of the same places with other values."""
    return sp.csr_array((values, matrix.indices, matrix.indptr), matrix.shape)


def places(matrix: Any) -> tuple[Any, Any]:
    """The row and the column of each entry of a CSR array."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)), matrix.indices


def at_entries(matrix: Any, left: Any, right: Any) -> Any:
    """The entries of `left @ right.T` where a CSR array has some: what a sampled product is."""
    rows, columns = places(matrix)
    return np.einsum("qk,qk->q", left[rows], right[columns])


def collected(at: Any, values: Any, length: int) -> Any:
    """The sums of rows of values that have the same place."""
    ptr = np.arange(len(at) + 1)
    return sp.csc_array((np.ones(len(at)), at, ptr), (length, len(at))) @ values


VOCABULARY: Mapping[str, Any] = {
    "np": np,
    "sp": sp,
    "sa": sa,
    "like": like,
    "places": places,
    "at_entries": at_entries,
    "collected": collected,
    "len": len,
}
