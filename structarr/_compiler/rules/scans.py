"""Rules on scans: what changes nothing, or need be done once, leaves a constant."""

from __future__ import annotations

from structarr._compiler.ir.cin import Assign, Multi, Stmt, Tensor, Where, is_known
from structarr._compiler.ir.expr import Call, Cast, Expr, Lit
from structarr._compiler.ir.given import Given
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.rules.constants import algebraic, same_constant
from structarr._compiler.rules.engine import RuleSet, rule
from structarr._compiler.rules.written import carried, joined, tensor_of


@rule(Scanned)
def scan_of_constants(scan: Scanned) -> Expr | None:
    """A scan of what changes nothing is its start; one of what need be done once is that."""
    op, arg = scan.op, scan.arg
    if not is_known(arg):
        return None
    if op.repeat == "once":
        return Call(scan.dtype, op, (scan.start, arg))
    same = isinstance(arg, Lit) and op.right_identity is not None
    if not same or not same_constant(arg, algebraic(arg.dtype, op.right_identity)):
        return None
    return Lit(scan.dtype, scan.start.value, True)


@rule(Where)
def state_of_one_constant(where: Where) -> Stmt:
    """A variable that takes in the same constant in each turn, before it is read, is known."""
    consumer = where.consumer
    for temp in carried(where):
        updates = [one for one in consumer.every(Assign) if tensor_of(one.target) is temp]
        if len(updates) == 1 and not temp.dims and _is_constant(updates[0]):
            consumer = _without(consumer, updates[0], temp)
    return Where(consumer, where.producer, where.temps)


def _is_constant(update: Assign) -> bool:
    once = update.op is not None and update.op.repeat == "once"
    plain = all(isinstance(node, Lit | Call | Cast | Given) for node in update.value.nodes())
    return once and plain


def _without(stmt: Stmt, update: Assign, temp: Tensor) -> Stmt:
    """A statement without an update, if that comes before all that reads what it updates."""
    assert update.op is not None and temp.start is not None
    root = temp.root()
    value = Call(temp.dtype, update.op, (temp.start, update.value))
    table: dict[Node, Node] = {update.target: value, root.level.reading.read(root): value}

    def visit(node: Node) -> Node:
        if isinstance(node, Multi) and update in node.stmts:
            number = node.stmts.index(update)
            later = joined(node.stmts[number + 1 :])
            return joined((*node.stmts[:number], substitute(later, table)))
        return node.rebuild(visit) if isinstance(node, Stmt) else node

    new = visit(stmt)
    return stmt if any(map(new.mentions, table)) else new  # type: ignore[return-value]


SCANS = RuleSet((scan_of_constants, state_of_one_constant))
