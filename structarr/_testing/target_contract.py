"""The contract of a target of kernels, clause by clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Final, NoReturn

import numpy as np

import structarr as sa
from structarr._support import dtypes
from structarr._testing.kernels.case import Case
from structarr._testing.kernels.corpus import corpus
from structarr._testing.kernels.record import computed, operand
from structarr._testing.rules.examples import DTYPES, numbers
from structarr.targets import (
    INDEX,
    OPS,
    PYTHON,
    Buffer,
    Call,
    For,
    Function,
    Lit,
    Op,
    Param,
    Store,
    Target,
    Var,
    scalar_function,
)

CLAUSES: Final = {
    "build": "it has a method `build` of functions and parameters that returns a callable",
    "runs": "it builds every kernel, and its kernels raise nothing",
    "operators": "an operator computes what it does interpreted, in every dtype",
    "values": "expressions and programs have the values that they have interpreted",
    "operands": "a kernel writes to nothing but the arrays that are declared writable",
}
"""What a target promises to whoever has kernels run by it."""

LARGE: Final = 1 << 20  # the most elements of a result that are compared
STEP: Final = 17  # one of how many cases of the corpus is computed
CLOSE: Final = 64  # how many units in the last place a float may be off: sums have any order


def check(target: Any) -> None:
    """Fail with the first clause that a target breaks."""
    if not callable(getattr(target, "build", None)):
        _fail(target, "build", "there is no such method")
    watched = _Watched(target)
    for op, dtype in product(OPS.values(), DTYPES):
        if op.function is None:
            _check_operator(watched, op, dtype)
    for case in corpus()[::STEP]:
        _check_case(watched, case)


class _Watched:
    """A target whose kernels are seen to leave alone what they may not write to."""

    def __init__(self, target: Target) -> None:
        self.target = target

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Callable[..., Any]:
        made = self._tried(self.target.build, functions, params)
        if not callable(made):
            _fail(self.target, "build", f"it returned {made!r}")

        def kernel(*args: Any) -> Any:
            named = zip(functions[0].params, params, args, strict=True)
            read = [(one, arg) for one, param, arg in named if param.array and not param.writable]
            kept = [arg.copy() for _, arg in read]
            result = self._tried(made, *args)
            for (one, arg), before in zip(read, kept, strict=True):
                if arg.tobytes() != before.tobytes():
                    _fail(self.target, "operands", f"it changed {one.label}")
            return result

        return kernel

    def _tried(self, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except Exception as error:
            _fail(self.target, "runs", f"{type(error).__name__}: {error}")


def _check_operator(watched: _Watched, op: Op, dtype: str) -> None:
    """Compute an operator for numbers at which targets differ, two by two."""
    found = _applied(op, dtype)
    if found is None:
        return
    function, params, ins, out = found
    grid = [one.ravel() for one in np.meshgrid(*[numbers(kind, True) for kind in ins])]
    results = [np.zeros(grid[0].size, out) for _ in range(2)]
    both: tuple[Target, Target] = (PYTHON, watched)
    for one, result in zip(both, results, strict=True):
        one.build((function,), params)(*grid, result, result.size)
    if not _same(*results):
        bad = next(k for k, pair in enumerate(zip(*results, strict=True)) if not _same(*pair))
        given = ", ".join(str(one[bad]) for one in grid)
        text = f"{op.name}({given}) of {dtype} is {results[1][bad]}, not {results[0][bad]}"
        _fail(watched.target, "operators", text)


def _applied(op: Op, dtype: str) -> tuple[Function, tuple[Param, ...], tuple[str, ...], str] | None:
    """A kernel of an operator, with the dtypes of its operands and of its result."""
    try:
        ins, out = dtypes.resolve(op.name, (np.dtype(dtype),) * op.arity)
        scalar_function(op, ins, out)
    except TypeError:
        return None
    place, length, result = Var(INDEX, "i"), Var(INDEX, "n"), Buffer("C", out)
    operands = [Buffer(f"X{k}", dtype) for k, dtype in enumerate(ins)]
    value = Call(out, op, tuple([one[place] for one in operands]))
    line = For(place, Lit(INDEX, 0), length, (Store(result, place, value),))
    arrays = [Param(dtype, True, False) for dtype in ins]
    params = (*arrays, Param(out, True, True), Param(INDEX, False, False, True))
    return Function("kernel", (*operands, result, length), (line,)), params, ins, out


def _check_case(watched: _Watched, case: Case) -> None:
    wanted, found = (_values(case, tier) for tier in ("interpreted", watched))
    for one, other in zip(wanted, found, strict=True):
        if not _same(one, other):
            _fail(watched.target, "values", f"`{case.text}` is\n{other}\nnot\n{one}")


def _values(case: Case, tier: Any) -> list[Any]:
    with sa.options(tier="interpreted"):
        given = {name: operand(name) for name in case.operands}
    with sa.options(**{**case.options, "tier": tier}):
        return [_plain(one) for one in computed(case, given)]


def _plain(value: Any) -> Any:
    """A value as NumPy has it; the count of what it stores of a large array."""
    return (
        value.nstored if isinstance(value, sa.Array) and value.size > LARGE else np.asarray(value)
    )


def _same(wanted: Any, found: Any) -> bool:
    """Whether values are equal, but for the rounding of floats."""
    wanted, found = np.asarray(wanted), np.asarray(found)
    if wanted.dtype != found.dtype or wanted.shape != found.shape:
        return False
    if wanted.dtype.kind not in "fc":
        return np.array_equal(wanted, found)
    near = CLOSE * float(np.finfo(wanted.dtype).eps)
    return np.allclose(found, wanted, near, near, equal_nan=True)


def _fail(target: Any, clause: str, problem: str) -> NoReturn:
    name = type(target).__name__
    raise AssertionError(f"target {name} breaks clause {clause!r} ({CLAUSES[clause]}): {problem}")
