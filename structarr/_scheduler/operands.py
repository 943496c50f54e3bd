"""The operands of one call of a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

Prepared: TypeAlias = Mapping[int, tuple[Array, ...]]  # buffers of the result that are known


class Operands:
    """The tensors, scalars, sizes and extents of one call of a kernel."""

    __slots__ = ("extents", "prepared", "scalars", "sizes", "tensors")

    def __init__(
        self,
        tensors: Sequence[Tensor],
        scalars: Sequence[Any],
        sizes: Sequence[int],
        extents: tuple[int, ...],  # of the result's modes, then of the reduced ones
        prepared: Prepared,
    ) -> None:
        self.tensors = tensors
        self.scalars = scalars
        self.sizes = sizes
        self.extents = extents
        self.prepared = prepared

    @property
    def magnitudes(self) -> tuple[Any, ...]:
        """The number of bits of all counts and lengths."""
        bits = [n.bit_length() for n in self.extents]
        told = [one.memo.get("magnitudes") or one.magnitudes for one in self.tensors]
        return *told, *bits
