"""Rules on statements: what does nothing disappears, what repeats is done at once."""

from __future__ import annotations

from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Fiber,
    Loop,
    Modifier,
    Multi,
    Pass,
    Permit,
    Sieve,
    Stmt,
    Tensor,
    Where,
    Within,
    targets,
)
from structarr._compiler.ir.conditions import FALSE, TRUE, lt
from structarr._compiler.ir.expr import (
    Call,
    Cast,
    Expr,
    FloorDiv,
    Lit,
    Load,
    Max,
    Min,
    Product,
    Sum,
)
from structarr._compiler.ir.missing import MISSING, Missing
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.ops import OPS, operator
from structarr._compiler.rules.constants import algebraic, is_exact, same_constant
from structarr._compiler.rules.engine import RuleSet, rule, value_of
from structarr._compiler.rules.written import (
    carried,
    carries,
    covers,
    joined,
    results,
    tensor_of,
    unwritten,
)


@rule(Access)
def constants_ignore_indices(access: Access) -> Expr | None:
    """c[i] = c, and a[missing] = missing."""
    if any(map(_is_missing, access.indices)):
        return MISSING
    new = value_of(access.obj, access.indices, access.dtype)
    return None if new is access else new


def _is_missing(index: Node) -> bool:
    """Whether the arithmetic of an index has a part that is missing."""
    if not index.has(Missing) or not isinstance(index, _ARITHMETIC):
        return index is MISSING
    return any(map(_is_missing, index.parts()))


_ARITHMETIC = (Modifier, Sum, Product, FloorDiv, Min, Max)


@rule(Assign)
def fills_need_no_storing(assign: Assign) -> Stmt | None:
    """a[i] = fill leaves a as it began, where it is written once."""
    tensor = tensor_of(assign.target)
    if assign.op is not None or tensor is None or _is_rewritten(tensor):
        return None
    if covers(assign.target):
        return None
    return Pass((tensor,)) if same_constant(assign.value, tensor.fill) else None


def _is_rewritten(tensor: Tensor) -> bool:
    """Whether an element may hold something else when it is written."""
    once = any(level.writing.appends for level in tensor.format.levels)
    return tensor.start is not None and (tensor.role == "temp" or not once)


@rule(Assign)
def missing_is_not_written(assign: Assign) -> Stmt | None:
    """a[i] = missing leaves a alone, and so does a[missing] = x."""
    if assign.value is not MISSING and not any(map(_is_missing, assign.target.indices)):
        return None
    rest = unwritten(assign)
    return None if rest is assign else rest


@rule(Assign)
def identity_updates_nothing(assign: Assign) -> Stmt | None:
    """a[i] += 0 and a[i] *= 1 leave a alone."""
    op, value = assign.op, assign.value
    if op is None or op.right_identity is None or not isinstance(value, Lit):
        return None
    if not same_constant(value, algebraic(value.dtype, op.right_identity)):
        return None
    if value.structural or is_exact(value.dtype) or op.name != "add" or _is_sum(assign.target):
        return unwritten(assign)
    return None


def _is_sum(target: Access) -> bool:
    """Whether sums begin at 0.0 there: then none is -0.0, which adding 0.0 would change."""
    tensor = tensor_of(target)
    start = None if tensor is None or tensor.role == "begun" else tensor.start
    return isinstance(start, Lit) and str(start.value) in ("0.0", "0j")


@rule(Sieve)
def sieve_decided(sieve: Sieve) -> Stmt | None:
    """A sieve that is always or never open."""
    cond = sieve.cond
    if isinstance(sieve.body, Pass):
        return sieve.body
    if cond is TRUE or (isinstance(cond, Lit) and cond.value):
        return sieve.body
    rest = unwritten(sieve.body)
    return rest if rest is sieve.body or cond is FALSE or isinstance(cond, Lit | Missing) else None


@rule(Loop)
def loop_over_nothing(loop: Loop) -> Stmt | None:
    """A loop whose body passes, or whose extent is empty, passes."""
    if isinstance(loop.body, Pass):
        return loop.body
    return Pass(results(loop.body)) if lt(loop.lo, loop.hi) is FALSE else None


