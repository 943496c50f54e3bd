"""Nodes as plain text, and back: what is asked of the compiler, and what it returns, on disk.

Nodes are equal if their classes and fields are, so that what was read is what was written. Reading
makes nodes of known classes and does nothing else. Of what has no text, there is none.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.user_functions import Function
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import Op, operator_named
from structarr._scheduler.code_digest import class_digest, is_own

_PLAIN: Final = (bool, int, str, type(None))


class WithoutText(Exception):
    """Something that has no text, or a text of something that is not there."""


def encoded(value: Any) -> str:
    """
    The text of a value: of numbers, strings, nodes and operators, and of tuples of such.

    Raises
    ------
    WithoutText
        If something else is in it, or code that another process may not have.
    """
    writer = _Writer()
    try:
        root = writer.value(value)
    except RecursionError as error:
        raise WithoutText from error
    return json.dumps([[*writer.classes], writer.rows, root], separators=(",", ":"))


class _Writer:
    def __init__(self) -> None:
        self.classes: dict[str, int] = {}
        self.rows: list[list[Any]] = []
        self._nodes: dict[Node, int] = {}

    def value(self, one: Any) -> Any:
        kind = type(one)
        if kind in _PLAIN:
            return one
        if kind is tuple:
            return ["t", *[self.value(part) for part in one]]
        if isinstance(one, Node):
            return ["n", self._node(one)]
        if kind is float:
            return ["f", struct.pack("<d", one).hex()]
        if kind is complex:
            return ["c", struct.pack("<dd", one.real, one.imag).hex()]
        if isinstance(one, Op):
            return ["o", _name_of(one)]
        if isinstance(one, dict):
            return ["d", *[[self.value(key), self.value(part)] for key, part in one.items()]]
        if dataclasses.is_dataclass(one) and is_own(kind):  # for keys: such are not read again
            fields = [getattr(one, field.name) for field in dataclasses.fields(one)]
            return ["r", kind.__qualname__, *map(self.value, fields)]
        if isinstance(one, np.generic) and one.dtype.kind in "biufc":
            return ["g", one.dtype.str, one.tobytes().hex()]
        raise WithoutText(f"{kind}")

    def _node(self, node: Node) -> int:
        found = self._nodes.get(node)
        if found is None:
            kind = type(node)
            row = [self.value(getattr(node, field)) for field in kind._fields]
            number = self.classes.setdefault(_text_of_class(kind), len(self.classes))
            found = self._nodes[node] = len(self.rows)
            self.rows.append([number, *row])
        return found


def _name_of(op: Op) -> str:
    if op.function is not None and not (isinstance(op.function, Function) and op.function.stable):
        raise WithoutText(op.name)
    return op.name


@cache
def _text_of_class(kind: type[Node]) -> str:
    """The name of a class, and of one from outside a digest of its code."""
    digest = "" if is_own(kind) else class_digest(kind)
    if digest is None:
        raise WithoutText(f"{kind}")
    return f"{kind.__module__}:{kind.__qualname__}:{digest}"


def decoded(text: str) -> Any:
    """
    The value of a text.

    Raises
    ------
    WithoutText
        If it is of a class or operator that is not there, or is another one by now.
    """
    try:
        classes, rows, root = json.loads(text)
        kinds = [_class_of(one) for one in classes]
        nodes: list[Node] = []
        for number, *fields in rows:
            nodes.append(kinds[number](*[_read(one, nodes) for one in fields]))
        return _read(root, nodes)
    except (ValueError, TypeError, LookupError, AttributeError, ImportError) as error:
        raise WithoutText from error


def _read(value: Any, nodes: list[Node]) -> Any:
    if type(value) is not list:
        return value
    kind, *parts = value
    if kind == "n":
        return nodes[parts[0]]
    if kind == "t":
        return tuple([_read(part, nodes) for part in parts])
    return _READERS[kind](*parts)


def _operator(name: str) -> Op:
    found = operator_named(name)
    if found is None:
        raise WithoutText(name)
    _name_of(found)  # which a function that may have changed has none of
    return found


def _complex(text: str) -> complex:
    return complex(*struct.unpack("<dd", bytes.fromhex(text)))


def _generic(dtype: str, text: str) -> Any:
    return np.frombuffer(bytes.fromhex(text), dtype)[0]


_READERS: Mapping[str, Callable[..., Any]] = {
    "f": lambda text: struct.unpack("<d", bytes.fromhex(text))[0],
    "c": _complex,
    "o": _operator,
    "g": _generic,
}


def _class_of(text: str) -> type[Node]:
    """The class of a name; one from outside has to be there, and to be the same."""
    module, name, digest = text.split(":")
    if not digest and module.startswith("structarr."):
        found: Any = import_module(module)
    else:
        found = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part)
    if not (isinstance(found, type) and issubclass(found, Node)):
        raise WithoutText(text)
    if _text_of_class(found) != text:
        raise WithoutText(text)
    return found
