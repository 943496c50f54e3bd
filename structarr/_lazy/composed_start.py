"""Starts of slices of slices, as expressions that are computed again may have others of them."""

from __future__ import annotations


class ComposedStart(int):
    """The start of a slice of a slice: `inner + step * outer`.

    A start that an expression is given is told by its value, as the key of the expression has which
    of these are equal. What equals one by chance is another at other starts: it only equals starts
    that are composed of the same.

    Parameters
    ----------
    inner, step : int
        The start and the step of the slice that is sliced.
    outer : int
        The start within it.
    """

    inner: int
    step: int
    outer: int

    def __new__(cls, inner: int, step: int, outer: int) -> ComposedStart:
        made = super().__new__(cls, inner + step * outer)
        made.inner, made.step, made.outer = inner, step, outer
        return made

    def __eq__(self, other: object) -> bool:
        return type(other) is ComposedStart and self._parts() == other._parts()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[int, int, int]:
        return self.inner, self.step, self.outer
