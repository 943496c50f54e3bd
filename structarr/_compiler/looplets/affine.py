"""Affine maps of indices: where in a loop the boundaries and indices of what it reads lie."""

from __future__ import annotations

from structarr._compiler.ir.expr import Expr, floor_div, scale
from structarr._compiler.ir.node import Node


class Affine(Node):
    """
    Affine map of indices: the loop's index i reads the index ``factor * i + offset``.

    Parameters
    ----------
    factor : int
        What the index is multiplied with; not 0.
    offset : Expr
        What is added.

    See Also
    --------
    Scale : The looplet of what is read so.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> Affine(2, Lit(INDEX, 1)).index(3)
    Lit('int64', 7, False)
    >>> Affine(2, Lit(INDEX, 1)).bound(Lit(INDEX, 8))  # i = 0, 1, 2, 3 read below 8
    Lit('int64', 4, False)
    """

    factor: int
    offset: Expr

    def index(self, i: Expr | int) -> Expr:
        """The index that i reads."""
        return self.offset + scale(i, self.factor)

    def bound(self, stop: Expr) -> Expr:
        """The boundary between the i that read below `stop` and those that do not.

        Those below come first, or last if the factor is negative.
        """
        k = self.factor
        if k > 0:
            return floor_div(stop - self.offset - 1, k) + 1
        return floor_div(self.offset - stop, -k) + 1

    def then(self, inner: Affine) -> Affine:
        """The composition of two maps: this one's index is the other's i."""
        return Affine(inner.factor * self.factor, inner.index(self.offset))
