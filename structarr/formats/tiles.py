"""Tiles: the blocks of one height and width of a matrix that hold something (BSR)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    Expr,
    Fiber,
    Helper,
    Lines,
    Lit,
    Node,
    Opaque,
    Set,
    Var,
    both,
    eq,
    floor_div,
    lt,
)
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.base import Level
from structarr.formats.entries import (
    Array,
    Caller,
    Entries,
    Fibers,
    Rows,
    Whereabouts,
    hulls_of,
    owners,
    segments,
    wide,
)
from structarr.formats.kinds import BLOCKS, Kind
from structarr.formats.reading import stored_if
from structarr.formats.sizes import SIDES, Measures, Orders, Placement, Size, fewer_rows
from structarr.formats.steps import Stepping
from structarr.formats.writing import InPlace
from structarr.looplets import (
    Context,
    Let,
    Lookup,
    Looplet,
    Motion,
    Phase,
    Pipeline,
    Run,
    Steps,
    function,
)

TRIED = range(1, 9)  # of squares, of which the smallest in bytes is taken where none is told


class _Reading(Stepping):
    def steps(self, fiber: Fiber, ctx: Context, kind: type[Steps]) -> Looplet:
        """Fill and a row of a tile."""
        name, idx, width = fiber.tensor.name.lower(), fiber.buffer("idx"), fiber.level.sides[1]
        begin, end, first = _range(fiber, ctx)
        cursor, start, stop, row = (
            ctx.fresh(f"{name}_{one}") for one in ("q", "start", "stop", "row")
        )
        ctx.set(cursor, begin)

        def before(bound: Expr) -> Expr:
            """The first tile whose column is the bound or a later one."""
            return Helper(INDEX, "search", (idx, bound, cursor, end))

        def back(j: Expr) -> Expr:
            key = floor_div(j, width) + 1
            return Helper(INDEX, "search_back", (idx, key, begin, cursor + 1)) - 1

        def past(hi: Expr) -> Lines:
            return Lines((Set(start, hi), Set(stop, hi + 1), Set(row, Lit(INDEX, 0))))

        block = Lookup(function("j", lambda j: fiber.child(row + (j - start))))
        return kind(
            cursor=cursor,
            end=end,
            loads=(
                Set(start, idx[cursor] * width),
                Set(stop, start + width),
                Set(row, first + cursor * fiber.level.size),
            ),
            stop=stop,
            body=Pipeline((Phase(start, Run(fiber.fill)), Phase(None, block))),
            rest=Run(fiber.fill),
            seek=function("j", lambda j: before(floor_div(j, width))),
            clamp=function("hi", lambda hi: before(floor_div(hi + (width - 1), width))),
            past=function("hi", past),
            first=Lit(INDEX, 0),
            last=fiber.dim,
            weight=fiber.tensor.weight,
            may_overrun=True,
            begin=start,
            motion=Motion(origin=begin, back=function("j", back)),
        )

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search for the tile."""
        idx, width = fiber.buffer("idx"), fiber.level.sides[1]
        begin, end, first = _range(fiber, ctx)

        def find(j: Expr) -> Node:
            at, column = Opaque(INDEX, "at"), Opaque(INDEX, "column")
            child = fiber.child(first + at * fiber.level.size + (j - column * width))
            here = both(lt(at, end), eq(idx[at], column))
            tile = Helper(INDEX, "bisect", (idx, column, begin, end))
            return Let(column, floor_div(j, width), Let(at, tile, stored_if(here, child)))

        return Lookup(function("j", find))


