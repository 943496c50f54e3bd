"""The driver: unfurl what a loop accesses, let the looplet of highest priority lower it, recurse.

It names no format and no looplet but the default and the output's: what stands in the program
carries its own lowering.
"""

from __future__ import annotations

from functools import partial

from structarr._compiler.context import Context, effects
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Fiber,
    Loop,
    Modifier,
    Multi,
    Offset,
    Padded,
    Pass,
    Permit,
    Protocol,
    Sieve,
    Stmt,
    Stride,
    Tensor,
    Where,
    Within,
    arithmetic,
    targets,
)
from structarr._compiler.ir.expr import (
    INDEX,
    MISSING,
    TRUE,
    Call,
    Cast,
    Expr,
    Helper,
    Index,
    Lit,
    Load,
    Outside,
    Sum,
    Var,
    add,
    both,
    le,
    lt,
    scale,
)
from structarr._compiler.ir.kernel import Do, Set
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.looplets.accept import Accept
from structarr._compiler.looplets.base import Looplet, looplets, rewrite
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.mask import masked
from structarr._compiler.looplets.padding import padded
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.scale import Scale
from structarr._compiler.looplets.shift import Shift
from structarr._compiler.looplets.switch import Case, Switch
from structarr._compiler.rules.algebra import same_constant
from structarr._compiler.rules.engine import value_of
from structarr._compiler.rules.statements import tensor_of


def lower(stmt: Stmt, ctx: Context) -> None:
    """Emit the kernel lines of a statement."""
    ctx.spend()
    stmt = _simplified(stmt, ctx)
    match stmt:
        case Pass():
            return
        case Multi(stmts):
            for one in stmts:
                lower(one, ctx)
            return
        case Where():
            _lower_where(stmt, ctx)
            return
    located = _locate_bound(stmt, ctx)
    if located is not stmt:
        stmt = _simplified(located, ctx)
    outside = _outside(stmt)
    choice = None if outside is None else _choice(stmt)
    if choice is not None and not _reads(choice.args[0]):
        _lower_choice(stmt, choice, ctx)
        return
    if outside is not None and choice is None:
        _refuse(outside, ctx)
        return
    immediate = _immediate(stmt)
    if immediate is not None:
        ctx.say(f"{immediate.__name__} lowers", stmt)
        immediate.lower_stmt(stmt, ctx)
        return
    match stmt:
        case Loop():
            _lower_loop(stmt, ctx)
        case Sieve(cond, body):
            ctx.skipped |= _unopened(body)
            with ctx.block(cond) as lines:
                lower(body, ctx)
            ctx.when(cond, lines)
        case Assign():
            _lower_assign(stmt, ctx)
        case _:
            lower(stmt, ctx)


def _simplified(stmt: Stmt, ctx: Context) -> Stmt:
    simple: Stmt = ctx.simplify(stmt)
    if simple is not stmt:
        ctx.say("simplified", simple)
        ctx.skipped |= _unopened(stmt) - _unopened(simple)
    return simple


def _unopened(stmt: Stmt) -> set[Tensor]:
    """The outputs of which a statement is to open fibers that append."""
    found: set[Tensor] = set()
    for target in targets(stmt):
        fiber = target.obj.fiber if isinstance(target.obj, Accept) else target.obj
        if not isinstance(fiber, Fiber):
            continue
        level = fiber.level.child if isinstance(target.obj, Accept) else fiber.level
        while level is not None:
            if level.appends:
                found.add(fiber.tensor)
            level = level.child
    return found


def _immediate(stmt: Stmt) -> type[Looplet] | None:
    """The class of the most urgent choice that does not wait for a loop."""
    found = [
        node.obj
        for node in stmt.nodes()
        if isinstance(node, Access) and isinstance(node.obj, Looplet) and node.obj.immediate
    ]
    first = max(found, key=lambda one: one.priority, default=None)
    return None if first is None else type(first)


def _pending(expr: Expr) -> bool:
    return any(isinstance(node, Index) for node in expr.nodes())


def _outside(stmt: Stmt) -> Outside | None:
    """What a statement would use that is read at an index that may not be."""
    match stmt:
        case Assign(target, _, value):
            return target.obj if isinstance(target.obj, Outside) else _used_outside(value)
        case Sieve(cond):
            return _used_outside(cond)
    return None


