"""Parameters of a kernel: operands, scalars and sizes, numbered as they are met."""

from __future__ import annotations

import numpy as np

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.expr import INDEX, Expr, Lit
from structarr._compiler.ir.given import scalar, whole
from structarr._compiler.rules.constants import literal
from structarr._language.read import syntax
from structarr._language.resolve.operand_info import Known
from structarr._language.resolve.scope import Scope
from structarr._language.resolve.sizes import Sizes
from structarr._language.resolve.terms import Term, cast, is_weak
from structarr._support import dtypes


class Arguments:
    """The arguments of a stage's kernel."""

    def __init__(self, scope: Scope, sizes: Sizes) -> None:
        self.scope, self.sizes = scope, sizes
        self._numbers: dict[tuple[str, tuple[syntax.Syntax, ...]], int] = {}

    def operand(self, one: syntax.Read) -> Input:
        """The operand that is read, as it is stored."""
        given, number = self.scope.given, self._number(one.array, one.indices)
        held = given.stored.get(number, given.arrays[one.array])
        return Input(held.dtype, held.ones, number, held.format, held.fill, held.weight)

    def scalar(self, name: str) -> Term:
        """A scalar; one that is a whole number is an index too."""
        known = self.scope.given.scalars[name]
        whole = self._size(name, known) if known.whole else None
        return Term(known.kind, lambda dtype: self._value(name, known, dtype), whole)

    def _number(self, array: str, indices: tuple[syntax.Syntax, ...]) -> int:
        """The number of an operand: one for all reads of an array, if one order of it serves."""
        out = self.scope.out
        key = (array, indices if array in self.scope.given.split else ())
        if key not in self._numbers:
            number = self._numbers[key] = len(out.tensors)
            out.tensors.append(array)
            out.names[number] = self.scope.named(array)
            for axis, length in enumerate(self.sizes.axes(array)):
                out.dims[number, axis] = length
        return self._numbers[key]

    def _value(self, name: str, known: Known, dtype: str) -> Expr:
        """A scalar as a value: weak ones are passed in the dtype in which they are used."""
        if known.value is not None:
            value = known.value.value
            if is_weak(known.kind):  # refused if it does not fit
                value = dtypes.scalar(known.kind(value), np.dtype(dtype)).item()
            return literal(dtype, value)
        passed = self.scope.out.scalars
        key = (name, dtype if is_weak(known.kind) else np.dtype(known.kind).name)
        if key not in passed:
            passed.append(key)
        return cast(scalar(passed.index(key), key[1]), dtype)

    def _size(self, name: str, known: Known) -> Expr:
        """A scalar as an index."""
        if known.value is not None:
            return Lit(INDEX, int(known.value.value))
        passed = self.scope.out.sizes
        if name not in passed:
            passed.append(name)
        return whole(passed.index(name))
