"""Discard: the part of an output that is not stored, and need not be."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Assign, Loop, Pass, Stmt, Tensor
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet


class Discard(Looplet):
    """
    Looplet of an output that takes values and stores none: they are the fill, or stored elsewhere.

    Parameters
    ----------
    tensor : Tensor
        The output.

    See Also
    --------
    Accept : Takes values that are stored.

    Examples
    --------
    >>> from structarr.looplets import Accept, Discard
    >>> Discard.priority > Accept.priority
    True
    """

    tensor: Tensor
    priority: ClassVar[int] = 85
    writes: ClassVar[bool] = True

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """Drop the assignments."""

        def drop(node: Node) -> Node:
            if isinstance(node, Assign) and isinstance(node.target.obj, Discard):
                return Pass((node.target.obj.tensor,))
            return node.rebuild(drop) if isinstance(node, Stmt) else node

        ctx.lower(drop(loop))  # type: ignore[arg-type]
