"""Several ways of ours to compute the same, beside the same peers in one race."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import structarr as sa
from benchmarks.programs import Peer, equal
from benchmarks.report import Row, row
from benchmarks.timing import Call, kernel_alone, program_alone, race


@dataclass(frozen=True)
class Way:
    """One way of ours: its kernel alone, its whole call, and kernels by hand that do the same."""

    kernel: Call
    whole: Call
    by_hand: Mapping[str, Peer] = field(default_factory=dict)


def program(text: str, job: Mapping[str, Any], by_hand: Mapping[str, Peer]) -> Way:
    """Return the way of a program of loops with its operands."""
    whole = partial(_loops, text, job)
    return Way(program_alone(text, whole), whole, by_hand)


def expression(make: Callable[[], sa.Array], by_hand: Mapping[str, Peer]) -> Way:
    """Return the way of an expression, which is made anew for each call."""
    whole = partial(_computed, make)
    return Way(kernel_alone(make, _compute), whole, by_hand)


def contest(
    ways: Mapping[str, Way], peers: Mapping[str, Peer], seconds: float
) -> Iterator[Row]:
    """
    Yield the rows of each way: its kernel alone and its whole call, beside each peer.

    Parameters
    ----------
    ways : mapping of str to Way
        Ours; the name is the case of the rows.
    peers : mapping of str to Peer
        Who is compared with each way, beside its own kernels by hand.
    seconds : float
        How long to measure, all contenders together.
    """
    opponents = {
        case: {**{name: (case, name) for name in way.by_hand}, **{name: name for name in peers}}
        for case, way in ways.items()
    }
    theirs: dict[Any, Peer] = {**peers}
    calls: dict[Any, Call] = {}
    for case, way in ways.items():
        theirs |= {(case, name): peer for name, peer in way.by_hand.items()}
        calls |= {(case, "kernel", None): way.kernel, (case, "whole call", None): way.whole}
    wanted = {}
    for key, peer in theirs.items():
        peer.call()
        wanted[key] = _dense(peer.results()[0])
        calls[key] = peer.call
    found = {case: _dense(way.whole()) for case, way in ways.items()}
    times = race(calls, seconds)
    for case, opponent in opponents.items():
        for name, key in opponent.items():
            right = equal(found[case], wanted[key])
            for variant in ("kernel", "whole call"):
                yield row(case, variant, times[case, variant, None], name, times[key], right)


def _dense(array: Any) -> Any:
    return array.todense() if hasattr(array, "todense") else np.asarray(array)


def _loops(text: str, job: Mapping[str, Any]) -> Any:
    with sa.options(tier="compiled"):
        return sa.loops(text, **job)


def _computed(make: Callable[[], sa.Array]) -> Any:
    with sa.options(tier="compiled"):
        return make().compute()


def _compute(array: sa.Array) -> Any:
    with sa.options(tier="compiled"):
        return array.compute()
