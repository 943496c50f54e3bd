"""Programs: loops that a user writes, as one line of text or as a decorated function."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import FunctionType
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array, lift
from structarr._api.programs.operators import Operator
from structarr._api.programs.over_runs import RunKernel, of_text, run_text
from structarr._array import WEAK, Array, of_tensor, stored
from structarr._compiler.ir.ops import Op
from structarr._language.execute.compile import Asked
from structarr._language.execute.run import Runner
from structarr._language.read.parse import parse_function, parse_text
from structarr._language.read.syntax import Program
from structarr._language.resolve.names_used import names_around
from structarr._language.runs.lifted import goes_over_runs, is_text_over_runs, source_of
from structarr._storage.dense import to_dense
from structarr._support.by_value import Defined
from structarr._support.caches import cleared
from structarr.errors import ProgramError
from structarr.formats import Format
from structarr.formats.names import name_of, parse


@cleared
@lru_cache(maxsize=512)
def _runner(text: str) -> Runner:
    return Runner(parse_text(text))


@cleared
@lru_cache(maxsize=512)
def _over_runs(text: str) -> RunKernel | None:
    """The kernel of a text whose loops go over runs; None of any other."""
    return of_text("loops", text) if is_text_over_runs("loops", text) else None


def loops(
    program: str,
    /,
    *,
    order: str | Sequence[str] | None = None,
    extents: Mapping[str, int | tuple[int, int]] | None = None,
    out: Any = None,
    **operands: Any,
) -> Any:
    """
    Run a program of loops that is given as text.

    The text is Python: assignments to elements, in loops or with free indices. A free index runs
    over the axes that it stands for, and the compiler orders the loops; only what the operands
    store is visited. A text with a loop over `runs`, a `while` or an assignment to a stretch is a
    program over runs, which is done in order and ends with `return`.

    Parameters
    ----------
    program : str
        ``"y[i] += A[i, j] * x[j]"``; several statements stand on lines of their own or after
        semicolons. The language is described in the document on loops.
    order : str or sequence of str, optional
        The indices from the outermost loop to the innermost; without it the compiler decides.
    extents : mapping of str to int, optional
        The lengths of indices that stand for no axis alone.
    out : format, array, or mapping of str to such, optional
        The format of the result, or an array that the result begins as; for several results, by
        name.
    **operands : array_like or scalar
        What the names in the text stand for.

    Returns
    -------
    Array, or tuple of Array
        The results: what the program assigns to and does not read later. Of a program over runs,
        what it returns.

    Raises
    ------
    ProgramError
        With the line and column of what is wrong in the text.
    IndexError
        If a computed index is out of bounds.

    See Also
    --------
    kernel : A program as a function.
    einsum : Products of arrays.

    Notes
    -----
    A result that is updated begins at its operator's identity, one that is assigned at zero. It has
    the structure of its value where the loops write it in order, and is dense otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> A = sa.asarray(np.array([[0.0, 2.0], [3.0, 0.0]]), format="csr")
    >>> sa.loops("y[i] += A[i, j] * x[gallop(j)]", A=A, x=np.array([1.0, 10.0])).todense()
    array([20.,  3.])
    >>> sa.loops("y[i] <<max>>= A[i, j]", A=A).todense()
    array([2., 3.])

    A program over runs:

    >>> longest = '''
    ... most = 0
    ... for i in range(A.shape[0]):
    ...     for start, stop, value in runs(A[i]):
    ...         most = max(most, stop - start)
    ... return most
    ... '''
    >>> sa.loops(longest, A=np.array([[0, 7, 7, 7, 0], [5, 0, 0, 2, 2]]))
    3
    """
    over_runs = _over_runs(program)
    if over_runs is not None:
        return run_text(over_runs, operands, (order, extents, out) != (None, None, None))
    runner, values, asked = call_of_text(program, order, extents, out, operands)
    return _returned(runner(values, asked))


def call_of_text(
    program: str,
    order: str | Sequence[str] | None,
    extents: Mapping[str, int | tuple[int, int]] | None,
    out: Any,
    operands: Mapping[str, Any],
) -> tuple[Runner, dict[str, Any], Asked]:
    """The call of a text: the program, the values of its names, and the results asked for."""
    runner = _runner(program)
    unknown = [name for name in operands if name not in runner.names]
    if unknown:
        raise TypeError(f"the program has no name {unknown[0]!r}: it has {', '.join(runner.names)}")
    asked = Asked(_order(order), _extents(extents), {})
    values = _values(operands)
    given = out if isinstance(out, Mapping) else None
    if out is not None and given is None:
        names = [name for s, _ in runner.stages(frozenset(values)) for name in s.writes]
        given = {names[-1]: out}
    formats: dict[str, Format] = {}
    for name, wanted in (given or {}).items():
        if isinstance(wanted, str | Format) or hasattr(wanted, "child"):
            formats[name] = _format(wanted, runner, name, values)
        else:
            values |= _values({name: wanted})
    asked.formats = formats
    return runner, values, asked


class Kernel(Defined):
    """
    A function whose loops are a program; `kernel` makes one.

    Attributes
    ----------
    py_func : function or None
        The function itself, which runs on NumPy arrays as plain Python.
    """

    def __init__(self, program: Program, function: Callable[..., Any] | None) -> None:
        self.py_func = function
        self._runner = Runner(program)
        self._program = program
        self._around = names_around(program)
        if function is not None:
            functools.update_wrapper(self, function)

    def _parts(self) -> tuple[Callable[..., Any], *tuple[Any, ...]]:
        """What makes an equal kernel: its program with the values around it as they are now."""
        around = self._program.values or {}
        values = {name: around[name] for name in self._around if name in around}
        return Kernel, replace(self._program, values=values), self.py_func

    def __repr__(self) -> str:
        return f"<structarr kernel {self._program.name}({', '.join(self._program.parameters)})>"

    def __call__(self, *args: Any, **operands: Any) -> Any:
        runner, values, asked = self.call(args, operands)
        return _returned(runner(values, asked))

    def call(
        self, args: tuple[Any, ...], operands: dict[str, Any]
    ) -> tuple[Runner, dict[str, Any], Asked]:
        """The parts of a call: the program, the values of its names, and the results asked for."""
        return self._runner, _values(self._bound(args, operands)), Asked()

    def _bound(self, args: tuple[Any, ...], operands: dict[str, Any]) -> dict[str, Any]:
        """The values of parameters; results may be left out."""
        program = self._program
        stages = self._runner.stages(frozenset(operands))
        written = {name for stage, _ in stages for name in stage.writes}
        every = program.parameters
        needed = tuple(name for name in every if name not in written)
        names = needed if len(args) + len(operands.keys() & set(needed)) <= len(needed) else every
        if len(args) > len(names):
            raise TypeError(
                f"{program.name} takes {len(names)} arguments, not {len(args)}: {', '.join(names)}"
            )
        bound = dict(zip(names, args, strict=False))
        for name, value in operands.items():
            if name in bound:
                raise TypeError(f"{program.name} got two values for {name}")
            if name not in every:
                raise TypeError(f"{program.name} has no parameter {name}")
            bound[name] = value
        missing = [name for name in needed if name not in bound]
        if missing:
            raise TypeError(f"{program.name} lacks the arguments {', '.join(missing)}")
        around = program.values or {}
        for name in self._around:
            if name in around:
                value = around[name]
                if isinstance(value, Operator | Op | np.ufunc) or not callable(value):
                    bound[name] = value
        return bound


def kernel(function: Callable[..., Any] | str, /) -> Any:
    """
    Make a structured kernel of a function whose loops are plain Python.

    Parameters
    ----------
    function : function or str
        Its loops are over `range`, its statements are assignments and updates of elements, `if`
        and arrays that it makes with `np.zeros` and the like. Or its source text.

    Returns
    -------
    Kernel or RunKernel
        Called with arrays of any format, it returns what the function returns, or else what the
        function writes. Parameters that are written may be left out, and begin at their operator's
        identity; given, they are where the result begins, and are not changed themselves. Of a
        function that has loops over `runs`, the outermost loops are compiled as they stand, in
        their order and with what they hand on, and the rest runs as Python.

    Raises
    ------
    ProgramError
        With the file, line and column of what is not supported.

    See Also
    --------
    loops : A program as a text.
    jit : Functions of arrays.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> @sa.kernel
    ... def spmv(A, x):
    ...     y = np.zeros(A.shape[0])
    ...     for i in range(A.shape[0]):
    ...         for j in range(A.shape[1]):
    ...             y[i] += A[i, j] * x[j]
    ...     return y
    >>> A = np.array([[0.0, 2.0], [3.0, 0.0]])
    >>> spmv(sa.asarray(A, format="csr"), np.array([1.0, 10.0])).todense()
    array([20.,  3.])
    >>> spmv.py_func(A, np.array([1.0, 10.0]))
    array([20.,  3.])
    """
    inner = inspect.unwrap(function) if callable(function) else None
    if isinstance(inner, FunctionType) and inner.__name__ != "<lambda>":
        found = source_of(inner)
        if goes_over_runs(found):
            return RunKernel(inner)
    if isinstance(function, str) and is_text_over_runs("kernel", function):
        return of_text("kernel", function)
    program = parse_function(function)
    return Kernel(program, function if inspect.isfunction(function) else None)


def _values(operands: Mapping[str, Any]) -> dict[str, Any]:
    """The values of names, as programs take them."""
    return {name: _value(name, value) for name, value in operands.items()}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, Operator):
        return value.op.name
    if isinstance(value, Op):
        return value.name
    if isinstance(value, np.ufunc):
        return value.__name__
    if type(value) in WEAK or isinstance(value, np.generic):
        return value
    try:
        array = lift(value)
    except (TypeError, ValueError) as problem:
        raise type(problem)(f"{name}: {problem}") from None
    if not isinstance(array, Array):
        return array
    tensor = stored(as_array(array))
    return tensor if tensor.ndim else to_dense(tensor)[()]


def _order(order: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if order is None:
        return None
    if isinstance(order, str):
        return tuple(order.replace(",", " ").split()) if not order.isalpha() else tuple(order)
    return tuple(order)


def _extents(
    extents: Mapping[str, int | tuple[int, int]] | None,
) -> dict[str, tuple[int, int]]:
    return {
        name: (0, value) if isinstance(value, int) else (int(value[0]), int(value[1]))
        for name, value in (extents or {}).items()
    }


def _format(wanted: Any, runner: Runner, name: str, values: Mapping[str, Any]) -> Format:
    """A format by its name or tree, for as many axes as the result has."""
    for stage, uses in runner.stages(frozenset(values)):
        if name in stage.writes:
            ndim = 1 + max((use.axis for use in uses if use.array == name), default=-1)
            fmt = parse(wanted, ndim)
            demands = any(one.is_partial or one.prepares for one in fmt.levels)
            demands = demands or not all(one.writing.writable for one in fmt.levels)
            if demands or not fmt.levels[-1].buffers:
                raise ProgramError(
                    f"{name} cannot be written as {name_of(fmt)}, which does not hold every array: "
                    "give no format, and convert the result with asformat"
                )
            return fmt
    raise ProgramError(f"out= names {name}, which the program does not write")


def _returned(found: Mapping[str, Any]) -> Any:
    arrays = tuple(of_tensor(tensor) for tensor in found.values())
    return arrays[0] if len(arrays) == 1 else arrays
