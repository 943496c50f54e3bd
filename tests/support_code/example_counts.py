"""How many examples a test takes of what it is given at random."""

from __future__ import annotations

from hypothesis import settings


def examples(share: float) -> settings:
    """A share of the examples that the profile grants each test."""
    return settings(max_examples=max(1, round(settings().max_examples * share)))
