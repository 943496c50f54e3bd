"""The debugging switches of the environment."""

from __future__ import annotations

import functools
import os


@functools.cache
def _stages() -> frozenset[str]:
    listed = os.environ.get("STRUCTARR_DEBUG", "").split(",")
    return frozenset(stage.strip() for stage in listed if stage.strip())


def debug(stage: str) -> bool:
    """
    Whether the environment's STRUCTARR_DEBUG, a list with commas, names this stage.

    The variable is read once a process.
    """
    return stage in _stages()
