"""The pieces between cuts: the calls that each takes, and the rows of operands in each call.

They depend on what is stored and on lengths alone, so they are found once for calls that are cut
alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from structarr._execute.known_lengths import KnownLengths
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_rows import Window, listed, rows
from structarr._execute.partition_split import LISTS, Split
from structarr._scheduler.operands import Operands
from structarr._storage.row_parts import widths_of
from structarr._storage.tensor import Tensor

BEYOND = 1 << 62
"""The end of the window of a whole row."""


class Share(NamedTuple):
    """The share of an operand that a call is given."""

    number: int  # of the operand
    # Its rows and the window among their children; of outermost lists the window alone.
    key: Any
    # The elements that a row has of each buffer, where rows are stretches of all of them.
    widths: tuple[int, ...]


class Span(NamedTuple):
    """Rows of a call, the first and the last of which may be parts."""

    lo: int
    hi: int
    shares: tuple[Share, ...]
    length: int  # the place of the number of rows among the extents; LISTS where it stays
    later: bool = False  # of one row, whose first part is another piece's


class Cuts(list[Cut]):
    """The cuts of a call, and what is known of the pieces between them."""

    def __init__(
        self,
        split: Split,
        cuts: Iterable[Cut],
        together: int = 0,
        waits: bool = False,
        turn: int = 1,
    ) -> None:
        super().__init__(cuts)
        self.waits = waits  # whether a piece is too long for the thread that hears interrupts
        self.turn = turn  # how many pieces may be run until interrupts are heard
        self.is_laid = True  # whether pieces may be laid out for machine code to run them
        self.layout: Any = None  # of these (`laid_rows.RowsLayout`)
        self.together = together  # how many pieces a thread makes of its own; 0 if all
        self.known = KnownLengths()  # of segments of a result that is appended to
        self.pieces = list(pairwise(self))
        self.has_columns = any([cut.column for cut in self])
        self._split = split
        self._apart = None in split.combine  # whether later parts of rows are calls of their own
        self._spans: dict[tuple[Cut, Cut, bool], Sequence[Span]] = {}

    def spans(
        self, given: Operands, begin: Cut, end: Cut, apart: bool | None = None
    ) -> Sequence[Span]:
        """The calls of a piece: one for a part of a row that is not the first, if stored apart."""
        apart = self._apart if apart is None else apart
        found = self._spans.get((begin, end, apart))
        if found is None:
            found = tuple(_spans(self._split, given, begin, end, apart))
            self._spans[begin, end, apart] = found
        return found


def _spans(split: Split, given: Operands, begin: Cut, end: Cut, apart: bool) -> Iterator[Span]:
    stop = end.row + bool(end.at)
    count = max(len(begin.at), len(end.at))
    starts, ends = begin.at or (0,) * count, end.at or (BEYOND,) * count
    windows = tuple(zip(starts, ends, strict=True))
    if not (apart and begin.at):
        yield span_of(split, given, begin.row, stop, windows)
        return
    yield span_of(split, given, begin.row, begin.row + 1, windows)._replace(later=True)
    if stop > begin.row + 1:
        windows = tuple([(0, one) for one in end.at])
        yield span_of(split, given, begin.row + 1, stop, windows)


def span_of(
    split: Split, given: Operands, lo: int, hi: int, windows: Sequence[Window] = ()
) -> Span:
    """The call of some rows, of which the operands that are cut within rows have windows."""
    window = dict(zip(sorted(split.within), windows, strict=False))
    if split.length == LISTS:
        shares = [Share(k, one, ()) for k, one in window.items()]
    else:
        numbers = sorted(split.numbers)
        shares = [Share(k, (lo, hi, window.get(k)), _widths(given.tensors[k])) for k in numbers]
    return Span(lo, hi, tuple(shares), split.length)


def _widths(tensor: Tensor) -> tuple[int, ...]:
    """The elements that a row has of each buffer; nothing where rows are no stretches."""
    return widths_of(tensor.format.levels, tensor.dims, tensor.buffers)


def operands_of(given: Operands, span: Span) -> Operands:
    """The operands of a call."""
    lo, hi, shares, length, _ = span
    tensors = list(given.tensors)
    for number, key, widths in shares:
        one = tensors[number]
        if widths:  # as quick to make as to look up, and often of another tensor at each call
            shape, axis = one.shape, one.format.order[0]
            shape = (*shape[:axis], hi - lo, *shape[axis + 1 :])
            parts = [
                buffer[lo * width : hi * width] if width else buffer
                for buffer, width in zip(one.buffers, widths, strict=True)
            ]
            tensors[number] = Tensor(one.format, shape, one.dtype, one.fill, tuple(parts))
            continue
        found = one.memo["rows"].get(key) if "rows" in one.memo else None
        if found is None:
            found = listed(one, key) if length == LISTS else rows(one, *key)
        tensors[number] = found
    extents = given.extents
    if length != LISTS:
        extents = (*extents[:length], hi - lo, *extents[length + 1 :])
    return Operands(tensors, given.scalars, given.sizes, extents, given.prepared)
