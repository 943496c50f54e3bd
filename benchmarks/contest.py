"""Several ways of ours to compute the same, beside the same peers in one race."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

import structarr as sa
from benchmarks.programs import Peer, computed, equal
from benchmarks.report import Row, row
from benchmarks.timing import Call, parts, race

VARIANTS: Final = ("kernel", "whole call")


@dataclass(frozen=True)
class Way:
    """One way of ours: a call that returns an array, and kernels by hand that do it."""

    call: Call
    by_hand: Mapping[str, Peer] = field(default_factory=dict)


def program(text: str, job: Mapping[str, Any], by_hand: Mapping[str, Peer]) -> Way:
    """Return the way of a program of loops with its operands."""
    return Way(partial(sa.loops, text, **job), by_hand)


def expression(make: Callable[[], sa.Array], by_hand: Mapping[str, Peer]) -> Way:
    """Return the way of an expression, which is made anew for each call."""
    return Way(partial(computed, make), by_hand)


def contest(ways: Mapping[str, Way], peers: Mapping[str, Peer], seconds: float) -> Iterator[Row]:
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
    every: dict[Any, Peer] = {**peers}
    calls: dict[Any, Call] = {}
    for case, way in ways.items():
        every |= {(case, name): peer for name, peer in way.by_hand.items()}
        calls |= {(case, variant, None): call for variant, call in parts(way.call).items()}
    wanted = {}
    for key, peer in every.items():
        peer.call()
        calls[key] = peer.call
        wanted[key] = np.asarray(peer.results()[0])
    found = {case: np.asarray(way.call()) for case, way in ways.items()}
    times = race(calls, seconds)
    for case, way in ways.items():
        for name in (*way.by_hand, *peers):
            key = (case, name) if name in way.by_hand else name
            right = equal(found[case], wanted[key], every[key].within)
            for variant in VARIANTS:
                if (case, variant, None) in calls:
                    yield row(case, variant, times[case, variant, None], name, times[key], right)
