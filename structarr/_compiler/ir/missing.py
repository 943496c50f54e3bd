"""Values that are not there: beyond an array, where a program permits that or must not be."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.ir.expr import Expr, Typed


class Missing(Expr):
    """
    Value that a `permit`ted index reads outside of an array; `coalesce` skips it.

    See Also
    --------
    structarr.coalesce : The first of some values that is not missing.
    structarr.permit : Indices that may be out of bounds.

    Examples
    --------
    >>> import structarr as sa
    >>> before = "y[i] = coalesce(x[permit(i - 1)], 0)"
    >>> sa.loops(before, x=[1, 2, 3], extents={"i": 3}).tolist()
    [0, 1, 2]
    """

    dtype: ClassVar[str] = "missing"


class Outside(Typed):
    """The value at an index that a program must not use: a statement with it raises."""

    site: int
    index: Expr
    dim: Expr


class Coalesce(Typed):
    """First of `args` that is not missing; of a `dtype`."""

    args: tuple[Expr, ...]


MISSING = Missing()
