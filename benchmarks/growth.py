"""How time and memory of operations grow with what is stored, beside SciPy and GraphBLAS."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import peers
from benchmarks.report import Row, row
from benchmarks.skewed import ROW
from benchmarks.timing import Call, race
from structarr._array import of_tensor, stored
from structarr._storage.tensor import Tensor
from structarr._support.memory import available
from structarr._support.memory_account import free_all
from structarr._support.processors import threads_by_default

USED: Final = 0.9
"""The part of the memory that is available which operands and results may take."""

MATRIX: Final = 12.5
"""The bytes that a matrix takes for each entry: a value, a column, and its share of a pointer."""

COPY: Final = 16.5
"""The bytes that GraphBLAS takes for it, whose columns are of eight bytes."""


@dataclass(frozen=True)
class Case:
    """
    An expression of one matrix or two, and of a vector.

    Attributes
    ----------
    matrices : int
        How many matrices it reads.
    room : float
        The bytes that a call takes at most, by SciPy or GraphBLAS, for each stored entry.
    make : callable
        The expression of arrays of ours, or of SciPy's.
    by_graphblas : callable
        The same of its module, and of its matrices and its vector.
    """

    matrices: int
    room: float
    make: Callable[[Any, Any, Any], Any]
    by_graphblas: Callable[[Any, Any, Any, Any], Any]


def _sum_of(matrix: Any) -> Any:
    """The sum of a matrix of GraphBLAS's, whose memory is given back."""
    found = matrix.reduce_scalar("plus").new().wait("materialize")
    _let_go(matrix)
    return found


def _let_go(result: Any) -> None:
    """Give the memory of a result of GraphBLAS's back, which holds itself.

    Garbage is not collected while calls are timed, and soon takes all memory there is.
    """
    if hasattr(result, "ss"):
        result.ss = None


CASES: Final[dict[str, Case]] = {
    "a @ x": Case(1, 2, lambda a, b, x: a @ x, lambda g, a, b, x: a.mxv(x).new()),
    "a.sum(axis=1)": Case(
        1, 2, lambda a, b, x: a.sum(axis=1), lambda g, a, b, x: a.reduce_rowwise("plus").new()
    ),
    "a.sum(axis=0)": Case(
        1, 2, lambda a, b, x: a.sum(axis=0), lambda g, a, b, x: a.reduce_columnwise("plus").new()
    ),
    "2 * a": Case(
        1, MATRIX, lambda a, b, x: 2 * a, lambda g, a, b, x: a.apply(g.binary.times, right=2).new()
    ),
    "a * b": Case(
        2, 36, lambda a, b, x: a * b, lambda g, a, b, x: a.ewise_mult(b, g.binary.times).new()
    ),
    "a + b": Case(
        2, 36, lambda a, b, x: a + b, lambda g, a, b, x: a.ewise_add(b, g.binary.plus).new()
    ),
    "(a * b).sum()": Case(
        2,
        36,
        lambda a, b, x: (a * b).sum(),
        lambda g, a, b, x: _sum_of(a.ewise_mult(b, g.binary.times).new()),
    ),
}


@dataclass
class Operands:
    """
    Matrices and a vector, as each contender has them.

    Attributes
    ----------
    ours : sequence of Array
        One matrix or two, and the vector.
    scipy : sequence
        The same, which share the memory of ours.
    graphblas : sequence
        The same, in memory of their own; None where it is not installed, or has no room.
    """

    ours: Sequence[Any]
    scipy: Sequence[Any] = field(init=False)
    graphblas: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        *matrices, x = self.ours
        self.scipy = *[one.to_scipy() for one in matrices], np.asarray(x)


@dataclass(frozen=True)
class Measured:
    """The figures of an expression at a size, by contender."""

    size: int
    seconds: Mapping[str, float]
    nbytes: Mapping[str, float]


def rows(sizes: Sequence[int], seconds: float) -> Iterator[Row]:
    """
    Yield the time and memory of expressions at each size that fits, and slopes between sizes.

    Parameters
    ----------
    sizes : sequence of int
        The stored entries of each matrix, ascending.
    seconds : float
        How long to go on with each size, all expressions together.

    Notes
    -----
    Contenders take turns, and the least time of each counts. `time` is by one thread, as SciPy's
    always is; with a number of threads it is that of all processors, against GraphBLAS by as many,
    and against ours by one. `bytes` are those of the operands and all that NumPy has besides during
    a call whose pools are empty; of GraphBLAS they are not known. A slope is the exponent of the
    power of the size by which a figure has grown since the size before, ours beside SciPy's.
    """
    before: dict[str, Measured] = {}
    for size in sizes:
        free_all()
        left = USED * available()
        fitting = {name: one for name, one in CASES.items() if _need(one) * size <= left}
        for name in [one for one in CASES if one not in fitting]:
            _too_large(f"{name} {size:.0e}", _need(CASES[name]) * size, left)
        if not fitting:
            continue
        operands = _operands(size, max(one.matrices for one in fitting.values()))
        _copied(operands, [*fitting.values()], size, left)
        for name, case in fitting.items():
            yield from _rows_of(name, case, operands, size, seconds / len(fitting), before)
        del operands
        gc.collect()  # GraphBLAS's matrices hold themselves; the next size needs the memory


def _need(case: Case) -> float:
    """The bytes for each stored entry that ours and SciPy take."""
    return case.matrices * MATRIX + case.room


def _too_large(what: str, needed: float, left: float) -> None:
    gigabytes = f"{needed / 1e9:.3g} GB of memory, of which {left / 1e9:.3g} GB can be had"
    peers.left_out(what, gigabytes)


