"""The code of lengths in replays that serve any: each is that of an array's axis or of a slice."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from structarr._lazy.node import Given
from structarr._lazy.slice_length import SliceLength
from structarr._storage.tensor import Tensor

AXES = frozenset(("view", "order", "laid out", "expand", "values", "twin", "on diagonal"))
"""The names in `_storage.memo.DERIVED` of tensors that are derived by details without lengths."""


def pattern_of(given: Given) -> tuple[int, ...]:
    """Which lengths of tensors and slices are equal: the place of the first one, for each."""
    first: dict[int, int] = {}
    return tuple(
        [
            first.setdefault(n, len(first))
            for one in given
            if isinstance(one, (Tensor, SliceLength))
            for n in (one.shape if isinstance(one, Tensor) else one)
        ]
    )


class Lengths:
    """
    The code of lengths, by what an expression is given.

    Where lengths are equal that are equal here, and 0 and 1 are where they are here, a length is
    that of any axis or slice that has it here.

    Parameters
    ----------
    given : tuple
        What the expression is given; a tensor is named by ``k`` and its place.
    """

    def __init__(self, given: Given) -> None:
        self._codes = {0: "0", 1: "1"}
        for place, one in enumerate(given):
            if isinstance(one, Tensor):
                for axis, n in enumerate(one.shape):
                    self._codes.setdefault(n, f"k{place}.shape[{axis}]")
            elif isinstance(one, SliceLength):
                self._codes.setdefault(one.length, f"k{place}.length")

    def shape(self, lengths: Sequence[int]) -> str | None:
        """The code of a tuple of lengths; None where one is no array's."""
        parts = [self._codes.get(n) for n in lengths]
        return None if None in parts else f"({''.join([f'{part}, ' for part in parts])})"

    def derived(self, base: Tensor, name: str, detail: object) -> str | None:
        """The code of the detail of which a tensor was derived; "" where it has no lengths.

        None where nothing tells them.
        """
        if name in AXES:
            return ""
        if name != "shaped" or not isinstance(detail, tuple):
            return None
        if len(detail) != 1 or base.ndim < 2:
            return self.shape(detail)
        return self._flattened(base.shape)

    def _flattened(self, shape: tuple[int, ...]) -> str | None:
        """The code of the shape of a flattened array, whose length others may have from now on."""
        parts = [self._codes.get(n) for n in shape]
        if None in parts:
            return None
        size, code = prod(shape), " * ".join(sorted(map(str, parts)))
        if self._codes.setdefault(size, code) != code:  # equal by chance
            return None
        return f"({code}, )"
