"""Statements of programs over runs: from Python's syntax to the lines of kernels."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import count
from typing import Final

from structarr._language.read.source import Source
from structarr._language.runs.kinds import (
    DTYPES,
    Rows,
    State,
    constructor,
    joined,
    kind_of_dtype,
    length,
    spelled,
)
from structarr._language.runs.merge_text import Piece, indented, merged, single
from structarr._language.runs.names import Call, Names, Site
from structarr._language.runs.number_text import SIGNS, Value
from structarr._language.runs.stretch_text import (
    Stretches,
    check_elementwise,
    has_parts,
    has_stretch,
    slice_of,
)
from structarr._language.runs.value_text import Values

MANY_RUNS: Final = (
    "several runs are written at once as `C[i, low[a:b]:high[a:b]] = value`, where C is a result, "
    "and low and high are arrays of whole numbers"
)
_LOOPS: Final = "loops are over `range(stop)`, `range(start, stop)` or `runs(A[i], ...)`"
_ADVICE: dict[type[ast.AST], str] = {
    ast.Return: "a loop does not return: give the result a name, and return it after the loop",
    ast.With: "`with` stands around the loop",
    ast.Try: "`try` stands around the loop",
    ast.FunctionDef: "define functions outside of the program",
    ast.AnnAssign: "an annotation is not supported: write `x = ...`",
    ast.For: f"{_LOOPS}, and have no `else`",
}


class Statements:
    """The lines of one function of a kernel."""

    def __init__(
        self,
        names: Names,
        source: Source,
        site: Site,
        call: Call,
        is_function: bool,
        numbers: count[int],
    ) -> None:
        self.values = Values(names, source, site, call, numbers)
        self.names, self.source = names, source
        self.returned: str | None = None
        self._site, self._is_function, self._numbers = site, is_function, numbers

    def block(self, body: Sequence[ast.stmt]) -> list[str]:
        """The lines of some statements, one after the other."""
        found: list[str] = []
        for one in body:
            found += self._statement(one)
        return found or ["pass"]

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Pass() | ast.Expr(ast.Constant(str())):
                return []
            case ast.Break():
                return ["break"]
            case ast.Continue():
                return ["continue"]
            case ast.Assign([target], value):
                return self._assignment(target, value)
            case ast.AugAssign(target, sign, value):
                return self._update(target, sign, value, node)
            case ast.If(test, body, orelse):
                return self._branch(test, body, orelse)
            case ast.For(target, ast.Call() as call, body, []):
                return self._loop(target, call, body, node)
            case ast.While(test, body, []):
                return self._while(test, body)
            case ast.Expr(ast.Call() as call):
                return [self.values.value(call).text]
            case ast.Return(value) if self._is_function:
                return self._return(value, node)
        raise self.source.error(
            _ADVICE.get(type(node), "this statement is not supported in programs over runs"), node
        )

    # --------------------------------------------------------------- assignments

    def _assignment(self, target: ast.expr, value: ast.expr) -> list[str]:
        match target, value:
            case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
                found = [self.values.value(one) for one in values]
                own = [f"t__{next(self._numbers)}" for _ in found]
                lines = [f"{name} = {one.text}" for name, one in zip(own, found, strict=True)]
                for one, name, had in zip(targets, own, found, strict=True):
                    lines += self._set(one, Value(name, had.kind))
                return lines
            case ast.Subscript(_, slice), _ if (bounds := slice_of(slice)) and has_parts(bounds):
                return self._many_runs(target, bounds, self.values.value(value))
            case ast.Subscript(_, slice), _ if slice_of(slice) and has_stretch(value):
                return self._side_by_side(target, value)
        return self._set(target, self.values.value(value))

    def _side_by_side(self, target: ast.Subscript, value: ast.expr) -> list[str]:
        """A stretch of a state whose elements are computed of those of others."""
        check_elementwise(value, self.source)
        _, kind = self.values.array(target.value)
        own = self.values.stretches = Stretches(next(self._numbers))
        self.values.stretch(target)
        found = self.values.value(value)
        self.values.stretches = None
        assert isinstance(kind, State)
        return own.loop(self._stored(found, kind.dtype, target))

    def _set(self, target: ast.expr, value: Value) -> list[str]:
        if value.kind is None:
            raise self.source.error("the function returns nothing that could be assigned", target)
        match target:
            case ast.Name(name):
                return [f"{spelled(name)} = {self._declared(name, value, target)}"]
            case ast.Subscript(_, slice) if slice_of(slice) is not None:
                return [self._stretch(target, value)]
            case ast.Subscript():
                text, kind = self.values.place(target)
                return [f"{text} = {self._stored(value, kind.dtype, target)}"]
        raise self.source.error("assign to a name or an element, one at a time", target)

    def _declared(self, name: str, value: Value, node: ast.AST) -> str:
        """A value as the kind of number that a variable is, from its first assignment on."""
        if name in self.names.fixed:
            raise self.source.error(f"{name} is an array or function: use another name", node)
        if "__" in name:
            raise self.source.error(f"{name}: names with two underscores are taken", node)
        assert value.kind is not None
        kind = self.names.kinds.setdefault(name, value.kind)
        self.names.numbers[name] = kind
        if joined([kind, value.kind]) != kind or (kind, value.kind) == ("int", "bool"):
            raise self.source.error(
                f"{name} is {_A[kind]} and would become {_A[value.kind]}: begin with one, or use "
                "another name",
                node,
            )
        return value.cast(kind)

    def _stored(self, value: Value, dtype: str, node: ast.AST) -> str:
        """A value as the dtype of an array holds it."""
        kind = kind_of_dtype(dtype)
        assert kind is not None and value.kind is not None
        if joined([kind, value.kind]) != kind:
            raise self.source.error(f"{_A[value.kind]} does not go into {dtype}", node)
        text = value.cast(kind)
        return text if DTYPES[kind] == dtype else f"{constructor(dtype)}({text})"

    def _stretch(self, node: ast.Subscript, value: Value) -> str:
        """A run of a result, or the elements of a stretch of a state."""
        name, kind = self.values.array(node.value)
        if not isinstance(kind, Rows | State):
            raise self.source.error(f"{name} is no array", node)
        *outer, last = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        lo, hi = self.values.bounds(name, last, node)
        row = self.values.position(name, kind.ndim, outer, kind.ndim - 1, node)
        stored, dim = self._stored(value, kind.dtype, node), length(name, kind.ndim - 1)
        if isinstance(kind, State):
            site = self._site(f"axis {kind.ndim - 1} of {name}", node)
            place = f"{spelled(name)}, ({row}) * {dim}, {lo}, {hi}"
            return f"fill_stretch({place}, {stored}, {dim}, {site})"
        site = self._result_site(name, kind, node)
        parts = ", ".join([f"{name}__{part}" for part in ("ptr", "start", "stop", "val", "at")])
        return f"put_run({parts}, {row}, {lo}, {hi}, {stored}, {name}__fill, {dim}, {site})"

    def _many_runs(self, node: ast.Subscript, bounds: ast.Slice, value: Value) -> list[str]:
        """Runs of one row of a result, whose bounds are stretches of states."""
        name, kind = self.values.array(node.value)
        if not isinstance(kind, Rows) or not bounds.lower or not bounds.upper or bounds.step:
            raise self.source.error(MANY_RUNS, node)
        *outer, _ = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        row = self.values.position(name, kind.ndim, outer, kind.ndim - 1, node)
        lines: list[str] = []
        low, high = (self.values.part(one, lines) for one in (bounds.lower, bounds.upper))
        lines.append(f"same_length({low.size}, {high.size}, {self._site('stretches', node)})")
        stored, dim = self._stored(value, kind.dtype, node), length(name, kind.ndim - 1)
        site = self._result_site(name, kind, node)
        parts = ", ".join([f"{name}__{part}" for part in ("ptr", "start", "stop", "val", "at")])
        places = ", ".join([f"{one.name}, {one.at}, {one.step}" for one in (low, high)])
        told = f"{places}, {low.size}, {stored}, {name}__fill, {dim}, {site}"
        return [*lines, f"put_runs({parts}, {row}, {told})"]

    def _result_site(self, name: str, kind: Rows, node: ast.AST) -> int:
        """The first of three places: where a run is out of bounds, out of order, out of room."""
        first = self._site(f"axis {kind.ndim - 1} of {name}", node)
        for what in ("order", f"room {name}"):
            self._site(what, node)
        return first

    def _update(
        self, target: ast.expr, sign: ast.operator, value: ast.expr, node: ast.AST
    ) -> list[str]:
        if type(sign) not in SIGNS:
            raise self.source.error("this update is not supported", node)
        match target:
            case ast.Name(name):
                read: ast.expr = ast.copy_location(ast.Name(name, ast.Load()), target)
            case ast.Subscript(array, slice):
                read = ast.copy_location(ast.Subscript(array, slice, ast.Load()), target)
            case _:
                raise self.source.error("update a name or an element", target)
        whole = ast.copy_location(ast.BinOp(read, sign, value), target)
        return self._assignment(target, whole)

    # -------------------------------------------------------------------- control

    def _branch(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> list[str]:
        lines = [f"if {self.values.value(test).truth}:"]
        before = dict(self.names.numbers)
        lines += indented(self.block(body))
        after = None if _leaves(body) else self.names.numbers
        self.names.numbers = dict(before)
        if orelse:
            lines += ["else:", *indented(self.block(orelse))]
        other = None if orelse and _leaves(orelse) else self.names.numbers
        ways = [one for one in (after, other) if one is not None] or [before]
        self.names.numbers = {
            name: kind for name, kind in ways[0].items() if all(name in way for way in ways)
        }
        return lines

    def _repeated(self, body: list[ast.stmt]) -> list[str]:
        """The lines of a loop's body, after which what it assigns may have no value."""
        before = dict(self.names.numbers)
        lines = self.block(body)
        self.names.numbers = before
        return lines

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> list[str]:
        head = f"while {self.values.value(test).truth}:"
        return [head, *indented(self._repeated(body))]

    def _loop(
        self, target: ast.expr, call: ast.Call, body: list[ast.stmt], node: ast.For
    ) -> list[str]:
        called = call.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name == "runs":
            return self._over_runs(target, call, body)
        if name != "range" or not isinstance(target, ast.Name) or not 1 <= len(call.args) <= 2:
            raise self.source.error(_LOOPS, node)
        bounds = ", ".join([self.values.index(one) for one in call.args])
        before = dict(self.names.numbers)
        counter = f"i__{next(self._numbers)}"
        first = self._declared(target.id, Value(counter, "int"), target)
        lines = [f"for {counter} in range({bounds}):"]
        lines += indented([f"{spelled(target.id)} = {first}", *self._repeated(body)])
        self.names.numbers = before
        return lines

    def _over_runs(self, target: ast.expr, call: ast.Call, body: list[ast.stmt]) -> list[str]:
        """A loop over the runs of a row, or over the pieces of several rows."""
        targets = target.elts if isinstance(target, ast.Tuple) else []
        rows = call.args
        if not rows or len(targets) != 2 + len(rows) or call.keywords:
            raise self.source.error(
                "write `for start, stop, value in runs(A[i]):`, with a value for each row", call
            )
        lines: list[str] = []
        pieces = [self._piece(one, lines) for one in rows]
        ends = [length(one.name, one.kind.ndim - 1) for one in pieces]
        for end in dict.fromkeys(ends[1:]):
            if end != ends[0]:
                lines.append(f"same_length({ends[0]}, {end}, {self._site('length', call)})")
        before = dict(self.names.numbers)
        number = next(self._numbers)
        start, stop = f"start__{number}", f"stop__{number}"
        bound: list[str] = []
        for one, text in zip(targets[:2], (start, stop), strict=True):
            bound += self._set(one, Value(text, "int"))
        for one, piece in zip(targets[2:], pieces, strict=True):
            bound += self._set(one, piece.value)
        inside = [*bound, *self._repeated(body)]
        self.names.numbers = before
        if len(pieces) == 1:
            return lines + single(pieces[0], start, stop, inside)
        return lines + merged(pieces, start, stop, inside)

    def _piece(self, node: ast.expr, lines: list[str]) -> Piece:
        """A row that is read: its position is computed before the loop."""
        indices: list[ast.expr] = []
        array = node
        if isinstance(node, ast.Subscript):
            array = node.value
            indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        name, kind = self.values.array(array)
        if not isinstance(kind, Rows):
            raise self.source.error(f"{name} has no runs", node)
        piece = Piece(name, kind, next(self._numbers))
        at = self.values.position(name, kind.ndim, indices, kind.ndim - 1, node)
        lines.append(f"{piece.row} = {at}")
        if kind.written:
            lines.append(f"close_rows({name}__ptr, {name}__at, {piece.row})")
        return piece

    def _return(self, value: ast.expr | None, node: ast.AST) -> list[str]:
        if value is None:
            kind, text = "", "return"
        else:
            found = self.values.value(value)
            kind, text = found.kind or "", f"return {found.text}"
        if self.returned not in (None, kind):
            raise self.source.error("a function returns one kind of number everywhere", node)
        self.returned = kind
        return [text]


_A = {"int": "a whole number", "float": "a float", "bool": "a condition"}


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether what comes after some statements is not reached by them."""
    return isinstance(body[-1], ast.Break | ast.Continue | ast.Return)
