"""docs/structure.md says which formats come out; the library gives these."""

import re
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.passes.words import unite

TEXT = Path(__file__).resolve().parents[2] / "docs" / "structure.md"
FORMATS = ("csr", "csc", "dcsr", "band", "rle", "bitmap", "dense")


def table(head: str) -> list[list[str]]:
    """The rows of the table whose header begins so, the header first, without markup."""
    lines = TEXT.read_text(encoding="utf-8").split("\n")
    first = next(k for k, line in enumerate(lines) if line.startswith(head))
    rows = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        rows.append([re.sub(r"[`*]", "", cell).strip() for cell in line[1:-1].split("|")])
    return [rows[0], *rows[2:]]


@cache
def matrix(name: str, shape: tuple[int, int] = (6, 8)) -> sa.Array:
    values = np.random.default_rng(0).integers(0, 3, shape).astype(float)
    return sa.asarray(values, format=name)


PAIRS = table("| operands |")
UNIONS = table("| union |")
SUMS = table("| expression | csr |")
PRODUCTS = table("| `a @ b` |")


def test_table_has_every_pair_once() -> None:
    pairs = [tuple(row[0].split(", ")) for row in PAIRS[1:]]
    assert pairs == list(combinations_with_replacement(FORMATS, 2))


@pytest.mark.parametrize("row", PAIRS[1:], ids=lambda row: row[0])
def test_pair_of_formats(row: list[str]) -> None:
    left, right = row[0].split(", ")
    for name, expected in zip(PAIRS[0][1:], row[1:], strict=True):
        function = getattr(sa, name)
        for a, b in ((left, right), (right, left)):
            assert str(function(matrix(a), matrix(b)).format) == expected, (name, a, b)


@pytest.mark.parametrize("row", UNIONS[1:], ids=lambda row: row[0])
def test_union_of_words(row: list[str]) -> None:
    for other, expected in zip(UNIONS[0][1:], row[1:], strict=True):
        assert unite(row[0], other) == expected, other
        assert unite(other, row[0]) == expected, other


REDUCTIONS = {
    "sum(axis=0)": lambda a: a.sum(axis=0),
    "sum(axis=1)": lambda a: a.sum(axis=1),
    "max(axis=0)": lambda a: a.max(axis=0),
    "a @ x, x a dense vector": lambda a: a @ np.ones(8),
}


@pytest.mark.parametrize("row", SUMS[1:], ids=lambda row: row[0])
def test_reduction(row: list[str]) -> None:
    for name, expected in zip(SUMS[0][1:], row[1:], strict=True):
        assert str(REDUCTIONS[row[0]](matrix(name)).format) == expected, name


@pytest.mark.parametrize("row", PRODUCTS[1:], ids=lambda row: row[0])
def test_matrix_product(row: list[str]) -> None:
    for name, expected in zip(PRODUCTS[0][1:], row[1:], strict=True):
        left, right = matrix(row[0], (5, 6)), matrix(name, (6, 4))
        assert str((left @ right).format) == expected, name
