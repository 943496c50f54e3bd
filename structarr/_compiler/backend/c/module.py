"""A kernel as C: its functions, each for the types it is called with."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import isfunction
from types import FunctionType
from typing import Any, Final, NamedTuple

from structarr._compiler.backend.c.arithmetic import converted
from structarr._compiler.backend.c.code import LEAVE, Code, in_ascii, type_of
from structarr._compiler.backend.c.counters import Counters
from structarr._compiler.backend.c.expressions import Expressions
from structarr._compiler.backend.c.prelude import COMPLEX, HEAD, prelude
from structarr._compiler.backend.c.scope import CScope
from structarr._compiler.backend.c.statements import Statements, pointers
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.text.kinds import (
    Array,
    Kind,
    Number,
    Several,
    Untranslated,
    Value,
    kind_of,
)
from structarr._compiler.backend.text.scope import Kinds
from structarr._compiler.backend.text.sources import Source, may_end, of_helper, of_text
from structarr._compiler.backend.text.user_sources import Own, of_user
from structarr._compiler.backend.user_functions import Function as User, widened

MOST: Final = 8
"""How often a function is written until the types of its variables are known."""

SAYS: Final = """\
/*
 * A kernel of structarr, in C99, with all that it calls.
 *
 * It returns 0 when all is written; 1 if a result would outgrow the room that it is given; 2 if
 * an index is beyond its axis, where `where` then holds the number of the access, the index and
 * the length; 3 if there is no memory. Pointers may not overlap. Integers wrap around: compile
 * with -fwrapv, and with -ffp-contract=off for the bits that Python has.
 */"""


class Translated(NamedTuple):
    """A kernel in C: the text, the types of its results, and whether Python has a tuple of them."""

    text: str
    results: tuple[Kind, ...]
    is_tuple: bool


class Written(NamedTuple):
    """A function in C: its name, what it returns, whether it fails, which arrays it writes to."""

    name: str
    results: tuple[Kind, ...]
    is_tuple: bool
    fails: bool
    writes: tuple[bool, ...]


def translated(
    text: str, params: tuple[Param, ...], name: str = "kernel", users: Sequence[User] = ()
) -> Translated:
    """
    Return a kernel as C.

    Parameters
    ----------
    text : str
        Its text, Python's.
    params : tuple of Param
        What it takes: for an array, a pointer and a length.
    name : str
        What the function is to be called.
    users : sequence of Function
        The functions of users that it calls.

    Raises
    ------
    Untranslated
        If something in it has no equivalent in C.
    """
    known = {one.name: Own(one.name, one.python, True) for one in users}
    return Module().translated(of_text(text, known), params, name)


class Module:
    """The functions of a kernel."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._texts: list[str] = []
        self._known: dict[tuple[Any, ...], Written] = {}
        self._names: set[str] = set()
        self._users: dict[FunctionType, Source] = {}

    def translated(self, kernel: Source, params: tuple[Param, ...], name: str) -> Translated:
        """All of it, the kernel last."""
        given: list[Value] = [
            Array(kind_of(param.dtype), "", "") if param.array else Number(kind_of(param.dtype), "")
            for param in params
        ]
        written = self._write(kernel._replace(name=name), given, True)
        texts = [*filter(None, [prelude(self._used, self._texts)]), *self._texts]
        is_complex = any(" complex " in text for text in texts)
        parts = [SAYS, COMPLEX * is_complex + HEAD, *texts]
        return Translated("\n\n".join(parts) + "\n", written.results, written.is_tuple)

    def written(self, source: Source, given: Sequence[Value]) -> Written:
        """A function for arguments of the types of those that are given."""
        shape = tuple([(type(one).__name__, _kind(one)) for one in given])
        key = (source.name, id(source.known), shape)
        if key not in self._known:
            self._known[key] = self._write(source, given, may_end(source))
        return self._known[key]

    def of_user(self, own: Own) -> Source:
        """A function of a user's, which is the same wherever it is called."""
        if own.python not in self._users:
            self._users[own.python] = of_user(own)
        return self._users[own.python]

    def _write(self, source: Source, given: Sequence[Value], fails: bool) -> Written:
        is_kernel = not self._names
        name = source.name if is_kernel else self._named(f"sa_{in_ascii(source.name)}")
        self._names.add(name)
        counters, kinds = Counters(source.body), Kinds()
        results: list[Kind] | None = None
        for _ in range(MOST):
            code = Code(self._used)
            scope = CScope(code, source.known, kinds)
            bound = [
                _bind(code, scope, *one, source) for one in zip(source.params, given, strict=True)
            ]
            values = Expressions(code, scope, _Caller(self, code))
            lines = Statements(code, scope, values, counters, results, fails)
            lines.write(source.body)
            results = lines.results
            if not (scope.is_outdated or lines.is_outdated):
                writes = tuple(
                    [one.data in code.written for one in bound if isinstance(one, Array)]
                )
                params = [_param(one, code.written) for one in bound]
                found = Written(name, tuple(results or ()), lines.is_tuple, fails, writes)
                self._texts.append(_function(found, params, code, "" if is_kernel else "static "))
                return found
        raise Untranslated("variables whose types are not found out")

    def _named(self, wanted: str) -> str:
        number = sum(one == wanted or one.startswith(f"{wanted}__") for one in self._names)
        return wanted if not number else f"{wanted}__{number + 1}"


