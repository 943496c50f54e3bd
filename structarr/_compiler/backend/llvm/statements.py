"""Functions of kernels, statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from structarr._compiler.backend.llvm.arithmetic import binary, converted
from structarr._compiler.backend.llvm.bounds import CHECKED
from structarr._compiler.backend.llvm.expressions import Expressions
from structarr._compiler.backend.llvm.stretches import copied_in_place, copy
from structarr._compiler.backend.llvm.writer import FAILED, ROLLED, SCALAR, Writer
from structarr._compiler.backend.text.kinds import (
    INT,
    Kind,
    Number,
    Several,
    Untranslated,
    Value,
    joined,
)
from structarr._compiler.backend.text.scope import Scope

RETURNED = "returned"
"""The block by which a function ends."""


class Statements:
    """
    The lines of a function.

    Attributes
    ----------
    results : list of Kind, or None
        The types of the numbers that it returns; None before a line that returns is met.
    is_tuple : bool
        Whether they are a tuple.
    is_outdated : bool
        Whether a result turned out to be of another type than lines before took it for.
    """

    def __init__(
        self, writer: Writer, scope: Scope, values: Expressions, results: list[Kind] | None
    ) -> None:
        self.results = results
        self.is_outdated = False
        self.is_tuple = False
        self._writer, self._scope, self._values = writer, scope, values
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` go
        self._slots: list[str] = []

    def write(self, body: Sequence[ast.stmt], fails: bool) -> str:
        """Write a function's lines and its end; return LLVM's type of what it returns."""
        self._block(body)
        self._writer.goto(RETURNED)
        return self._end(fails)

    def write_some(self, body: Sequence[ast.stmt]) -> None:
        """Write lines in the midst of another function, none of which returns."""
        self._block(body)

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for one in body:
            self._statement(one)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign([target], value):
                self._assign(target, self._values.value(value))
            case ast.AugAssign(target, sign, value):
                self._update(target, sign, value)
            case ast.If(test, body, orelse):
                self._branch(test, body, orelse)
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body, []):
                self._count(name, bounds, body)
            case ast.While(test, body, []):
                self._repeat(test, body)
            case ast.Return(value):
                self._return(None if value is None else self._values.value(value))
            case ast.Break():
                self._writer.goto(self._loops[-1][1])
            case ast.Continue():
                self._writer.goto(self._loops[-1][0])
            case ast.Expr(ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value):
                self._values.value(value)
            case _:
                raise Untranslated(f"a line {type(node).__name__}")

    def _assign(self, target: ast.expr, value: Value) -> None:
        match target, value:
            case ast.Name(name), _:
                self._scope.assign(name, value)
            case ast.Subscript(), Number():
                self._values.store(*self._values.place(target), value)
            case ast.Tuple(targets), Several(values):
                for one, own in zip(targets, values, strict=True):
                    self._assign(one, own)
            case _:
                raise Untranslated("an assignment")

    def _update(self, target: ast.expr, sign: ast.operator, node: ast.expr) -> None:
        values = self._values
        if isinstance(target, ast.Subscript):
            buffer, address = values.place(target)
            before = values.load(buffer, address)
            after = binary(self._writer, sign, before, values.number(node))
            values.store(buffer, address, after)
            return
        if not isinstance(target, ast.Name):
            raise Untranslated("an update")
        before = values.number(ast.Name(target.id, ast.Load()))
        self._scope.assign(target.id, binary(self._writer, sign, before, values.number(node)))

    def _branch(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        writer = self._writer
        yes, no, end = (writer.label(name) for name in ("then", "else", "after"))
        self._values.fork(test, yes, no if orelse else end)
        before = self._scope.last()
        for label, block in ((yes, body), (no, orelse)):
            if block:
                self._scope.begin(before)
                writer.open(label)
                self._block(block)
                writer.goto(end)
        writer.open(end)
        self._scope.forget(body, orelse)

    def _count(self, name: str, bounds: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        """A loop over integers; its variable keeps the last one."""
        writer = self._writer
        given = [converted(writer, self._values.number(one), INT) for one in bounds]
        lo, hi, step = (
            given[0].text if len(given) > 1 else "0",
            given[-1 if len(given) < 3 else 1].text,
            given[2].constant if len(given) > 2 else 1,
        )
        if step is None or step < 1:
            raise Untranslated("a loop whose step is not known")
        copied = copied_in_place(name, bounds, body) if self._loops else None
        if copied is not None and self._copy(name, lo, hi, *copied):
            return
        counter = writer.room("i64")
        writer.line(f"store i64 {lo}, ptr {counter}")
        head, turn, onward, end = (writer.label(one) for one in ("head", "turn", "next", "end"))
        self._scope.forget(body)
        writer.goto(head)
        writer.open(head)
        at = writer.set(f"load i64, ptr {counter}")
        writer.fork(writer.set(f"icmp slt i64 {at}, {hi}"), turn, end)
        writer.open(turn)
        self._scope.assign(name, Number(INT, at))
        self._loop(body, onward, end)
        writer.open(onward)
        writer.line(f"store i64 {writer.set(f'add nsw i64 {at}, {step}')}, ptr {counter}")
        writer.again(head, list(self._hints(name, body)))
        writer.open(end)

    def _hints(self, name: str, body: Sequence[ast.stmt]) -> Iterator[str]:
        """What LLVM is told of a loop."""
        if not self._loops and _has_loops(body):
            yield ROLLED
        if _scatters_some(name, body):
            yield SCALAR

    def _copy(
        self, name: str, lo: str, hi: str, target: ast.Subscript, value: ast.Subscript
    ) -> bool:
        """A loop that copies a stretch; nothing if its buffers are of two types."""
        writer, values = self._writer, self._values
        kind = values.array(target.value).kind
        if values.array(value.value).kind != kind:
            return False
        turn, end = writer.label("turn"), writer.label("end")
        writer.fork(writer.set(f"icmp slt i64 {lo}, {hi}"), turn, end)
        writer.open(turn)
        if CHECKED:  # the last element, too
            self._scope.assign(name, Number(INT, writer.set(f"sub i64 {hi}, 1")))
            values.place(target), values.place(value)
        self._scope.assign(name, Number(INT, lo))
        (_, to), (_, source) = values.place(target), values.place(value)
        copy(writer, kind, to, source, writer.set(f"sub nsw i64 {hi}, {lo}"))
        self._scope.assign(name, Number(INT, writer.set(f"sub nsw i64 {hi}, 1")))
        writer.goto(end)
        writer.open(end)
        return True

    def _repeat(self, test: ast.expr, body: Sequence[ast.stmt]) -> None:
        writer = self._writer
        head, turn, end = (writer.label(one) for one in ("head", "turn", "end"))
        self._scope.forget(body)
        writer.goto(head)
        writer.open(head)
        self._values.fork(test, turn, end)
        writer.open(turn)
        self._loop(body, head, end)
        writer.open(end)

    def _loop(self, body: Sequence[ast.stmt], onward: str, end: str) -> None:
        self._loops.append((onward, end))
        self._block(body)
        self._loops.pop()
        self._scope.forget(body)
        self._writer.goto(onward)

    # ------------------------------------------------------------------ the end

    def _return(self, value: Value) -> None:
        self.is_tuple = isinstance(value, Several)
        values = value.values if isinstance(value, Several) else [] if value is None else [value]
        numbers = [one for one in values if isinstance(one, Number)]
        if len(numbers) < len(values):
            raise Untranslated("a result that is no number")
        if self._writer.is_open:
            self._set_results(numbers)
        self._writer.goto(RETURNED)

    def _set_results(self, numbers: Sequence[Number]) -> None:
        own = [one.kind for one in numbers]
        if self.results is None:
            self.results = own
        if len(own) != len(self.results):
            raise Untranslated("results of several kinds")
        both = [joined(*pair) for pair in zip(self.results, own, strict=True)]
        after = [kind for kind in both if kind is not None]
        if len(after) < len(both):
            raise Untranslated("results with and without signs")
        self.is_outdated |= after != self.results
        self.results = after
        if not self._slots:
            self._slots = [self._writer.room(kind.text) for kind in after]
        for kind, number, slot in zip(after, numbers, self._slots, strict=True):
            shown = converted(self._writer, number, kind).text
            self._writer.line(f"store {kind.text} {shown}, ptr {slot}")

    def _end(self, fails: bool) -> str:
        """The blocks by which a function ends, with what it returns or with an error."""
        writer, kinds = self._writer, [kind.text for kind in self.results or ()]
        types = ["i1"] * fails + kinds
        whole = returned_type(types)
        writer.open(RETURNED)
        self._free()
        parts = ["false"] * fails + [
            writer.set(f"load {kind}, ptr {slot}")
            for kind, slot in zip(kinds, self._slots, strict=False)
        ]
        writer.end(_ret(writer, types, whole, parts))
        if fails:
            writer.open(FAILED)
            self._free()
            writer.end(_ret(writer, types, whole, ["true", *["undef"] * len(kinds)]))
        return whole

    def _free(self) -> None:
        for place in self._writer.owned:
            old = self._writer.set(f"load ptr, ptr {place}")
            self._writer.call("PyMem_RawFree", "void", f"ptr {old}")


def _has_loops(body: Sequence[ast.stmt]) -> bool:
    """Whether there are loops in a loop; an outermost one stays rolled then.

    With two copies of its inner loop a product of a matrix with a vector that is beyond the second
    cache takes twice as long, though the inner loops are the same. What is between gains by copies.
    """
    return any([isinstance(one, ast.For | ast.While) for line in body for one in ast.walk(line)])


def _scatters_some(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether some turns of a loop write to places that its variable does not tell.

    A vector of such turns takes a test for each, or a scatter that takes as long where it writes
    nothing: one turn after the other takes a third of the time where few write.
    """
    within = [one for line in body if isinstance(line, ast.If) for one in ast.walk(line)]
    parts = [list(ast.walk(place)) for line in within for place in _places(line)]
    return any([not _tells(name, every) for every in parts])


def _tells(name: str, parts: Sequence[ast.AST]) -> bool:
    """Whether a variable tells a place, of some parts, without a look into a buffer."""
    if any([isinstance(one, ast.Subscript) for one in parts]):
        return False
    return any([isinstance(one, ast.Name) and one.id == name for one in parts])


def _places(line: ast.AST) -> list[ast.expr]:
    """The places in buffers that a line writes to."""
    targets = line.targets if isinstance(line, ast.Assign) else []
    targets = [line.target] if isinstance(line, ast.AugAssign) else targets
    return [one.slice for one in targets if isinstance(one, ast.Subscript)]


def returned_type(types: Sequence[str]) -> str:
    """LLVM's type of several values that a function returns."""
    if not types:
        return "void"
    return types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"


def _ret(writer: Writer, types: Sequence[str], whole: str, parts: Sequence[str]) -> str:
    """The line that returns some values."""
    if len(types) < 2:
        return f"ret {whole} {parts[0]}" if types else "ret void"
    made = "undef"
    for k, (kind, part) in enumerate(zip(types, parts, strict=True)):
        made = writer.set(f"insertvalue {whole} {made}, {kind} {part}, {k}")
    return f"ret {whole} {made}"
