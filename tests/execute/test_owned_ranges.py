"""Sums of which each piece owns a range of rows have the bits of one thread, in every format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute import program_choice
from structarr._testing.fuzz.pieces import in_pieces

N, M = 19, 31

OPERATIONS: dict[str, Callable[..., Any]] = {
    "transposed": lambda xp, a, b, y, z: a.T @ y,
    "transposed of columns": lambda xp, a, b, y, z: a.T @ z,
    "from the left": lambda xp, a, b, y, z: y @ a,
    "column sums": lambda xp, a, b, y, z: a.sum(axis=0),
    "column maxima": lambda xp, a, b, y, z: a.max(axis=0),
    "column sums of a product": lambda xp, a, b, y, z: (a * b).sum(axis=0),
    "column sums of a sum": lambda xp, a, b, y, z: (a + b).sum(axis=0),
    "weighted": lambda xp, a, b, y, z: (a * y[:, None]).T @ z,
}
FORMATS = (
    *("csr", "coo", "dcsr", "band", "vbl", "rle", "sparse-rle", "packbits", "ragged"),
    *("bitmap", "hash"),
)
OWNED = {"csr", "band", "vbl", "sparse-rle", "bitmap", "hash"}
"""Whose columns are told, and whose products have a place for each element: ranges are owned."""


def dense_of(seed: int) -> np.ndarray:
    """A matrix of short rows, empty ones and a full one, some of whose columns are full."""
    random = np.random.default_rng(seed)
    dense = np.where(random.random((N, M)) < 0.2, random.integers(-4, 5, (N, M)), 0) / 3
    dense[N // 3], dense[:, 7], dense[2] = random.standard_normal(M), 0.25, 0.0
    return dense


A, B = dense_of(0), dense_of(1)
Y, Z = np.linspace(-1.0, 1.0, N), np.random.default_rng(2).standard_normal((N, 3))


@pytest.fixture
def ranges(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The ranges of each call from now on."""
    found: list[Any] = []
    run = program_choice.run_owned

    def noted(plan: Any, bounds: Any, *args: Any) -> Any:
        found.append(bounds)
        return run(plan, bounds, *args)

    monkeypatch.setattr(program_choice, "run_owned", noted)
    return found


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.sampled(3)
def test_values_and_bits(format: str, name: str, ranges: list[Any]) -> None:
    results = []
    for threads in (1, 2, 3):
        a, b = [sa.asarray(dense, format=format) for dense in (A, B)]
        with in_pieces(owned=True), sa.options(threads=threads, tier="compiled"):
            results.append(OPERATIONS[name](sa, a, b, Y, Z).compute())
    wanted = OPERATIONS[name](np, A, B, Y, Z)
    every = [[one.tobytes() for one in stored(result).buffers] for result in results]
    np.testing.assert_allclose(np.asarray(results[0].todense()), wanted, rtol=1e-13, atol=1e-14)
    assert all(one == every[0] for one in every)
    if format in OWNED and name in ("transposed", "transposed of columns", "from the left"):
        assert [len(one) - 1 for one in ranges] == [2, 3]


def test_ranges_have_equal_shares_of_what_is_stored(ranges: list[Any]) -> None:
    n = 1000
    dense = np.zeros((40, n))
    dense[:, : n // 10] = 1.0
    with in_pieces(owned=True), sa.options(threads=2, tier="compiled"):
        found = (sa.asarray(dense, format="csr").T @ np.ones((40, 2))).todense()
    np.testing.assert_array_equal(found[:, 0], dense.sum(axis=0))
    ((_, middle, _),) = ranges
    assert abs(middle - n // 20) <= 2


def test_little_that_is_added_up_is_owned_by_none(ranges: list[Any]) -> None:
    a = sa.asarray(np.ones((4000, 100)) * (np.arange(100) % 3 == 0), format="csr")
    with sa.options(threads=2, tier="compiled"):
        (a.T @ np.ones((4000, 2))).compute()
    assert not ranges
