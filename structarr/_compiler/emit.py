"""Kernel lines to Python source, which both tiers run."""

from __future__ import annotations

import math
from typing import Any

from structarr._compiler.ir.expr import (
    All,
    Buffer,
    Call,
    Cast,
    Eq,
    Expr,
    FloorDiv,
    Helper,
    Le,
    Lit,
    Load,
    Max,
    Min,
    Not,
    Product,
    Sum,
    Var,
    affine,
)
from structarr._compiler.ir.kernel import (
    Break,
    Comment,
    Do,
    For,
    If,
    Invoke,
    Line,
    Set,
    Store,
    While,
)
from structarr._compiler.ir.node import Node


def source(name: str, params: tuple[str, ...], block: tuple[Line, ...], result: str) -> str:
    """The text of a function."""
    lines = [f"def {name}({', '.join(params)}):"]
    _block(block, 1, lines)
    lines.append(f"    return {result}")
    return "\n".join(lines) + "\n"


def show(block: tuple[Line, ...]) -> str:
    """The text of some lines, for people and goldens."""
    lines: list[str] = []
    _block(block, 0, lines)
    return "\n".join(lines)


def _block(block: tuple[Line, ...], depth: int, out: list[str]) -> None:
    pad = "    " * depth
    for line in block:
        match line:
            case Set(var, value):
                out.append(f"{pad}{_update(var, value)}")
            case Store(buffer, index, value):
                out.append(f"{pad}{text(Load(buffer, index))} = {text(value)}")
            case Do(call):
                out.append(f"{pad}{text(call)}")
            case Invoke(name, arguments, results):
                calling = f"{name}({', '.join(arguments)})"
                names = ", ".join(var.name for var in results)
                out.append(f"{pad}{names} = {calling}" if names else f"{pad}{calling}")
            case Break():
                out.append(f"{pad}break")
            case Comment(remark):
                out.append(f"{pad}# {remark}")
            case For(var, lo, hi, body, step):
                whole = step == 1 and isinstance(lo, Lit) and lo.value == 0
                bounds = text(hi) if whole else f"{text(lo)}, {text(hi)}"
                bounds += f", {step}" if step > 1 else ""
                out.append(f"{pad}for {var.name} in range({bounds}):")
                _block(body, depth + 1, out)
            case While(body):
                out.append(f"{pad}while True:")
                _block(body, depth + 1, out)
            case If(arms):
                _branches(arms, depth, out)


def _branches(arms: Any, depth: int, out: list[str]) -> None:
    pad, word = "    " * depth, "if"
    for k, (cond, body) in enumerate(arms):
        if isinstance(cond, All) and not cond.args and k:
            out.append(f"{pad}else:")
        else:
            out.append(f"{pad}{word} {text(cond)}:")
        if body:
            _block(body, depth + 1, out)
        else:
            out.append(f"{pad}    pass")
        word = "elif"


def _update(var: Var, value: Expr) -> str:
    """`x += 1` where that is what it is."""
    if isinstance(value, Sum) and var in value.atoms:
        k = value.atoms.index(var)
        if value.factors[k] == 1 and len(value.atoms) == 1:
            sign = "+=" if value.const > 0 else "-="
            return f"{var.name} {sign} {abs(value.const)}"
    return f"{var.name} = {text(value)}"


def text(node: Node) -> str:
    """The text of an expression."""
    match node:
        case Var(_, name) | Buffer(name, _, _):
            return name
        case Lit(dtype, value, _):
            return _literal(dtype, value)
        case Load(buffer, index):
            return f"{buffer.name}[{_subscript(index)}]"
        case Cast("bool", arg):
            return f"bool_({text(arg)})"
        case Cast(dtype, arg):
            return _cast(dtype, arg)
        case Call(dtype, op, args):
            ins = tuple(arg.dtype for arg in args)
            return op.source(ins, dtype).format(*map(_atomic, args))
        case Helper(_, name, args):
            return f"{name}({', '.join(map(text, args))})"
        case Sum():
            return _sum(node)
        case Product(left, right):
            return f"{_atomic(left)} * {_atomic(right)}"
        case FloorDiv(arg, by):
            return f"{_atomic(arg)} // {by}"
        case Min(args):
            return f"min({', '.join(map(text, args))})"
        case Max(args):
            return f"max({', '.join(map(text, args))})"
    return _condition(node)


