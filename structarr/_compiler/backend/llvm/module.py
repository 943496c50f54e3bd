"""A kernel as a module of LLVM's language: its functions, each for the types it is called with."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from inspect import isfunction
from itertools import count
from typing import Any

import numpy as np

from structarr._compiler.backend.llvm.bounds import CHECKED
from structarr._compiler.backend.llvm.called import Written, call_of, results_of
from structarr._compiler.backend.llvm.entry import Entry
from structarr._compiler.backend.llvm.expressions import Expressions
from structarr._compiler.backend.llvm.piece_entry import piece_entry
from structarr._compiler.backend.llvm.scope import StackScope
from structarr._compiler.backend.llvm.statements import Statements
from structarr._compiler.backend.llvm.ufunc_texts import TEXTS
from structarr._compiler.backend.llvm.writer import HINTS, Writer
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.text.kinds import (
    KINDS,
    Array,
    Kind,
    Number,
    Untranslated,
    Value,
)
from structarr._compiler.backend.text.scope import Kinds, Scope
from structarr._compiler.backend.text.sources import Source, is_guard, may_end, of_helper, of_text
from structarr._compiler.runtime import traits

MOST = 8
"""How often a function is written until the types of its variables are known."""


def translated(name: str, text: str, params: tuple[Param, ...]) -> str:
    """
    Return a kernel in LLVM's language.

    Parameters
    ----------
    name : str
        That of the function by which Python calls it.
    text : str
        Its text, Python's.
    params : tuple of Param
        What it takes.

    Raises
    ------
    Untranslated
        If something in it is Numba's to compile.
    """
    module = Module()
    kinds = [_kind(param) for param in params]
    given: list[Value] = [
        Array(kind, f"%a{k}", f"%n{k}") if param.array else Number(kind, f"%a{k}")
        for k, (kind, param) in enumerate(zip(kinds, params, strict=True))
    ]
    kernel = module.written(of_text(text), given, apart=True)
    writer = Writer(module.declared)
    Entry(writer, params, kinds).write(kernel)
    # A quarter of LLVM's time would go into what each call runs once.
    head = f"define ptr @{name}(ptr %self, ptr %given, i64 %count) nounwind noinline optnone"
    entries = f"{head} {{\n{writer.text()}\n}}", piece_entry(name, kernel, params, kinds)
    return module.text("\n\n".join(entries))


def _kind(param: Param) -> Kind:
    kind = KINDS.get(param.dtype)
    if kind is None:
        raise Untranslated(f"values of {param.dtype}")
    return kind


class Module:
    """
    The functions of a kernel.

    Attributes
    ----------
    declared : dict
        The declarations of what lies outside, by name.
    """

    def __init__(self) -> None:
        self.declared: dict[str, str] = {}
        self._texts: list[str] = []
        self._known: dict[tuple[Any, ...], Written] = {}
        self._numbers = count()

    def text(self, last: str) -> str:
        """All of it."""
        weights = '!0 = !{!"branch_weights", i32 1, i32 2000}'
        hints = [f"!{number} = !{{!{one}}}" for number, one in enumerate(HINTS, 1)]
        return "\n\n".join([*self.declared.values(), *self._texts, last, weights, *hints, ""])

    def written(self, source: Source, given: Sequence[Value], apart: bool = False) -> Written:
        """A function for arguments of the types of those that are given, perhaps kept apart."""
        shape = tuple([(type(one).__name__, _of(one)) for one in given])
        key = (source.name, id(source.known), shape)
        if key not in self._known:
            self._known[key] = self._write(source, given, " noinline" * apart)
        return self._known[key]

    def _write(self, source: Source, given: Sequence[Value], flags: str) -> Written:
        name = f"{source.name}.{next(self._numbers)}"
        ends = traits(source.name).ends
        flags += " cold noinline" * ends
        kinds: Kinds = {}
        results: list[Kind] | None = None
        for _ in range(MOST):
            writer = Writer(self.declared)
            scope = StackScope(writer, source.known, kinds)
            params = _bind(scope, source, given)
            call = _caller(self, writer)
            lines = Statements(writer, scope, Expressions(writer, scope, call), results)
            fails = CHECKED or may_end(source)
            whole = lines.write(source.body, fails)
            results = lines.results
            if not (scope.is_outdated or lines.is_outdated):
                head = f"define internal {whole} @{name}({params}) nounwind{flags}"
                self._texts.append(f"{head} {{\n{writer.text()}\n}}")
                return Written(name, whole, tuple(results or ()), lines.is_tuple, fails, ends)
        raise Untranslated("variables whose types are not found out")


def _of(value: Value) -> Kind:
    if not isinstance(value, Number | Array):
        raise Untranslated("an argument that is no number or buffer")
    return value.kind


def _bind(scope: Scope, source: Source, given: Sequence[Value]) -> str:
    """Name a function's arguments; return them as the head of the function has them."""
    params = []
    for k, (name, value) in enumerate(zip(source.params, given, strict=True)):
        if isinstance(value, Array):
            scope.bind(name, Array(value.kind, f"%a{k}", f"%n{k}"))
            params.append(f"ptr noalias %a{k}, i64 %n{k}")
        elif isinstance(value, Number):
            number = Number(value.kind, f"%a{k}")
            (scope.assign if name in source.assigned else scope.bind)(name, number)
            params.append(f"{value.kind.text} %a{k}")
    return ", ".join(params)


def _caller(module: Module, writer: Writer) -> Callable[[Any, Sequence[Value]], Value]:
    """The caller of functions that have a text, from within one."""

    def call(called: Any, given: Sequence[Value]) -> Value:
        if isinstance(called, np.ufunc):
            called = TEXTS.get(called, called)
        if isfunction(called):
            called = of_helper(called)
        if not isinstance(called, Source):
            raise Untranslated(f"a call of {called!r}")
        if is_guard(called):
            return _in_place(called, given)
        written = module.written(called, given)
        return results_of(writer, written, call_of(writer, written, given))

    def _in_place(guard: Source, given: Sequence[Value]) -> Value:
        """A check where it is asked for: LLVM would test what a function of it returned again."""
        scope = StackScope(writer, guard.known, {})
        for name, value in zip(guard.params, given, strict=True):
            scope.bind(name, value)
        values = Expressions(writer, scope, call)
        *check, last = guard.body
        Statements(writer, scope, values, None).write_some(check)
        assert isinstance(last, ast.Return) and last.value is not None
        return values.value(last.value)

    return call
