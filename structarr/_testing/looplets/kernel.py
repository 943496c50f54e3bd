"""Kernels of one loop over looplets, run as plain Python on buffers that refuse what is outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from structarr._compiler.backend.line_source import Printer
from structarr._compiler.backend.names import Names
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python.interpret import Interpreted
from structarr._compiler.backend.python.source import PythonExpressions
from structarr._compiler.ir.cin import Access, Assign, Loop, Tensor
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Index, Lit
from structarr._compiler.ir.kernel import Function, Line, Set, While, assigned, used
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Opaque, Var
from structarr._compiler.rules.defaults import default_rules
from structarr._scheduler.pipeline import lower_program
from structarr._testing.looplets.opening import EXTENT, HI, LO, OFFSET
from structarr.formats import parse
from structarr.formats.entries import Array

I = Index("i")  # noqa: E741
BUDGET = 3000  # statements that the lowering of one loop may take; the package's take some 100
STEPS = 10_000  # turns of loops for a few elements
RESULT = "checked"


class Endless(RuntimeError):
    """A kernel that makes more turns than were granted."""


class Beyond(IndexError):
    """An element outside of a buffer."""


class Guarded(np.ndarray):
    """A buffer of which nothing outside is read or written."""

    def __getitem__(self, at: Any) -> Any:
        self._inside(at)
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        self._inside(at)
        super().__setitem__(at, value)

    def _inside(self, at: Any) -> None:
        if isinstance(at, int | np.integer) and not 0 <= at < len(self):
            raise Beyond(f"index {at} of a buffer of {len(self)}")


class Failure(NamedTuple):
    """A clause that is broken, and how."""

    clause: str
    problem: str


class Program(NamedTuple):
    """A loop over looplets and what it makes of their elements.

    Attributes
    ----------
    clause : str
        What is broken where the elements are wrong.
    value : Expr
        The element at an index.
    total : bool
        Whether the elements are added up.
    starts : tuple of Set
        What the kernel begins with.
    """

    clause: str
    value: Expr
    total: bool = False
    starts: tuple[Set, ...] = ()

    def lowered(self, strict: bool) -> Callable[..., Array] | Failure:
        """The kernel as a function of what it is given."""
        dtype = self.value.dtype
        zero = Lit(dtype, np.dtype(dtype).type(0).item())
        ndim = 0 if self.total else 1
        dims, start = ((), zero) if self.total else ((EXTENT,), None)
        out = Tensor(RESULT, parse("dense", ndim), dtype, zero, dims, "out", start)
        rules = default_rules(strict)
        op = OPS["logical_or" if dtype == "bool" else "add"] if self.total else None
        target = Access(dtype, out, () if self.total else (I,))
        loop = Loop(I, Lit(INDEX, 0), EXTENT, Assign(target, op, self.value))
        try:
            block, ctx = lower_program(loop, (out,), (), rules, BUDGET, checked=True)
        except RecursionError:
            return Failure("ends", "its lowering does not come to an end")
        except Exception as error:
            return Failure("lowers", f"its lowering raised {type(error).__name__}: {error}")
        if ctx.is_spent:
            return Failure("ends", "its lowering does not come to an end")
        return _callable((*self.starts, *block))


class _Ticking(Printer):
    """Lines whose loops tick at each turn."""

    def __init__(self) -> None:
        super().__init__(PythonExpressions(Names(taken=["_tick"])))

    def line(self, line: Line) -> list[str]:
        """A line and what is nested in it."""
        if isinstance(line, While):
            return ["while _tick(True):", *self.nested(line.body)]
        return super().line(line)

    def range(self, lo: Expr, hi: Expr, step: int) -> str:
        """The range of a loop."""
        return f"map(_tick, {super().range(lo, hi, step)})"


def _ticks() -> Callable[[Any], Any]:
    """A function that gives back a turn of a loop, until there were too many."""
    ticks = count()

    def tick(turn: Any) -> Any:
        if next(ticks) >= STEPS:
            raise Endless(f"more than {STEPS} turns")
        return turn

    return tick


def _callable(block: tuple[Any, ...]) -> Callable[..., Array]:
    found = used(block) - assigned(block)
    free = {one.label: one for one in found if isinstance(one, Buffer | Var)}

    def run(given: Mapping[str, Any], result: Array) -> Array:
        arguments = {**given, f"{RESULT}_val": result}
        values = tuple(arguments.values())
        params = tuple(
            Param(np.asarray(value).dtype.name, isinstance(value, np.ndarray), False)
            for value in values
        )
        nodes = tuple([free.get(name, Opaque(INDEX, name)) for name in arguments])
        source = _Ticking().source([Function("kernel", nodes, block)])
        kernel = Interpreted(source, params, {"_tick": _ticks()})
        kernel(*[v.view(Guarded) if isinstance(v, np.ndarray) else v for v in values])
        return result

    return run


def arguments(n: int, lo: int, hi: int, offset: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a kernel."""
    own = {EXTENT.label: n, LO.label: lo, HI.label: hi, OFFSET.label: offset}
    return {**own, **given}
