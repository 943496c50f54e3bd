"""Values: from Python's expressions to the syntax of programs."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce, singledispatch

from structarr._language.read.calls import application, arguments, called, modifier
from structarr._language.read.source import Source
from structarr._language.read.syntax import (
    Apply,
    Length,
    Missing,
    Modified,
    Name,
    Number,
    Read,
    Syntax,
)
from structarr._language.read.vocabulary import (
    BINARY,
    COMPARISONS,
    CONSTANTS,
    LOGICAL,
    MAKERS,
    UNARY,
)

_ADVICE: dict[type[ast.AST], str] = {
    ast.Slice: "a slice is not supported: loop over an index, as in `A[i]`, with `A[i + 1]` to "
    "shift it and `A[2*i]` to skip",
    ast.Starred: "a starred value is not supported: write out each one",
    ast.Lambda: "a lambda is not supported: write its expression, or declare an operator",
    ast.NamedExpr: "`:=` is not supported: assign in a statement of its own",
    ast.ListComp: "a comprehension is not supported: write the loop, `for i in range(n):`",
    ast.SetComp: "a comprehension is not supported: write the loop, `for i in range(n):`",
    ast.DictComp: "a comprehension is not supported: write the loop, `for i in range(n):`",
    ast.GeneratorExp: "a comprehension is not supported: write the loop, `for i in range(n):`",
    ast.Tuple: "a tuple is no value: assign each value in a statement of its own",
    ast.List: "a list is no value: pass the values as an array",
}


@singledispatch
def expression(node: ast.AST, source: Source) -> Syntax:
    """Return what a Python expression says.

    Raises
    ------
    ProgramError
        If the language has no such expression.
    """
    other = "this is no expression of the language: it has numbers, names, elements `A[i, j]`, "
    other += "operators, calls, and `a if cond else b`"
    raise source.error(_ADVICE.get(type(node), other), node)


@expression.register
def _(node: ast.Constant, source: Source) -> Syntax:
    if isinstance(node.value, (bool, int, float, complex)):
        return Number(node.value, at=source.place(node))
    raise source.error(
        f"{node.value!r} is no value: values are numbers and booleans, `np.inf`, and `missing`",
        node,
    )


@expression.register
def _(node: ast.Name, source: Source) -> Syntax:
    at = source.place(node)
    return Missing(at=at) if node.id == "missing" else Name(node.id, at=at)


@expression.register
def _(node: ast.Attribute, source: Source) -> Syntax:
    if isinstance(node.value, ast.Name) and node.attr == "missing":
        return Missing(at=source.place(node))
    if isinstance(node.value, ast.Name) and node.attr in CONSTANTS:
        return Number(CONSTANTS[node.attr], at=source.place(node))
    if node.attr == "shape":
        raise source.error("write one length at a time, as in `A.shape[0]`", node)
    raise source.error(
        f"the attribute `.{node.attr}` is not supported: of arrays there are `A[i]`, "
        "`A.shape[axis]` and `len(A)`; pass any other value by a name of its own",
        node,
    )


@expression.register
def _(node: ast.Subscript, source: Source) -> Syntax:
    match node.value:
        case ast.Name(id=array):
            indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            found = tuple(map(lifted, expressions(indices, source)))
            return Read(array, found, at=source.place(node))
        case ast.Attribute(value=ast.Name(id=array), attr="shape"):
            return Length(array, _axis(node.slice, source), at=source.place(node))
        case ast.Subscript():
            raise source.error("write all indices in one pair of brackets, as in `A[i, j]`", node)
    raise source.error("only an array that has a name can be indexed: assign it first", node)


@expression.register
def _(node: ast.BinOp, source: Source) -> Syntax:
    operands = expressions((node.left, node.right), source)
    return Apply(binary(node.op, node, source), operands, at=source.place(node))


@expression.register
def _(node: ast.UnaryOp, source: Source) -> Syntax:
    operand = expression(node.operand, source)
    return Apply(UNARY[type(node.op)], (operand,), at=source.place(node))


@expression.register
def _(node: ast.BoolOp, source: Source) -> Syntax:
    return _all(LOGICAL[type(node.op)], expressions(node.values, source), node, source)


@expression.register
def _(node: ast.Compare, source: Source) -> Syntax:
    operands = expressions((node.left, *node.comparators), source)
    pairs = []
    for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
        if type(op) not in COMPARISONS:
            raise source.error("compare by ==, !=, <, <=, > or >=", node)
        pairs.append(Apply(COMPARISONS[type(op)], (left, right), at=source.place(node)))
    return _all("logical_and", pairs, node, source)


@expression.register
def _(node: ast.IfExp, source: Source) -> Syntax:
    parts = expressions((node.test, node.body, node.orelse), source)
    return Apply("where", parts, at=source.place(node))


@expression.register
def _(node: ast.Call, source: Source) -> Syntax:
    name, written = called(node, source)
    if name in MAKERS:
        raise source.error(f"`{name}` makes an array: give it a name, `y = {name}(...)`", node)
    passed = arguments(node, source)
    if name == "len":
        return _length(node, passed, source)
    args = expressions(passed, source)
    return modifier(name, args, node, source) or application(written, args, node, source)


def expressions(nodes: Sequence[ast.AST], source: Source) -> tuple[Syntax, ...]:
    """Return what each of some Python expressions says."""
    return tuple(expression(node, source) for node in nodes)


def binary(op: ast.operator, node: ast.AST, source: Source) -> str:
    """Return the operator that a sign between two values means."""
    if type(op) not in BINARY:
        raise source.error(
            "`@` is not supported: write its loops, `C[i, j] += A[i, k] * B[k, j]`", node
        )
    return BINARY[type(op)]


def _all(op: str, values: Sequence[Syntax], node: ast.AST, source: Source) -> Syntax:
    return reduce(lambda left, right: Apply(op, (left, right), at=source.place(node)), values)


def _axis(node: ast.AST, source: Source) -> int:
    match node:
        case ast.Constant(value=int(axis)) if not isinstance(axis, bool):
            return axis
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(axis))):
            return -axis
    raise source.error("the axis of a length is a literal integer, as in `A.shape[0]`", node)


def _length(node: ast.Call, passed: Sequence[ast.expr], source: Source) -> Syntax:
    match passed:
        case [ast.Name(id=array)]:
            return Length(array, 0, at=source.place(node))
    raise source.error("`len` takes the name of one array, as in `len(A)`", node)


def lifted(index: Syntax) -> Syntax:
    """An index with what is said of a part of it said of the whole: `permit(i) - 1`.

    Modifiers nest in any order: a modifier below a sum applies to the whole index.
    """
    inner = index
    while isinstance(inner, Modified):
        inner = inner.arg
    if not any(isinstance(part, Modified) for part in inner.parts()):
        return index
    kinds: list[Modified] = []
    plain = _without_modifiers(index, kinds)
    for one in dict.fromkeys(modified.kind for modified in reversed(kinds)):
        plain = Modified(one, plain, at=kinds[0].at)
    return plain


def _without_modifiers(index: Syntax, found: list[Modified]) -> Syntax:
    match index:
        case Modified(_, arg):
            found.append(index)
            return _without_modifiers(arg, found)
        case Read():  # modifiers in an array's indices apply to that array
            return index
        case Apply(_, args):
            return replace(index, args=tuple(_without_modifiers(arg, found) for arg in args))
    return index
