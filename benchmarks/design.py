"""Design matrices: products, weighted products and standardising, beside tabmat, SciPy and NumPy.

The cases are those of tabmat's own benchmark, and real tables. Operands are made anew for each
call, except in rows of `reused`. A mean is taken over families, each counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from math import exp, log
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import design_genotypes, peers
from benchmarks.design_cases import Codes, Table, generated, real
from benchmarks.everyday_timing import Contender, memory, race, warmed
from benchmarks.report import Row, row

SHARE: Final = 0.1
QUICK: Final = 0.01
"""The share of the rows that tabmat's benchmark has."""
LIMIT: Final = 1 << 34
"""Bytes that results may take: weighted products of wide matrices are large, here and there."""

WIDEST: Final = 20_000
"""Columns of which weighted products that are dense are not made: 3 GB of doubles."""

Maker = Callable[[], tuple[Any, ...]]


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all tables, and of genotypes."""
    seconds = 0.2 if quick else 1.0
    with sa.options(densify_limit=LIMIT), _one_thread():
        for table in (*generated(QUICK if quick else SHARE), *real(data)):
            yield from _products(table, seconds)
    yield from design_genotypes.rows(seconds, quick)


def _one_thread() -> AbstractContextManager[Any]:
    """One thread for BLAS and OpenMP, as ours has."""
    peers.library("tabmat")  # limits hold for the libraries that are there
    threadpoolctl = peers.library("threadpoolctl")
    return nullcontext() if threadpoolctl is None else threadpoolctl.threadpool_limits(1)


def summary(rows: Sequence[Row]) -> str:
    """Return the geometric mean of the ratios to tabmat, over families, and the least."""
    found = [one for one in rows if one.peer == "tabmat" and one.variant == "anew"]
    if not found:
        return "tabmat is not installed: no mean"
    found.sort(key=lambda one: one.case.split(" ")[-1])
    means = []
    for _, group in groupby(found, key=lambda one: one.case.split(" ")[-1]):
        logs = [log(one.ratio) for one in group]
        means.append(sum(logs) / len(logs))
    least = min(found, key=lambda one: one.ratio)
    mean = exp(sum(means) / len(means))
    return f"beside tabmat: geometric mean {mean:.2f}, least {least.ratio:.2f} ({least.case})"


def _products(table: Table, seconds: float) -> Iterator[Row]:
    random = np.random.default_rng(1)
    rows, columns = table.shape
    tall, wide, weights = random.random(rows), random.random(columns), random.random(rows)
    scale, shift = 1 + random.random(columns), random.random(columns)
    tabmat = peers.library("tabmat")
    whole = table.scipy()
    diagonal = sp.dia_array((weights[None], [0]), shape=(rows, rows))
    cases: dict[str, tuple[Callable[..., Any], Mapping[str, Contender]]] = {
        "matvec": (
            lambda x: np.asarray(x @ wide),
            {"scipy": _same(lambda: whole @ wide)},
        ),
        "transpose": (
            lambda x: np.asarray(x.T @ tall),
            {"scipy": _same(lambda: whole.T @ tall), **_counted(table, tall)},
        ),
        "sandwich": (
            lambda x: finished(x.T @ (weights[:, None] * x)),
            {
                "scipy": _same(lambda: finished(whole.T @ (diagonal @ whole))),
                **_counted_pairs(table, weights),
            },
        ),
        "standardized": (
            lambda x: np.asarray(((x - shift) / scale) @ wide),
            {"scipy": _same(lambda: whole @ (wide / scale) - (shift / scale) @ wide)},
        ),
    }
    alone = len(table.blocks) == 1 and isinstance(table.blocks[0], Codes)
    finished = _sparse if alone else _dense  # as tabmat gives it
    theirs: Mapping[str, Callable[[Any], Any]] = {
        "matvec": lambda x: x.matvec(wide),
        "transpose": lambda x: x.transpose_matvec(tall),
        "sandwich": lambda x: x.sandwich(weights),
    }
    if columns > WIDEST and not alone:
        del cases["sandwich"]
    for name, (call, others) in cases.items():
        known = dict(others)
        if tabmat is not None and name in theirs:
            known["tabmat"] = Contender(theirs[name], lambda: (table.tabmat(tabmat),))
        yield from _rows(f"{table.name} {name}", call, lambda: (table.ours(),), known, seconds)


def _dense(result: Any) -> Any:
    if isinstance(result, sa.Array):
        return np.asarray(result.asformat("dense"))
    return result.toarray() if sp.issparse(result) else np.asarray(result)


def _sparse(result: Any) -> Any:
    return result.compute() if isinstance(result, sa.Array) else result


def _alike(one: Any, other: Any) -> bool:
    """Whether two results have the same values; of sparse ones the entries are compared."""
    if isinstance(one, sa.Array):
        other = sp.csr_array(getattr(other, "A", other))
        gap = one.to_scipy("csr").astype(float) - other
        return bool(abs(gap).max() < 1e-8)
    return bool(np.allclose(one, other, rtol=1e-8, atol=1e-8))


def _same(call: Callable[[], Any]) -> Contender:
    return Contender(call, tuple)


def _counted(table: Table, tall: Any) -> dict[str, Contender]:
    """`np.bincount`, of categories alone."""
    codes = table.blocks
    if not all(isinstance(one, Codes) and one.values.min(initial=0) >= 0 for one in codes):
        return {}
    return {
        "bincount": _same(
            lambda: np.concatenate([np.bincount(one.values, tall, one.count) for one in codes])
        )
    }


def _counted_pairs(table: Table, weights: Any) -> dict[str, Contender]:
    """`np.bincount` of a column of categories, or of each pair of two."""
    codes = table.blocks
    if len(codes) > 2 or not _counted(table, weights):
        return {}
    one, other = codes[0], codes[-1]
    if len(codes) == 1:
        return {
            "bincount": _same(lambda: sp.diags_array(np.bincount(one.values, weights, one.count)))
        }

    def call() -> Any:
        own = (np.diag(np.bincount(c.values, weights, c.count)) for c in (one, other))
        pairs = one.values.astype(np.int64) * other.count + other.values
        both = np.bincount(pairs, weights, one.count * other.count)
        both = both.reshape(one.count, other.count)
        first, second = own
        return np.block([[first, both], [both.T, second]])

    return {"bincount": _same(call)}


def _rows(
    case: str,
    call: Callable[..., Any],
    make: Maker,
    others: Mapping[str, Contender],
    seconds: float,
) -> Iterator[Row]:
    """A row for each peer, with operands made anew and reused, and one of the peak of memory."""
    ours = Contender(call, make)
    result = warmed(ours)
    checked = {name: _alike(result, one.call(*one.make())) for name, one in others.items()}
    for variant, every in (
        ("anew", {"structarr": ours, **others}),
        ("reused", {"structarr": ours.again(), **{k: v.again() for k, v in others.items()}}),
    ):
        times = race(every, seconds)
        for name in others:
            yield row(case, variant, times["structarr"], name, times[name], checked[name])
    for name, one in others.items():
        own, their = (max(1, memory(each).peak) for each in (ours, one))
        yield row(case, "bytes peak", own, name, their, checked[name])
