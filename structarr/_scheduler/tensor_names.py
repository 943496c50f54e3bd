"""Names of the tensors that a program gets beside its own."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count


def unused(hint: str, taken: Collection[str]) -> str:
    """A name like `hint` that no tensor of the program has."""
    names = (hint if k == 1 else f"{hint}_{k}" for k in count(1))
    return next(one for one in names if one not in taken)
