"""Operations of every day, as users of scipy.sparse write them, beside SciPy's best spelling.

Operands are made anew for each timed call, outside the clock; the clock stops when each buffer of
the result exists. Options are those of a user who sets none.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import everyday_formats
from benchmarks.everyday_checks import (
    delivered,
    fault,
    ordered,
    put_in_order,
    shares,
)
from benchmarks.everyday_operands import SHAPES, Operands, made
from benchmarks.everyday_operations import Operation, Spelling, operations
from benchmarks.everyday_summary import summary
from benchmarks.everyday_timing import Contender, Memory, half_of_the_memory, memory, race, warmed
from benchmarks.report import Row, row

__all__ = ["run", "summary"]

SIZES: Final = (10**3, 10**5, 10**6, 10**7)
KINDS: Final = {"csr": tuple(SHAPES), "csc": tuple(SHAPES), "coo": tuple(SHAPES),
                "bsr": ("banded", "even"), "dia": ("banded",)}  # fmt: skip
TERMS: Final = 100  # products of entries for each stored one: products of more are left out
SLOW: Final = 20.0  # times the fastest: a spelling that far behind is not raced


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of SciPy's formats, then those of every other format beside NumPy."""
    del data
    with half_of_the_memory():
        for few, kind, shape, size in _quick() if quick else _whole():
            operands, seconds = made(shape, size, kind), 0.03 if quick else 0.3
            yield from compared(operations(few), operands, f"{shape} {size:.0e}", seconds)
        yield from everyday_formats.run(quick)


def _quick() -> Iterator[tuple[bool, str, str, int]]:
    yield False, "csr", "power-law", 10**5
    yield False, "csr", "power-law", 10**3
    for shape in ("even", "banded", "hypersparse", "column"):
        yield True, "csr", shape, 10**5
    for kind in ("csc", "coo", "bsr", "dia"):
        yield True, kind, "banded", 10**5


def _whole() -> Iterator[tuple[bool, str, str, int]]:
    for kind, shapes in KINDS.items():
        for size in SIZES:
            for shape in shapes:
                yield False, kind, shape, size


def compared(
    chosen: Sequence[Operation], operands: Operands, name: str, seconds: float
) -> Iterator[Row]:
    """Yield the rows of some operations of the operands of one matrix."""
    kind = operands.dense["kind"]
    most = TERMS * operands.stored
    for operation in chosen:
        case = f"{kind} {name} {operation.ours.text}"
        if operation.family == "sparse products" and operands.terms(operation.ours.text) > most:
            print(f"{case}: left out, as its products are too many", file=sys.stderr)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield from _rows(case, operation, operands, seconds)