def _condition(node: Node) -> str:
    match node:
        case Le(left, right):
            return _comparison(left, right)
        case Eq(left, right):
            return f"{text(left)} == {text(right)}"
        case All(()):
            return "True"
        case All(args):
            return " and ".join(map(text, args))
        case Not(All(())):
            return "False"
        case Not(Le(left, right)):
            return _comparison(right + 1, left)
        case Not(Eq(left, right)):
            return f"{text(left)} != {text(right)}"
        case Not(arg):
            return f"not ({text(arg)})"
    raise TypeError(f"{node!r} cannot stand in a kernel")


def _comparison(left: Expr, right: Expr) -> str:
    """`left <= right` with constants moved to one side: `a + 1 <= b` reads `a < b`."""
    small, large = _constant(left), _constant(right)
    left, right, gap = left - small, right - large, large - small
    if isinstance(left, Lit) or isinstance(right, Lit):  # keep the constant where it stands
        left, right, gap = left + small, right + large, 0
        if isinstance(left, Lit) and left.value > 0:
            return f"{text(left - 1)} < {text(right)}"
    if gap == -1:
        return f"{text(left)} < {text(right)}"
    if gap < 0:
        return f"{text(left - gap - 1)} < {text(right)}"
    return f"{text(left)} <= {text(right + gap)}"


def _constant(side: Expr) -> int:
    """What is added to a side of a comparison, or to all that it is the least or largest of."""
    parts = side.args if isinstance(side, Min | Max) else (side,)
    return min([affine(part)[1] for part in parts])


def _subscript(index: Expr) -> str:
    return text(index) if isinstance(index, Lit) else f"u({text(index)})"


def _atomic(node: Node) -> str:
    shown = text(node)
    simple = isinstance(node, Var | Load | Cast | Helper | Min | Max)
    if isinstance(node, Lit):
        simple = not shown.startswith("-")
    if isinstance(node, Call):
        simple = shown.endswith(")") and shown.split("(")[0].replace(".", "").isidentifier()
        simple = simple and _closes_at_end(shown)
    return shown if simple else f"({shown})"


def _closes_at_end(shown: str) -> bool:
    """Whether the first bracket of `f(...)...` is closed by the last character."""
    depth = 0
    for k, letter in enumerate(shown):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and depth == 0:
            return k == len(shown) - 1
    return False


def _sum(node: Sum) -> str:
    parts: list[str] = []
    positive_first = sorted(
        zip(node.atoms, node.factors, strict=True), key=lambda term: term[1] < 0
    )
    for atom, factor in positive_first:
        shown = text(atom) if isinstance(atom, Product | FloorDiv) else _atomic(atom)
        if abs(factor) != 1:
            shown = f"{abs(factor)} * {_atomic(atom)}"
        if not parts:
            parts.append(shown if factor > 0 else f"-{shown}")
        else:
            parts.append(f"{'+' if factor > 0 else '-'} {shown}")
    if node.const:
        parts.append(f"{'+' if node.const > 0 else '-'} {abs(node.const)}")
    return " ".join(parts)


# What whole numbers of fewer bits are made of floats by: LLVM leaves open what a float beyond the
# bounds becomes, so that it would depend on the loop around it; NumPy goes these ways.
_BY_WIDER = {name: "int32" for name in ("int8", "int16", "uint8", "uint16")} | {"uint32": "int64"}


def _cast(dtype: str, arg: Expr) -> str:
    """A conversion to another dtype than bool."""
    shown, real = text(arg), not dtype.startswith("complex")
    if arg.dtype.startswith("complex") and real:
        shown = f"{_atomic(arg)}.real"
    if arg.dtype.startswith(("float", "complex")) and dtype in _BY_WIDER:
        shown = f"{_BY_WIDER[dtype]}({shown})"
    if arg.dtype.startswith(("float", "complex")) and dtype == "uint64":
        return f"unsigned({shown})"
    return f"{dtype}({shown})"


def _literal(dtype: str, value: Any) -> str:
    if dtype == "bool":
        return str(bool(value))
    if dtype == "int64":
        return str(value)
    if dtype.startswith("complex"):
        real, imag = _float(value.real), _float(value.imag)
        return f"{dtype}(complex({real}, {imag}))"
    if dtype.startswith("float"):
        shown = _float(value)
        return shown if dtype == "float64" else f"{dtype}({shown})"
    return f"{dtype}({value})"


def _float(value: float) -> str:
    if math.isnan(value):
        return "np.nan"
    if math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    return repr(float(value))
