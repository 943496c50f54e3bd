"""What the tests of docs/structure.md share: its tables, matrices of each format, and formats
of results by the algebra alone."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

import structarr as sa
from structarr._array import Array
from structarr._execute import stored_values
from structarr._execute.executor import Executor
from structarr._execute.steps import Derive, last_call
from structarr.formats import Format, name_of
from structarr.formats.fit import check_tree

TEXT = Path(__file__).resolve().parents[2] / "docs" / "structure.md"
SIZE = 6


def table(head: str) -> list[list[str]]:
    """The rows of the table whose header begins so, the header first, without markup."""
    lines = TEXT.read_text(encoding="utf-8").split("\n")
    first = next(k for k, line in enumerate(lines) if line.startswith(head))
    rows = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        rows.append([re.sub(r"`|\*\*", "", cell).strip() for cell in line[1:-1].split("|")])
    return [rows[0], *rows[2:]]


def values(name: str) -> np.ndarray:
    """A matrix that the format of a name can hold."""
    found = np.random.default_rng(0).integers(0, 3, (SIZE, SIZE)).astype(float)
    i, j = np.indices(found.shape)
    match name:
        case "triu":
            return np.triu(found)
        case "tril":
            return np.tril(found)
        case "symmetric" | "hermitian":
            return found + found.T
        case "dia":
            return np.where(abs(i - j) <= 1, found + 1, 0)
        case "point":
            return np.where(j == (2 * i) % SIZE, found + 1, 0)
        case "1-bit":
            return np.where(found > 1, 2.0, 0)
        case "interval":
            return np.where((j >= i) & (j < i + 3), i + 1.0, 0)
        case "constant":
            return np.full(found.shape, 2.0)
    return found


@cache
def matrix(name: str) -> Array:
    """The same, in the format."""
    return sa.asarray(values(name)).asformat(name).compute()


@contextmanager
def planning() -> Iterator[Callable[[Array], str]]:
    """Within, a function that gives the format of an expression that is not computed."""
    owner_of = stored_values.owner_of

    def format_of(array: Array) -> str:
        step = Executor().planner.plan(array._node, blas=False)
        if isinstance(step, Derive) and step.name == "in tiles":
            return "bsr"
        call = last_call(step)
        if call is None:
            return named(array._node.data.format)
        check_tree(call.choice.format.levels)
        if isinstance(step, Derive) and step.name == "listed rows":
            return "dcsr" if call.choice.format.order == (0, 1) else "dcsc"
        return named(call.choice.format)

    # Else kernels are of values alone, whose format is dense.
    stored_values.owner_of = lambda *about: None
    try:
        yield format_of
    finally:
        stored_values.owner_of = owner_of


def named(format: Format) -> str:
    """The name of a format; triangles beside the main diagonal as the document has them."""
    for name, side in (("triu", "upper"), ("tril", "lower")):
        own = re.fullmatch(rf"Dense\(Triangular\(side='{side}', k=(-?\d+)\)\)", name_of(format))
        if own:
            return f"{name}, k={own[1]}"
    return name_of(format)