def _used_outside(value: Node) -> Outside | None:
    if isinstance(value, Outside):
        return value
    if isinstance(value, Access):  # not decided yet
        return None
    return next((found for part in value.parts() if (found := _used_outside(part))), None)


_CHOICES = ("where", "logical_and", "logical_or")


def _choice(stmt: Stmt) -> Call | None:
    """A choice of a statement one side of which would be read outside."""
    for node in stmt.nodes():
        if isinstance(node, Call) and node.op.name in _CHOICES:
            cond, *sides = node.args
            if _used_outside(cond) is None and any(_used_outside(side) for side in sides):
                return node
    return None


def _reads(expr: Expr) -> bool:
    return any(isinstance(node, Access) for node in expr.nodes())


def _lower_choice(stmt: Stmt, choice: Call, ctx: Context) -> None:
    """Only the side that is chosen is read, as in Python."""
    cond, *sides = choice.args
    if choice.op.name == "logical_and":
        sides = [*sides, Lit("bool", False)]
    elif choice.op.name == "logical_or":
        sides = [Lit("bool", True), *sides]
    arms = []
    for fact, value in zip((cond, TRUE), sides, strict=True):
        with ctx.block() as lines:
            lower(substitute(stmt, {choice: value}), ctx)
        arms.append((fact, lines))
    ctx.branch(arms)


def _refuse(outside: Outside, ctx: Context) -> None:
    site = Lit(INDEX, outside.site)
    ctx.emit(Do(Helper(INDEX, "out_of_bounds", (site, outside.index, outside.dim))))


def _is_bound(access: Access) -> bool:
    """Whether an access's first index is known, other accesses in it included."""
    return bool(access.indices) and not any(
        isinstance(node, Index | Access) for node in access.indices[0].nodes()
    )


def _locate_bound(stmt: Stmt, ctx: Context) -> Stmt:
    """Accesses whose first index is bound already are read, or written, at random.

    An index may be read from an array itself: then that is read first.
    """
    while True:
        new = _locate_once(stmt, ctx)
        if new is stmt:
            return stmt
        stmt = new


def _locate_once(stmt: Stmt, ctx: Context) -> Stmt:
    def locate(access: Access) -> Node | None:
        if not _is_bound(access):
            return None
        if isinstance(access.obj, Fiber) or _is_constant(access.obj):
            checked = _checked(access, ctx)
            if checked is not None:
                return checked
            looplet, index = _bend(access.obj, _named(access.indices[0], ctx), "locate", ctx)
            return value_of(looplet.at(index), access.indices[1:], access.dtype)
        return None

    def visit(access: Access) -> Node | None:
        new: Node = access
        while isinstance(new, Access):
            found = _place(new, ctx) if access in written else locate(new)
            if found is None:
                break
            new = found
        return None if new is access else new

    written = {node.target for node in stmt.nodes() if isinstance(node, Assign)}
    return rewrite(stmt, visit)


def _named(index: Expr, ctx: Context) -> Expr:
    """An index, with a name where finding it takes a load or an operation."""
    if isinstance(index, Modifier):
        return index.rebuild(lambda part: _named(part, ctx) if part is index.arg else part)
    return ctx.let("at", index) if isinstance(index, Load | Cast | Call) else index


def _place(target: Access, ctx: Context) -> Node | None:
    if not isinstance(target.obj, Fiber) or not _is_bound(target):
        return None
    checked = _checked(target, ctx)
    if checked is not None:
        return checked
    fiber, index = target.obj, _named(target.indices[0], ctx)
    while isinstance(index, Modifier):
        index = index.arg
    child = fiber.level.place(fiber, (), index, index + 1, ctx)
    return Access(target.dtype, child, target.indices[1:])


