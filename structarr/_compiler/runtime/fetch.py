"""Memory that will be read soon."""

from __future__ import annotations

from typing import Any


def fetch(buffer: Any, index: int) -> None:
    """Have an element near that will be read soon, so that nobody waits for it then.

    It is not read: machine code asks the memory for it, and other tiers do nothing.
    """
