"""Parsing of a text or function to a `Program`."""

from __future__ import annotations

import ast
import inspect
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from structarr._language.read.messages import followed
from structarr._language.read.source import Source
from structarr._language.read.statements import new_name, statements
from structarr._language.read.syntax import Program
from structarr.errors import ProgramError

Function = Callable[..., Any]

TEXT: Final = "__structarr_text__"
"""The attribute of a function that was made of a text: that, and the number of its first line."""


def parse_text(text: str) -> Program:
    """Return the program that some statements are.

    Raises
    ------
    ProgramError
        If they are not of the language.

    Examples
    --------
    >>> parse_text("y[i] += A[i, j] * x[j]").body[0].op
    'add'
    """
    return _guarded(_of_statements, unread_text("loops", text))


def parse_function(function: Function | str) -> Program:
    """Return the program that a Python function, or the source text of one, is.

    Raises
    ------
    ProgramError
        If it is not of the language, or its source cannot be found.
    """
    if isinstance(function, str):
        return parse_source(function)
    return _guarded(_of_function, unread(function))


def unread(function: Function) -> Program:
    """Return the text of a Python function, and the values around it, as a program without body.

    Raises
    ------
    ProgramError
        If its source cannot be found.
    """
    inner = inspect.unwrap(function)
    if not inspect.isfunction(inner):
        raise ProgramError(f"a program is a Python function or its source text, not {function!r}")
    if inner.__name__ == "<lambda>":
        raise ProgramError("a lambda holds no loops: write a `def`, or pass its source text")
    if TEXT in inner.__dict__:
        text, first = inner.__dict__[TEXT]
        return replace(unread_text(inner.__name__, text, first), values=Enclosing(inner))
    try:
        lines, first = inspect.getsourcelines(inner)
    except (OSError, TypeError, SyntaxError, tokenize.TokenError):
        lines = []
    # Python 3.13 has a text for functions made by `exec`: that of the command line.
    if not re.search(rf"\bdef\s+{inner.__code__.co_name}\b", "".join(lines)):
        raise ProgramError(
            f"the source of the function {inner.__name__!r} cannot be found: pass its source text"
        )
    program = unread_text(inner.__name__, "".join(lines), first, inner.__code__.co_filename)
    return replace(program, values=Enclosing(inner))


def parse_source(text: str) -> Program:
    """Return the program that the source text of one function is.

    Raises
    ------
    ProgramError
        If it is not of the language.

    Examples
    --------
    >>> program = parse_source("def double(x): y = 2 * x; return y")
    >>> program.name, program.parameters, program.results
    ('double', ('x',), ('y',))
    """
    return _guarded(_of_function, unread_text("kernel", text))


class Enclosing(Mapping[str, Any]):
    """The values of a function's names outside of it, now and not when it was defined."""

    def __init__(self, function: Function) -> None:
        self._globals = function.__globals__
        self._cells = dict(
            zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        )

    def __getitem__(self, name: str) -> Any:
        if name not in self._cells:
            return self._globals[name]
        try:
            return self._cells[name].cell_contents
        except ValueError:  # the enclosing function has not assigned it yet
            raise KeyError(name) from None

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name, or another where it has none."""
        if name in self._cells:
            return super().get(name, default)
        return self._globals.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._globals, **self._cells})

    def __len__(self) -> int:
        return len({**self._globals, **self._cells})


def unread_text(name: str, text: str, first: int = 1, file: str = "") -> Program:
    """Return a text as a program without body."""
    # Line ends as Python's reader makes them; columns do not change.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Program(name, (), (), None, text, first, file, values={})


def _guarded(parse: Callable[[Source], Program], program: Program) -> Program:
    source = Source(program)
    with followed(program):
        return parse(source)


def _of_statements(source: Source) -> Program:
    if not source.body:
        raise ProgramError("the program is empty: write a statement, as in `y[i] += x[i]`")
    return replace(source.program, body=statements(source.body, source))


def _of_function(source: Source) -> Program:
    match source.body:
        case [ast.FunctionDef() as function]:
            pass
        case [_, ast.stmt() as other, *_] | [ast.stmt() as other]:
            raise source.error("the source text of a kernel is one `def`, and nothing else", other)
        case _:
            raise ProgramError("the program is empty: write `def`, and the loops under it")
    body, results = _without_return(_without_docstring(function.body), source)
    return replace(
        source.program,
        name=function.name,
        parameters=_parameters(function.args, source),
        body=statements(body, source),
        results=results,
    )


def _parameters(args: ast.arguments, source: Source) -> tuple[str, ...]:
    for default in (*args.defaults, *filter(None, args.kw_defaults)):
        raise source.error("defaults are not supported: pass every argument at the call", default)
    for unusual in filter(None, (args.vararg, *args.kwonlyargs, args.kwarg)):
        raise source.error("write each parameter by its name, without `*`", unusual)
    names = (*args.posonlyargs, *args.args)
    return tuple(new_name(one.arg, one, source) for one in names)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body


def _without_return(
    body: list[ast.stmt], source: Source
) -> tuple[list[ast.stmt], tuple[str, ...] | None]:
    match body:
        case [*rest, ast.Return(value=ast.Name(id=name))]:
            return rest, (name,)
        case [*rest, ast.Return(value=ast.Tuple(elts=[_, *_] as elements))]:
            return rest, tuple(_result(element, source) for element in elements)
        case [*_, ast.Return() as last]:
            raise source.error(_RETURN, last.value or last)
    return body, None


_RETURN = "a program returns names, as in `return y` or `return y, z`: assign the value to one"


def _result(node: ast.expr, source: Source) -> str:
    if isinstance(node, ast.Name):
        return node.id
    raise source.error(_RETURN, node)