def _checked(access: Access, ctx: Context) -> Access | None:
    """An access whose first index must be within, as a choice between inside and outside."""
    before = _used_outside(access.indices[0])
    if before is not None:
        same = Outside(access.dtype, before.site, before.index, before.dim)
        return Access(access.dtype, same, ())
    index = _named(access.indices[0], ctx)
    protocols: list[str] = []
    while isinstance(index, Protocol):
        protocols.append(index.name)
        index = index.arg
    if not isinstance(index, Within):
        return None
    inner = index.arg
    for name in reversed(protocols):
        inner = Protocol(inner, name)
    inside = Access(access.dtype, access.obj, (inner, *access.indices[1:]))
    if ctx.proves(both(*_range(index))):
        return inside
    outside = Outside(access.dtype, index.site, index.arg, index.dim)
    cases = (
        Case(both(*_range(index)), inside),
        Case(TRUE, Access(access.dtype, outside, ())),
    )
    return Access(access.dtype, Switch(cases), ())


def _range(index: Within) -> tuple[Expr, Expr]:
    return le(0, index.arg), lt(index.arg, index.dim)


def _is_constant(obj: Node) -> bool:
    """Whether this is a value that is left as an object only because it may be missing."""
    return isinstance(obj, Expr)


def _bend(obj: Node, index: Expr, protocol: str, ctx: Context) -> tuple[Looplet, Expr]:
    """The looplet of a fiber under an index's modifiers, and the index below them.

    The protocol is the index's own, but for one that is known already: that is located.
    """
    asked, plain = _protocol(index, protocol)
    protocol = asked if protocol == "default" else protocol
    back = _runs_back(index)
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
                looplet = _permitted(looplet, _extent(obj, dim))
            case Within(arg, dim, site):
                looplet = _within(looplet, dim, Outside(_dtype(obj), site, arithmetic(arg), dim))
            case Offset(_, delta):
                looplet = Shift(delta, looplet)
            case Stride(_, factor, offset):
                looplet = Scale(factor, offset, looplet)
        plain = plain.arg
    return looplet, plain


def _read(obj: Node, protocol: str, back: bool, ctx: Context) -> Looplet:
    """The looplet of a fiber by a protocol, or by another where it is read from its end."""
    if not isinstance(obj, Fiber):
        return Run(obj)
    looplet: Looplet = obj.level.unfurl(obj, protocol, ctx)
    if back and not looplet.reversible:
        return obj.level.unfurl(obj, "locate", ctx)  # type: ignore[no-any-return]
    return looplet


def _runs_back(index: Expr) -> bool:
    """Whether an index falls where the one below its modifiers rises."""
    back = False
    while isinstance(index, Modifier):
        back ^= isinstance(index, Stride) and index.factor < 0
        index = index.arg
    return back


def _extent(obj: Node, dim: Expr | None) -> Expr:
    if dim is not None:
        return dim
    assert isinstance(obj, Fiber)
    return obj.dim


def _protocol(index: Expr, protocol: str) -> tuple[str, Expr]:
    found = index
    while isinstance(found, Modifier):
        if isinstance(found, Protocol):
            protocol = found.name
        found = found.arg
    return protocol, index


def _permitted(looplet: Looplet, dim: Expr) -> Looplet:
    """`looplet` on [0, dim), missing outside."""
    return _within(looplet, dim, MISSING)


def _dtype(obj: Node) -> str:
    return obj.tensor.dtype if isinstance(obj, Fiber) else obj.dtype  # type: ignore[attr-defined]


def _within(looplet: Looplet, dim: Expr, beyond: Expr) -> Looplet:
    """`looplet` on [0, dim), a value outside."""
    outside = Run(beyond)
    return Pipeline((Phase(Lit("int64", 0), outside), Phase(dim, looplet), Phase(None, outside)))


def _affine(index: Expr, loop: Loop) -> Expr | None:
    """`index` with sums `k * i + rest` inside as offsets and strides; None if i drives it not."""
    match index:
        case Index():
            return index if index is loop.index else None
        case Protocol(arg, name):
            inner = _affine(arg, loop)
            return None if inner is None else Protocol(inner, name)
        case Offset(arg, delta):
            inner = _affine(arg, loop)
            return None if inner is None or _pending(delta) else Offset(inner, delta)
        case Permit(arg, dim):
            inner = _affine(arg, loop)
            return None if inner is None else Permit(inner, dim)
        case Within(arg, dim, site):
            inner = _affine(arg, loop)
            return None if inner is None else Within(inner, dim, site)
        case Padded(arg, mode, dim, site):
            inner = _affine(arg, loop)
            return None if inner is None else Padded(inner, mode, dim, site)
        case Sum(atoms, factors, _):
            driven = [(atom, k) for atom, k in zip(atoms, factors, strict=True) if _pending(atom)]
            inner = _affine(driven[0][0], loop) if len(driven) == 1 else None
            if inner is None:
                return None
            atom, factor = driven[0]
            rest = add(index, scale(atom, -factor))
            return Offset(inner, scale(rest, -1)) if factor == 1 else Stride(inner, factor, rest)
    return None


