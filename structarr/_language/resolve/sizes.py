"""Variables of lengths: one for all axes and loops that are known to be equally long."""

from __future__ import annotations

from typing import Any

from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.given import extent, length as length_of
from structarr._language.read import syntax
from structarr._language.resolve.accesses import Use
from structarr._language.resolve.lengths import WHOLE, Lengths
from structarr._language.resolve.scope import Scope

# The key of a length: `(array, axis)`, `("index", name)`, or an expression.
Key = Any


class Sizes:
    """The lengths of a stage's loops and arrays."""

    def __init__(self, scope: Scope, found: Lengths, uses: tuple[Use, ...]) -> None:
        self.scope, self.found = scope, found
        self._parents: dict[Key, Key] = {}  # the union-find forest of equal lengths
        for use, link in zip(uses, found.links, strict=True):
            if link == WHOLE:
                self._join(("index", use.plain), (use.array, use.axis))
        for name, loop in scope.stage.indices.items():
            if loop is not None and found.whole[name]:
                self._join(("index", name), _key(loop.stop))
        for name, made in scope.stage.makes.items():
            for axis, part in enumerate(made.shape):
                self._join_made(name, axis, part)

    def length(self, one: syntax.Syntax) -> Expr | None:
        """The variable of a length that is written out; None where no loop is as long."""
        return self._variable(_key(one))

    def axis(self, array: str, axis: int) -> Expr:
        """The length of an axis, the same variable as the loops' over all of it."""
        found = self._variable((array, axis))
        if found is not None:
            return found
        length = length_of(array, axis)
        self.scope.out.lengths[length] = (array, axis)
        return length

    def axes(self, array: str) -> tuple[Expr, ...]:
        """The lengths of all axes."""
        return tuple(self.axis(array, axis) for axis in range(len(self.found.shapes[array])))

    def measure(self) -> None:
        """Note the extents of the loops that run over whole axes."""
        for name, index in self.scope.indices.items():
            if self.found.whole[name]:
                length = self._variable(("index", name))
                assert length is not None
                self.scope.out.extents[index] = length

    def _variable(self, key: Key) -> Expr | None:
        """The variable of the length of all that is as long as an index."""
        root = self._root(key)
        for name, index in self.scope.indices.items():
            if self.found.whole[name] and self._root(("index", name)) == root:
                self.scope.out.lengths[extent(index)] = ("index", name)
                return extent(index)
        return None

    def _join_made(self, name: str, axis: int, part: syntax.Syntax) -> None:
        """The axes of an array that is made are as long as what it is made by says."""
        if isinstance(part, syntax.Shape):
            for k in range(len(self.found.shapes[part.array])):
                self._join((part.array, k), (name, k))
        else:
            self._join(_key(part), (name, axis))

    def _join(self, one: Key, other: Key) -> None:
        """Take two things for equally long."""
        root, below = self._root(one), self._root(other)
        if root != below:
            self._parents[below] = root

    def _root(self, one: Key) -> Key:
        """The representative of all keys of one length."""
        while one in self._parents:
            one = self._parents[one]
        return one


def _key(one: syntax.Syntax) -> Key:
    """The key of a length that is written out."""
    return (one.array, one.axis) if isinstance(one, syntax.Length) else one
