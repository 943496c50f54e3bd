"""Running a program: what its names stand for in a call, a kernel for each stage, the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from structarr._compiler.options import current
from structarr._language.execute.compile import Asked, Ready, compiled
from structarr._language.execute.operands import operands, start_of, surroundings
from structarr._language.read.messages import error, followed
from structarr._language.read.syntax import (
    Make,
    Place,
    Program,
    Shape,
)
from structarr._language.resolve.accesses import Use, uses_of
from structarr._language.resolve.lengths import Lengths, measured
from structarr._language.resolve.made_numbers import made_number
from structarr._language.resolve.names_used import names_in, results_of
from structarr._language.resolve.stages import Stage, stages
from structarr._scheduler.operands import Operands
from structarr._storage.dense import from_dense, to_dense
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.once import once
from structarr.formats import parse

_INT32 = int(np.iinfo(np.int32).max)


class Runner:
    """A program and the kernels that were made for it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = names_in(program)
        self._stages: dict[frozenset[str], tuple[tuple[Stage, tuple[Use, ...]], ...]] = {}
        self._results: dict[frozenset[str], tuple[str, ...]] = {}
        self._ready: dict[Any, Ready] = {}

    def __call__(self, values: Mapping[str, Any], asked: Asked) -> dict[str, Tensor]:
        """Run the stages one after the other; return the program's results by name.

        `values` are tensors, Python and NumPy scalars, and the names of users' operators.
        """
        if asked.order is not None or asked.extents:
            stages = [stage for stage, _ in self.stages(frozenset(values))]
            _check_asked(self.program, asked, stages)
        found: dict[str, Tensor] = {}
        for call in self.calls(values, asked):
            found |= call.results
        scope = call.scope | _visible(call.results)
        return {
            name: found[name] if name in found else _given(name, call.stage, scope)
            for name in self._results[frozenset(values)]
        }

    def calls(self, values: Mapping[str, Any], asked: Asked) -> Iterator[StageCall]:
        """The call of each stage; all but the last are run, since others read their results."""
        made: dict[str, Any] = dict(values)
        call = None
        for stage, uses in self.stages(frozenset(values)):
            if call is not None:
                made = call.scope | _visible(call.results)
            scope = _seen(stage, uses, made)
            call = StageCall(stage, *self._prepared(stage, uses, scope, asked), scope)
            yield call

    def stages(self, bound: frozenset[str]) -> tuple[tuple[Stage, tuple[Use, ...]], ...]:
        """The program's stages, where some names have values."""
        known = self._stages.get(bound)
        if known is None:
            with followed(self.program):
                made = stages(self.program, bound)
                self._results[bound] = results_of(self.program, list(made))
                known = self._stages[bound] = tuple((stage, uses_of(stage)) for stage in made)
        return known

    def _prepared(
        self, stage: Stage, uses: tuple[Use, ...], scope: Mapping[str, Any], asked: Asked
    ) -> tuple[Ready, Lengths]:
        """The kernel of a stage, compiled once for operands of one structure."""
        arrays = {n: v for n, v in scope.items() if isinstance(v, Tensor)}
        shapes = {name: tensor.shape for name, tensor in arrays.items()}
        number = _numbers(scope)
        found = Lengths(stage, shapes, number)
        for name, made in stage.makes.items():
            if name not in shapes:
                shapes[name] = _made_shape(made, found)
        found = measured(stage, uses, shapes, number, asked.extents or {})
        begun = frozenset(n for n in stage.writes if n in scope)
        given = surroundings(scope, arrays, asked, begun)
        options = current()
        wide = any(n > _INT32 for shape in found.shapes.values() for n in shape)
        key = (
            id(stage),
            tuple(given.arrays.items()),
            tuple(given.scalars.items()),
            tuple(given.operators.items()),
            tuple(given.formats.items()),
            begun,
            tuple(found.whole.values()),
            tuple(found.falling),
            found.links,
            asked.order,
            wide,
            options.strict_ieee,
            options.rules,
            options.checked,
        )
        ready = self._ready.get(key)
        if ready is None:
            with followed(self.program):
                ready = compiled(stage, uses, found, given, asked, wide, arrays)
            room(self._ready)[key] = ready
        return ready, found


@dataclass(frozen=True)
class StageCall:
    """A stage in a call of its program: its kernel, and the values of the names in it."""

    stage: Stage
    ready: Ready
    found: Lengths
    scope: dict[str, Any]

    @once
    def given(self) -> Operands:
        """The arguments of the kernel."""
        return operands(self.ready, self.found, self.scope)

    @once
    def results(self) -> dict[str, Tensor]:
        """The results, computed when they are asked for."""
        names, begun = self.stage.writes, [one.begun for one in self.ready.meaning.results]
        shapes = [self.found.shapes[name] for name in names]
        starts = [
            start_of(self.scope[name]) if own else None
            for name, own in zip(names, begun, strict=True)
        ]
        try:
            tensors = self.ready.run(self.given, shapes, starts)
        except IndexError as problem:
            raise _explained(problem, self.ready, self.stage) from None
        return dict(zip(names, tensors, strict=True))


