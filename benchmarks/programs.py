"""Programs of loops beside kernels by hand and other libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import structarr as sa
from benchmarks.report import Row, row
from benchmarks.timing import Call, parts, race


@dataclass(frozen=True)
class Peer:
    """
    What computes the same: a call, and what it then gives, as dense arrays, a job each.

    `within` is how far its values may be from ours, beyond rounding of floats. `overhead` calls it
    as often on next to nothing, and what that takes is not counted.
    """

    call: Call
    results: Callable[[], Sequence[Any]]
    within: float = 0.0
    overhead: Call | None = None


def values(call: Call) -> Peer:
    """Return a peer of one job, whose call returns its value."""
    return Peer(call, lambda: [call()])


def together(calls: Sequence[Call]) -> Call:
    """Return a call of all."""
    return calls[0] if len(calls) == 1 else lambda: [call() for call in calls]


def compared(
    case: str,
    program: str,
    jobs: Sequence[Mapping[str, Any]],
    peers: Mapping[str, Peer],
    seconds: float,
) -> Iterator[Row]:
    """
    Yield the rows of a program: its kernels alone and its whole call, beside each peer.

    Parameters
    ----------
    case : str
        What the rows are called.
    program : str
        The text.
    jobs : sequence of mapping
        What `sa.loops` takes beside the text; a call does them all.
    peers : mapping of str to Peer
        Who is compared with.
    seconds : float
        How long to measure.
    """
    return raced(case, [partial(sa.loops, program, **job) for job in jobs], peers, seconds)


def written(
    case: str, makes: Sequence[Callable[[], sa.Array]], peers: Mapping[str, Peer], seconds: float
) -> Iterator[Row]:
    """
    Yield the rows of plain NumPy: its kernels alone and its whole call, beside each peer.

    Parameters
    ----------
    case : str
        What the rows are called.
    makes : sequence of callable
        Each makes an expression anew; a call computes them all.
    peers : mapping of str to Peer
        Who is compared with.
    seconds : float
        How long to measure.
    """
    return raced(case, [partial(computed, make) for make in makes], peers, seconds)


def raced(
    case: str, ours: Sequence[Call], peers: Mapping[str, Peer], seconds: float
) -> Iterator[Row]:
    """Yield the rows of some calls that return arrays: all together are a call."""
    found = [np.asarray(call()) for call in ours]
    calls = _together([parts(call) for call in ours])
    variants, checked = tuple(calls), {}
    for name, peer in peers.items():
        peer.call()
        calls[name] = peer.call
        if peer.overhead is not None:
            peer.overhead()
            calls[_overhead(name)] = peer.overhead
        checked[name] = all(
            equal(ours, theirs, peer.within)
            for ours, theirs in zip(found, peer.results(), strict=True)
        )
    times = race(calls, seconds)
    for name, verdict in checked.items():
        for variant in variants:
            work = times[name] - times.get(_overhead(name), 0.0)
            yield row(case, variant, times[variant], name, work, verdict)


def _overhead(peer: str) -> str:
    return f"{peer}, overhead"


def _together(jobs: Sequence[Mapping[str, Call]]) -> dict[str, Call]:
    """What every job has, of all jobs."""
    return {name: together([job[name] for job in jobs]) for name in jobs[0]}


def buffers(array: sa.Array) -> tuple[Any, ...]:
    """Return the buffers of an array, but for the pointers of the one root fiber."""
    tensor = array._tensor
    return tuple(
        buffer
        for depth, level in enumerate(tensor.format.levels)
        for key, buffer in zip(level.buffers, tensor.level_buffers[depth], strict=True)
        if depth or key != "ptr"
    )


def computed(make: Callable[[], sa.Array]) -> sa.Array:
    """Return the value of an expression that is made anew."""
    return make().compute()


def equal(result: Any, wanted: Any, within: float = 0.0) -> bool:
    """Return whether two dense arrays are equal to rounding, or no farther apart than allowed."""
    result, wanted = map(np.asarray, (result, wanted))
    # Differences of unsigned integers would wrap around.
    result, wanted = (one.astype(np.result_type(one, np.int64)) for one in (result, wanted))
    # Sums may cancel: what is left is as exact as the terms are.
    scale = float(np.abs(wanted).max(initial=1.0))
    return bool(np.allclose(result, wanted, rtol=1e-9, atol=within + 1e-9 * scale))
