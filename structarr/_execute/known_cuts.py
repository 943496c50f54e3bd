"""The cuts of calls that were made before, by all that cuts depend on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import ReferenceType, ref

from structarr._compiler.options import Options
from structarr._execute.call_size import (
    cuts_for,
    is_large,
    is_still,
    ranges_for,
    together_of,
    turn_of,
)
from structarr._execute.owned_ranges import Ranges, is_owned
from structarr._execute.partition_spans import Cuts
from structarr._execute.partition_split import Split
from structarr._execute.partition_work import is_even
from structarr._execute.threads import allowed
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support.caches import room

MOST = 16
"""The calls that are remembered, of one plan and magnitudes."""


class KnownCuts:
    """The cuts of calls of a plan, of operands of some magnitudes.

    They depend on what the operands along the outermost loop store, where rows differ in that, on
    lengths, and on how many threads put whole rows together.
    """

    def __init__(self, split: Split | None, appends: bool = False) -> None:
        self._split, self._appends = split, appends  # whether its result is appended to
        self._told = split.numbers | split.inner | split.owned if split is not None else frozenset()
        self._known: dict[Any, tuple[list[ReferenceType[Tensor]], Cuts | Ranges | None]] = {}

    def of(
        self,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        options: Options,
        seconds: Callable[[], float],
    ) -> Cuts | Ranges | None:
        """The cuts of a call that is long enough for several pieces; `seconds` gives its time."""
        split = self._split
        if split is None:
            return None
        if options.forced is not None:
            return self._made(split, given, shapes, options, seconds)
        if not options.compiles or not is_large(given):
            return None
        own: list[Any] = []
        stored = []
        for number, tensor in enumerate(given.tensors):
            if number not in self._told or is_even(tensor.format):
                own.append(tensor.shape)
            else:
                own.append(id(tensor))
                stored.append(tensor)
        key = allowed(), given.extents, tuple(shapes), tuple(own)
        found = self._known.get(key)
        if found is not None and [one() for one in found[0]] == stored:
            return found[1]
        made = self._made(split, given, shapes, options, seconds)
        room(self._known, MOST)[key] = [ref(one) for one in stored], made
        return made

    def _made(
        self,
        split: Split,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        options: Options,
        seconds: Callable[[], float],
    ) -> Cuts | Ranges | None:
        if is_owned(split, given, shapes):
            return ranges_for(split, given, options, seconds)
        cuts = cuts_for(split, given, shapes, options, seconds, self._appends)
        if len(cuts) < 3:
            return None
        together = together_of(split, seconds()) if self._appends else 0
        pieces, forced = len(cuts) - 1, options.forced is not None
        waits = not forced and is_still(seconds(), pieces)
        return Cuts(split, cuts, together, waits, turn_of(seconds(), pieces))