def _seen(stage: Stage, uses: tuple[Use, ...], scope: Mapping[str, Any]) -> dict[str, Any]:
    """The values of names in a stage: arrays made anew hide earlier values."""
    fresh = {name: made for name, made in stage.makes.items() if name not in stage.begun}
    seen = {name: value for name, value in scope.items() if name not in fresh}
    for name, made in fresh.items():
        if name in stage.writes:
            continue
        if not made.shape:
            seen[name] = made_number(made, stage.program)
        elif any(use.array == name for use in uses):
            seen[name] = _constant(made, stage, seen)
    return seen


def _given(name: str, stage: Stage, scope: Mapping[str, Any]) -> Tensor:
    """A result that no stage writes: an operand, or an array that was made."""
    if name in scope:
        value = scope[name]
        return value if isinstance(value, Tensor) else from_dense(np.asarray(value))
    return _constant(stage.makes[name], stage, scope)


def _constant(made: Make, stage: Stage, scope: Mapping[str, Any]) -> Tensor:
    """An array of one value, as a program makes it."""
    shapes = {name: value.shape for name, value in scope.items() if isinstance(value, Tensor)}
    found = Lengths(stage, shapes, _numbers(scope))
    for name, other in stage.makes.items():
        shapes[name] = _made_shape(other, found)
    value, shape = made_number(made, stage.program), shapes[made.name]
    held = np.full(1, value, made.dtype or type(value))
    return Tensor(parse("constant", len(shape)), shape, held.dtype, held[0], (held,))


def _visible(made: Mapping[str, Tensor]) -> dict[str, Any]:
    """Results as later stages see them: those without axes are scalars."""
    return {name: t if t.ndim else to_dense(t)[()] for name, t in made.items()}


def _check_asked(program: Program, asked: Asked, parts: list[Stage]) -> None:
    """Refuse orders and extents of indices that are not there."""
    at = Place(program.first, 0, 1)
    free = [name for stage in parts for name, loop in stage.indices.items() if loop is None]
    for name in asked.extents or ():
        if name not in free:
            raise error(
                f"extents= names {name}, which is no free index of the program", at, program
            )
    if asked.order is None:
        return
    for stage in parts:
        own = [name for name, loop in stage.indices.items() if loop is None]
        if sorted(n for n in asked.order if n in own) != sorted(own):
            raise error(
                f"order= must name each of {', '.join(own)} once, not {', '.join(asked.order)}",
                at,
                program,
            )
    for name in asked.order:
        if name not in free:
            raise error(f"order= names {name}, which is no free index of the program", at, program)


def _numbers(scope: Mapping[str, Any]) -> Any:
    """A function that gives the whole number of a name, None for other names."""

    def number(name: str) -> int | None:
        value = scope.get(name)
        if isinstance(value, int | np.integer) and not isinstance(value, bool):
            return int(value)
        return None

    return number


def _made_shape(made: Make, found: Lengths) -> tuple[int, ...]:
    """The shape of an array that is made."""
    match made.shape:
        case (Shape(array),) if array in found.shapes:
            return found.shapes[array]
        case (Shape(array),):
            raise error(
                f"the shape of {array} is not known: make it first", made.at, found.stage.program
            )
    return tuple(_made_length(part, found, made) for part in made.shape)


def _made_length(part: Any, found: Lengths, made: Make) -> int:
    """The length of one of its axes."""
    bounds = found.interval(part)
    if bounds is None or bounds[0] != bounds[1]:
        raise error(
            "a length must be a whole number or the length of an axis, as in `A.shape[0]`",
            part.at,
            found.stage.program,
        )
    if bounds[0] < 0:
        raise error(f"a length must not be negative: {bounds[0]}", made.at, found.stage.program)
    return bounds[0]


def _explained(problem: IndexError, ready: Ready, stage: Stage) -> Exception:
    """An index that a kernel found outside, as an error at its place in the program."""
    if len(problem.args) != 3:
        return problem
    site, index, length = problem.args
    use = ready.meaning.uses[site]
    counted = "; in programs no index counts from the end" if index < 0 else ""
    told = error(
        f"index {index} is out of bounds for axis {use.axis} of {use.array}, of length "
        f"{length}{counted}",
        use.at,
        stage.program,
    )
    return IndexError(str(told))
