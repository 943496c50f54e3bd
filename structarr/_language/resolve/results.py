"""The results of a stage, before they have formats."""

from __future__ import annotations

import numpy as np

from structarr._compiler.ir.expr import Lit
from structarr._compiler.rules.constants import algebraic, literal
from structarr._language.read import syntax
from structarr._language.resolve.scope import Scope
from structarr._language.resolve.values import Values
from structarr._scheduler.results_unformatted import Unformatted
from structarr._support import dtypes


def result(name: str, scope: Scope, values: Values) -> Unformatted:
    """A result, by everything that the stage assigns to it."""
    made = scope.stage.makes.get(name)
    assigned = [one for one in syntax.assignments(scope.stage.body) if one.name == name]
    op = _operator(assigned, scope)
    dtype = _dtype(name, assigned, values)
    if made is not None:
        start = _written_start(made, dtype, values)
    elif op is None:
        start = literal(dtype, 0, True)
    else:
        start = _identity(op, dtype, assigned[0].at, values)
    dims = values.sizes.axes(name)
    own, wanted = scope.named(name), scope.given.formats.get(name)
    begun = name in scope.given.begun
    return Unformatted(own, dtype, start, op is not None, begun, made is not None, wanted, dims)


def _operator(assigned: list[syntax.Assign], scope: Scope) -> str | None:
    """The one operator by which a result is updated."""
    first = assigned[0]
    other = next((one for one in assigned if one.op != first.op), None)
    if other is not None:
        raise scope.error(
            f"{other.name} is updated by {first.op or '='} and by {other.op or '='}: a result "
            "has one operator; write to two results and combine them",
            other.at,
        )
    return first.op


def _dtype(name: str, assigned: list[syntax.Assign], values: Values) -> str:
    """The dtype of a result: of what is made or given, else of what it is assigned."""
    scope = values.scope
    made = scope.stage.makes.get(name)
    if made is not None and (made.dtype is not None or isinstance(assigned[0].target, syntax.Read)):
        return made.dtype or values.made(made).dtype
    if name in scope.given.begun and name in scope.given.arrays:
        return scope.given.arrays[name].dtype
    return values.dtype_of(assigned, [] if made is None else [values.made(made).kind])


def _written_start(made: syntax.Make, dtype: str, values: Values) -> Lit:
    """The number that an array is made of."""
    value = values.made(made).cast(dtype)
    assert isinstance(value, Lit)
    return Lit(dtype, value.value, True)


def _identity(name: str, dtype: str, at: syntax.Place, values: Values) -> Lit:
    """The start of an operator's updates: its identity."""
    operator = values.operator(name, at)
    start = dtypes.identity_of(operator.name, np.dtype(dtype))
    if start is None:
        start = operator.left_identity
    if start is None:
        raise values.scope.error(
            f"{name} has no identity to begin with: make the result first, as in "
            "`y = np.full(n, start)`",
            at,
        )
    return algebraic(dtype, start, True)
