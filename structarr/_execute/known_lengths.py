"""The lengths of the segments of a result, as they were when the same operands were computed with.

Segments of known lengths are written where they belong. What a result stores may depend on values
too, and then there is less room than it takes: the call is made again, and nothing is known from
then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias
from weakref import ReferenceType, ref

from structarr._storage.tensor import Tensor

Lengths: TypeAlias = Sequence[Sequence[int]]
"""Of each segment, the used length of each buffer."""


class KnownLengths:
    """What the segments of a call have stored, by the operands that store something."""

    def __init__(self) -> None:
        # One object, as other threads read it meanwhile.
        self._known: tuple[list[ReferenceType[Tensor]], Lengths] | None = None
        self._varies = False

    def of(self, given: Sequence[Tensor]) -> Lengths | None:
        """The lengths of a call of some operands; None if they are not known."""
        if self._known is None:
            return None
        refs, lengths = self._known
        return lengths if [one() for one in refs] == _sparse(given) else None

    def keep(self, given: Sequence[Tensor], lengths: Lengths) -> None:
        """Note the lengths of a call of some operands."""
        if not self._varies:
            self._known = [ref(one) for one in _sparse(given)], lengths

    def vary(self) -> None:
        """Note that the lengths do not depend on the operands alone."""
        self._known, self._varies = None, True


def _sparse(given: Sequence[Tensor]) -> list[Tensor]:
    return [one for one in given if not one.format.is_dense]
