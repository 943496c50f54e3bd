"""The kernel of one loop: its text, its parameters, and the places at which it may stop."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from structarr._compiler.backend.kernel import Kernel, of_text
from structarr._language.read.parse import unread
from structarr._language.read.source import Source
from structarr._language.runs.kinds import Called, Kind, Rows, Scalar, State, spelled
from structarr._language.runs.merge_text import indented
from structarr._language.runs.names import Names
from structarr._language.runs.number_text import Value
from structarr._language.runs.plan import Plan, plan_of
from structarr._language.runs.statement_text import Statements


@dataclass(frozen=True)
class Site:
    """A place of a program at which its kernel may stop, and what is wrong there."""

    what: str
    node: ast.AST
    source: Source


@dataclass(frozen=True)
class LoopKernel:
    """
    A loop that is compiled.

    Attributes
    ----------
    kernel : Kernel
        What runs.
    params : tuple of str
        The names of its parameters in order.
    sites : tuple of Site
        What errors of the kernel refer to.
    returned : tuple of str
        The numbers that it returns.
    plan : Plan
        What calls do with the names of the loop.
    """

    kernel: Kernel
    params: tuple[str, ...]
    sites: tuple[Site, ...]
    returned: tuple[str, ...]
    plan: Plan = field(default_factory=Plan)


def loop_kernel(
    loop: ast.stmt,
    kinds: Mapping[str, Kind],
    returned: Sequence[str],
    source: Source,
    scratch: Collection[str] = (),
) -> LoopKernel:
    """
    Translate a loop.

    Parameters
    ----------
    loop : ast.stmt
        A `for` or `while`.
    kinds : mapping
        What its names stand for.
    returned : sequence of str
        The numbers that are read after it.
    source : Source
        The program's text, for errors.
    scratch : collection of str
        Those of the names whose values from before it are of no use.

    Raises
    ------
    ProgramError
        Where the loop has something that is not of the language.
    """
    writer = _Writer()
    fixed: dict[str, Kind] = {
        name: kind for name, kind in kinds.items() if not isinstance(kind, Scalar)
    }
    numbers = {name: kind.kind for name, kind in kinds.items() if isinstance(kind, Scalar)}
    names = Names(fixed, numbers, dict(numbers))
    lines = writer.statements(names, source, False).block([loop])
    params = [one for name, kind in kinds.items() for one in kind.params(name)]
    for name, kind in kinds.items():
        if isinstance(kind, Rows) and kind.written:
            lines.append(f"close_rows({name}__ptr, {name}__at, len({name}__ptr) - 2)")
    if returned:
        lines.append(f"return ({', '.join(map(spelled, returned))},)")
    head = f"def over_runs({', '.join([name for name, _ in params])}):"
    text = "\n".join([head, *indented(lines), *writer.functions, ""])
    kernel = of_text(text, tuple([param for _, param in params]))
    told = tuple([name for name, _ in params])
    return LoopKernel(kernel, told, tuple(writer.sites), tuple(returned), plan_of(kinds, scratch))


@dataclass
class _Writer:
    """What the functions of a kernel share."""

    functions: list[str] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    numbers: count[int] = field(default_factory=count)
    _known: dict[tuple[object, ...], tuple[str, str]] = field(default_factory=dict)
    _open: list[object] = field(default_factory=list)

    def statements(self, names: Names, source: Source, is_function: bool) -> Statements:
        """What translates the lines of a function."""

        def site(what: str, node: ast.AST) -> int:
            self.sites.append(Site(what, node, source))
            return len(self.sites) - 1

        def call(called: Called, node: ast.Call, args: Sequence[Value | str]) -> Value:
            kinds = tuple([names.fixed[one] if isinstance(one, str) else one.kind for one in args])
            arrays = [one for one in args if isinstance(one, str)]
            if len(set(arrays)) < len(arrays):
                raise source.error("a function takes each array once", node)
            name, kind = self._function(called, kinds, node, source)
            given = [spelled(one) if isinstance(one, str) else one.text for one in args]
            sizes = [size for one in arrays for size, _ in names.fixed[one].params(one)[1:]]
            return Value(f"{name}({', '.join([*given, *sizes])})", kind or None)

        return Statements(names, source, site, call, is_function, self.numbers)

    def _function(
        self, called: Called, kinds: tuple[object, ...], node: ast.Call, source: Source
    ) -> tuple[str, str]:
        """The name of a function for arguments of some kinds, and the kind that it returns."""
        key = (called.function, kinds)
        if key in self._open:
            raise source.error("a function that calls itself is not supported", node)
        if key not in self._known:
            self._open.append(key)
            self._known[key] = self._written(called, kinds, node, source)
            self._open.pop()
        return self._known[key]

    def _written(
        self, called: Called, kinds: tuple[object, ...], node: ast.Call, source: Source
    ) -> tuple[str, str]:
        function = called.function
        inner = Source(unread(function))
        match inner.body:
            case [ast.FunctionDef(args=ast.arguments() as args) as own] if (
                len(args.args) == len(kinds) and not args.vararg and not args.kwonlyargs
            ):
                pass
            case _:
                raise source.error(
                    f"{function.__name__} is no plain function of {len(kinds)} arguments", node
                )
        params = [one.arg for one in args.args]
        fixed: dict[str, Kind] = dict(functions_of(function))
        numbers: dict[str, str] = {}
        sizes: list[str] = []
        for name, kind in zip(params, kinds, strict=True):
            if isinstance(kind, State):
                fixed[name] = kind
                sizes += [size for size, _ in kind.params(name)[1:]]
            else:
                numbers[name] = str(kind)
        names = Names(fixed, numbers, dict(numbers))
        statements = self.statements(names, inner, True)
        lines = statements.block(own.body)
        if statements.returned and not isinstance(own.body[-1], ast.Return):
            raise inner.error("end the function by a `return`", own.body[-1])
        name = f"{function.__name__}__{next(self.numbers)}"
        head = f"def {name}({', '.join([*map(spelled, params), *sizes])}):"
        self.functions.append("\n".join(["", head, *indented(lines)]))
        return name, statements.returned or ""


def functions_of(function: object) -> dict[str, Called]:
    """The plain functions that a function refers to by name."""
    found = {}
    if inspect.isfunction(function):
        around = inspect.getclosurevars(function)
        for name, value in {**around.globals, **around.nonlocals}.items():
            if inspect.isfunction(value):
                found[name] = Called(value)
    return found
