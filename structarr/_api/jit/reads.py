"""The names that a function reads from around it, as its code says."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType
from typing import Final, NamedTuple

from structarr._api.jit.classes import KNOWN
from structarr._api.jit.refusals import refused_at

IMPURE: Final = frozenset({"random", "secrets", "uuid", "time", "numpy.random"})
"""Modules whose functions return something else at each call."""

CHANGES: Final = (
    "what it returns differs from call to call, and a trace is repeated; draw outside of the "
    "function and pass the numbers as an argument"
)
_WRITES: Final = "a write to a variable from around the function is not repeated; return the value"


# Instructions of all versions of Python; those that read a class's body among them.
_GLOBAL: Final = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_FREE: Final = frozenset({"LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"})


class Read(NamedTuple):
    """A name with attributes, as a function reads it."""

    names: tuple[str, ...]
    is_free: bool
    code: CodeType
    line: int


def reads(code: CodeType, free: frozenset[str], local: frozenset[str]) -> Iterator[Read]:
    """The names that a function, or one inside of it, reads from around it."""
    local |= frozenset(code.co_cellvars)
    names: list[str] = []
    is_free, line, begun = False, code.co_firstlineno, code.co_firstlineno
    for one in dis.get_instructions(code):
        line = (one.positions.lineno if one.positions else None) or line
        if names and one.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            names.append(one.argval)
            continue
        if names:
            yield Read(tuple(names), is_free, code, begun)
            names = []
        if one.opname in _GLOBAL:
            names, is_free, begun = [one.argval], False, line
        elif one.opname in _FREE and _is_free(one.argval, free, local):
            names, is_free, begun = [one.argval], True, line
        elif one.opname == "IMPORT_NAME" and one.argval in IMPURE:
            raise refused_at(code, line, CHANGES)
        elif one.opname == "IMPORT_NAME" and one.argval.partition(".")[0] not in KNOWN:
            yield Read((f"import {one.argval}",), False, code, line)
        elif one.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") or (
            one.opname in ("STORE_DEREF", "DELETE_DEREF") and _is_free(one.argval, free, local)
        ):
            raise refused_at(code, line, _WRITES)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from reads(inner, free, local)


def attributes_of(code: CodeType) -> set[str]:
    """The names of attributes that a function, or one inside of it, may read."""
    found = {*code.co_names}
    for one in code.co_consts:
        if isinstance(one, CodeType):
            found |= attributes_of(one)
        elif isinstance(one, str):  # as `getattr` takes it
            found.add(one)
    return found


def _is_free(name: str, free: frozenset[str], local: frozenset[str]) -> bool:
    return name in free and name not in local
