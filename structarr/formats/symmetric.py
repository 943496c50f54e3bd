"""Symmetric and Hermitian: the lower triangle of a square matrix, which is read both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from structarr._compiler.runtime.packed import triangle
from structarr.cin import (
    COMPLEX,
    OPS,
    TRUE,
    Call,
    Expr,
    Fiber,
    Helper,
    Node,
    le,
    lt,
    maximum,
    minimum,
)
from structarr.errors import FormatError
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, Whereabouts, Written, differ
from structarr.formats.kinds import HERMITIAN, SYMMETRIC, Kind
from structarr.formats.reading import Reading
from structarr.formats.sizes import Orders, Placement, Size, rows_outside
from structarr.formats.writing import InPlace
from structarr.looplets import (
    Accept,
    Case,
    Context,
    Discard,
    Lookup,
    Looplet,
    Phase,
    Pipeline,
    Switch,
    function,
)


class _MirroredReading(Reading):
    """The row up to the diagonal, then the column below it."""

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """The row up to the diagonal, then the column below it."""
        i, base, row = _row(fiber, ctx)
        left = Lookup(function("j", lambda j: fiber.child(row + j)))
        right = Lookup(function("j", lambda j: self.reflected(fiber.child(base + _rows(j) + i))))
        return Pipeline((Phase(i + 1, left), Phase(None, right)))

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Random access."""
        i, base, _ = _row(fiber, ctx)

        def find(j: Expr) -> Node:
            child = fiber.child(base + _rows(maximum(i, j)) + minimum(i, j))
            mirrored = self.reflected(child)
            return (
                child
                if mirrored is child
                else Switch((Case(le(j, i), child), Case(TRUE, mirrored)))
            )

        return Lookup(function("j", find))

    def reflected(self, child: Fiber) -> Node:
        """The element on the other side of the diagonal."""
        raise NotImplementedError


class SymmetricWriting(InPlace):
    """The row up to the diagonal; the rest is written by the rows below."""

    def accept(self, fiber: Fiber, ctx: Context) -> Looplet:
        """The row up to the diagonal; the rest is written by the rows below."""
        i, _, row = _row(fiber, ctx)
        return Pipeline((Phase(i + 1, Accept(fiber, (row,))), Phase(None, Discard(fiber.tensor))))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the column."""
        (row,) = region
        return fiber.child(row + lo)

    def total(self, fiber: Fiber, fibers: Expr) -> Expr:
        """The triangle of the one matrix."""
        return _rows(fiber.dim)


class _Square(Level):
    """A square matrix, elements (i, j) and (j, i) at `max * (max + 1) / 2 + min`."""

    orders: ClassVar[Orders] = staticmethod(rows_outside)
    is_partial: ClassVar[bool] = True
    below: ClassVar[tuple[str, ...]] = ("Dense",)
    at_depth: ClassVar[int | None] = 1
    square: ClassVar[bool] = True

    def children(self, fibers: int, dim: int) -> int:
        """A triangle a matrix."""
        return fibers // dim * triangle(dim) if dim else 0

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The rows above, each up to the diagonal."""
        rows = fibers % max(dim, 1)
        found: Array = fibers // max(dim, 1) * triangle(dim) + triangle(rows)  # type: ignore[arg-type]
        return found

    def size_at(self, at: Placement) -> Size | str | None:
        """A triangle, if the other one mirrors it."""
        return self._unless(at.matrix.asymmetry, at)

    def _unless(self, problem: str, at: Placement) -> Size | str:
        if at.fibers != at.dim:
            return f"shape {at.measures.shape} is not square"
        return problem or self.size_of(at)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """Two beside the diagonal."""
        found = np.full(triangle(dim), 2, np.int8)
        found[np.cumsum(np.arange(1, dim + 1)) - 1] = 1
        return found

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every element, those right of the diagonal by their mirror images."""
        count = len(fibers.position)
        fiber, j = np.repeat(np.arange(count), dim), np.tile(np.arange(dim), count)
        i, base = fibers.coordinate[fiber], fibers.parent[fiber] * triangle(dim)
        low, high = np.minimum(i, j), np.maximum(i, j)
        return Entries(fiber, j, base + high * (high + 1) // 2 + low)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each, up to the diagonal."""
        ends = np.cumsum(np.arange(1, dim + 1))
        row = np.searchsorted(ends, children, "right")
        at = children - (ends[row] - row - 1)
        return Whereabouts(row, at, at + 1)

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries without an equal mirror image."""
        i, j, value = entries.above, entries.coordinate, entries.value
        matrix = entries.fiber // max(entries.outer, 1)
        # Entries are sorted by (matrix, i, j): each is sought among them as (matrix, j, i).
        key, mirror = _key(matrix, i, j, dim), _key(matrix, j, i, dim)
        place = np.minimum(np.searchsorted(key, mirror), len(key) - 1)
        paired = (key[place] == mirror) & ~differ(value, self.reflect(value[place]))
        return np.flatnonzero(~paired), "has no equal mirror image"

    @staticmethod
    def reflect(values: Array) -> Array:
        """The values at the mirrored places."""
        return values

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The matrix is square."""
        if fibers % dim if dim else fibers:
            raise FormatError(f"holds square matrices, not {fibers} rows of {dim}")
        return self.children(fibers, dim)


