"""Statements, a function for each production of the grammar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from structarr._compiler.ir import cin
from structarr._compiler.ir.variables import Var
from structarr._testing.oracle.operators import applied, converted
from structarr._testing.oracle.values import MISSING, Scope, integer, place_of, value
from structarr.formats.entries import Array


def evaluate(stmt: cin.Stmt, arrays: dict[cin.Tensor, Array], variables: Mapping[Var, Any]) -> None:
    """
    Run a program: its results are written into their arrays.

    Parameters
    ----------
    stmt : Stmt
        The program.
    arrays : dict
        A dense array for each operand and each result, its axes in the order of the tensor's
        modes. A result's holds what it begins with.
    variables : mapping
        The scalars and lengths that the program has.

    Raises
    ------
    OutOfBounds
        If an index is outside that the program checks; it says where, which, and what length.
    Unchecked
        If one is that the program does not check.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr._compiler.ir.cin import Access, Assign, Loop, Tensor
    >>> from structarr._compiler.ir.expr import (Index, Lit)
    >>> from structarr._compiler.ir.ops import OPS
    >>> i, n = Index("i"), Lit("int64", 3)
    >>> x = Tensor("x", None, "float64", Lit("float64", 0.0), (n,))
    >>> s = Tensor("s", None, "float64", Lit("float64", 0.0), (), "out")
    >>> total = Assign(Access("float64", s, ()), OPS["add"], Access("float64", x, (i,)))
    >>> found = {x: np.array([1.0, 2.0, 4.0]), s: np.zeros(())}
    >>> evaluate(Loop(i, Lit("int64", 0), n, total), found, {})
    >>> found[s]
    array(7.)
    """
    run(stmt, Scope(dict(arrays), variables))


def run(stmt: cin.Stmt, scope: Scope) -> None:
    """Run a statement."""
    _STATEMENTS[type(stmt)](stmt, scope)


def begun(tensor: cin.Tensor, scope: Scope) -> Array:
    """The start of a result or a temporary, before anything is written to it."""
    start = tensor.fill if tensor.start is None else tensor.start
    shape = [integer(dim, scope) for dim in tensor.dims]
    return np.full(shape, value(start, scope), tensor.dtype)


def _assign(stmt: cin.Assign, scope: Scope) -> None:
    """Assigning what is missing, or assigning to where nothing is, does nothing."""
    target, given = stmt.target, value(stmt.value, scope)
    place = place_of(target, scope)
    if given is MISSING or place is MISSING:
        return
    array = scope.arrays[target.obj]  # type: ignore[index]
    given = converted(given, target.dtype)
    array[place] = (
        given if stmt.op is None else applied(stmt.op, (array[place], given), target.dtype)
    )


def _loop(stmt: cin.Loop, scope: Scope) -> None:
    for place in range(integer(stmt.lo, scope), integer(stmt.hi, scope)):
        run(stmt.body, scope.at(stmt.index, place))


def _where(stmt: cin.Where, scope: Scope) -> None:
    """The temporaries begin anew each time."""
    for temp in stmt.temps:
        scope.arrays[temp] = begun(temp, scope)
    run(stmt.producer, scope)
    run(stmt.consumer, scope)


def _multi(stmt: cin.Multi, scope: Scope) -> None:
    for one in stmt.stmts:
        run(one, scope)


def _sieve(stmt: cin.Sieve, scope: Scope) -> None:
    holds = value(stmt.cond, scope)
    if holds is not MISSING and holds:
        run(stmt.body, scope)


def _pass(stmt: cin.Pass, scope: Scope) -> None:
    pass


_STATEMENTS: Final[Mapping[type[cin.Stmt], Callable[[Any, Scope], None]]] = {
    cin.Assign: _assign,
    cin.Loop: _loop,
    cin.Where: _where,
    cin.Multi: _multi,
    cin.Sieve: _sieve,
    cin.Pass: _pass,
}
"""The meaning of each production."""
