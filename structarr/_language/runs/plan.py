"""What the calls of a loop's kernel do with its names, which their kinds tell once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import NamedTuple

from structarr._language.runs.kinds import Kind, Rows, State


class Plan(NamedTuple):
    """
    The names of a loop by what its calls do with them.

    Attributes
    ----------
    read : tuple of str
        Arrays of runs that are operands.
    results : tuple of str
        Those that the loop writes.
    states : tuple of str
        Arrays of NumPy's.
    saved : tuple of str
        Those of them that have to be as they were where a loop begins anew with more room; what is
        made empty has not.
    written : tuple of str
        Those that loops write, which have to be so where a call is stopped and made anew.
    apart : tuple of pairs of str
        Those that may not share memory.
    unsigned : tuple of str
        Arrays that may hold numbers which no integer with a sign holds.
    """

    read: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    unsigned: tuple[str, ...] = ()


def plan_of(kinds: Mapping[str, Kind], scratch: Collection[str] = ()) -> Plan:
    """What calls do with names of some kinds, of which some are arrays that were made empty."""
    rows = {name: kind for name, kind in kinds.items() if isinstance(kind, Rows)}
    states = {name: kind for name, kind in kinds.items() if isinstance(kind, State)}
    results = [name for name, kind in rows.items() if kind.written]
    written = tuple([n for n, kind in states.items() if kind.written and n not in scratch])
    apart = [
        (one, other)
        for one, other in combinations(states, 2)
        if (states[one].written or states[other].written) and not {one, other} & {*scratch}
    ]
    return Plan(
        read=tuple([name for name, kind in rows.items() if not kind.written]),
        results=tuple(results),
        states=tuple(states),
        saved=written if results else (),
        written=written,
        apart=tuple(apart),
        unsigned=tuple([n for n, kind in (rows | states).items() if kind.dtype == "uint64"]),
    )