def _row(fiber: Fiber, ctx: Context) -> tuple[Expr, Expr, Expr]:
    """The row's index, and the first positions of the matrix and of the row."""
    i, matrix = fiber.path
    ctx.assume(lt(i, fiber.dim))  # the matrix is square
    base = matrix * _rows(fiber.dim)
    return i, base, ctx.let(f"{fiber.tensor.name.lower()}_row", base + _rows(i))


class _SymmetricReading(_MirroredReading):
    def reflected(self, child: Fiber) -> Node:
        """The same."""
        return child


@SYMMETRIC.holds
class Symmetric(_Square):
    """
    Columns of a symmetric matrix, of which the lower triangle is stored, below `Dense` rows.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.

    See Also
    --------
    Hermitian : For complex matrices that equal their conjugate transpose.
    Triangular : A triangle, and zeros.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[1, 2], [2, 3]], format=sa.formats.Dense(sa.formats.Symmetric()))
    >>> str(a.format), a.nstored, a[0, 1].item()
    ('symmetric', 3, 2)
    """

    kind: ClassVar[Kind] = SYMMETRIC
    reading = _SymmetricReading()
    writing = SymmetricWriting()


class _HermitianReading(_MirroredReading):
    def reflected(self, child: Fiber) -> Node:
        """The conjugate."""
        dtype = child.tensor.dtype
        value = child.level.reading.read(child)
        if dtype not in COMPLEX:
            return child
        return Call(dtype, OPS["conjugate"], (value,))


@HERMITIAN.holds
class Hermitian(_Square):
    """
    Columns of a Hermitian matrix, of which the lower triangle is stored, below `Dense` rows.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.

    See Also
    --------
    Symmetric : For matrices that equal their transpose.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[1, 2j], [-2j, 3]], format=sa.formats.Dense(sa.formats.Hermitian()))
    >>> str(a.format), a.nstored
    ('hermitian', 3)
    """

    kind: ClassVar[Kind] = HERMITIAN
    leafy: ClassVar[bool] = True
    reading = _HermitianReading()
    writing = SymmetricWriting()

    def size_at(self, at: Placement) -> Size | str | None:
        """A triangle of complex numbers, if the other one has their conjugates."""
        if at.measures.dtype.kind != "c":
            return None
        return self._unless(at.matrix.unlike_conjugate, at)

    def evaluate(self, fibers: Fibers, entries: Entries, values: Callable[[Array], Array]) -> Array:
        """The elements at some entries: conjugates right of the diagonal."""
        found = values(entries.child)
        mirrored = entries.coordinate > fibers.coordinate[entries.fiber]
        return np.where(mirrored, self.reflect(found), found)

    @staticmethod
    def reflect(values: Array) -> Array:
        """The conjugates."""
        return np.conj(values) if values.dtype.kind == "c" else values  # int8 of booleans


def _rows(count: Expr) -> Expr:
    return Helper("int64", "triangle", (count,))


def _key(matrix: Array, i: Array, j: Array, dim: int) -> Array:
    return (matrix * dim + i) * dim + j
