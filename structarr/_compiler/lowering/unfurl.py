"""Unfurling: the looplets of the fibers that a loop accesses, reindexed as they are accessed."""

from __future__ import annotations

from functools import partial

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Fiber,
    Loop,
    Modifier,
    Offset,
    Padded,
    Permit,
    Protocol,
    Stmt,
    Stride,
    Where,
    Within,
    arithmetic,
)
from structarr._compiler.ir.expr import Expr, Index, Lit, Sum, add, scale
from structarr._compiler.ir.missing import MISSING, Outside
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import State
from structarr._compiler.looplets.base import Looplet, rewrite
from structarr._compiler.looplets.carried import carried
from structarr._compiler.looplets.mask import masked
from structarr._compiler.looplets.padding import padded
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.scale import Scale
from structarr._compiler.looplets.shift import Shift


def unfurl(loop: Loop, ctx: Context) -> tuple[Loop, list[Fiber]]:
    """Replace the fibers that the loop's index accesses by their looplets, each once."""
    written: list[Fiber] = []
    if loop.body.has(State):
        loop = Loop(loop.index, loop.lo, loop.hi, carried(loop))
    if not any(_may_open(access, loop) for access in loop.body.every(Access)):
        return Loop(loop.index, loop.lo, loop.hi, masked(loop.body, loop)), written
    outputs = {node.target for node in loop.body.every(Assign)}
    made: dict[tuple[Node, Expr], tuple[Looplet, Expr]] = {}
    later = {temp for node in loop.body.every(Where) for temp in node.temps}
    leading = True

    def open_up(access: Access) -> Node | None:
        fiber = access.obj
        if not _may_open(access, loop):
            return None
        if isinstance(fiber, Fiber) and fiber.tensor in later:
            return None  # it is made within the loop
        index = _affine(access.indices[0], loop)
        if index is None or (access in outputs and index is not loop.index):
            return None  # an output is written at random where its index is not the loop's
        if not leading and _protocol(index, "default") == "gallop":
            return None
        key = (fiber, index)
        if key not in made:
            if access in outputs and isinstance(fiber, Fiber):
                fiber.level.writing.open(fiber, ctx)
                written.append(fiber)
                made[key] = (fiber.level.writing.accept(fiber, ctx), loop.index)
            else:
                made[key] = reindexed(fiber, index, "default", ctx)
        looplet, plain = made[key]
        return Access(access.dtype, looplet, (plain, *access.indices[1:]))

    # Searched operands come before leaders: LLVM makes an inner loop with branches of its own of
    # the steps of the cursor that is set last, and a leader steps most often.
    body: Stmt = loop.body
    if any(node.name == "gallop" for node in body.every(Protocol)):
        leading = False
        body = rewrite(body, open_up)
        outputs |= {node.target for node in body.every(Assign)}
        leading = True
    body = masked(rewrite(body, open_up), loop)
    return Loop(loop.index, loop.lo, loop.hi, body), written


def _may_open(access: Access, loop: Loop) -> bool:
    """Whether a fiber or constant is read or written at an index that a loop's is part of."""
    opens = isinstance(access.obj, Fiber) or is_constant(access.obj)
    return opens and bool(access.indices) and loop.index in access.indices[0].every(Index)


def _affine(index: Expr, loop: Loop) -> Expr | None:
    """`index` with sums `k * i + rest` inside as offsets and strides; None if i drives it not."""
    match index:
        case Index():
            return index if index is loop.index else None
        case Offset(_, delta) if _pending(delta):
            return None
        case Protocol(arg) | Offset(arg) | Permit(arg) | Within(arg) | Padded(arg):
            inner = _affine(arg, loop)
            return None if inner is None else substitute(index, {arg: inner})
        case Sum(atoms, factors, _):
            driven = [(atom, k) for atom, k in zip(atoms, factors, strict=True) if _pending(atom)]
            inner = _affine(driven[0][0], loop) if len(driven) == 1 else None
            if inner is None:
                return None
            atom, factor = driven[0]
            rest = add(index, scale(atom, -factor))
            return Offset(inner, scale(rest, -1)) if factor == 1 else Stride(inner, factor, rest)
    return None


def _pending(expr: Expr) -> bool:
    """Whether an index of a loop stands in an expression."""
    return expr.has(Index)


def is_constant(obj: Node) -> bool:
    """Whether an object is a plain value, kept as an access only because it may be missing."""
    return isinstance(obj, Expr)


def reindexed(obj: Node, index: Expr, protocol: str, ctx: Context) -> tuple[Looplet, Expr]:
    """The looplet of a fiber under an index's modifiers, and the index below them.

    The protocol is the index's own, but for one that is known already: that is located.
    """
    protocol = _protocol(index, protocol) if protocol == "default" else protocol
    back, plain = _runs_back(index), index
    looplet = _read(obj, protocol, back, ctx)
    while isinstance(plain, Modifier):
        match plain:
            case Padded(arg, mode, dim, site):
                mirrored = mode in ("reflect", "symmetric")
                looplet = padded(
                    mode,
                    dim,
                    partial(_read, obj, protocol, back or mirrored, ctx),
                    lambda i: _read(obj, "locate", False, ctx).at(i),
                    Outside(_dtype(obj), site, arithmetic(arg), dim),
                )
            case Permit(_, dim):
                looplet = _within(looplet, _extent(obj, dim), MISSING)
            case Within(arg, dim, site):
                looplet = _within(looplet, dim, Outside(_dtype(obj), site, arithmetic(arg), dim))
            case Offset(_, delta):
                looplet = Shift(delta, looplet)
            case Stride(_, factor, offset):
                looplet = Scale(factor, offset, looplet)
        plain = plain.arg
    return looplet, plain


def _protocol(index: Expr, otherwise: str) -> str:
    """The innermost protocol that an index is under."""
    while isinstance(index, Modifier):
        if isinstance(index, Protocol):
            otherwise = index.name
        index = index.arg
    return otherwise


def _runs_back(index: Expr) -> bool:
    """Whether an index decreases where the one below its modifiers increases."""
    back = False
    while isinstance(index, Modifier):
        back ^= isinstance(index, Stride) and index.factor < 0
        index = index.arg
    return back


def _read(obj: Node, protocol: str, back: bool, ctx: Context) -> Looplet:
    """The looplet of a fiber by a protocol, or by another where it is read from its end."""
    if not isinstance(obj, Fiber):
        return Run(obj)
    looplet: Looplet = obj.level.reading.unfurl(obj, protocol, ctx)
    if back and not looplet.reversible:
        return obj.level.reading.unfurl(obj, "locate", ctx)  # type: ignore[no-any-return]
    return looplet


def _dtype(obj: Node) -> str:
    """The dtype of the values of a fiber, or of a constant."""
    return obj.tensor.dtype if isinstance(obj, Fiber) else obj.dtype  # type: ignore[attr-defined]


def _extent(obj: Node, dim: Expr | None) -> Expr:
    """The length of what is permitted outside: the one that is said, or the mode's."""
    if dim is not None:
        return dim
    assert isinstance(obj, Fiber)
    return obj.dim


def _within(looplet: Looplet, dim: Expr, beyond: Expr) -> Looplet:
    """A looplet on [0, dim), with a value outside."""
    outside = Run(beyond)
    return Pipeline((Phase(Lit("int64", 0), outside), Phase(dim, looplet), Phase(None, outside)))
