"""Functions of kernels in C, statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from structarr._compiler.backend.c.arithmetic import SIGNS, assigned, atom, binary, converted
from structarr._compiler.backend.c.code import LEAVE, Code, type_of
from structarr._compiler.backend.c.counters import Counters
from structarr._compiler.backend.c.expressions import Expressions
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

ENDLESS: Final = "true"


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
        self,
        code: Code,
        scope: Scope,
        values: Expressions,
        counters: Counters,
        results: list[Kind] | None,
        fails: bool,
    ) -> None:
        self.results = results
        self.is_outdated = False
        self.is_tuple = False
        self._code, self._scope, self._values = code, scope, values
        self._counters = counters
        self._fails = fails

    def write(self, body: Sequence[ast.stmt]) -> None:
        """Write a function's lines and its end."""
        self._block(body)
        if self._fails:
            self._code.finish()
            for pointer in self._code.owned:
                self._code.line(f"free({pointer});")
            self._code.line("return status;")

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
                self._count(node, name, bounds, body)
            case ast.While(test, body, []):
                self._repeat(test, body)
            case ast.Return(value):
                self._return(None if value is None else self._values.value(value))
            case ast.Break():
                self._code.line("break;")
            case ast.Continue():
                self._code.line("continue;")
            case ast.Expr(ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value):
                self._values.value(value)
            case ast.Assert(test):
                self._code.line(f"assert({self._values.truth(test)});")
            case _:
                raise Untranslated(f"a line {type(node).__name__}")

    def _assign(self, target: ast.expr, value: Value) -> None:
        match target, value:
            case ast.Name(name), _:
                self._scope.assign(name, value)
            case ast.Subscript(), Number():
                self._store(target, value)
            case ast.Tuple(targets), Several(values):
                for one, own in zip(targets, map(self._kept, values), strict=True):
                    self._assign(one, own)
            case _:
                raise Untranslated("an assignment")

    def _kept(self, value: Value) -> Value:
        """A value that later assignments leave alone."""
        if not isinstance(value, Number) or value.constant is not None:
            return value
        name = self._code.variable(value.kind)
        self._code.line(f"{name} = {value.text};")
        return Number(value.kind, name)

    def _store(self, target: ast.Subscript, value: Number) -> None:
        place = self._element(target)
        self._code.line(f"{place.text} = {assigned(self._code, value, place.kind)};")

    def _element(self, target: ast.Subscript) -> Number:
        self._code.written.add(self._values.buffer(target.value).data)
        return self._values.element(target)

    def _update(self, target: ast.expr, sign: ast.operator, node: ast.expr) -> None:
        if isinstance(target, ast.Subscript):
            before = self._element(target)
        elif isinstance(target, ast.Name):
            before = self._values.number(ast.Name(target.id, ast.Load()))
        else:
            raise Untranslated("an update")
        value = self._values.number(node)
        after = binary(self._code, sign, before, value)
        shown = SIGNS.get(type(sign))
        if after.kind == before.kind == value.kind and shown and not after.is_atom:
            self._code.line(f"{before.text} {shown}= {value.text};")
        elif isinstance(target, ast.Name):
            self._scope.assign(target.id, after)
        else:
            self._code.line(f"{before.text} = {converted(self._code, after, before.kind).text};")

    def _branch(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        before, code = self._scope.last(), self._code
        arms: list[tuple[ast.expr | None, Sequence[ast.stmt]]] = [(test, body)]
        while len(orelse) == 1 and isinstance(orelse[0], ast.If):
            arms.append((orelse[0].test, orelse[0].body))
            orelse = orelse[0].orelse
        if orelse:
            arms.append((None, orelse))
        for k, (cond, lines) in enumerate(arms):
            self._scope.begin(before)
            asked = self._values.truth if k else self._values.asked  # lines go before the first
            head = "" if cond is None else f"if ({asked(cond)}) "
            code.line(f"{'} else ' if k else ''}{head}{{")
            with code.deeper():
                self._block(lines)
        code.line("}")
        self._scope.forget(*[lines for _, lines in arms])

    def _count(
        self, loop: ast.For, name: str, bounds: Sequence[ast.expr], body: Sequence[ast.stmt]
    ) -> None:
        """A loop over integers; its variable keeps the last one where anyone may see it."""
        code, values = self._code, self._values
        given = [converted(code, values.number(one), INT) for one in bounds]
        lo = given[0].text if len(given) > 1 else "0"
        hi = given[-1 if len(given) < 3 else 1]
        step = given[2].constant if len(given) > 2 else 1
        if step is None or step < 1:
            raise Untranslated("a loop whose step is not known")
        shown = atom(hi)
        if not self._counters.is_fixed(bounds[-1 if len(bounds) < 3 else 1], loop):
            shown = code.variable(INT, f"{name}_stop")
            code.line(f"{shown} = {hi.text};")
        self._scope.forget(body)
        counter, kind = self._scope.place(name, INT)
        is_own = kind == INT and self._counters.is_plain(name)
        at = counter if is_own else code.variable(INT, f"{name}_at")
        onward = f"{at}++" if step == 1 else f"{at} += {step}"
        with code.block(f"for ({at} = {lo}; {at} < {shown}; {onward})"):
            if not is_own:
                self._scope.assign(name, Number(INT, at))
            self._block(body)
        self._scope.forget(body)

    def _repeat(self, test: ast.expr, body: Sequence[ast.stmt]) -> None:
        self._scope.forget(body)
        with self._code.aside() as lines, self._code.deeper():
            cond = self._values.asked(test)
        is_endless = cond == ENDLESS or bool(lines)
        with self._code.block("for (;;)" if is_endless else f"while ({cond})"):
            self._code.put(lines)
            if lines:
                self._code.line(f"if (!({cond})) break;")
            self._block(body)
        self._scope.forget(body)

    # ------------------------------------------------------------------ the end

    def _return(self, value: Value) -> None:
        self.is_tuple = isinstance(value, Several)
        values = value.values if isinstance(value, Several) else [] if value is None else [value]
        given = [one for one in values if isinstance(one, Number)]
        if len(given) < len(values):
            raise Untranslated("a result that is no number")
        results = self._joined([one.kind for one in given])
        shown = [
            converted(self._code, one, kind).text for one, kind in zip(given, results, strict=True)
        ]
        if shown and not self.by_pointers:
            self._code.line(f"return {shown[0]};")
            return
        for k, text in enumerate(shown):
            self._code.line(f"*{result_name(k, len(shown))} = {text};")
        self._code.line(LEAVE if self._fails else "return;")

    @property
    def by_pointers(self) -> bool:
        """Whether results are written to where the caller says."""
        return self._fails or self.is_tuple

    def _joined(self, own: Sequence[Kind]) -> list[Kind]:
        """The types of the results, now that they are of some types, too."""
        if self.results is None:
            self.results = list(own)
        if len(own) != len(self.results):
            raise Untranslated("results of several kinds")
        both = [joined(*pair) for pair in zip(self.results, own, strict=True)]
        after = [kind for kind in both if kind is not None]
        if len(after) < len(both):
            raise Untranslated("results with and without signs")
        self.is_outdated |= after != self.results
        self.results = after
        return after


def result_name(place: int, count: int) -> str:
    """The name of the pointer to a result."""
    return "result" if count == 1 else f"result_{place}"


def pointers(results: Sequence[Kind]) -> list[str]:
    """The parameters of pointers to results."""
    return [f"{type_of(kind)} *{result_name(k, len(results))}" for k, kind in enumerate(results)]
