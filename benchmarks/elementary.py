"""Elementwise operations, sums and matrix-vector products of CSR matrices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import contractions, handwritten, matrices
from benchmarks.report import Row, row
from benchmarks.timing import Call, race

Contenders = Mapping[str, Call]

REAL = ("hb/bcsstk16.npz", "hb/bcsstk14.npz", "graphs/web-spam.npz")
OURS = "structarr"


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all cases."""
    for name, operands in _inputs(data, quick):
        contenders = list(_libraries(*operands))
        for case in contenders[0]:
            calls = {each.name: each[case] for each in contenders if case in each}
            scale = float(abs(operands[0]).max())
            yield from _compared(f"{case} {name}", calls, scale, 0.3 if quick else 1.5)
    yield from contractions.run(data, quick)


def _inputs(data: Path, quick: bool) -> Iterator[tuple[str, tuple[Any, Any, Any]]]:
    yield "random-100k", matrices.halves(100_000)
    if not quick:
        yield "random-1M", matrices.halves(1_000_000)
    for name in REAL[:1] if quick else REAL:
        if (data / name).exists():
            yield Path(name).stem, matrices.real(data / name)


class _Library(dict[str, Call]):
    """The cases, as one library computes them."""

    def __init__(self, name: str, cases: Contenders) -> None:
        super().__init__(cases)
        self.name = name


def _libraries(a: Any, b: Any, c: Any) -> Iterator[_Library]:
    x = np.linspace(-1.0, 1.0, a.shape[1])
    yield _ours(sa.asarray(a), sa.asarray(b), sa.asarray(c), sa.asarray(x))
    yield _Library("scipy", _cases(a.multiply, a, b, c, x))
    yield from _by_hand(a, b, c, x)
    if find_spec("sparse"):
        import sparse

        coo = [sparse.COO.from_scipy_sparse(one) for one in (a, b, c)]
        yield _Library("pydata/sparse", _cases(coo[0].__mul__, coo[0], coo[1], coo[2], x))


def _ours(a: Any, b: Any, c: Any, x: Any) -> _Library:
    cases = {
        "multiply": lambda: sa.multiply(a, b).compute(),
        "add": lambda: sa.add(a, b).compute(),
        "sum-axis0": lambda: sa.sum(a, axis=0).compute(),
        "sum-axis1": lambda: sa.sum(a, axis=1).compute(),
        "sum-all": lambda: sa.sum(a).compute(),
        "matvec": lambda: (a @ x).compute(),
        "chained": lambda: (a * b + c).sum().compute(),
    }
    return _Library(OURS, cases)


def _cases(multiply: Any, a: Any, b: Any, c: Any, x: Any) -> dict[str, Call]:
    return {
        "multiply": lambda: multiply(b),
        "add": lambda: a + b,
        "sum-axis0": lambda: a.sum(axis=0),
        "sum-axis1": lambda: a.sum(axis=1),
        "sum-all": lambda: a.sum(),
        "matvec": lambda: a @ x,
        "chained": lambda: (multiply(b) + c).sum(),
    }


def _by_hand(a: Any, b: Any, c: Any, x: Any) -> Iterator[_Library]:
    first, second, third = [(one.indptr, one.indices, one.data) for one in (a, b, c)]
    cases = {
        "multiply": lambda: handwritten.multiply(first, second),
        "add": lambda: handwritten.add(first, second),
        "sum-axis0": lambda: handwritten.sum_columns(first, a.shape[1]),
        "sum-axis1": lambda: handwritten.sum_rows(first),
        "sum-all": lambda: handwritten.sum_all(first),
        "matvec": lambda: handwritten.matvec(first, x),
        "chained": lambda: handwritten.chained(first, second, third),
    }
    yield _Library("handwritten", cases)
    # Which of the two is faster depends on the matrices: both are the yardstick.
    branching = {
        "multiply": lambda: handwritten.multiply_branching(first, second),
        "add": lambda: handwritten.add_branching(first, second),
    }
    yield _Library("hand, branching", branching)


def _compared(case: str, calls: Contenders, scale: float, seconds: float) -> Iterator[Row]:
    with sa.options(tier="compiled"):
        ours = calls[OURS]()
    wanted = {name: call() for name, call in calls.items() if name != OURS}
    checked = {name: _equal(ours, value, scale) for name, value in wanted.items()}
    times = race(calls, seconds)
    for peer in wanted:
        yield row(case, OURS, times[OURS], peer, times[peer], checked[peer])


def _equal(ours: Any, theirs: Any, scale: float) -> bool:
    if ours.ndim == 2:
        difference = abs(ours.to_scipy("csr") - _as_scipy(theirs, ours.shape))
        return bool(difference.max() == 0)
    plain = theirs.todense() if hasattr(theirs, "todense") else theirs
    # Sums may cancel: what is left is as exact as the terms are.
    return bool(np.allclose(np.asarray(ours), np.asarray(plain), rtol=1e-9, atol=1e-9 * scale))


def _as_scipy(value: Any, shape: tuple[int, ...]) -> Any:
    if isinstance(value, tuple):
        ptr, idx, val = value
        return sp.csr_array((val, idx, ptr), shape)
    return value if sp.issparse(value) else value.to_scipy_sparse()
