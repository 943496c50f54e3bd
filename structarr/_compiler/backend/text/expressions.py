"""Expressions of a text whose meaning is the same in each language that it is translated to."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from structarr._compiler.backend.text.kinds import (
    WORD,
    Kind,
    Number,
    Untranslated,
    Value,
    kind_of,
)
from structarr._compiler.backend.text.scope import Scope


class TextExpressions(ABC):
    """
    The base of expressions within a function; languages say how numbers are converted.

    Parameters
    ----------
    scope : Scope
        The variables.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    @abstractmethod
    def number(self, node: ast.expr) -> Number:
        """The value of an expression, which is a number."""

    @abstractmethod
    def _constant(self, value: Any) -> Number:
        """A number that is known."""

    @abstractmethod
    def _converted(self, value: Number, kind: Kind) -> Number:
        """A number as one of another type."""

    def _object(self, node: ast.expr) -> Any:
        """The object that a name stands for, which is known before the kernel runs."""
        match node:
            case ast.Name(name) if not self.scope.has(name):
                return self.scope.known(name)
            case ast.Attribute(value, name):
                return getattr(self._object(value), name)
        raise Untranslated("a function that is computed")

    def _is_module(self, node: ast.expr) -> bool:
        """Whether an expression is the name of a module."""
        is_global = isinstance(node, ast.Name) and not self.scope.has(node.id)
        return is_global and isinstance(self._object(node), ModuleType)

    def _constructed(self, made: type, given: Sequence[Value]) -> Number:
        value = given[0] if len(given) == 1 else None
        if not isinstance(value, Number):
            raise Untranslated("a conversion of no number")
        keeps = made is int and value.kind == WORD
        return self._converted(value, WORD if keeps else kind_of(made))

    def _part(self, node: ast.Attribute) -> Number:
        """A part of a number, which is real; or a constant of NumPy's."""
        if self._is_module(node.value):
            return self._constant(self._object(node))
        value = self.number(node.value)
        if node.attr not in ("real", "imag"):
            raise Untranslated(f"the attribute {node.attr}")
        return value if node.attr == "real" else self._converted(self._constant(0), value.kind)
