"""Functions that replays call besides kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from structarr._compiler.progress import is_told
from structarr._execute.program_choice import Choice
from structarr._execute.threads import allowed
from structarr._scheduler.inputs import known_of
from structarr._scheduler.operands import Operands
from structarr._scheduler.thin_terms import is_thin
from structarr._scheduler.unlike_terms import Factored, are_unlike
from structarr._storage.dense import finite
from structarr._storage.tensor import Tensor
from structarr.formats import Format


def is_alone() -> bool:
    """Whether there is one thread, and nobody is told of what takes long."""
    return allowed() == 1 and not is_told()


def picked(choice: Choice, given: Operands, shape: tuple[int, ...]) -> Tensor | None:
    """The result of a call that is picked anew, as its magnitudes may be others."""
    pick = choice.pick(given)
    return None if pick is None else choice(given, shape, pick)


def is_known(value: np.generic, told: frozenset[Any]) -> bool:
    """Whether the compiler knows a value, or is told of it."""
    return known_of(value.item(), value.dtype.name, False, told) is not None


def are_unknown(told: frozenset[Any], *tensors: Tensor) -> bool:
    """Whether the compiler knows none of the values of tensors of one value each."""
    return not any([is_known(one.constant, told) for one in tensors])


def made_alike(
    left: Tensor, right: Tensor, make: Callable[[Tensor, Tensor], Tensor], format: Format
) -> Tensor | None:
    """What a function makes of two tensors; None if it is not in the format of an earlier one."""
    made = make(left, right)
    return made if made.format == format else None


def whole(
    sums: Tensor,
    terms: Sequence[Tensor],
    limits: Sequence[tuple[tuple[int, ...], float]],
    unlike: Sequence[Sequence[Factored]],
    fill: Any,
) -> Tensor | None:
    """A sum of products in full; None where it is not finite, or a term may be cancelled.

    With the terms are the axes along which they must be thin, and how thin; others must not cancel
    each other.
    """
    if not all(map(are_unlike, unlike)):
        return None
    for term, limit in zip(terms, limits, strict=True):
        if not is_thin(term, *limit):
            return None
    return finite(sums, fill)
