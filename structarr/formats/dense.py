"""Dense: every index has a child, found by arithmetic."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import Expr, Fiber
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, Whereabouts
from structarr.formats.kinds import DENSE
from structarr.formats.reading import Located
from structarr.formats.sizes import Orders, Placement, Size, own_order
from structarr.formats.writing import Placed


def _child(fiber: Fiber, index: Expr) -> Fiber:
    return fiber.child(fiber.pos * fiber.dim + index, path=(index, fiber.pos))


def _every(fibers: Fibers, dim: int) -> Entries:
    fiber = np.repeat(np.arange(len(fibers.position)), dim)
    coordinate = np.tile(np.arange(dim), len(fibers.position))
    return Entries(fiber, coordinate, fibers.position[fiber] * dim + coordinate)


@DENSE.holds
class Dense(Level):
    """
    Dense level: every child of every fiber is stored, in order, and found by arithmetic.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    Constant : One child for all indices.
    Bitmap : The same with a mask of what is stored.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[1, 2], [3, 4]], format=sa.formats.Dense(sa.formats.Dense()))
    >>> str(a.format), a.nstored
    ('dense', 4)
    """

    is_injective: ClassVar[bool] = True
    orders: ClassVar[Orders] = staticmethod(own_order)
    arithmetic: ClassVar[bool] = True
    slicing: ClassVar[str] = "places"
    reading = Located(_child)
    writing = Placed(_child)

    def size_at(self, at: Placement) -> Size:
        """Every child."""
        return self.size_of(at)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index of every fiber."""
        return _every(fibers, dim)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each."""
        fiber, at = np.divmod(children, dim)
        return Whereabouts(fiber, at, at + 1)


class Side(Level):
    """As Dense, of a length that the format tells: loops over it have a known number of turns."""

    length: int
    tells_length: ClassVar[bool] = True
    is_injective: ClassVar[bool] = True
    arithmetic: ClassVar[bool] = True
    slicing: ClassVar[str] = "places"
    reading = Located(_child)
    writing = Placed(_child)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index of every fiber."""
        return _every(fibers, dim)
