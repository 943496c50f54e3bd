"""The steps of replays, as code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Step(NamedTuple):
    """A step that gives a tensor."""

    needs: tuple[int, ...]  # the tensors that it reads, by their places in what is known
    code: str  # the Python expression of the result, of what is known by names k0, k1, ...
    names: dict[str, Any]  # what else the code refers to
    general: str | None = None  # the same for arrays of any lengths; None where there is none
    ends: bool = False  # whether None as the result ends the replay
    fill: bytes = b""  # of a result whose other fills end it


def known(places: Sequence[int]) -> str:
    return "".join([f"k{place}, " for place in places])


def listed(parts: Sequence[Any]) -> str:
    return "".join([f"{part}, " for part in parts])
