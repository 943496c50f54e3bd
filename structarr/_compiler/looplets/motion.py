"""Motion: how the cursor of a stepper goes from child to child, and how it would go back."""

from __future__ import annotations

from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Lambda


class Motion(Node):
    """
    Motion of the cursor of a stepper: its stride, gaps and direction; by default up by one.

    Parameters
    ----------
    next : Expr, optional
        The stride: the cursor of the next child where that is not one further on, as where a child
        is several positions.
    next_indexed : Expr, optional
        The gaps: the cursor of the next child with an index, where some have none. A format has
        none such; they come of reading every k-th index.
    linear_scan : bool
        Whether so many children have an index that visiting all is faster than seeking.
    descending : bool
        The direction: whether the cursor runs down, by `next`, until `end`, one before the first
        child. A format's runs up; others come of reading from the end.
    origin : Expr, optional
        The way back: the cursor of the first child. With `back`, too, the children are read from
        the end as well.
    back : Lambda, optional
        The cursor of the last child, up to the present one, that begins at an index or before.

    See Also
    --------
    Steps : The looplets that have a cursor.

    Examples
    --------
    >>> Motion().is_by_one, Motion().descending
    (True, False)
    """

    next: Expr | None = None
    next_indexed: Expr | None = None
    linear_scan: bool = False
    descending: bool = False
    origin: Expr | None = None
    back: Lambda | None = None

    @property
    def is_by_one(self) -> bool:
        """Whether the cursor goes up by one from child to child."""
        return self.next is None and self.next_indexed is None
