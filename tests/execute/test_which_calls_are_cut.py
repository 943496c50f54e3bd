"""The operations of `docs/howto/resources.md` are cut into pieces, in the formats it lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend.kernel import Kernel
from structarr._execute.known_cuts import KnownCuts
from structarr._testing.fuzz.pieces import in_pieces

N = 29
OPERATIONS: dict[str, Callable[..., Any]] = {
    "a @ x": lambda a, b, x, y: a @ x,
    "a @ y": lambda a, b, x, y: a @ y,
    "a.T @ x": lambda a, b, x, y: a.T @ x,
    "a.T @ y": lambda a, b, x, y: a.T @ y,
    "a @ b[:, :9]": lambda a, b, x, y: a @ b[:, :9],
    "a.sum()": lambda a, b, x, y: a.sum(),
    "a.sum(axis=0)": lambda a, b, x, y: a.sum(axis=0),
    "a.sum(axis=1)": lambda a, b, x, y: a.sum(axis=1),
    "a.max(axis=0)": lambda a, b, x, y: a.max(axis=0),
    "a.max(axis=1)": lambda a, b, x, y: a.max(axis=1),
    "2 * a": lambda a, b, x, y: 2 * a,
    "a * b": lambda a, b, x, y: a * b,
    "a + b": lambda a, b, x, y: a + b,
    "(a * b).sum(axis=1)": lambda a, b, x, y: (a * b).sum(axis=1),
}
FORMATS = (
    *("csr", "csc", "coo", "dcsr", "band", "vbl", "rle", "sparse-rle", "symmetric", "bsr", "dia"),
    *("triu", "bitmap", "hash"),
)


def operand(format: str, seed: int) -> np.ndarray:
    """A matrix that a format can store, of which a third is stored."""
    random = np.random.default_rng(seed)
    dense = np.where(random.random((N, N)) < 0.3, random.integers(1, 5, (N, N)), 0).astype(float)
    if format == "symmetric":
        return dense + dense.T
    return np.triu(dense) if format == "triu" else dense


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.sampled(4)
def test_a_call_is_cut(format: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "compile", lambda self: None)
    monkeypatch.setattr(Kernel, "_should_compile", lambda self, work: False)
    monkeypatch.setattr(Kernel, "may_stop", False)
    made: list[int] = []
    cuts_of = KnownCuts.of

    def noted(self: KnownCuts, *args: Any) -> Any:
        found = cuts_of(self, *args)
        made.append(0 if found is None else len(found) - 1)
        return found

    monkeypatch.setattr(KnownCuts, "of", noted)
    one, other = operand(format, 0), operand(format, 1)
    a, b = sa.asarray(one, format=format), sa.asarray(other, format=format)
    x, y = np.linspace(-1.0, 1.0, N), np.ones((N, 4))
    with in_pieces(), sa.options(threads=2, tier="auto"):
        found = OPERATIONS[name](a, b, x, y).todense()
    np.testing.assert_allclose(found, OPERATIONS[name](one, other, x, y), atol=1e-12)
    assert max(made) > 1
