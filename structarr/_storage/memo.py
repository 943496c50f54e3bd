"""Tensors derived from another, remembered as long as it lives: views, copies in order."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final
from weakref import ref

import numpy as np

from structarr._storage.tensor import Tensor
from structarr._support.buffer_pool import copied

Derive = Callable[[Tensor, Any], Tensor]

OWN: Final = "own"
"""The memo of a tensor whose values nobody else has, as a kernel made them."""

RULED: Final = "ruled"
"""The memo of a tensor whose elements its shape and a rule tell, such as the mask of a triangle."""

ORIGIN: Final = "origin"
"""The memo of the tensor, the name and the detail of which a tensor was derived."""

ITSELF: Final = "itself"
"""What is remembered of what a tensor is itself: one that held itself would be freed late."""

DERIVED: Final[dict[str, Derive]] = {}
"""How what a tensor remembers is made of it, by the name under which it does."""


def owning(tensor: Tensor, source: Tensor) -> Tensor:
    """
    Return a tensor made of another one, with values that nobody else can write.

    They are copied where they are the other's and those may be somebody's.
    """
    values, given = tensor.buffers[-1:], source.buffers[-1:]
    if OWN in source.memo or not any(map(np.may_share_memory, values, given)):
        return tensor
    buffers = (*tensor.buffers[:-1], copied(values[0]))
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, buffers, {OWN: True})


def origin_of(tensor: Tensor) -> tuple[Tensor, str, Any] | None:
    """The tensor, name and detail of which a tensor was derived; None of others."""
    found = tensor.memo.get(ORIGIN)
    if found is None:
        return None
    base, name, detail = found
    alive = base()
    return None if alive is None else (alive, name, detail)


def is_remembered(tensor: Tensor, name: str, detail: Any) -> bool:
    """Whether what was derived of a tensor, by a name and a detail, is kept with it."""
    return (name, detail) in tensor.memo


def _is_own(made: Tensor, source: Tensor) -> bool:
    """Whether nobody else has the values of what was made of a tensor: new ones, or its own."""
    values, given = made.buffers[-1:], source.buffers[-1:]
    if values and given and values[0] is given[0]:
        return OWN in source.memo
    return not any(map(np.may_share_memory, values, given))


def derived(name: str) -> Callable[[Derive], Derive]:
    """Make a function of a tensor and a detail remember what it returns, under a name."""

    def mark(make: Derive) -> Derive:
        @wraps(make)
        def remembered(tensor: Tensor, detail: Any) -> Tensor:
            memo, key = tensor.memo, (name, detail)
            known: Any = memo.get(key)
            if known is not None:
                return tensor if known is ITSELF else known
            made = make(tensor, detail)
            if made is tensor:
                memo[key] = ITSELF
                return tensor
            made.memo.setdefault(ORIGIN, (ref(tensor), name, detail))
            # Most are views of all buffers, of which no more is asked.
            same = made.buffers is tensor.buffers and made.buffers
            if OWN in memo if same else _is_own(made, tensor):
                made.memo[OWN] = True
            memo[key] = made
            return made

        DERIVED[name] = remembered
        return remembered

    return mark
