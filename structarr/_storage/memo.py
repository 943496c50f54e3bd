"""What is made of a tensor and remembered as long as it lives, such as a copy in another order."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from structarr._storage.tensor import Tensor

Derive = Callable[[Tensor, Any], Tensor]

OWN: Final = "own"
"""The memo of a tensor whose buffers nobody else has, as a kernel made them."""

DERIVED: Final[dict[str, Derive]] = {}
"""How what a tensor remembers is made of it, by the name under which it does."""


def derived(name: str) -> Callable[[Derive], Derive]:
    """Make a function of a tensor and a detail remember what it returns, under a name."""

    def mark(make: Derive) -> Derive:
        @wraps(make)
        def remembered(tensor: Tensor, detail: Any) -> Tensor:
            memo, key = tensor.memo, (name, detail)
            if key not in memo:
                memo[key] = make(tensor, detail)
            return memo[key]  # type: ignore[no-any-return]

        DERIVED[name] = remembered
        return remembered

    return mark
