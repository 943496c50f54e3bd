"""A target that counts: it runs a kernel as IR, and says what that took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import eq, le, mul
from typing import Any, TypeAlias

import numpy as np

from structarr import targets as ir
from structarr.targets import COMPLEX, HELPERS, INDEX, Expr, Function, Line, Node, Op, Param, Var

Known: TypeAlias = dict[Node, Any]
Value: TypeAlias = Callable[[Known], Any]
Run: TypeAlias = Callable[[Known], bool]  # whether a loop is left


@dataclass
class Counts:
    """
    The counts of a kernel's run.

    Attributes
    ----------
    iterations : int
        Turns of the kernel's own loops; those of helpers do not count.
    operations : Counter
        Operators and helpers by name, and "index", "compare" and "cast".
    read, written : int
        Bytes of elements of buffers, those that helpers touch one by one included.
    """

    iterations: int = 0
    operations: Counter[str] = field(default_factory=Counter)
    read: int = 0
    written: int = 0


class _Memory(np.ndarray[Any, Any]):
    """An array whose elements are counted as they are read and written."""

    counts: Counts

    def __array_finalize__(self, whole: Any) -> None:
        self.counts = getattr(whole, "counts", None) or Counts()

    def __getitem__(self, index: Any) -> Any:
        self.counts.read += self.itemsize
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.counts.written += self.itemsize
        super().__setitem__(index, value)


class CountingTarget:
    """
    A target that counts what its kernels take, all together.

    Attributes
    ----------
    counts : Counts
        The counts of all calls of what was built.
    """

    def __init__(self) -> None:
        self.counts = Counts()

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Callable[..., Any]:
        """The kernel, walked node by node."""
        program = _Program(functions, self.counts)

        def kernel(*args: Any) -> Any:
            with np.errstate(all="ignore"):
                given = (program.given(*pair) for pair in zip(params, args, strict=True))
                return program.call(functions[0].name, given)

        return kernel


class _Program:
    """The functions of a kernel as closures over the values of variables."""

    def __init__(self, functions: Sequence[Function], counts: Counts) -> None:
        self.counts = counts
        self._functions = {one.name: (one, self._block(one.block)) for one in functions}

    def given(self, param: Param, value: Any) -> Any:
        """An argument, of its declared dtype."""
        if param.array:
            return self._kept(value)
        return int(value) if param.counts else np.dtype(param.dtype).type(value)

    def call(self, name: str, args: Any) -> Any:
        """The result of a function."""
        function, run = self._functions[name]
        known: Known = dict(zip(function.params, args, strict=True))
        run(known)
        if isinstance(function.result, Expr):
            return self._value(function.result)(known)
        return tuple([known[var] for var in function.result]) or None

    def _kept(self, value: Any) -> Any:
        """A value; an array is one whose elements are counted."""
        if isinstance(value, np.ndarray):
            value = value.view(_Memory)
            value.counts = self.counts
        return value

    def _block(self, block: tuple[Line, ...]) -> Run:
        lines = [self._line(line) for line in block]
        return lambda known: any(line(known) for line in lines)

    def _line(self, line: Line) -> Run:
        match line:
            case ir.Set(var, value) | ir.Make(var, value):
                own = self._value(value)
                return _effect(lambda known: known.update({var: self._kept(own(known))}))
            case ir.Store(buffer, index, value):
                return _effect(self._store(buffer, self._value(index), self._value(value)))
            case ir.Do(call):
                return _effect(self._value(call))
            case ir.Invoke(name, arguments, results):
                return _effect(self._invoke(name, arguments, results))
            case ir.If(arms):
                return self._if([(self._value(cond), self._block(body)) for cond, body in arms])
            case ir.For(var, lo, hi, body, step):
                return self._for(var, self._value(lo), self._value(hi), step, body)
            case ir.While(body):
                return self._while(self._block(body))
            case ir.Break():
                return lambda known: True
            case ir.Check():
                return lambda known: False
        raise TypeError(f"{line!r} cannot stand in a kernel")

    def _store(self, buffer: Node, index: Value, value: Value) -> Value:
        def store(known: Known) -> None:
            known[buffer][index(known)] = value(known)

        return store

    def _invoke(self, name: str, arguments: tuple[Node, ...], results: tuple[Var, ...]) -> Value:
        def invoke(known: Known) -> None:
            found = self.call(name, [known[one] for one in arguments])
            values = found if len(results) > 1 else (found,)
            known.update(zip(results, values, strict=False))

        return invoke

    def _if(self, arms: list[tuple[Value, Run]]) -> Run:
        return lambda known: next((body(known) for cond, body in arms if cond(known)), False)

    def _for(self, var: Node, lo: Value, hi: Value, step: int, body: tuple[Line, ...]) -> Run:
        block = self._block(body)

        def run(known: Known) -> bool:
            for place in range(lo(known), hi(known), step):
                known[var] = place
                self.counts.iterations += 1
                if block(known):
                    break
            return False

        return run

    def _while(self, block: Run) -> Run:
        def run(known: Known) -> bool:
            self.counts.iterations += 1
            while not block(known):
                self.counts.iterations += 1
            return False

        return run

    def _value(self, node: Node) -> Value:
        match node:
            case Var() | ir.Buffer():
                return lambda known: known[node]
            case ir.Lit(dtype, value):
                number = value if dtype == INDEX else np.dtype(dtype).type(value)
                return lambda known: number
            case ir.Load(buffer, index):
                at, whole = self._value(index), int if buffer.counts else _same
                return lambda known: whole(known[buffer][at(known)])
            case ir.Cast(dtype, arg):
                return self._counting("cast", lambda one: _converted(one, dtype), arg)
            case ir.Call(dtype, op, args):
                ins = tuple([arg.dtype for arg in args])
                return self._counting(op.name, _applied(op, ins, dtype), *args)
            case ir.Helper(dtype, name, args):
                return self._counting(name, _helper(name, dtype), *args)
        return self._index_value(node)

    def _index_value(self, node: Node) -> Value:
        match node:
            case ir.Sum(atoms, factors, const):
                return self._counting(
                    "index", lambda *own: const + sum(map(mul, factors, own)), *atoms
                )
            case ir.Product(left, right):
                return self._counting("index", mul, left, right)
            case ir.FloorDiv(arg, by):
                return self._counting("index", lambda one: one // by, arg)
            case ir.Min(args) | ir.Max(args):
                return self._counting("index", min if isinstance(node, ir.Min) else max, *args)
            case ir.Le(left, right) | ir.Eq(left, right):
                compare = le if isinstance(node, ir.Le) else eq
                return self._counting("compare", compare, left, right)
            case ir.All(args):
                conds = [self._value(arg) for arg in args]
                return lambda known: all(cond(known) for cond in conds)
            case ir.Not(arg):
                cond = self._value(arg)
                return lambda known: not cond(known)
        raise TypeError(f"{node!r} cannot stand in a kernel")

    def _counting(self, kind: str, function: Callable[..., Any], *args: Node) -> Value:
        """A function of values, whose calls are counted."""
        parts, operations = [self._value(arg) for arg in args], self.counts.operations

        def value(known: Known) -> Any:
            operations[kind] += 1
            return function(*[part(known) for part in parts])

        return value


def _effect(change: Value) -> Run:
    """A line that stays in its loop."""

    def run(known: Known) -> bool:
        change(known)
        return False

    return run


def _same(value: Any) -> Any:
    return value


def _helper(name: str, dtype: str) -> Callable[..., Any]:
    function = HELPERS.get(name, len)  # a buffer's length is the one that is Python's
    if dtype != INDEX:
        return function

    def place(*args: Any) -> Any:
        found = function(*args)
        return int(found) if isinstance(found, np.integer) else found

    return place


def _applied(op: Op, ins: tuple[str, ...], out: str) -> Callable[..., Any]:
    """An operator on numbers of its operands' dtypes."""
    function, result = ir.scalar_function(op, ins, out), np.dtype(out).type
    kinds = [np.dtype(one).type for one in ins]
    return lambda *args: result(function(*map(_as, kinds, args)))


def _as(kind: Any, value: Any) -> Any:
    return kind(value)


def _converted(value: Any, dtype: str) -> Any:
    """A value as `astype` converts it."""
    if isinstance(value, np.complexfloating) and dtype not in COMPLEX:
        value = value if dtype == "bool" else value.real
    found = np.asarray(value).astype(dtype)[()]
    return int(found) if dtype == INDEX else found