class _Writing(InPlace):
    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """The tile last written to, the end of its row's tiles, and the row's offset in a tile."""
        return tuple(Set(one, Lit(INDEX, 0)) for one in self._at(fiber))

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Begin a row at its first tile."""
        for one, value in zip(self._at(fiber), _range(fiber, ctx), strict=True):
            ctx.set(one, value)

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child in the tile, which is the one last written to or a later one."""
        width, name = fiber.level.sides[1], fiber.tensor.name.lower()
        tile, end, first = self._at(fiber)
        column = ctx.let(f"{name}_column", floor_div(lo, width))
        ctx.set(tile, Helper(INDEX, "search", (fiber.buffer("idx"), column, tile, end)))
        return fiber.child(first + tile * fiber.level.size + (lo - column * width))

    def _at(self, fiber: Fiber) -> tuple[Var, Var, Var]:
        tile, end, first = (fiber.variable(one) for one in ("tile", "end", "first"))
        return tile, end, first


class Tiles(Level):
    """
    Columns of a matrix in blocks of one height and width, as in BSR, below `Dense` rows.

    The rows ``[height * r, height * (r + 1))`` store the blocks ``[ptr[r], ptr[r + 1])``. Block `q`
    holds the columns from ``width * idx[q]`` on, row by row from child ``height * width * q`` on.
    The blocks are known before their children are written.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.
    height, width : int, optional
        Those of the blocks; None stands for the ones that take the fewest bytes.

    See Also
    --------
    SparseVBL : Blocks of a row, of any widths.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> blocks = sa.formats.Dense(sa.formats.Tiles(height=2, width=2))
    >>> a = sa.asarray(np.kron(np.eye(2), np.ones((2, 2))), format=blocks)
    >>> a.nstored
    8
    """

    height: int | None = None
    width: int | None = None
    buffers: ClassVar[tuple[str, ...]] = ("ptr", "idx")
    kind: ClassVar[Kind] = BLOCKS
    orders: ClassVar[Orders] = staticmethod(fewer_rows)
    is_injective: ClassVar[bool] = True
    is_partial: ClassVar[bool] = True
    leafy: ClassVar[bool] = True
    below: ClassVar[tuple[str, ...]] = ("Dense",)
    at_depth: ClassVar[int | None] = 1
    reading = _Reading()
    writing = _Writing()

    @property
    def sides(self) -> tuple[int, int]:
        """The height and width, which are decided."""
        if self.height is None or self.width is None:
            raise FormatError("level Tiles: the height and width are not decided")
        return self.height, self.width

    @property
    def size(self) -> int:
        """The number of children of a tile."""
        return self.sides[0] * self.sides[1]

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """A pointer a row of tiles and one more, and a column a tile."""
        return fibers // self.sides[0] + 1, entries // self.size

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """All children of the tiles."""
        return len(buffers[1]) * self.size

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The elements of the rows before, as many of each tile as it has rows there."""
        height, width = self.sides
        row, inside = np.divmod(fibers, height)
        ptr = buffers[0].astype(np.int64)
        here = ptr[np.minimum(row + 1, len(ptr) - 1)] - ptr[row]
        found: Array = (ptr[row] * height + here * inside) * width
        return found

    def prepare(self, rows: Rows, call: Caller) -> tuple[Array, ...]:
        """The tiles that the rows meet, in order."""
        height, width = self.sides
        ptr = np.zeros((len(rows.ptr) - 1) // height + 1, rows.ptr.dtype)
        idx = np.empty(len(rows.idx), rows.idx.dtype)
        inputs, seen = self._met(rows, height, width)
        call("find_tiles", inputs, (seen, ptr, idx), len(rows.idx))
        return ptr, idx[: ptr[-1]].copy()

    def settled(self, rows: Rows, itemsize: int, call: Caller) -> Tiles:
        """The height and width that divide the shape and take the fewest bytes."""
        sides = {(self.height or side, self.width or side) for side in TRIED}
        count = len(rows.ptr) - 1
        fitting = [(h, w) for h, w in sorted(sides) if not (count % h or rows.dim % w)]
        if not fitting:
            raise FormatError(
                f"shape ({count}, {rows.dim}) is no multiple of the tiles' height {self.height} "
                f"and width {self.width}; leave them out, or take others"
            )
        if len(fitting) == 1:
            return Tiles(self.child, *fitting[0])

        def nbytes(side: tuple[int, int]) -> int:
            tiles = self._count(rows, *side, call)
            places = count // side[0] + tiles
            return places * rows.idx.itemsize + tiles * side[0] * side[1] * itemsize

        return Tiles(self.child, *min(fitting, key=nbytes))

    def _count(self, rows: Rows, height: int, width: int, call: Caller) -> int:
        inputs, seen = self._met(rows, height, width)
        return int(call("count_tiles", inputs, (seen,), len(rows.idx)))

    def _met(self, rows: Rows, height: int, width: int) -> tuple[tuple[Any, ...], Array]:
        """Arguments of the helpers that find tiles, and a mark for each column of tiles."""
        # A table of quotients: dividing takes longer than all else in the loop.
        column = np.repeat(np.arange(rows.dim // width, dtype=rows.idx.dtype), width)
        return (rows.ptr, rows.idx, column, height), np.full(rows.dim // width, -1, rows.ptr.dtype)

    def stretches(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The rows of the tiles."""
        return len(buffers[1]) * self.sides[0]

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """From the first tile to the last; rows of one matrix."""
        (ptr, idx), (height, width) = wide(buffers), self.sides
        start, stop = hulls_of(ptr, idx * width, (idx + 1) * width)
        return np.repeat(start, height), np.repeat(stop, height)

    def size_at(self, at: Placement) -> Size | str:
        """The tiles that have elements."""
        if self.height is None or self.height != self.width:
            return f"no tile of side {SIDES} divides shape {at.measures.shape}"
        children = at.matrix.tiles.get(self.height, 0) * self.size
        return Size(sum(self.sizes(at.fibers, at.dim, children)), children)

    def variants(self, measures: Measures) -> dict[str, Level]:
        """Squares whose side divides both extents."""
        sides = [side for side in SIDES if not any(dim % side for dim in measures.shape)]
        squares: dict[str, Level] = {f"{k}x{k}": Tiles(self.child, k, k) for k in sides}
        return squares or {"": self}

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every column within the tiles."""
        (ptr, idx), (height, width) = wide(buffers), self.sides
        above, inside = np.divmod(fibers.coordinate, height)
        fiber, _, tile = segments(ptr[above], ptr[above + 1] - ptr[above])
        row = tile * self.size + inside[fiber] * width
        place = np.arange(width)
        columns = idx[tile][:, None] * width + place
        children = row[:, None] + place
        return Entries(np.repeat(fiber, width), columns.reshape(-1), children.reshape(-1))

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each, by rows of the tile."""
        (ptr, idx), (height, width) = buffers, self.sides
        tile, inside = np.divmod(children, self.size)
        row, place = np.divmod(inside, width)
        at = idx[tile].astype(np.int64) * width + place
        return Whereabouts(owners(ptr, tile) * height + row, at, at + 1)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The tiles fill rows and columns, and are in order."""
        (ptr, idx), (height, width) = buffers, self.sides
        for side, length, name in ((height, fibers, "height"), (width, dim, "width")):
            if side < 1 or length % side:
                raise FormatError(f"{name}: {side} must divide the extent {length}")
        count = checks.pointers(ptr, "ptr", fibers // height)
        checks.length(idx, "idx", count)
        checks.within(idx, "idx", 0, dim // width)
        checks.increasing(idx, "idx", ptr)
        return count * self.size


def _range(fiber: Fiber, ctx: Context) -> tuple[Expr, Expr, Expr]:
    """The bounds of a row's tiles, and the row's offset in a tile."""
    ptr, (height, width), i = fiber.buffer("ptr"), fiber.level.sides, fiber.path[0]
    name = fiber.tensor.name.lower()
    above = ctx.let(f"{name}_r", floor_div(i, height))
    first = ctx.let(f"{name}_first", (i - above * height) * width)
    return ctx.let(f"{name}_begin", ptr[above]), ctx.let(f"{name}_end", ptr[above + 1]), first
