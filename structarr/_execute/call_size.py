"""The size of a call: whether it is worth pieces, and what calls of its size have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from structarr._compiler.options import Options
from structarr._execute import partition_cuts
from structarr._execute.owned_ranges import Ranges, ranges_of
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_split import Split
from structarr._execute.threads import allowed
from structarr._scheduler.operands import Operands

LARGE = 1 << 20
"""The bytes of operands up to which no call is cut into pieces."""

PATIENCE = 0.2
"""The seconds from which even one thread makes pieces, so that interrupts are heard."""

OFTEN = 10
"""How many pieces a second there are at least."""


EACH = 8, 16
"""One in how much of a thread's share a piece is at least, of a short call and of others.

That is where no bit depends on it. What goes on between pieces takes some ten microseconds each;
the last ones are waited for.
"""

SHORT = 8e-3
"""The expected seconds of a short call."""

TOGETHER = 2, 4
"""How many such pieces a thread has that appends to a result, and short ones at its end."""

PARTIAL = 2e-3
"""The expected seconds from which a call is worth a second kernel, that of its parts."""

LONG = 0.1
"""The expected seconds from which a call that is not cut is waited for, to hear interrupts.

Where a kernel reads beyond the cache it takes several times what is expected.
"""

STILL = 0.02
"""The same of a piece, where a call is cut: what is waited for is done by other threads.

So is a call of `PATIENCE`, as a piece of it may take a hundred times what is expected: it may write
to memory that the system has to find first, on a machine with much else to do.
"""


def is_small(given: Operands) -> bool:
    """Whether no call of the magnitudes of one is cut into pieces."""
    return 2 * _size(given) < LARGE


def is_large(given: Operands) -> bool:
    """Whether calls of some operands may be cut into pieces."""
    return _size(given) > LARGE


def _size(given: Operands) -> int:
    """The bytes of some operands, without a frame for each: most calls ask no more."""
    size = 0
    for tensor in given.tensors:
        for buffer in tensor.buffers:
            size += buffer.nbytes
    return size


def is_plain(split: Split | None, given: Operands, seconds: Callable[[], float]) -> bool:
    """Whether no call of the magnitudes of one is cut into pieces, or long."""
    if is_small(given):
        return True
    return (
        not is_long(seconds())
        if split is None
        else seconds() < 2 * partition_cuts.LEAST * partition_cuts.WORK
    )


def is_whole(split: Split | None, seconds: Callable[[], float]) -> bool:
    """Whether calls are cut into pieces for threads, and to tell how many are done, alone."""
    return split is not None and not (split.rounds or any(split.combine) or is_long(seconds()))


def is_long(seconds: float) -> bool:
    """Whether a call of some expected time has to hear of interrupts while it lasts."""
    return seconds >= LONG


def is_still(seconds: float, pieces: int) -> bool:
    """Whether a piece of a call of some expected time may last too long to hear of interrupts."""
    return seconds >= min(STILL * pieces, PATIENCE)


def turn_of(seconds: float, pieces: int) -> int:
    """How many pieces of a call of some expected time are run until interrupts are heard."""
    return max(1, int(min(STILL * pieces / max(seconds, 1e-9), pieces)))


def cuts_for(
    split: Split,
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
    options: Options,
    seconds: Callable[[], float],
    appends: bool = False,
) -> Sequence[Cut]:
    """The cuts of a call, if it is long enough for several pieces; `seconds` gives its time.

    Threads that append to a result take several pieces as one themselves (`together_of`).
    """
    alone, most, inside, expected = False, partition_cuts.MOST, 1.0, PATIENCE
    if options.forced is not None and options.forced.pieces is not None:
        pieces = options.forced.pieces
    elif options.compiles and is_large(given):
        expected = seconds()
        if expected < PARTIAL:
            if split.partial:
                return ()
            split = split._replace(inner=frozenset())
        alone = is_alone(split) and expected < PATIENCE
        if split.partial and split.rounds:
            alone = False  # the kernel of parts may round otherwise
        if alone and not split.rounds:
            return ()
        pieces = partition_cuts.pieces_of(split, shapes, expected)
        if alone and partition_cuts.divides_none(split, given, pieces):
            return ()
        inside = partition_cuts.inside_of(split, shapes, expected / max(pieces, 1))
        most = max(most, int(expected * OFTEN))
    else:
        return ()
    cuts = partition_cuts.cuts_of(split, given, pieces, most, inside)
    if expected < PATIENCE and not (alone or any(split.combine)):
        if appends and together_of(split, expected):
            return cuts
        return partition_cuts.fewer(cuts, allowed(), EACH[expected >= SHORT])
    if alone:  # rows are divided however many threads there are, as rounding depends on it
        cuts = [cut for cut in cuts if cut.divides or cut in (cuts[0], cuts[-1])]
    return cuts


def together_of(split: Split, seconds: float) -> int:
    """How many pieces a thread makes of its own, which append to a result; 0 if they stay apart.

    Neighbouring ones are one for whoever computes both, but where interrupts are heard between
    them, and where each is given all operands.
    """
    if split.partial or any(split.combine) or seconds >= PATIENCE:
        return 0
    return TOGETHER[seconds >= SHORT]


def ranges_for(
    split: Split, given: Operands, options: Options, seconds: Callable[[], float]
) -> Ranges | None:
    """The ranges of rows that pieces of a call own, if it is worth a second kernel."""
    if options.forced is not None and options.forced.pieces is not None:
        return ranges_of(split, given, options.forced.pieces, inf)
    if not options.compiles or not is_large(given):
        return None
    expected = seconds()
    if expected < PARTIAL:
        return None
    return ranges_of(split, given, allowed(), expected)


def is_alone(split: Split) -> bool:
    """Whether pieces serve no more than to tell how many are done, and to be interrupted.

    Sums are always cut into pieces, as rounding depends on the pieces; rows do not, nor booleans.
    """
    return not split.adds and allowed() == 1
