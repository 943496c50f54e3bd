"""Concrete index notation: the statements, accesses and index modifiers of Figure 4.

Extents are half-open and 0-based. During lowering an access may also apply to a fiber or to a
looplet: `Access(obj, indices)` always means the array function `obj` applied to what is left.
"""

from __future__ import annotations

from typing import Any, ClassVar

from structarr._compiler.ir.expr import INDEX, Buffer, Cast, Expr, Index, Lit, Sum, Typed, scale
from structarr._compiler.ir.kernel import Set
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import Op
from structarr._compiler.ir.variables import LevelVar


class Tensor(Node):
    """
    Array of a program: its `name`, `format`, `dtype` and `fill`, and its `dims` in storage order.

    `role` is "in", "out", "temp", or "begun" for an output that begins as an array that is given.
    An output of updates has a `start`, the operator's identity. `weight` tells the number of stored
    elements, on a logarithmic scale.
    """

    name: str
    format: Any  # a formats.Format; opaque here
    dtype: str
    fill: Expr
    dims: tuple[Expr, ...]  # in storage order
    role: str = "in"
    start: Expr | None = None  # the operator's identity, for an output of updates
    weight: int = 0  # the number of stored elements, on a logarithmic scale

    def root(self) -> Fiber:
        """The fiber of the outermost level."""
        return Fiber(self, self.format.root, 0, Lit(INDEX, 0))


class Fiber(Node):
    """
    Fiber of a level: a row of its children.

    `tensor` is the array, `level` the level at `depth`, and `pos` the position of the fiber in it.
    Of a result, `env` has statements that record the element once it is written, and `path` the way
    to this fiber, as the level above tells it.
    """

    tensor: Tensor
    level: Any  # a formats.Level; opaque here
    depth: int
    pos: Expr
    env: tuple[Node, ...] = ()  # statements that record the element once it is written
    path: tuple[Expr, ...] = ()  # the way to this fiber, as the level above tells it

    def buffer(self, name: str) -> Buffer:
        """The kernel's argument for one of the level's declared buffers; a leaf's hold values."""
        tensor = self.tensor
        if self.level.leaf:
            return Buffer(name, tensor.dtype, False, tensor.name, None)
        index: str = tensor.format.index
        dtype = self.level.kept_as(name, index)
        return Buffer(name, dtype, dtype == index, tensor.name, self.depth)

    def variable(self, name: str, dtype: str = INDEX) -> LevelVar:
        """A variable that the level keeps while it is written."""
        label = f"{self.tensor.name}{self.depth}_{name}"
        return LevelVar(dtype, label, True, 1, self.tensor.name, self.depth)

    def recorded_if(self, cond: Expr) -> Fiber:
        """The same, but that a counter counts the element only under a condition."""
        lines = tuple(
            Set(line.var, line.var + Cast(INDEX, cond)) if isinstance(line, Set) else line
            for line in self.env
        )
        return Fiber(self.tensor, self.level, self.depth, self.pos, lines, self.path)

    @property
    def dim(self) -> Expr:
        """The length of this fiber."""
        return self.tensor.dims[self.depth]

    @property
    def fill(self) -> Expr:
        """The value of elements that are not stored."""
        return self.tensor.fill

    def child(self, pos: Expr, env: tuple[Node, ...] = (), path: tuple[Expr, ...] = ()) -> Fiber:
        """The fiber of the next level at a position."""
        return Fiber(self.tensor, self.level.child, self.depth + 1, pos, env or self.env, path)


class Access(Typed):
    """
    Element of something: `obj`, a tensor, fiber, looplet or value, at the `indices`; of a `dtype`.
    """

    obj: Node
    indices: tuple[Expr, ...]


class Modifier(Expr):
    """An index expression that changes how its mode is read."""

    dtype: ClassVar[str] = INDEX
    arg: Expr


class Protocol(Modifier):
    """Index `arg` whose mode is read by the protocol `name`: "walk", "gallop" or "locate"."""

    name: str


class Offset(Modifier):
    """Index ``arg - delta``, with the index `arg` and a shift `delta`."""

    delta: Expr


class Stride(Modifier):
    """Index ``factor * arg + offset``, with an index `arg`, a constant `factor` and an `offset`."""

    factor: int
    offset: Expr


class Permit(Modifier):
    """
    Index `arg` that may be outside of ``[0, dim)``, and reads `missing` there.

    The extent `dim` is stated here, since a fill that is read through the index has none.
    """

    dim: Expr | None = None


class Within(Modifier):
    """An index that the program must keep within `[0, dim)`: the kernel raises where it does not.

    `site` is the number of the access among those that the program checks.
    """

    dim: Expr
    site: int


class Padded(Modifier):
    """An index that may be outside `[0, dim)`, where a mode continues the array.

    The modes are "edge", "circular", "reflect" and "symmetric"; `site` is as in `Within`, for
    what is read of an array of no length.
    """

    mode: str
    dim: Expr
    site: int


class Stmt(Node):
    """Base class of the statements of a program."""


class Assign(Stmt):
    """
    Assignment of `value` to an element, `target`; with an `op` an update, ``target op= value``.
    """

    target: Access
    op: Op | None
    value: Expr


class Loop(Stmt):
    """
    Loop of `body` for every `index` in ``[lo, hi)``, with bounds `lo` and `hi`: the paper's forall.
    """

    index: Index
    lo: Expr
    hi: Expr
    body: Stmt


class Where(Stmt):
    """Statement with temporaries: `consumer`, after `producer`; the `temps` live while both run."""

    consumer: Stmt
    producer: Stmt
    temps: tuple[Tensor, ...]


class Multi(Stmt):
    """Several statements, `stmts`, with several results."""

    stmts: tuple[Stmt, ...]


class Sieve(Stmt):
    """Condition of a statement: `body`, where `cond` holds."""

    cond: Expr
    body: Stmt


class Pass(Stmt):
    """Statement that does nothing; it remembers the outputs, `tensors`, that it leaves alone."""

    tensors: tuple[Tensor, ...] = ()


def targets(stmt: Stmt) -> tuple[Access, ...]:
    """The accesses that a statement writes, each once."""
    return tuple(dict.fromkeys(node.target for node in stmt.every(Assign)))


def reads(stmt: Stmt) -> tuple[Access, ...]:
    """The accesses of operands in a program, each once."""
    return tuple(
        node
        for node in stmt.every(Access)
        if isinstance(node.obj, Tensor) and node.obj.role == "in"
    )


def is_known(expr: Expr) -> bool:
    """Whether an expression has no index of a loop and reads no array."""
    return not (expr.has(Index) or expr.has(Access))


def driver(expr: Expr) -> Expr:
    """The index expression under all modifiers; of a sum with one index in it, that index."""
    while isinstance(expr, Modifier):
        expr = expr.arg
    if isinstance(expr, Sum):
        found = [atom for atom in expr.atoms if isinstance(atom, Index)]
        return found[0] if len(found) == 1 else expr
    return expr


def arithmetic(expr: Expr) -> Expr:
    """The value of an index expression, its modifiers computed."""
    match expr:
        case Offset(arg, delta):
            return arithmetic(arg) - delta
        case Stride(arg, factor, offset):
            return scale(arithmetic(arg), factor) + offset
        case Modifier(arg):
            return arithmetic(arg)
    return expr