def _lower_loop(loop: Loop, ctx: Context) -> None:
    loop, written = _unfurl(loop, ctx)
    if _writes_fill_alone(loop):
        for fiber in written:
            fiber.level.close(fiber, ctx)
        return
    accumulators: dict[Access, tuple[Fiber, Var]] = {}
    with ctx.block() as lines:
        loop = _accumulate(loop, accumulators, ctx)
        ctx.say("looplets", loop)
        found = looplets(loop)
        kind: type[Looplet] = max(
            (type(one) for one in found), key=lambda one: one.priority, default=Lookup
        )
        _check_tie(kind, found)
        ctx.say(f"{kind.__name__} lowers", loop)
        kind.lower(loop, ctx)
        busy = effects(lines)
        if busy:
            for fiber, total in accumulators.values():
                fiber.level.write(fiber, total, ctx)
    if busy:
        ctx.lines += lines
    for fiber in written:
        fiber.level.close(fiber, ctx)


def _writes_fill_alone(loop: Loop) -> bool:
    """Whether all that a loop writes are children of fills, in levels that can do without them."""
    for node in loop.body.nodes():
        if not isinstance(node, Assign):
            continue
        place = node.target.obj
        if not isinstance(place, Accept) or not place.fiber.level.omits or node.op is not None:
            return False
        if place.tensor.start is not None or not same_constant(node.value, place.tensor.fill):
            return False
    return True


def _check_tie(kind: type[Looplet], found: tuple[Looplet, ...]) -> None:
    for one in found:
        if type(one) is not kind and type(one).priority == kind.priority:
            raise TypeError(
                f"looplets {kind.__name__} and {type(one).__name__} have the same priority "
                f"{kind.priority} and meet in one loop; give one of them another"
            )


def _unfurl(loop: Loop, ctx: Context) -> tuple[Loop, list[Fiber]]:
    """Replace the fibers that the loop's index accesses by their looplets, each once."""
    written: list[Fiber] = []
    outputs = {node.target for node in loop.body.nodes() if isinstance(node, Assign)}
    made: dict[tuple[Node, Expr], tuple[Looplet, Expr]] = {}
    leading = True

    def open_up(access: Access) -> Node | None:
        fiber = access.obj
        if not access.indices or not (isinstance(fiber, Fiber) or _is_constant(fiber)):
            return None
        index = _affine(access.indices[0], loop)
        if index is None or (access in outputs and index is not loop.index):
            return None  # an output is written at random where its index is not the loop's
        if not leading and _protocol(index, "default")[0] == "gallop":
            return None
        key = (fiber, index)
        if key not in made:
            if access in outputs and isinstance(fiber, Fiber):
                fiber.level.open(fiber, ctx)
                written.append(fiber)
                made[key] = (fiber.level.accept(fiber, ctx), loop.index)
            else:
                made[key] = _bend(fiber, index, "default", ctx)
        looplet, plain = made[key]
        return Access(access.dtype, looplet, (plain, *access.indices[1:]))

    # What is sought comes before what leads: LLVM makes an inner loop, with branches of its own, of
    # the steps of the cursor that is set last, and a leader steps most often.
    body: Stmt = loop.body
    if any(isinstance(node, Protocol) and node.name == "gallop" for node in body.nodes()):
        leading = False
        body = rewrite(body, open_up)
        leading = True
    body = masked(rewrite(body, open_up), loop)
    return Loop(loop.index, loop.lo, loop.hi, body), written