@rule(Loop)
def repeated_update(loop: Loop) -> Stmt | None:
    """Adding c n times adds c * n; min, max and = by the same value need be done once.

    An empty extent is excluded by a sieve, as `inf * 0` would change a float.
    """
    if loop.body.mentions(loop.index) or carries(loop.body):
        return None
    body = _times(loop.body, loop)
    return None if body is None else Sieve(lt(loop.lo, loop.hi), body)


def _times(stmt: Stmt, loop: Loop) -> Stmt | None:
    """The effect of all turns of a loop on whose index a statement does not depend."""
    match stmt:
        case Assign(target, op, value):
            new = _repeated(op.repeat if op else "once", value, loop)
            return None if new is None else Assign(target, op, new)
        case Loop(index, lo, hi, inner):
            body = _times(inner, loop)
            return None if body is None else Loop(index, lo, hi, body)
        case Sieve(cond, inner):
            body = _times(inner, loop)
            return None if body is None else Sieve(cond, body)
        case Multi(stmts):
            parts = [_times(one, loop) for one in stmts]
            return None if None in parts else Multi(tuple(one for one in parts if one))
    return None


def _repeated(repeat: str | None, value: Expr, loop: Loop) -> Expr | None:
    if repeat == "once":
        return value
    if repeat is None or (repeat in ("multiply", "power") and value.dtype == "bool"):
        return None
    if repeat == "power" and value.dtype not in ("int64", "uint64", "float64"):
        return None  # the count must survive the cast to the value's dtype
    if repeat == "multiply" and value.dtype in _PARTS:
        times = Cast(_PARTS[value.dtype], loop.hi - loop.lo)
        return Call(value.dtype, OPS["counted"], (value, times))
    times = Cast(value.dtype, loop.hi - loop.lo)
    return Call(value.dtype, operator(repeat), (value, times))


_PARTS = {"complex64": "float32", "complex128": "float64"}


@rule(Where)
def where_without_work(where: Where) -> Stmt | None:
    """A consumer that passes, or a producer that passes and so leaves the temporary's fill.

    A producer that writes more than the temporaries still does so.
    """
    if isinstance(where.consumer, Pass):
        alone = all(tensor_of(one) in where.temps for one in targets(where.producer))
        return where.consumer if alone else None
    known = _constants(where)
    if known is None or carried(where):
        return None
    fills = {temp.root().buffer("val"): value for temp, value in known.items()}
    unwritten: dict[Node, Node] = {}
    for node in where.consumer.nodes():
        match node:
            case Access(_, Fiber(temp)) if temp in where.temps:
                unwritten[node] = _as_read(node, known[temp])
            case Load(buffer) if buffer in fills:  # an access that is located already
                unwritten[node] = fills[buffer]
    new = substitute(where.consumer, unwritten)
    unfurled = any(fiber.tensor in where.temps for fiber in new.every(Fiber))
    return None if unfurled else new


def _as_read(access: Access, value: Expr) -> Expr:
    """A value in the place of an access, which is missing or refused where the access would be."""
    may_fail = access.has(Permit) or access.has(Within)
    return access.replace(obj=value) if may_fail else value


def _constants(where: Where) -> dict[Tensor, Expr] | None:
    """The values of temporaries that a producer leaves alone, or makes constants; else None."""
    known: dict[Tensor, Expr] = {temp: temp.fill for temp in where.temps}
    producer = where.producer
    for one in producer.stmts if isinstance(producer, Multi) else (producer,):
        match one:
            case Pass():
                pass
            case Assign(Access(_, Fiber(temp)), None, Lit() as value) if (
                temp in known and not temp.dims
            ):
                known[temp] = value
            case _:
                return None
    return known


@rule(Multi)
def multi_flattens(multi: Multi) -> Stmt | None:
    """Statements that pass are dropped, nested ones joined."""
    flat: list[Stmt] = []
    for stmt in multi.stmts:
        flat += stmt.stmts if isinstance(stmt, Multi) else (stmt,)
    new = joined(tuple(flat))
    return None if new is multi else new


STATEMENTS = RuleSet(
    (
        constants_ignore_indices,
        fills_need_no_storing,
        missing_is_not_written,
        identity_updates_nothing,
        sieve_decided,
        loop_over_nothing,
        repeated_update,
        where_without_work,
        multi_flattens,
    )
)
