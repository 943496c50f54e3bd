"""Sums in float32 and float64: what it costs that they are exact to the last bits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.report import Row, row
from benchmarks.timing import Call, race

ROWS = (5, 40, 1000)  # elements of a row, stored or not

Case = tuple[str, dict[str, Call]]


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all cases."""
    size = 100_000 if quick else 1_000_000
    for dtype in ("float32", "float64"):
        for case, calls in _cases(np.dtype(dtype), size):
            with sa.options(tier="compiled"):
                ours = np.asarray(calls["structarr"]())
            peer = next(name for name in calls if name != "structarr")
            theirs = np.asarray(calls[peer]())
            close = np.allclose(ours, theirs, rtol=32 * np.finfo(dtype).eps * size**0.25)
            times = race(calls, 0.2 if quick else 1.0)
            name = f"{case} {dtype}"
            yield row(name, "structarr", times["structarr"], peer, times[peer], bool(close))


def _cases(dtype: np.dtype[Any], size: int) -> Iterator[Case]:
    rng = np.random.default_rng(0)
    x = rng.random(size).astype(dtype)
    yield "sum", _beside(sa.asarray(x), x, "numpy", "sum")
    for width in ROWS:
        rows = x[: size // width * width].reshape(-1, width)
        yield f"rows of {width}", _beside(sa.asarray(rows), rows, "numpy", "sum", axis=1)
    for width in ROWS[:2]:
        v = rng.random(4000).astype(dtype)
        a = _lists(size // width, width, v.size, rng).astype(dtype)
        ours, theirs = sa.asarray(a), sa.asarray(v)
        yield f"csr rows of {width}", _beside(ours, a, "scipy", "sum", axis=1)
        yield (
            f"csr of {width} @ x",
            {"structarr": partial(_product, ours, theirs), "scipy": partial(a.__matmul__, v)},
        )


def _lists(rows: int, width: int, columns: int, rng: np.random.Generator) -> Any:
    """A matrix of as many entries in each row."""
    gaps = rng.integers(1, columns // width, (rows, width))
    ptr = np.arange(rows + 1, dtype=np.int32) * width
    idx = (np.cumsum(gaps, axis=1) - 1).astype(np.int32).ravel()
    return sp.csr_array((rng.random(rows * width), idx, ptr), (rows, columns))


def _beside(ours: Any, theirs: Any, peer: str, name: str, **given: Any) -> dict[str, Call]:
    def call() -> Any:
        return getattr(ours, name)(**given).compute()

    return {"structarr": call, peer: partial(getattr(theirs, name), **given)}


def _product(a: Any, x: Any) -> Any:
    return (a @ x).compute()