def _accumulate(loop: Loop, found: dict[Access, tuple[Fiber, Var]], ctx: Context) -> Loop:
    """Updates of an element that the loop does not index go to a local, stored once after.

    The local begins with the element, which an earlier turn may have updated; an element that is
    appended is new.
    """
    for node in loop.body.nodes():
        if not isinstance(node, Assign) or node.op is None or node.target in found:
            continue
        fiber = node.target.obj
        if isinstance(fiber, Fiber) and fiber.level.leaf and not node.target.indices:
            tensor = fiber.tensor
            if tensor.role == "temp" and not tensor.dims:
                continue  # a local of a `where` further in
            if not _is_apart(node.target, fiber, loop, ctx):
                continue
            total = ctx.fresh(f"{tensor.name.lower()}_sum", tensor.dtype, result=True)
            appended = any(isinstance(line, Set) for line in fiber.env)
            start = tensor.start if appended else None
            start = fiber.level.read(fiber) if start is None else start
            ctx.emit(Set(total, start))
            found[node.target] = (fiber, total)
    if not found:
        return loop

    def swap(access: Access) -> Node | None:
        if access in found:
            return Access(access.dtype, found[access][1], ())
        return None

    return Loop(loop.index, loop.lo, loop.hi, rewrite(loop.body, swap))


def _is_apart(target: Access, fiber: Fiber, loop: Loop, ctx: Context) -> bool:
    """Whether nothing else that a loop writes can be the element of a target."""
    for node in loop.body.nodes():
        if not isinstance(node, Assign) or node.target is target:
            continue
        other = node.target
        if tensor_of(other) is not fiber.tensor:
            continue
        # A vector's other elements, those of the loop, where they are all before or after.
        alone = len(fiber.tensor.dims) == 1 and fiber.level.leaf and other.indices == (loop.index,)
        before, after = lt(fiber.pos, loop.lo), le(loop.hi, fiber.pos)
        if not alone or not (ctx.proves(before) or ctx.proves(after)):
            return False
    return True


def _lower_assign(assign: Assign, ctx: Context) -> None:
    place, op, value = assign.target.obj, assign.op, assign.value
    if isinstance(place, Var):
        if op is not None:
            value = Call(place.dtype, op, (place, value))
        ctx.emit(Set(place, value))
        return
    assert isinstance(place, Fiber)
    if op is None and _is_unstored(place, value):
        return
    if op is not None:
        new = any(isinstance(line, Set) for line in place.env)  # one that is appended
        before = place.tensor.start if new else place.level.read(place)
        assert before is not None
        value = Call(place.tensor.dtype, op, (before, value))
    place.level.write(place, value, ctx)


def _is_unstored(place: Fiber, value: Expr) -> bool:
    """Whether a value need not be written: the fill, in a level that does without it."""
    if not place.depth or not same_constant(value, place.fill):
        return False
    tensor = place.tensor
    return tensor.start is None and bool(tensor.format.levels[place.depth - 1].drops_fill)


def _lower_where(where: Where, ctx: Context) -> None:
    """Make the temporaries, then use them."""
    with ctx.block() as lines:
        scalars: dict[Node, Node] = {}
        spaces: list[Fiber] = []
        for temp in where.temps:
            if temp.dims:
                spaces.append(temp.root())
                temp.format.root.begin(temp.root(), ctx)
            else:
                var = ctx.fresh(temp.name.lower(), temp.dtype, result=True)
                assert temp.start is not None
                ctx.emit(Set(var, temp.start))
                scalars[Access(temp.dtype, temp.root(), ())] = Access(temp.dtype, var, ())
                scalars[temp.format.root.read(temp.root())] = var
        lower(substitute(where.producer, scalars), ctx)
        for fiber in spaces:
            fiber.level.freeze(fiber, ctx)
        lower(substitute(where.consumer, scalars), ctx)
        for fiber in spaces:
            fiber.level.clear(fiber, ctx)
    ctx.lines += lines


def rooted(stmt: Stmt) -> Stmt:
    """The program with every tensor replaced by its outermost fiber."""

    def enter(access: Access) -> Node | None:
        if not isinstance(access.obj, Tensor):
            return None
        return Access(access.dtype, access.obj.root(), access.indices)

    return rewrite(stmt, enter)
