"""Locks that a fork waits for, as a child cannot release those of other threads."""

from __future__ import annotations

import os
from threading import RLock
from typing import Any, Final


def lock() -> Any:
    """
    Return a reentrant lock that forks wait for.

    A fork takes all locks in turn, the last made first. So a lock that is taken while another is
    held must be made before that one.

    Examples
    --------
    >>> held = lock()
    >>> with held, held:
    ...     pass
    """
    made = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=made.acquire, after_in_parent=made.release, after_in_child=made.release
        )
    return made


NODES: Final = lock()
"""Of the table of nodes; the first, as the collector may take it whatever is held."""

TREES: Final = lock()
"""Of Python's reader of syntax trees, which nothing is computed under."""
