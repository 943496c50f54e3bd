"""Computed levels: elements that are functions of their index, and stored nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from structarr.cin import OPS, Call, Cast, Expr, Fiber, Op, operator_named
from structarr.errors import FormatError
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, segments
from structarr.formats.kinds import COMPUTED, Kind
from structarr.formats.reading import Reading
from structarr.looplets import Context, Lookup, Looplet, function


class _RangeReading(Reading):
    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup of the sum."""
        dtype = fiber.tensor.dtype
        start, step = (_parameter(fiber, 2, k, ctx) for k in range(2))

        def value(i: Expr) -> Expr:
            moved = Call(dtype, OPS["multiply"], (_cast(i, dtype), step))
            return Call(dtype, OPS["add"], (start, moved))

        return Lookup(function("i", value))


class Range(Level):
    """
    Level whose elements are evenly spaced.

    Element i of fiber p is ``val[2 * p] + i * val[2 * p + 1]``, computed in the array's dtype. It
    is read only.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.

    See Also
    --------
    structarr.arange : Vectors of this level.
    Function : Elements by any operator.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.arange(10**9)
    >>> a.nstored, a[7].item()
    (2, 7)
    """

    kind: ClassVar[Kind] = COMPUTED
    is_rule: ClassVar[bool] = True
    leafy: ClassVar[bool] = True
    reading = _RangeReading()

    def children(self, fibers: int, dim: int) -> int:
        """A start and a step a fiber."""
        return 2 * fibers

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index; a child is told by its fiber's parameters and the index."""
        return _every(fibers, dim)

    def evaluate(self, fibers: Fibers, entries: Entries, values: Callable[[Array], Array]) -> Array:
        """The elements at some entries."""
        start, step = values(2 * entries.child), values(2 * entries.child + 1)
        with np.errstate(all="ignore"):
            found: Array = start + entries.coordinate.astype(start.dtype) * step
        return found


class _FunctionReading(Reading):
    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup of the operator."""
        level: Function = fiber.level
        dtype = fiber.tensor.dtype
        rest = tuple(_parameter(fiber, level.count, k, ctx) for k in range(level.count))
        call = function("i", lambda i: Call(dtype, level.operator, (_cast(i, dtype), *rest)))
        return Lookup(call)


class Function(Level):
    """
    Level whose elements are computed by an operator, of the index and some stored parameters.

    Element i of fiber p is ``op(i, *val[p * count : (p + 1) * count])``, in the array's dtype. It
    is read only.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.
    op : str
        The name of the operator: that of a ufunc, or of an operator of the user's.
    count : int
        The number of parameters, which is the number of the operator's operands but one.

    See Also
    --------
    Range : Evenly spaced elements.
    structarr.operator : Operators of the user's.

    Examples
    --------
    >>> from structarr.formats import Function
    >>> multiples = Function(op="multiply", count=1)  # val[p] * i
    >>> multiples.op, multiples.count
    ('multiply', 1)
    """

    __slots__ = ("_operator",)
    _operator: ClassVar[Op]

    op: str
    count: int = 0
    kind: ClassVar[Kind] = COMPUTED
    is_rule: ClassVar[bool] = True
    leafy: ClassVar[bool] = True
    reading = _FunctionReading()

    @property
    def operator(self) -> Op:
        """The operator, which lives as long as a level that has been asked for it."""
        try:
            return self._operator
        except AttributeError:
            found = operator_named(self.op)
        if found is None:
            raise FormatError(f"level Function: there is no operator {self.op!r}; define it first")
        object.__setattr__(self, "_operator", found)
        return found

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The parameters."""
        return self.count * fibers

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index."""
        return _every(fibers, dim)

    def evaluate(self, fibers: Fibers, entries: Entries, values: Callable[[Array], Array]) -> Array:
        """The elements at some entries, by NumPy's function of the operator's name."""
        own = getattr(np, self.op, None)
        if own is None:
            raise FormatError(f"level Function: store {self.op!r} by .asformat('dense') first")
        rest = [values(entries.child * self.count + k) for k in range(self.count)]
        dtype = values(entries.child[:0]).dtype
        found: Array = np.asarray(own(entries.coordinate.astype(dtype), *rest), dtype)
        return found

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The operator takes the index and the parameters."""
        if self.operator.arity != self.count + 1:
            wants = f"operator {self.op} takes {self.operator.arity} operands"
            raise FormatError(f"{wants}, not the index and {self.count} parameters")
        return self.count * fibers


def _parameter(fiber: Fiber, count: int, number: int, ctx: Context) -> Expr:
    """A parameter of a fiber, read once."""
    read = fiber.child(fiber.pos).buffer("val")[fiber.pos * count + number]
    var = ctx.fresh(f"{fiber.tensor.name.lower()}_p{number}", fiber.tensor.dtype)
    ctx.set(var, read)
    return var


def _cast(index: Expr, dtype: str) -> Expr:
    return index if dtype == "int64" else Cast(dtype, index)


def _every(fibers: Fibers, dim: int) -> Entries:
    fiber, coordinate, _ = segments(fibers.position, np.full(len(fibers.position), dim))
    return Entries(fiber, coordinate, fibers.position[fiber])
