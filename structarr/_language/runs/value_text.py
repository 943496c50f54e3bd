"""Expressions of programs over runs: from Python's syntax to the text of kernels, with kinds."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import count

from structarr._language.read.source import Source
from structarr._language.runs.kinds import (
    Called,
    Kind,
    Rows,
    Shape,
    State,
    joined,
    kind_of_dtype,
    length,
    spelled,
)
from structarr._language.runs.names import Call, Names, Site
from structarr._language.runs.number_text import (
    CASTS,
    COMPARISONS,
    CONSTANTS,
    EXTREMES,
    FLOATS,
    SIGNS,
    WHOLE,
    Value,
    chosen,
    extreme,
    extreme_of_numpy,
    loaded,
)
from structarr._language.runs.stretch_text import Part, Stretches, slice_of
from structarr._language.runs.words import trailing_zeros


class Values:
    """The expressions within one function of a kernel."""

    def __init__(
        self, names: Names, source: Source, site: Site, call: Call, numbers: count[int]
    ) -> None:
        self.names, self.source = names, source
        self.stretches: Stretches | None = None
        self._site, self._call, self._numbers = site, call, numbers

    def value(self, node: ast.expr) -> Value:
        """An expression that gives a number."""
        match node:
            case ast.Constant(bool() | int() | float() as number):
                return Value(repr(number), type(number).__name__)
            case ast.Name(name):
                return self._named(name, node)
            case ast.BinOp(left, sign, right):
                return self._computed(sign, self.value(left), self.value(right), node)
            case ast.UnaryOp(ast.Not(), operand):
                return Value(f"(not {self.value(operand).truth})", "bool")
            case ast.UnaryOp(ast.USub(), operand):
                found = self.value(operand)
                return Value(f"(-{found.text})", self._numeric(found, node))
            case ast.Compare(left, signs, rights):
                return self._compared(left, signs, rights, node)
            case ast.BoolOp(sign, parts):
                word = " and " if isinstance(sign, ast.And) else " or "
                return Value(f"({word.join([self.value(one).truth for one in parts])})", "bool")
            case ast.IfExp(cond, yes, no):
                test, a, b = (self.value(one) for one in (cond, yes, no))
                return chosen(test.truth, a, b)
            case ast.Subscript():
                return self._element(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._called(node)
        raise self.source.error(
            "this is no expression of programs over runs: they have numbers, elements, operators "
            "and calls of plain functions",
            node,
        )

    def index(self, node: ast.expr) -> str:
        """An expression that gives a whole number."""
        found = self.value(node)
        if found.kind != "int":
            raise self.source.error("an index or bound must be a whole number", node)
        return found.text

    def checked(self, node: ast.expr, extent: str, what: str) -> str:
        """An index, which ends the kernel where it is out of bounds."""
        return f"inside({self.index(node)}, {extent}, {self._site(what, node)})"

    def place(self, node: ast.Subscript) -> tuple[str, State]:
        """An element of a state, as it is read and stored; and the state."""
        name, kind = self.array(node.value)
        if not isinstance(kind, State):
            raise self.source.error(
                f"{name} is stored as runs: read its rows by `for start, stop, value in "
                f"runs({name}[i])`, and write `{name}[i, start:stop] = value`",
                node,
            )
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        flat = self.position(name, kind.ndim, indices, kind.ndim, node)
        return f"{spelled(name)}[u({flat})]", kind

    def position(
        self, name: str, ndim: int, indices: Sequence[ast.expr], used: int, node: ast.AST
    ) -> str:
        """The position that the first indices of an array stand for, each checked."""
        if len(indices) != used:
            raise self.source.error(
                f"{name} has {ndim} axes: it is indexed by {used} here, not {len(indices)}", node
            )
        found = ""
        for axis, one in enumerate(indices):
            told = f"axis {axis} of {name}"
            at = self.checked(one, length(name, axis), told)
            found = at if not found else f"({found}) * {length(name, axis)} + {at}"
        return found or "0"

    # ------------------------------------------------------------------- names

    def _named(self, name: str, node: ast.AST) -> Value:
        if name in self.names.numbers:
            return Value(spelled(name), self.names.numbers[name])
        if name in self.names.fixed:
            raise self.source.error(f"{name} is no number", node)
        if name in self.names.kinds:
            raise self.source.error(
                f"{name} may have no value here: give it one before the branch or loop", node
            )
        raise self.source.error(f"{name} is not known here", node)

    def array(self, node: ast.expr) -> tuple[str, Kind]:
        """An array or function that has a name."""
        if isinstance(node, ast.Name) and node.id in self.names.fixed:
            return node.id, self.names.fixed[node.id]
        if isinstance(node, ast.Name):
            raise self.source.error(f"{node.id} is no array here", node)
        raise self.source.error("only an array that has a name can be indexed", node)

    def _element(self, node: ast.Subscript) -> Value:
        match node:
            case ast.Subscript(ast.Attribute(owner, "shape"), ast.Constant(int() as axis)):
                name, kind = self.array(owner)
                if not isinstance(kind, Rows | State | Shape) or not -kind.ndim <= axis < kind.ndim:
                    raise self.source.error(f"{name} has no axis {axis}", node)
                return Value(length(name, axis % kind.ndim), "int")
        if slice_of(node.slice) is not None:
            return self.stretch(node)
        text, kind = self.place(node)
        found = loaded(text, kind.dtype)
        return self._once(found)

    def _once(self, found: Value) -> Value:
        """A number that is computed once in a statement over stretches, as in all others."""
        if self.stretches is None or found.kind is None:
            return found
        return self.stretches.once(found, self._numbers)

    def stretch(self, node: ast.Subscript) -> Value:
        """An element of a stretch of a state, in a statement over stretches."""
        name, kind = self.array(node.value)
        *outer, last = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if self.stretches is None or not isinstance(kind, State):
            raise self.source.error(
                "a stretch of one of NumPy's arrays is read where another is written, as in "
                "`a[start:stop] = b[start:stop] + 1`",
                node,
            )
        same = f"{name} {ast.dump(node.slice)}"
        if found := self.stretches.elements.get(same):
            return loaded(found, kind.dtype)
        lo, hi = self.bounds(name, last, node)
        row = self.position(name, kind.ndim, outer, kind.ndim - 1, node)
        places = (f"axis {kind.ndim - 1} of {name}", "stretches", "behind")
        a, b, c = (self._site(what, node) for what in places)
        text = self.stretches.placed(name, kind.ndim, row, (lo, hi), (a, b, c), self._numbers)
        if not any(isinstance(one, ast.Call) for one in ast.walk(node.slice)):
            self.stretches.elements[same] = text
        return loaded(text, kind.dtype)

    def part(self, node: ast.expr, lines: list[str]) -> Part:
        """Every element of a stretch of a state of whole numbers, or every second one and so on."""
        match node:
            case ast.Subscript(owner, slice) if slice_of(slice) is not None:
                name, kind = self.array(owner)
            case _:
                raise self.source.error("both bounds are stretches, or neither is", node)
        if not isinstance(kind, State) or kind_of_dtype(kind.dtype) != "int":
            raise self.source.error(f"{name} is no array of whole numbers", node)
        *outer, last = slice.elts if isinstance(slice, ast.Tuple) else [slice]
        last, step = self._stepped(last)
        lo, hi = self.bounds(name, last, node)
        row = self.position(name, kind.ndim, outer, kind.ndim - 1, node)
        own, dim = next(self._numbers), length(name, kind.ndim - 1)
        site = self._site(f"axis {kind.ndim - 1} of {name}", node)
        lines += [
            f"lo__{own} = {lo}",
            f"size__{own} = max({hi} - lo__{own}, 0)",
            f"at__{own} = stretch_at(({row}) * {dim}, lo__{own}, size__{own}, {dim}, {site})",
        ]
        size = f"size__{own}" if step == 1 else f"(size__{own} + {step - 1}) // {step}"
        return Part(spelled(name), f"at__{own}", step, size)

    def _stepped(self, part: ast.expr) -> tuple[ast.expr, int]:
        """A stretch without its step, and that, a number that is written there."""
        match part:
            case ast.Slice(lower, upper, ast.Constant(int(step))) if step > 0:
                return ast.copy_location(ast.Slice(lower, upper), part), step
            case ast.Slice(_, _, ast.expr() as step):
                raise self.source.error("the step of a stretch is a number above 0", step)
        return part, 1

    def bounds(self, name: str, part: ast.expr, node: ast.AST) -> tuple[str, str]:
        """Where a stretch begins and ends."""
        match part:
            case ast.Slice(ast.expr() as lower, ast.expr() as upper, None):
                return self.index(lower), self.index(upper)
        raise self.source.error(f"a run is written `{name}[i, start:stop] = value`", node)

    def _attribute(self, node: ast.Attribute) -> Value:
        if node.attr in CONSTANTS and isinstance(node.value, ast.Name):
            return Value(f"np.{node.attr}", "float")
        _, kind = self.array(node.value)
        if node.attr == "ndim" and isinstance(kind, Rows | State | Shape):
            return Value(str(kind.ndim), "int")
        raise self.source.error(f"the attribute .{node.attr} is not supported here", node)

    # ------------------------------------------------------------------ operators

    def _numeric(self, found: Value, node: ast.AST) -> str:
        if found.kind not in ("int", "float"):
            raise self.source.error("arithmetic is for numbers, not for conditions", node)
        return found.kind

    def _computed(self, sign: ast.operator, a: Value, b: Value, node: ast.BinOp) -> Value:
        if isinstance(sign, ast.Pow):
            return self._power(a, b, node)
        if type(sign) not in SIGNS:
            raise self.source.error("this operator is not supported in programs over runs", node)
        kinds = [a.kind, b.kind]
        if kinds == ["bool", "bool"] and type(sign) in WHOLE[:3]:
            return Value(f"({a.text} {SIGNS[type(sign)]} {b.text})", "bool")
        kind = joined([self._numeric(one, node) for one in (a, b)])
        if isinstance(sign, ast.Div):
            kind = "float"
        if type(sign) in WHOLE and kind != "int":
            raise self.source.error("bits are those of whole numbers", node)
        if isinstance(sign, ast.FloorDiv | ast.Mod):
            if kind != "int":
                raise self.source.error("`//` and `%` are for whole numbers here", node)
            b = self._divisor(b, node)
        left, right = a.cast(kind), b.cast(kind)
        return Value(f"({left} {SIGNS[type(sign)]} {right})", kind)

    def _divisor(self, b: Value, node: ast.BinOp) -> Value:
        match node.right:
            case ast.Constant(int() as number) if number:
                return b
        return Value(f"divisor({b.text}, {self._site('division by zero', node)})", b.kind)

    def _power(self, a: Value, b: Value, node: ast.BinOp) -> Value:
        match a.kind, node.right:
            case "int" | "float", ast.Constant(2):
                return Value(f"({a.text} * {a.text})", a.kind)
            case "float", _:
                return Value(f"({a.text} ** {b.cast('float')})", "float")
        raise self.source.error("whole numbers are only squared: write `x ** 2`", node)

    def _compared(
        self,
        left: ast.expr,
        signs: Sequence[ast.cmpop],
        rights: Sequence[ast.expr],
        node: ast.Compare,
    ) -> Value:
        values = [self.value(one) for one in (left, *rights)]
        pairs = []
        for sign, a, b in zip(signs, values, values[1:], strict=False):
            if type(sign) not in COMPARISONS:
                raise self.source.error("compare by ==, !=, <, <=, > or >=", node)
            kind = joined([a.kind or "bool", b.kind or "bool"])
            pairs.append(f"({a.cast(kind)} {COMPARISONS[type(sign)]} {b.cast(kind)})")
        return Value(pairs[0] if len(pairs) == 1 else f"({' and '.join(pairs)})", "bool")

    # ---------------------------------------------------------------------- calls

    def _called(self, node: ast.Call) -> Value:
        match node.func:
            case ast.Name(name) if (
                isinstance(own := self.names.fixed.get(name), Called)
                and own.function is not trailing_zeros
            ):
                return self._once(self._call(own, node, [self._argument(a) for a in node.args]))
            case ast.Name(name) | ast.Attribute(ast.Name(), name):
                pass
            case _:
                raise self.source.error("only a function that has a name can be called", node)
        if node.keywords:
            raise self.source.error("keyword arguments are not supported here", node)
        if name == "len" and len(node.args) == 1:
            array, kind = self.array(node.args[0])
            if isinstance(kind, Rows | State | Shape):
                return Value(length(array, 0), "int")
        args = [self.value(one) for one in node.args]
        if name in ("min", "max") and len(args) > 1:
            return extreme(name, args)
        if name in EXTREMES and len(args) == 2:
            return extreme_of_numpy(name, *args)
        if name == "abs" and len(args) == 1:
            return Value(f"abs({args[0].text})", self._numeric(args[0], node))
        if name in CASTS and len(args) == 1:
            made = CASTS[name]
            return Value(args[0].truth if made == "bool" else args[0].cast(made), made)
        if name == "trailing_zeros" and [one.kind for one in args] == ["int"]:
            return Value(f"lowest_one({args[0].text})", "int")
        if name in FLOATS and len(args) == 1:
            return Value(f"np.{name}({args[0].cast('float')})", "float")
        raise self.source.error(
            f"{name} is no function of programs over runs: they have min, max, abs, len, "
            f"{', '.join([*EXTREMES, *FLOATS])}, trailing_zeros, conversions, and plain "
            "functions of the module",
            node,
        )

    def _argument(self, node: ast.expr) -> Value | str:
        """An argument of a function: a number, or the name of a state."""
        if isinstance(node, ast.Name) and isinstance(self.names.fixed.get(node.id), State):
            return node.id
        return self.value(node)
