"""Plans: kernels with all that calls of them need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.python.interpret import Outlived
from structarr._compiler.options import current
from structarr._compiler.rules.engine import simplifier
from structarr._execute import workspace_pool
from structarr._execute.allocation import cut
from structarr._execute.arguments import gatherer, reads_of
from structarr._execute.bound_values import length_of
from structarr._execute.place import Place
from structarr._execute.whole_call import Fixed, WholeCall, fixed_text, whole_call
from structarr._scheduler.compiled import Compiled
from structarr._scheduler.cost_model import cost
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor, counts_by_axis
from structarr._support.caches import room
from structarr._support.once import once
from structarr.formats.entries import Array

FEW: Final = 1 << 12
"""Steps that are interpreted in less time than it may take to tell how many there are."""


class Plan:
    """A compiled request, ready to be called with any operands of its structure."""

    def __init__(self, compiled: Compiled, *dtypes: np.dtype[Any]) -> None:
        self.compiled = compiled
        self.kernel = compiled.kernel
        pairs = zip(compiled.results, dtypes, strict=True)
        parts = compiled.parts
        self.places = [
            Place(result, dtype, compiled.rules, parts.lengths) for result, dtype in pairs
        ]
        self._gather = gatherer(compiled)
        self.appends = any(place.appends for place in self.places)
        self._temps = [
            (
                length_of(temp.dims[0], parts.lengths),
                workspace_pool.wanting(temp.format, temp.dtype),
            )
            for temp in parts.temps
        ]
        self.steps: dict[Any, float] = {}  # of calls, by the magnitudes of their operands
        self._whole: WholeCall | None = None

    @once
    def reads(self) -> dict[int, frozenset[int]]:
        """The buffers of each operand that the kernel reads."""
        return reads_of(self.compiled)

    def __call__(self, given: Operands, shape: tuple[int, ...]) -> Tensor | None:
        """Run the kernel; return its one result, None if it may outgrow its positions."""
        (place,) = self.places
        kernel = self.kernel.compiled
        if kernel is not None and not given.prepared and current().compiles:
            whole = self._whole
            if whole is None:
                whole = self._whole = whole_call(self.compiled, place, self._temps)
            return whole(given, shape, kernel)
        out = self._room(place, given, shape)
        if out is None:
            return None
        try:
            written = self.fill(given, (out,))
        except Outlived:  # the buffers hold anything
            return self(given, shape)
        return self._made(place, given, shape, out, written)

    def fixed(self, given: Operands, shape: tuple[int, ...], fill: Any) -> Fixed:
        """The text of calls on operands of the lengths of some; `fill` is the result's.

        None stands for one that depends on what is given.
        """
        (place,) = self.places
        return fixed_text(self.compiled, place, self._temps, given, shape, fill, self.kernel)

    def run(
        self,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        starts: Sequence[Array | None] | None = None,
    ) -> list[Tensor] | None:
        """Run the kernel; return its results, None if one may outgrow its positions.

        A dense one may begin as a copy of an array.
        """
        outs = self.rooms(given, shapes)
        if outs is None:
            return None
        if starts is not None:
            again = self.kernel.may_stop
            for out, known in zip(outs, starts, strict=True):
                if known is not None:
                    out[-1] = known.copy() if again else known
        try:
            written = self.fill(given, outs)
        except Outlived:
            return self.run(given, shapes, starts)
        return [
            self._made(place, given, shape, out, written)
            for place, shape, out in zip(self.places, shapes, outs, strict=True)
        ]

    def _made(
        self,
        place: Place,
        given: Operands,
        shape: tuple[int, ...],
        out: list[Array],
        written: Any,
    ) -> Tensor:
        if place.appends:
            out = [cut(*one) for one in zip(out, place.used(written, shape), strict=True)]
        return place.made(given, shape, out)

    def fill(self, given: Operands, outs: Sequence[list[Array]]) -> Any:
        """Run the kernel on buffers for its results; return its counts of what it appended."""
        spaces = self.workspaces(given, outs)
        args = self.arguments(given, outs, spaces)
        kernel = self.kernel.compiled
        if kernel is not None and current().compiles:
            written = kernel(*args)
        else:
            entries = max([len(out[-1]) if out else 1 for out in outs])
            written = self.kernel(args, self._work(given, entries))
        for space in spaces:
            workspace_pool.give(space)
        return written

    def arguments(
        self,
        given: Operands,
        outs: Sequence[Sequence[Array]],
        spaces: Sequence[workspace_pool.Space],
    ) -> tuple[Any, ...]:
        """The arguments of the kernel."""
        return self._gather(given.tensors, given, outs, spaces)

    def rooms(
        self, given: Operands, shapes: Sequence[tuple[int, ...]], bare: Sequence[bool] | None = None
    ) -> list[list[Array]] | None:
        """Buffers for the results, of the greatest lengths that they can reach.

        None if a result may outgrow its positions. Of bare ones that begin with a value everywhere
        (`Place.is_begun`) it is not written yet.
        """
        outs = []
        for place, shape, begins in zip(
            self.places, shapes, bare or [False] * len(shapes), strict=True
        ):
            out = self._room(place, given, shape, begins and place.is_begun)
            if out is None:
                return None
            outs.append(out)
        return outs

    def maker(
        self, place: Place, given: Operands, shape: tuple[int, ...]
    ) -> Callable[[], list[Array]]:
        """What makes buffers for a result that does not append, whenever it is called."""
        guard, start = place.guard(given, shape), place.start_of(given)
        sized = (given.tensors, given, None, shape, guard, given.prepared)

        def make() -> list[Array]:
            lengths = place.lengths(*sized)
            assert lengths is not None  # it has no positions
            return place.make(lengths, start, given.prepared)

        return make

    def fresh(self, place: Place, given: Operands, shape: tuple[int, ...]) -> list[Array]:
        """Buffers for a result that does not append."""
        return self.maker(place, given, shape)()

    def _room(
        self, place: Place, given: Operands, shape: tuple[int, ...], bare: bool = False
    ) -> list[Array] | None:
        lengths = self.lengths(place, given, shape, place.guard(given, shape))
        if lengths is None:
            return None
        if bare:
            return place.bare(lengths)
        return place.make(lengths, place.start_of(given), given.prepared)

    def lengths(
        self,
        place: Place,
        given: Operands,
        shape: tuple[int, ...],
        guard: Callable[[int], bool],
    ) -> list[int] | None:
        """The greatest lengths of a result's buffers; None if the guard refuses its elements."""
        counts = [counts_by_axis(tensor) for tensor in given.tensors] if self.appends else None
        sized = (given.tensors, given, counts, shape)
        return place.lengths(*sized, guard, given.prepared)

    def _work(self, given: Operands, entries: int) -> float:
        """The expected steps of the kernel, of which it takes no more than it visits elements."""
        most = max(prod(given.extents), entries)
        if most <= FEW:
            return float(most)
        found = self.steps.get(given.magnitudes)
        if found is None:
            steps = cost(self.compiled.program, given, simplifier(self.compiled.rules)).steps
            found = room(self.steps)[given.magnitudes] = float(max(steps, entries))
        return found

    def workspaces(
        self, given: Operands, outs: Sequence[Sequence[Array]]
    ) -> Sequence[workspace_pool.Space]:
        """The workspaces of the temporaries; a row holds at most what all results may store."""
        if not self._temps:
            return ()
        touched = sum([len(out[-1]) for out in outs if out])
        tensors, take = given.tensors, workspace_pool.take
        return [take(wanting(length(tensors, given), touched)) for length, wanting in self._temps]
