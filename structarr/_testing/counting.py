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

Names: TypeAlias = dict[str, Any]
Value: TypeAlias = Callable[[Names], Any]
Run: TypeAlias = Callable[[Names], bool]  # whether a loop is left


@dataclass
class Counts:
    """
    What running a kernel took.

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
    """The functions of a kernel as closures over names."""

    def __init__(self, functions: Sequence[Function], counts: Counts) -> None:
        self.counts = counts
        self._functions = {one.name: (one, self._block(one.block)) for one in functions}

    def given(self, param: Param, value: Any) -> Any:
        """An argument, of its declared dtype."""
        if param.array:
            return self._kept(value)
        return int(value) if param.counts else np.dtype(param.dtype).type(value)

    def call(self, name: str, args: Any) -> Any:
        """What a function returns."""
        function, run = self._functions[name]
        names = dict(zip(function.params, args, strict=True))
        run(names)
        if isinstance(function.result, Expr):
            return self._value(function.result)(names)
        return tuple([names[var.name] for var in function.result]) or None

    def _kept(self, value: Any) -> Any:
        """A value; an array is one whose elements are counted."""
        if isinstance(value, np.ndarray):
            value = value.view(_Memory)
            value.counts = self.counts
        return value

    def _block(self, block: tuple[Line, ...]) -> Run:
        lines = [self._line(line) for line in block]
        return lambda names: any(line(names) for line in lines)

    def _line(self, line: Line) -> Run:
        match line:
            case ir.Set(Var(_, name), value):
                own = self._value(value)
                return _effect(lambda names: names.update({name: self._kept(own(names))}))
            case ir.Store(buffer, index, value):
                return _effect(self._store(buffer.name, self._value(index), self._value(value)))
            case ir.Do(call):
                return _effect(self._value(call))
            case ir.Invoke(name, arguments, results):
                return _effect(self._invoke(name, arguments, results))
            case ir.If(arms):
                return self._if([(self._value(cond), self._block(body)) for cond, body in arms])
            case ir.For(var, lo, hi, body, step):
                return self._for(var.name, self._value(lo), self._value(hi), step, body)
            case ir.While(body):
                return self._while(self._block(body))
            case ir.Break():
                return lambda names: True
            case ir.Check():
                return lambda names: False
        raise TypeError(f"{line!r} cannot stand in a kernel")

    def _store(self, name: str, index: Value, value: Value) -> Value:
        def store(names: Names) -> None:
            names[name][index(names)] = value(names)

        return store

    def _invoke(self, name: str, arguments: tuple[str, ...], results: tuple[Var, ...]) -> Value:
        def invoke(names: Names) -> None:
            found = self.call(name, [names[one] for one in arguments])
            values = found if len(results) > 1 else (found,)
            names.update(zip([var.name for var in results], values, strict=False))

        return invoke

    def _if(self, arms: list[tuple[Value, Run]]) -> Run:
        return lambda names: next((body(names) for cond, body in arms if cond(names)), False)

    def _for(self, name: str, lo: Value, hi: Value, step: int, body: tuple[Line, ...]) -> Run:
        block = self._block(body)

        def run(names: Names) -> bool:
            for place in range(lo(names), hi(names), step):
                names[name] = place
                self.counts.iterations += 1
                if block(names):
                    break
            return False

        return run

    def _while(self, block: Run) -> Run:
        def run(names: Names) -> bool:
            self.counts.iterations += 1
            while not block(names):
                self.counts.iterations += 1
            return False

        return run

    def _value(self, node: Node) -> Value:
        match node:
            case Var(_, name) | ir.Buffer(name):
                return lambda names: names[name]
            case ir.Lit(dtype, value):
                known = value if dtype == INDEX else np.dtype(dtype).type(value)
                return lambda names: known
            case ir.Load(buffer, index):
                at, whole = self._value(index), int if buffer.counts else _same
                return lambda names: whole(names[buffer.name][at(names)])
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
                return lambda names: all(cond(names) for cond in conds)
            case ir.Not(arg):
                cond = self._value(arg)
                return lambda names: not cond(names)
        raise TypeError(f"{node!r} cannot stand in a kernel")

    def _counting(self, kind: str, function: Callable[..., Any], *args: Node) -> Value:
        """A function of values, whose calls are counted."""
        parts, operations = [self._value(arg) for arg in args], self.counts.operations

        def value(names: Names) -> Any:
            operations[kind] += 1
            return function(*[part(names) for part in parts])

        return value


def _effect(change: Value) -> Run:
    """A line that stays in its loop."""

    def run(names: Names) -> bool:
        change(names)
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