def _rows(case: str, operation: Operation, operands: Operands, seconds: float) -> Iterator[Row]:
    peers = _peers(operation, operands)
    if not peers:  # SciPy has no such operation in this format
        return
    like = _called(next(iter(peers.values())))[0]
    mine = _contender(operation.ours, operands, like)
    try:
        result, first, used = _called(mine)
        warmed(mine)
        mine = _direct(operation.ours, operands, like, mine)
    except Exception as error:
        spent = min(one.once() for one in peers.values())
        yield Row(case, f"refused: {type(error).__name__}", 0.0, "scipy", spent, 0.0, False)
        print(f"{case}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
        return
    reason = fault(result, like)
    if not (reason or operation.ours.assigns):  # whose operand is the result
        reason = _memory_of_another(result, used, like, peers)
    peers, before = _fastest(_alike(peers, result))
    mark = f", {reason}" if reason else ""
    timed = _raced(mine, peers, operation.ours.assigns, seconds)
    for variant, (ours, peer, spent) in timed.items():
        yield row(case, variant + mark, ours, peer, spent, not reason)
    yield row(case, "first" + mark, first, "scipy", before, not reason)
    taken, theirs = memory(mine), memory(next(iter(peers.values())))
    yield from _bytes(case, taken, theirs, used, not reason)


def _bytes(case: str, ours: Memory, theirs: Memory, used: Any, checked: bool) -> Iterator[Row]:
    """Rows in which seconds stand for bytes: the peak, and what stays with the operands."""
    yield row(case, "bytes peak", max(1, ours.peak), "scipy", max(1, theirs.peak), checked)
    stored = sum(getattr(one, "nbytes", 0) for one in used)
    if stored:
        yield row(case, "bytes kept", max(1, ours.kept), "operands", stored, checked)


def _contender(spelling: Spelling, operands: Operands, like: Any) -> Contender:
    function = spelling.function(operands.names(ours=True))
    make = partial(_made, [partial(operands.ours, name) for name in spelling.operands])
    return Contender(lambda *args: delivered(function(*args), like), make)


def _direct(spelling: Spelling, operands: Operands, like: Any, contender: Contender) -> Contender:
    """The contender whose text delivers the result, as users would write it, without another call.

    A number is computed, but stays an array without axes.
    """
    names = operands.names(ours=True)
    if spelling.assigns or not isinstance(spelling.function(names)(*contender.make()), sa.Array):
        return contender
    whole = sp.issparse(like) or not np.ndim(like)
    around = "({}).compute()" if whole else "np.asarray({})"
    return Contender(spelling.function({**names, "np": np}, around), contender.make)


def _made(makers: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(make() for make in makers)


def _peers(operation: Operation, operands: Operands) -> dict[str, Contender]:
    """What SciPy can compute of its spellings, by their texts."""
    found = {}
    for spelling in operation.theirs:
        function = spelling.function(operands.names(ours=False))
        make = partial(_made, [partial(operands.theirs, name) for name in spelling.operands])
        try:
            result = function(*make())
        except Exception:
            continue
        if ordered(result):
            found[spelling.text] = Contender(function, make)
        else:
            found[spelling.text] = _Unsorted(function, make)
    return found


class _Unsorted(Contender):
    """A contender whose results have their entries in no order."""

    def sorted(self) -> Contender:
        """Return the contender that puts them in order."""
        return Contender(lambda *operands: put_in_order(self.call(*operands)), self.make)


def _alike(peers: dict[str, Contender], result: Any) -> dict[str, Contender]:
    """Peers whose results are in order, where ours is."""
    if not ordered(result):
        return peers
    return {key: one.sorted() if isinstance(one, _Unsorted) else one for key, one in peers.items()}


def _called(contender: Contender) -> tuple[Any, float, tuple[Any, ...]]:
    """The result of a call, how long it took, and its operands."""
    operands = contender.make()
    start = perf_counter()
    result = contender.call(*operands)
    return result, perf_counter() - start, operands


def _memory_of_another(
    result: Any, used: Sequence[Any], like: Any, peers: Mapping[str, Contender]
) -> str:
    """Say so where the result lies in the memory of operands, and the peer's does not."""
    if not shares(result, used):
        return ""
    theirs, _, operands = _called(next(iter(peers.values())))
    return "" if shares(theirs, operands) else "shares memory"


def _fastest(peers: dict[str, Contender]) -> tuple[dict[str, Contender], float]:
    """The spellings that may be the fastest, the likeliest first, and its time."""
    times = {name: one.once() for name, one in peers.items()}
    least = min(times.values())
    order = sorted(times, key=times.__getitem__)
    return {name: peers[name] for name in order if times[name] <= SLOW * least}, least


def _raced(
    mine: Contender, peers: Mapping[str, Contender], assigns: bool, seconds: float
) -> dict[str, tuple[float, str, float]]:
    """Our time, the peer's name and its time, of operands made anew and of the same ones."""
    fresh: dict[str, Contender] = {"": mine, **peers}
    found = {}
    if not assigns:
        again = {f"again {name}": one.again() for name, one in fresh.items()}
        times = race({**fresh, **again}, 2 * seconds)
        best = min(times[f"again {name}"] for name in peers)
        found["reused"] = times["again "], "scipy", best
    else:
        times = race(fresh, seconds)
    return {"anew": (times[""], "scipy", min(times[name] for name in peers)), **found}
