"""The time that importing the package takes, without collections of garbage.

Thousands of objects are made, none of which is garbage: looking for some would take a sixth of it.
"""

from __future__ import annotations

import gc

_collects = gc.isenabled()
_moves = gc.get_freeze_count() == 0  # else somebody has frozen objects who relies on it
gc.disable()


def end() -> None:
    """Have collections look for garbage again, but not among what was imported, until they must."""
    if _moves:
        gc.freeze()
        gc.unfreeze()  # into the oldest generation, unlooked at
    if _collects:
        gc.enable()
