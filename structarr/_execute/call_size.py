"""The size of a call: whether it is worth pieces, and what calls of its size have in common."""

from __future__ import annotations

from structarr._compiler.options import Options
from structarr._compiler.progress import is_told
from structarr._execute.partition import Split
from structarr._scheduler.operands import Operands

LARGE = 1 << 20
"""The bytes of operands up to which no call is cut into pieces."""


def is_small(given: Operands) -> bool:
    """Whether no call of the magnitudes of one is cut into pieces."""
    return 2 * sum([tensor.nbytes for tensor in given.tensors]) < LARGE


def is_long(split: Split, given: Operands, options: Options) -> bool:
    """Whether a call may be long enough for several pieces."""
    if not options.compiles:
        return False
    if sum([buffer.nbytes for tensor in given.tensors for buffer in tensor.buffers]) <= LARGE:
        return False
    return not is_alone(split, options) or is_told()


def is_alone(split: Split, options: Options) -> bool:
    """Whether pieces serve no more than to tell how many are done.

    Sums are always cut into pieces, as rounding depends on the pieces; rows do not.
    """
    return options.threads == 1 and not any(split.combine)
