"""Values that are not there: beyond an array, where a program permits that or must not be."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.ir.expr import Expr, Typed


class Missing(Expr):
    """The value of a `permit`ted index outside the array; `coalesce` skips it."""

    dtype: ClassVar[str] = "missing"


class Outside(Typed):
    """The value at an index that a program must not use: a statement with it raises."""

    site: int
    index: Expr
    dim: Expr


class Coalesce(Typed):
    """The first of `args` that is not missing."""

    args: tuple[Expr, ...]


MISSING = Missing()
