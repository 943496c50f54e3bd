"""The frames of Python that calls take, as told by its profiler."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any


def frames_of(call: Callable[[], Any]) -> Counter[str]:
    """The frames that a call makes, those of generators at each step, by the names of functions."""
    count: Counter[str] = Counter()

    def note(frame: Any, event: str, arg: object) -> None:
        if event == "call":
            count[frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return count