def _copied(operands: Operands, cases: Sequence[Case], size: int, left: float) -> None:
    """Give GraphBLAS its own operands, if there is room for them beside ours."""
    graphblas = peers.graphblas()
    if graphblas is None:
        return
    matrices = len(operands.ours) - 1
    needed = (matrices * (MATRIX + COPY) + max(one.room for one in cases)) * size
    if needed > left:
        _too_large(f"GraphBLAS {size:.0e}", needed, left)
        return
    *scipy, x = operands.scipy
    copies = [graphblas.io.from_scipy_sparse(one) for one in scipy]
    operands.graphblas = *copies, graphblas.Vector.from_dense(x)


def _rows_of(
    name: str,
    case: Case,
    operands: Operands,
    size: int,
    seconds: float,
    before: dict[str, Measured],
) -> Iterator[Row]:
    """The rows of an expression at a size, which is remembered for the next one."""
    label, threads = f"{name} {size:.0e}", threads_by_default()
    all_of = f"{threads} threads"
    calls = _calls(case, operands, threads)
    with sa.options(tier="compiled"):
        found = [_sums(call()) for call in calls.values()]
        times = race({who: partial(_discarded, call) for who, call in calls.items()}, seconds)
        used = {who: _used(operands, calls[who]) for who in ("one", "SciPy")}
    same = all([bool(np.allclose(one, found[0])) for one in found])
    for peer in ("SciPy", "GraphBLAS"):
        if peer in times:
            yield row(label, "time", times["one"], peer, times[peer], same)
    if "all" in times:
        yield row(label, f"time, {all_of}", times["all"], "one thread", times["one"], same)
    if "GraphBLAS, all" in times:
        peer = f"GraphBLAS, {threads}"
        yield row(label, f"time, {all_of}", times["all"], peer, times["GraphBLAS, all"], same)
    yield row(label, "bytes", used["one"], "SciPy", used["SciPy"], same)
    if name in before:
        past = before[name]
        for what, now, then in (("time", times, past.seconds), ("bytes", used, past.nbytes)):
            ours, theirs = [
                log(now[who] / then[who]) / log(size / past.size) for who in ("one", "SciPy")
            ]
            yield row(label, f"slope, {what}", ours, "SciPy", theirs, same)
    before[name] = Measured(size, times, used)


def _calls(case: Case, operands: Operands, threads: int) -> dict[str, Call]:
    """What takes turns."""
    ours, scipy = _three(operands.ours), _three(operands.scipy)
    calls: dict[str, Call] = {
        "one": partial(_by_threads, case, ours, 1),
        "SciPy": partial(case.make, *scipy),
    }
    if threads > 1:
        calls["all"] = partial(_by_threads, case, ours, threads)
    graphblas = peers.graphblas()
    if operands.graphblas is not None:
        theirs = _three(operands.graphblas)
        calls["GraphBLAS"] = partial(_by_graphblas, case, graphblas, theirs, 1)
        if threads > 1:
            calls["GraphBLAS, all"] = partial(_by_graphblas, case, graphblas, theirs, threads)
    return calls


def _discarded(call: Call) -> None:
    """Call what nobody looks at the result of."""
    _let_go(call())


def _three(operands: Sequence[Any]) -> tuple[Any, Any, Any]:
    """One matrix or two, and a vector, as expressions take them."""
    *matrices, x = operands
    return matrices[0], matrices[-1], x


def _by_threads(case: Case, operands: tuple[Any, ...], threads: int) -> sa.Array:
    with sa.options(threads=threads):
        return case.make(*operands).compute()  # type: ignore[no-any-return]


def _by_graphblas(case: Case, graphblas: Any, operands: tuple[Any, ...], threads: int) -> Any:
    graphblas.ss.config["nthreads"] = threads
    try:
        return case.by_graphblas(graphblas, *operands).wait("materialize")
    finally:
        graphblas.ss.config["nthreads"] = 1


def _sums(result: Any) -> list[float]:
    """How many values a result has, and their sum: large results are not compared one by one."""
    if isinstance(result, sa.Array):
        result = stored(result).buffers[-1]
    if hasattr(result, "reduce_scalar"):  # a matrix of GraphBLAS's
        return [float(result.nvals), float(_sum_of(result))]
    if hasattr(result, "to_dense"):
        result = result.to_dense(0.0)
    values = result.data if sp.issparse(result) else np.asarray(result)
    return [float(values.size), float(values.sum())]


def _used(operands: Operands, call: Call) -> float:
    """The bytes of the operands, which ours and SciPy share, and of all that a call has beside."""
    held = sum([buffer.nbytes for one in operands.ours for buffer in stored(one).buffers])
    return float(held) + _peak(call)


def _peak(call: Call) -> float:
    """The bytes that a call has at most, its result included: its pools are empty before."""
    free_all()
    tracemalloc.start()
    try:
        call()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def _operands(size: int, matrices: int) -> Operands:
    made = [random(size, seed) for seed in range(matrices)]
    return Operands((*made, sa.asarray(np.linspace(-1.0, 1.0, made[0].shape[1]))))


def random(size: int, seed: int) -> sa.Array:
    """A square matrix of rows of the same length, made without sorting it as a whole."""
    n, numbers = size // ROW, np.random.default_rng(seed)
    width = n // ROW
    columns = numbers.integers(0, width, (n, ROW), dtype=np.int32)
    columns += np.arange(ROW, dtype=np.int32) * width
    pointers = np.arange(0, size + 1, ROW, dtype=np.int32)
    values = numbers.standard_normal(size)
    parts = (pointers, columns.reshape(-1), values)
    fmt = sa.formats.parse("csr", 2, "int32")
    return of_tensor(Tensor(fmt, (n, n), values.dtype, np.float64(0), parts))