def _kind(value: Value) -> Kind:
    if not isinstance(value, Number | Array):
        raise Untranslated("an argument that is no number or buffer")
    return value.kind


def _bind(code: Code, scope: CScope, name: str, value: Value, source: Source) -> Array | Number:
    """Name an argument, and return it as the function has it."""
    kind = _kind(value)
    own = code.name(name)
    if isinstance(value, Array):
        buffer = Array(kind, own, code.name(f"{name}_len"))
        scope.bind(name, buffer)
        return buffer
    number = Number(kind, own)
    (scope.assign if name in source.assigned else scope.bind)(name, number)
    return number


def _param(value: Array | Number, written: set[str]) -> str:
    if isinstance(value, Number):
        return f"{type_of(value.kind)} {value.text}"
    const = "" if value.data in written else "const "
    return f"{const}{type_of(value.kind)} *restrict {value.data}, int64_t {value.length}"


def _function(written: Written, params: list[str], code: Code, flags: str) -> str:
    """The text of a function."""
    results = written.results
    by_pointers = written.fails or written.is_tuple
    whole = "int" if written.fails else "void"
    if by_pointers:
        params = params + pointers(results)
    elif results:
        whole = type_of(results[0])
    first = "    int status = 0;\n" if written.fails else ""
    where = ["int64_t *where"] if written.fails else []
    given = ",\n    ".join([*params, *where]) or "void"
    return f"{flags}{whole} {written.name}(\n    {given})\n{{\n{first}{code.text()}\n}}"


class _Caller:
    """What calls functions that have a text, from within one."""

    def __init__(self, module: Module, code: Code) -> None:
        self._module, self._code = module, code

    def __call__(self, called: Any, given: Sequence[Value]) -> Value:
        if isinstance(called, Own):
            given = [self._operand(one) for one in given] if called.is_operator else given
            called = self._module.of_user(called)
        if isfunction(called):
            called = of_helper(called)
        if not isinstance(called, Source):
            raise Untranslated(f"a call of {called!r}")
        if len(given) != len(called.params):
            raise Untranslated(f"a call of {called.name} with other arguments")
        written = self._module.written(called, given)
        self._mark(written, given)
        args = [_argument(one) for one in given]
        return self._results(written, args)

    def _operand(self, value: Value) -> Value:
        """An operand of an operator, of 64 bits."""
        kind = kind_of(widened(_kind(value).name))
        return converted(self._code, value, kind) if isinstance(value, Number) else value

    def _mark(self, written: Written, given: Sequence[Value]) -> None:
        arrays = [one for one in given if isinstance(one, Array)]
        for one, writes in zip(arrays, written.writes, strict=True):
            if writes:
                self._code.written.add(one.data)

    def _results(self, written: Written, args: list[str]) -> Value:
        """What a function returns, its call being a line where it does more than return it."""
        code, results = self._code, written.results
        if not (written.fails or written.is_tuple or any(written.writes)) and results:
            return Number(results[0], f"{written.name}({', '.join(args)})")
        values = [Number(kind, code.variable(kind)) for kind in results]
        if not (written.fails or written.is_tuple):
            into = f"{values[0].text} = " if values else ""
            code.line(f"{into}{written.name}({', '.join(args)});")
        else:
            args += [f"&{one.text}" for one in values]
            call = f"{written.name}({', '.join([*args, *['where'] * written.fails])})"
            code.line(f"if ((status = {call})) {LEAVE}" if written.fails else f"{call};")
        if written.is_tuple:
            return Several(tuple(values))
        return values[0] if values else None


def _argument(value: Value) -> str:
    if isinstance(value, Array):
        return f"{value.data}, {value.length}"
    assert isinstance(value, Number)
    return value.text
