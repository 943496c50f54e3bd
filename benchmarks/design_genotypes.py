"""Genotypes in two bits each: products, counts and bytes, beside int8 through BLAS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import structarr as sa
from benchmarks.everyday_timing import Contender, race, warmed
from benchmarks.report import Row, row


def rows(seconds: float, quick: bool) -> Iterator[Row]:
    """Yield the rows of people by places in the genome."""
    people, places = (400, 2000) if quick else (2000, 10_000)
    random = np.random.default_rng(0)
    values = random.choice(np.array([0, 1, 2], np.int8), (people, places), p=(0.6, 0.3, 0.1))
    packed = sa.asarray(values, format="2-bit")
    yield row("genotypes", "bytes", packed.nbytes, "int8", values.nbytes, True)
    for dtype in (np.float64, np.float32):
        x = random.random(places).astype(dtype)
        y = random.random(people).astype(dtype)
        name = np.dtype(dtype).name
        cases: Mapping[str, tuple[Callable[..., Any], Callable[[], Any]]] = {
            "G @ x": (lambda g, x=x: np.asarray(g @ x), lambda x=x: values.astype(x.dtype) @ x),
            "G.T @ y": (
                lambda g, y=y: np.asarray(g.T @ y),
                lambda y=y: values.T.astype(y.dtype) @ y,
            ),
        }
        for case, (call, other) in cases.items():
            yield from _raced(f"{case} {name}", call, other, packed, seconds)
    yield from _raced(
        "counts of heterozygotes",
        lambda g: np.asarray((g == 1).sum(axis=0)),
        lambda: (values == 1).sum(axis=0),
        packed,
        seconds,
    )


def _raced(
    case: str, call: Callable[..., Any], other: Callable[[], Any], packed: sa.Array, seconds: float
) -> Iterator[Row]:
    ours = Contender(call, lambda: (packed.copy(),))
    theirs = Contender(other, tuple)
    same = bool(np.allclose(warmed(ours), other(), rtol=1e-4))
    times = race({"structarr": ours, "int8, BLAS": theirs}, seconds)
    yield row(
        f"genotypes {case}", "anew", times["structarr"], "int8, BLAS", times["int8, BLAS"], same
    )
