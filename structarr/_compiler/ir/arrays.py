"""Whole-array expressions: what NumPy calls build, before indices.

Structure only, never shapes: `ones` marks the modes of length one (they broadcast), and `number` is
that of an operand. Two calls that can share a kernel make the same node.
"""

from __future__ import annotations

from typing import Any

from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import Op


class ArrayExpr(Node):
    """An array-valued expression."""

    dtype: str
    ones: tuple[bool, ...]  # which modes have length one

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.ones)


class Input(ArrayExpr):
    """A stored tensor."""

    number: int
    format: Any
    fill: Lit | None  # None where it has no algebraic meaning
    weight: int = 0


class Scalar(ArrayExpr):
    """A number; `value` where the compiler is to know it."""

    number: int
    value: Lit | None


class Map(ArrayExpr):
    """An operator applied element by element, its operands cast to `ins` first."""

    op: Op
    args: tuple[ArrayExpr, ...]
    ins: tuple[str, ...]


class Convert(ArrayExpr):
    """Another dtype."""

    arg: ArrayExpr


class Reduce(ArrayExpr):
    """`arg` reduced by an operator over some of its modes, which disappear."""

    op: Op
    arg: ArrayExpr
    axes: tuple[int, ...]
    start: Lit


class Scan(ArrayExpr):
    """The running results of the argument by an operator along a mode."""

    op: Op
    arg: ArrayExpr
    axis: int
    start: Lit


class Total(ArrayExpr):
    """The sum that an epilogue maps."""


class Epilogue(ArrayExpr):
    """`value`, in which `Total` stands for the elements of `total`."""

    total: Reduce
    value: ArrayExpr


class Permute(ArrayExpr):
    """Mode k is the argument's mode `axes[k]`."""

    arg: ArrayExpr
    axes: tuple[int, ...]


class Expand(ArrayExpr):
    """New modes of length one at positions `axes` of the result."""

    arg: ArrayExpr
    axes: tuple[int, ...]


class Diagonal(ArrayExpr):
    """The argument's mode k is read at the index of mode `places[k]`; of these, some are equal."""

    arg: ArrayExpr
    places: tuple[int, ...]


class Squeeze(ArrayExpr):
    """Without the modes `axes`, which have length one."""

    arg: ArrayExpr
    axes: tuple[int, ...]


class Spread(ArrayExpr):
    """Broadcast to a larger shape."""

    arg: ArrayExpr


class Lead(ArrayExpr):
    """The argument, read by a protocol."""

    arg: ArrayExpr
    protocol: str


class Join(ArrayExpr):
    """The arguments one after the other along a mode."""

    args: tuple[ArrayExpr, ...]
    axis: int


class Slice(ArrayExpr):
    """Mode k at i is the argument's at `start + steps[k] * i`; `starts` are numbers of sizes.

    A mode that is read as a whole has no start. A given length is a size, too.
    """

    arg: ArrayExpr
    starts: tuple[int | None, ...]
    steps: tuple[int, ...]
    lengths: tuple[int | None, ...]


class Take(ArrayExpr):
    """The argument's mode `axis` at i is read at `places[i]`, which is never out of bounds."""

    arg: ArrayExpr
    places: ArrayExpr
    axis: int


class Points(ArrayExpr):
    """The argument's elements at `places`, one for each mode, which are never out of bounds."""

    arg: ArrayExpr
    places: tuple[ArrayExpr, ...]


class Pad(ArrayExpr):
    """The argument, and `value` around it; `before` are the numbers of sizes, where there is some.

    A mode that is not padded has none.
    """

    arg: ArrayExpr
    value: ArrayExpr
    before: tuple[int | None, ...]


class Slide(ArrayExpr):
    """`result[i] = sum_j arg[i + j + start] * weights[j]`, or of `i - j + start`; zero outside.

    There is an i, a j and a start in each mode; `starts` are numbers of sizes. Where there is a
    mask, of the result's shape, the sums are multiplied by it.
    """

    arg: ArrayExpr
    weights: ArrayExpr
    starts: tuple[int, ...]
    backward: bool
    masks: tuple[ArrayExpr, ...] = ()
