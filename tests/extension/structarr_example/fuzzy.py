"""Operators from outside: Lukasiewicz's logic on degrees of truth in [0, 1], and its semiring."""

from __future__ import annotations

from typing import Any

import structarr as sa


@sa.operator(identity=1, annihilator=0, commutative=True, associative=True)
def both(a: Any, b: Any) -> Any:
    """To what degree two statements hold together."""
    return max(a + b - 1, 0.0)


@sa.operator(identity=0, annihilator=1, commutative=True, associative=True, idempotent=True)
def either(a: Any, b: Any) -> Any:
    """To what degree one of two statements holds."""
    return max(a, b)


fuzzy = sa.semiring(either, both, name="fuzzy")
