"""Invariants of programs and of kernels, checked by the tests on everything they lower."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Multi,
    Pass,
    Sieve,
    Stmt,
    Tensor,
    Where,
)
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Index, Load
from structarr._compiler.ir.kernel import (
    Break,
    Check,
    Do,
    For,
    If,
    Line,
    Make,
    Set,
    Store,
    While,
)
from structarr._compiler.ir.missing import Missing
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.show import show
from structarr._compiler.ir.variables import Var


class CinError(AssertionError):
    """A statement that is no program."""


class KernelError(AssertionError):
    """Lines that are no kernel."""


def check_cin(stmt: Stmt) -> None:
    """Check a whole program in concrete index notation.

    Raises
    ------
    CinError
        With the offending node, if an index is unbound or bound twice, a target cannot be written
        or has another dtype than its value, a condition is not boolean, or a temporary is written
        or read in the wrong half of its `where`.
    """
    _statement(stmt, frozenset(), {})


def _statement(stmt: Node, scope: frozenset[Index], temps: dict[Tensor, str]) -> None:
    """Check a statement: `temps` says of each temporary whether it may be read or written."""
    match stmt:
        case Loop(index, lo, hi, body):
            _indices((lo, hi), scope, stmt)
            _cin(index not in scope, stmt, f"{index.name} is bound by a loop around this one")
            _cin(lo.dtype == hi.dtype == INDEX, stmt, "its bounds are not indices")
            _statement(body, scope | {index}, temps)
        case Sieve(cond, body):
            _value(cond, scope, temps)
            _cin(cond.dtype == "bool", stmt, f"its condition is {cond.dtype}")
            _statement(body, scope, temps)
        case Where(consumer, producer, new):
            for temp in new:
                _cin(temp.role == "temp", stmt, f"{temp.name} has the role {temp.role!r}")
                begins = temp.start is not None or bool(temp.dims)
                _cin(begins, stmt, f"{temp.name} starts at nothing")
            _statement(producer, scope, {**temps, **dict.fromkeys(new, "written")})
            own = {temp: "carried" if _may_be_carried(temp) else "read" for temp in new}
            _statement(consumer, scope, {**temps, **own})
        case Multi(stmts):
            for one in stmts:
                _statement(one, scope, temps)
        case Assign():
            _assign(stmt, scope, temps)
        case Pass():
            pass
        case _:
            raise CinError(f"not a statement: {stmt!r}")


def _may_be_carried(temp: Tensor) -> bool:
    """Whether what reads a temporary may go on to update it: a number, or a row of numbers."""
    return not temp.dims or bool(temp.format.root.arithmetic)


def _assign(stmt: Assign, scope: frozenset[Index], temps: dict[Tensor, str]) -> None:
    tensor = stmt.target.obj
    _cin(isinstance(tensor, Tensor), stmt, "its target is not a tensor")
    assert isinstance(tensor, Tensor)
    _cin(tensor.role != "in", stmt, f"{tensor.name} is an operand")
    if tensor.role == "temp":
        may = temps.get(tensor) in ("written", "carried")
        _cin(may, stmt, f"{tensor.name} may not be written here")
    _cin(
        stmt.target.dtype == tensor.dtype == stmt.value.dtype,
        stmt,
        f"a {stmt.value.dtype} is stored in {tensor.name}, of {tensor.dtype}",
    )
    _modes(stmt.target, scope)
    _value(stmt.value, scope, temps)


def _value(expr: Expr, scope: frozenset[Index], temps: dict[Tensor, str]) -> None:
    _indices((expr,), scope, expr)
    for node in expr.nodes():
        if isinstance(node, Access) and isinstance(node.obj, Tensor):
            _modes(node, scope)
            _cin(node.dtype == node.obj.dtype, node, f"{node.obj.name} is {node.obj.dtype}")
            if node.obj.role == "temp":
                may = temps.get(node.obj) in ("read", "carried")
                _cin(may, node, "may not be read here")
            _cin(node.obj.role in ("in", "temp"), node, "an output is read")


def _modes(access: Access, scope: frozenset[Index]) -> None:
    assert isinstance(access.obj, Tensor)
    modes = len(access.obj.dims)
    _cin(len(access.indices) == modes, access, f"{access.obj.name} has {modes} modes")
    _cin(all(i.dtype == INDEX for i in access.indices), access, "an index is no integer")
    _indices(access.indices, scope, access)


def _indices(parts: tuple[Expr, ...], scope: frozenset[Index], where: Node) -> None:
    for part in parts:
        for node in part.nodes():
            if isinstance(node, Index):
                _cin(node in scope, where, f"no loop binds {node.name}")


def _cin(holds: bool, node: Node, problem: str) -> None:
    if not holds:
        raise CinError(f"{problem}, in\n{show(node)}")


def check_kernel(
    block: tuple[Line, ...], params: frozenset[Node], written: frozenset[Node] = frozenset()
) -> None:
    """Check a kernel's lines.

    Parameters
    ----------
    block : tuple of Line
        The whole body.
    params : frozenset of Buffer and Var
        The kernel's arguments.
    written : frozenset of Buffer
        Those among them that may be stored into.

    Raises
    ------
    KernelError
        With the offending line, if a variable may be read before it is set, a loop is left
        outside of any, a buffer is unknown or not to be written, an index is no integer, or a
        value has another dtype than its place.
    """
    _Kernel(params, written).block(block, set(params), loop=False)


class _Kernel:
    def __init__(self, params: frozenset[Node], written: frozenset[Node]) -> None:
        self.params, self.written = params, written

    def block(self, lines: tuple[Line, ...], known: set[Node], loop: bool) -> bool:
        """Check lines in order, adding to `known` what is set after them for sure.

        Return whether the end of the block is never reached.
        """
        return any(self._line(line, known, loop) for line in lines)

    def _line(self, line: Line, known: set[Node], loop: bool) -> bool:
        match line:
            case Set(var, value):
                self._expr(value, known, line)
                _kernel(var.dtype == value.dtype, line, f"{var.label} is {var.dtype}")
                known.add(var)
            case Make(buffer, value):
                self._expr(value, known, line)
                known.add(buffer)
            case Store(buffer, index, value):
                self._store(line, buffer, index, value, known)
            case Do(call):
                self._expr(call, known, line)
                return call.name == "out_of_bounds"  # which raises
            case For(var, lo, hi, body):
                self._expr(lo, known, line)
                self._expr(hi, known, line)
                _kernel(lo.dtype == hi.dtype == INDEX, line, "its bounds are not indices")
                self.block(body, known | {var}, True)
            case While(body):
                _kernel(_leaves(body), line, "never ends")
                self._endless(body, known)
            case If(arms):
                return self._branches(line, arms, known, loop)
            case Break():
                _kernel(loop, line, "leaves no loop")
                return True
            case Check(cond):
                self._expr(cond, known, line)
            case _:
                raise KernelError(f"not a line of a kernel: {line!r}")
        return False

    def _endless(self, body: tuple[Line, ...], known: set[Node]) -> None:
        """Check an endless loop; after it, the variables set before its first way out are known."""
        first = tuple(takewhile(lambda line: not _leaves((line,)), body))
        self.block(first, known, True)
        self.block(body, set(known), True)

    def _branches(
        self,
        line: If,
        arms: tuple[tuple[Expr, tuple[Line, ...]], ...],
        known: set[Node],
        loop: bool,
    ) -> bool:
        outcomes: list[set[Node]] = []
        for cond, body in arms:
            self._expr(cond, known, line)
            _kernel(cond.dtype == "bool", line, f"a condition is {cond.dtype}")
            inner = set(known)
            if not self.block(body, inner, loop):
                outcomes.append(inner)
        if not _is_true(arms[-1][0]):
            return False
        if outcomes:
            known |= set.intersection(*outcomes)
        return not outcomes

    def _store(
        self, line: Store, buffer: Buffer, index: Expr, value: Expr, known: set[Node]
    ) -> None:
        self._expr(Load(buffer, index), known, line)
        self._expr(value, known, line)
        writable = buffer in self.written or buffer not in self.params
        _kernel(writable, line, f"{buffer.label} is not to be written")
        wanted = INDEX if buffer.counts else buffer.dtype
        _kernel(value.dtype == wanted, line, f"a {value.dtype} goes where {wanted} belongs")

    def _expr(self, expr: Expr, known: set[Node], line: Line) -> None:
        for node in expr.nodes():
            match node:
                case Var():
                    _kernel(node in known, line, f"{node.label} may not be set yet")
                case Buffer():
                    made = node in known  # whether the kernel makes it
                    _kernel(made or node in self.params, line, f"{node.label} is no argument")
                case Load(_, index):
                    _kernel(index.dtype == INDEX, line, "an index is no integer")
                case Index() | Missing() | Access():
                    raise KernelError(f"{show(node)} is left in {line!r}")


def _is_true(cond: Expr) -> bool:
    return getattr(cond, "args", None) == ()


def _own(block: tuple[Line, ...]) -> Iterator[Line]:
    """The lines of a block and its branches, not those of loops within."""
    for line in block:
        yield line
        if isinstance(line, If):
            for _, body in line.arms:
                yield from _own(body)


def _leaves(block: tuple[Line, ...]) -> bool:
    return any(isinstance(one, Break) for one in _own(block))


def _kernel(holds: bool, line: Line, problem: str) -> None:
    if not holds:
        raise KernelError(f"{problem}, in {line!r}")
