"""The time that importing the package takes, without its collections of garbage.

Thousands of objects are made, none of which is garbage; each look for some would go through all
that NumPy and SciPy have made before, in 20 ms.
"""

from __future__ import annotations

import gc

_freezes = gc.get_freeze_count() == 0  # else somebody has frozen objects who relies on it
if _freezes:
    gc.freeze()


def end() -> None:
    """Have collections look at all objects again."""
    if _freezes:
        gc.unfreeze()
