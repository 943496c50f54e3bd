"""Text of programs and their looplets, for people. Kernels are the targets' to print.

Looplets and levels are above this module, so they are printed by their fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

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
    Protocol,
    Sieve,
    Stmt,
    Tensor,
    Where,
)
from structarr._compiler.ir.conditions import All, Eq, Le
from structarr._compiler.ir.expr import (
    Buffer,
    Call,
    Cast,
    Expr,
    FloorDiv,
    Helper,
    Index,
    Lit,
    Load,
    Max,
    Min,
    Product,
    Sum,
)
from structarr._compiler.ir.kernel import Set
from structarr._compiler.ir.missing import Coalesce, Missing
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var

_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
_PAD = "    "


def show(node: Node) -> str:
    """The text of a statement, with its looplets, or of a scalar expression."""
    return "\n".join(_statement(node)) if isinstance(node, Stmt) else _text(node)


def _indented(lines: Iterable[str]) -> list[str]:
    return [_PAD + line for line in lines]


def _statement(stmt: Node) -> list[str]:
    match stmt:
        case Loop(index, lo, hi, body):
            head = f"for {index.name} in [{_text(lo)}, {_text(hi)}):"
            return _headed(head, body)
        case Assign(target, op, value):
            return _assignment(target, op, value)
        case Sieve(cond, body):
            return _headed(f"sieve {_text(cond)}:", body)
        case Where(consumer, producer, temps):
            names = ", ".join(temp.name for temp in temps)
            lines = _statement(consumer)
            return [*lines, f"where {names}:", *_indented(_statement(producer))]
        case Multi(stmts):
            return ["multi:", *_indented(line for one in stmts for line in _statement(one))]
    assert isinstance(stmt, Pass)
    return [" ".join(["pass", *(tensor.name for tensor in stmt.tensors)])]


def _headed(head: str, body: Node) -> list[str]:
    """A head and its body, on one line where both are short; trees of looplets follow below."""
    lines = _statement(body)
    if len(lines) == 1 and not isinstance(body, Loop | Sieve):
        return [f"{head} {lines[0]}"]
    return [head, *_indented(lines)]


def _assignment(target: Access, op: Any, value: Expr) -> list[str]:
    sign = "=" if op is None else f"{_SIGNS.get(op.name, f'<<{op.name}>>')}="
    trees: dict[Node, str] = {}
    for node in (*target.nodes(), *value.nodes()):
        if isinstance(node, Access) and not _is_array(node.obj) and node.obj not in trees:
            trees[node.obj] = _name(node.obj, len(trees))
    names = trees.get
    line = f"{_access(target, names)} {sign} {_text(value, names)}"
    return [line, *(one for obj, name in trees.items() for one in _named(name, obj))]


def _is_array(obj: Node) -> bool:
    return isinstance(obj, Tensor | Fiber | Expr)


def _name(looplet: Node, number: int) -> str:
    """The tensor that a looplet reads, told by its fibers and buffers; else a number."""
    for node in looplet.nodes():
        if isinstance(node, Fiber):
            return f"{node.tensor.name}{node.depth or ''}"
        if isinstance(node, Buffer):
            return node.owner or node.label
    return f"looplet{number}"


def _named(name: str, looplet: Node) -> list[str]:
    first, *rest = _tree(looplet)
    return [f"{_PAD}{name} = {first}", *_indented(rest)]


def _tree(node: Node) -> list[str]:
    """A looplet and what it is made of, one field a line; short ones on a single line."""
    if node._fields == ("param", "body"):  # a function of an index
        first, *rest = _item(node.body)  # type: ignore[attr-defined]
        return [f"{_text(node.param)} -> {first}", *rest]  # type: ignore[attr-defined]
    lines: list[str] = []
    for field in node._fields:
        value = getattr(node, field)
        if value is not type(node)._defaults.get(field) and value is not False and value != ():
            lines += _field(field, value)
    name = type(node).__name__
    flat = f"{name}({', '.join(lines)})"
    if len(flat) <= 72 and not any(line.startswith(" ") for line in lines):
        return [flat]
    return [f"{name}:", *_indented(lines)]


def _field(name: str, value: Any) -> list[str]:
    if isinstance(value, tuple):
        parts = [_item(item) for item in value]
        if all(len(part) == 1 for part in parts) and sum(len(part[0]) for part in parts) < 60:
            return [f"{name}=({', '.join(part[0] for part in parts)})"]
        return [f"{name}:", *_indented(line for part in parts for line in part)]
    first, *rest = _item(value)
    return [f"{name}={first}", *rest]


def _item(value: Any) -> list[str]:
    if isinstance(value, Set):
        return [f"{value.var.label} = {_text(value.value)}"]
    if isinstance(value, Expr | Tensor | Fiber | Buffer | Access):
        return [_text(value)]
    return _tree(value) if isinstance(value, Node) else [str(value)]


Names = Callable[[Node], str | None]


def _no_names(node: Node) -> str | None:
    return None


def _access(access: Access, names: Names) -> str:
    obj = names(access.obj) or _text(access.obj, names)
    if not access.indices:
        return f"{obj}[]" if _is_array(access.obj) and not isinstance(access.obj, Var) else obj
    return f"{obj}[{', '.join(_text(index, names) for index in access.indices)}]"


def _text(node: Node, names: Names = _no_names) -> str:
    """The text of a scalar expression."""
    match node:
        case Lit(_, value, structural):
            return f"{value}" + ("'" if structural else "")  # 0' is a fill
        case Var() | Index() | Buffer():
            return node.label
        case Tensor():
            return node.name
        case Fiber():
            return f"{node.tensor.name}{node.depth}@{_text(node.pos, names)}"
        case Access():
            return _access(node, names)
        case Load(buffer, index):
            return f"{buffer.label}[{_text(index, names)}]"
        case Modifier():
            return _modifier(node, names)
        case Call():
            return _call(node, names)
        case Cast(dtype, arg):
            return f"{dtype}({_text(arg, names)})"
        case Helper(_, name, args):
            return f"{name}({_listed(args, names)})"
        case Coalesce(_, args):
            return f"coalesce({_listed(args, names)})"
        case Missing():
            return "missing"
    return _index_text(node, names)


def _modifier(node: Modifier, names: Names) -> str:
    inner = _text(node.arg, names)
    match node:
        case Protocol(_, name) | Padded(_, name):
            return f"{name}({inner})"
        case Offset(_, delta):
            return f"offset({_text(delta, names)}, {inner})"
    return f"{type(node).__name__.lower()}({inner})"


def _call(call: Call, names: Names) -> str:
    sign = _SIGNS.get(call.op.name)
    if sign is None or len(call.args) != 2:
        return f"{call.op.name}({_listed(call.args, names)})"
    return f" {sign} ".join(_bracketed(arg, names) for arg in call.args)


def _bracketed(node: Node, names: Names) -> str:
    shown = _text(node, names)
    infix = isinstance(node, Call) and len(node.args) == 2 and node.op.name in _SIGNS
    return f"({shown})" if infix or isinstance(node, Sum | Product) else shown


def _index_text(node: Node, names: Names) -> str:
    match node:
        case Sum(atoms, factors, const):
            return _sum(atoms, factors, const, names)
        case Product(left, right):
            return f"{_bracketed(left, names)} * {_bracketed(right, names)}"
        case FloorDiv(arg, by):
            return f"{_bracketed(arg, names)} // {by}"
        case Min(args) | Max(args):
            return f"{type(node).__name__.lower()}({_listed(args, names)})"
        case Le(left, right) | Eq(left, right):
            sign = "<=" if isinstance(node, Le) else "=="
            return f"{_text(left, names)} {sign} {_text(right, names)}"
        case All(args):
            return " and ".join(_text(arg, names) for arg in args) or "true"
    return _other(node, names)


def _other(node: Node, names: Names) -> str:
    """The text of a node of a class that only layers above know: its fields, but for the dtype."""

    def text(value: Any) -> str:
        if isinstance(value, tuple):
            return f"[{', '.join(map(text, value))}]"
        return _text(value, names) if isinstance(value, Node) else str(value)

    fields = [text(getattr(node, field)) for field in node._fields if field != "dtype"]
    name = type(node).__name__
    return f"{name.lower()}({', '.join(fields)})" if fields else name


def _sum(atoms: tuple[Expr, ...], factors: tuple[int, ...], const: int, names: Names) -> str:
    text = ""
    for atom, factor in zip(atoms, factors, strict=True):
        sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
        times = "" if abs(factor) == 1 else f"{abs(factor)} * "
        text += f"{sign}{times}{_bracketed(atom, names)}"
    return text + (f" {'+' if const > 0 else '-'} {abs(const)}" if const else "")


def _listed(args: Iterable[Node], names: Names) -> str:
    return ", ".join(_text(arg, names) for arg in args)
