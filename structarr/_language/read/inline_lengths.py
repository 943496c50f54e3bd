"""Names of lengths, as in `n = len(x)`: the length stands where its name does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from structarr._language.read.syntax import (
    Apply,
    Assign,
    Length,
    Name,
    Number,
    Program,
    Syntax,
    assignments,
    mapped,
)


def without_lets(program: Program) -> Iterator[Syntax]:
    """The statements of a program, those that name a length carried out."""
    lets: dict[str, Syntax] = {}
    once = _assigned_once(program)
    for one in program.body:
        one = _let(one, lets)
        named = _named_length(one)
        if named in once:
            assert isinstance(one, Assign)
            lets[named] = one.value
        else:
            yield one


def _assigned_once(program: Program) -> set[str]:
    """The scalars that one assignment gives their value."""
    found = [one.name for one in assignments(program.body) if isinstance(one.target, Name)]
    once = {name for name in found if found.count(name) == 1}
    return once - set(program.results or ())


_WHOLE = ("add", "subtract", "multiply", "minimum", "maximum")


def _named_length(one: Syntax) -> str:
    """The name that a statement gives to a length, or to arithmetic with one: `n = len(x)`."""
    if not (isinstance(one, Assign) and isinstance(one.target, Name) and one.op is None):
        return ""
    parts = list(one.value.parts())
    plain = all(
        isinstance(part, Length | Number | Name) or (isinstance(part, Apply) and part.op in _WHOLE)
        for part in parts
    )
    return one.target.name if plain and any(isinstance(part, Length) for part in parts) else ""


def _let(one: Syntax, lets: Mapping[str, Syntax]) -> Syntax:
    """A statement with the names of lengths replaced by the lengths."""
    if not lets:
        return one
    if isinstance(one, Name) and one.name in lets:
        return replace(lets[one.name], at=one.at)
    return mapped(one, lambda part: _let(part, lets))
