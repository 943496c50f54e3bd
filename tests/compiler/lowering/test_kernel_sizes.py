"""How long the text of kernels may become."""

from __future__ import annotations

import operator
import re
from functools import reduce
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

import structarr as sa
from benchmarks import convolution

pytestmark = pytest.mark.usefixtures("as_shipped")

N = 24
ROWS = 6
FORMATS = ("csr", "rle", "sparse-rle", "vbl", "band")
TRIPLES = tuple(combinations_with_replacement(FORMATS, 3))
STRETCHES = tuple(combinations_with_replacement(FORMATS[1:4], 3))

PRODUCT = 270
CONVOLUTION = 150


def values(format: str, seed: int) -> Any:
    """A matrix that suits a format."""
    random = np.random.default_rng(seed)
    rows = np.zeros((ROWS, N))
    for row in rows:
        if format == "csr":
            row[:] = random.standard_normal(N) * (random.random(N) < 0.3)
        elif format in ("rle", "sparse-rle"):
            least = 1 if format == "rle" else 0
            row[:] = np.repeat(random.integers(least, 4, N // 3), 3)
        else:
            width = 8 if format == "band" else 3
            for start in random.integers(0, N - width, 1 if format == "band" else 3):
                row[start : start + width] = random.standard_normal(width)
    return rows


def lines(program: str, **operands: Any) -> int:
    return len(sa.explain(program, **operands).kernel.strip().splitlines())


def product(program: str, formats: tuple[str, ...]) -> tuple[int, Any, Any]:
    """The lines of a program's kernel, its result, and the product that it is about."""
    dense = [values(format, seed) for seed, format in enumerate(formats)]
    pairs = zip(dense, formats, strict=True)
    stored = dict(zip("ABC", (sa.asarray(a, format=f) for a, f in pairs), strict=True))
    with sa.options(tier="interpreted"):
        result = np.asarray(sa.loops(program, **stored))
    return lines(program, **stored), result, np.prod(dense, axis=0)


@pytest.mark.parametrize("formats", TRIPLES, ids="*".join)
def test_three_way_products(formats: tuple[str, ...]) -> None:
    count, result, whole = product("D[i, j] = A[i, j] * B[i, j] * C[i, j]", formats)
    np.testing.assert_allclose(result, whole)
    assert count < PRODUCT


@pytest.mark.parametrize("formats", STRETCHES, ids="*".join)
def test_sums_of_three_way_products(formats: tuple[str, ...]) -> None:
    count, result, whole = product("y[i] += A[i, j] * B[i, j] * C[i, j]", formats)
    np.testing.assert_allclose(result, whole.sum(axis=1), atol=1e-12)
    assert count < PRODUCT


def test_masked_convolution() -> None:
    grid = np.eye(30) + np.eye(30, k=2)
    count = lines(
        convolution.PROGRAM,
        A=sa.asarray(grid, format="csr"),
        F=np.ones((convolution.SIDE, convolution.SIDE)),
        order="ikjl",
        extents={"j": convolution.SIDE, "l": convolution.SIDE},
    )
    assert count < CONVOLUTION


@pytest.mark.parametrize("count", [3, 4])
def test_sums_have_a_turn_for_each_set_of_lists_that_stop_first(count: int) -> None:
    dense = [values("csr", seed) for seed in range(count)]
    total = reduce(operator.add, [sa.asarray(one, format="csr") for one in dense])
    kernel = sa.explain(total).kernel
    with sa.options(tier="interpreted"):
        np.testing.assert_allclose(total.todense(), sum(dense))
    (result,) = set(re.findall(r"(\w+)_val\[u\(\w+\)\] = ", kernel))
    assert kernel.count(f"{result}_val[u(") == 2**count - 1
