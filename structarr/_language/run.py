"""Running a program: what its names stand for in a call, a kernel for each stage, the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from structarr import _dtypes
from structarr._compiler.context import TooLarge
from structarr._compiler.ir import cin
from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.expr import INDEX, Index, Lit
from structarr._compiler.passes.index import Indexed
from structarr._compiler.passes.ordered import Discordant, Made, may_miss, ordered
from structarr._compiler.pipeline import (
    Compiled,
    Request,
    Transpose,
    compile_indexed,
    compile_program,
    rules_of,
)
from structarr._compiler.rules.algebra import same_constant
from structarr._compiler.rules.engine import Simplifier
from structarr._compute import reordered
from structarr._config import current
from structarr._language.lengths import Lengths, Use, measured, uses_of
from structarr._language.meaning import Known, Meaning, Surroundings, meaning
from structarr._language.messages import error
from structarr._language.stages import Stage, stages
from structarr._language.syntax import (
    Apply,
    Assign,
    For,
    Length,
    Make,
    Name,
    Number,
    Place,
    Program,
    Read,
    Shape,
    Syntax,
)
from structarr._language.terms import is_weak
from structarr._plan import Operands, Plan
from structarr._structure import input_of, known_of
from structarr._tensor import Tensor
from structarr.formats import Dense, Element, Format, parse
from structarr.interop.numpy import from_dense, to_dense

BUDGET = 10_000  # statements that lowering a program may take; a few hundred are usual

_INT32 = int(np.iinfo(np.int32).max)


@dataclass
class Asked:
    """What a call asks for beside its operands."""

    order: tuple[str, ...] | None = None
    extents: Mapping[str, tuple[int, int]] | None = None
    formats: Mapping[str, Format] | None = None
    searches: bool = False  # operands are read out of order rather than transposed


@dataclass
class Ready:
    """A stage that is compiled, and how its kernel is called."""

    plan: Plan
    meaning: Meaning
    moved: dict[int, tuple[int, ...]]  # operands that are stored in another order first


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
        scope = dict(values)
        found: dict[str, Tensor] = {}
        parts = self.stages(frozenset(values))
        if asked.order is not None or asked.extents:
            _check_asked(self.program, asked, [stage for stage, _ in parts])
        for stage, uses in parts:
            scope = _seen(stage, uses, scope)
            made = self._run(stage, uses, scope, asked)
            found |= made
            scope |= _visible(made)
        returned = self._results[frozenset(values)]
        unwritten = {name: _given(name, stage, scope) for name in returned if name not in found}
        return {name: (found | unwritten)[name] for name in returned}

    def calls(
        self, values: Mapping[str, Any], asked: Asked
    ) -> Iterator[tuple[Stage, Ready, Operands]]:
        """Each stage's kernel with its operands; all but the last are run, since others read them.

        A stage runs when the next one is asked for.
        """
        scope = dict(values)
        *before, (last, last_uses) = self.stages(frozenset(values))
        for stage, uses in before:
            scope = _seen(stage, uses, scope)
            ready, found = self.prepared(stage, uses, scope, asked)
            yield stage, ready, _operands(ready, found, scope)
            scope |= _visible(self._run(stage, uses, scope, asked))
        scope = _seen(last, last_uses, scope)
        ready, found = self.prepared(last, last_uses, scope, asked)
        yield last, ready, _operands(ready, found, scope)

    def stages(self, bound: frozenset[str]) -> tuple[tuple[Stage, tuple[Use, ...]], ...]:
        """The program's stages, where some names have values."""
        known = self._stages.get(bound)
        if known is None:
            made = stages(self.program, bound)
            self._results[bound] = results_of(self.program, list(made))
            known = self._stages[bound] = tuple((stage, uses_of(stage)) for stage in made)
        return known

    def _run(
        self, stage: Stage, uses: tuple[Use, ...], scope: Mapping[str, Any], asked: Asked
    ) -> dict[str, Tensor]:
        ready, found = self.prepared(stage, uses, scope, asked)
        given = _operands(ready, found, scope)
        out = ready.meaning
        names = list(stage.writes)
        shapes = [found.shapes[name] for name in names]
        starts = [
            _start(scope[n]) if m.begun else None for n, m in zip(names, out.results, strict=True)
        ]
        try:
            tensors = ready.plan.run(given, shapes, starts)
        except IndexError as problem:
            raise _explained(problem, ready, stage) from None
        return dict(zip(names, tensors, strict=True))

    def prepared(
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
        given = _surroundings(scope, arrays, asked, begun)
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
            found.links,
            asked.order,
            wide,
            options.strict_ieee,
            options.rules,
        )
        ready = self._ready.get(key)
        if ready is None:
            ready = self._ready[key] = _compiled(stage, uses, found, given, asked, wide, arrays)
        return ready, found


def _seen(stage: Stage, uses: tuple[Use, ...], scope: Mapping[str, Any]) -> dict[str, Any]:
    """What names stand for in a stage: what is made anew hides what was, and may be only read."""
    fresh = {name: made for name, made in stage.makes.items() if name not in stage.begun}
    seen = {name: value for name, value in scope.items() if name not in fresh}
    for name, made in fresh.items():
        if name in stage.writes:
            continue
        if not made.shape:
            seen[name] = _literal(made.value)
        elif any(use.array == name for use in uses):
            seen[name] = _constant(made, stage, seen)
    return seen


def _given(name: str, stage: Stage, scope: Mapping[str, Any]) -> Tensor:
    """What is returned though no stage writes it: an operand, or what was made."""
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
    value, shape = _literal(made.value), shapes[made.name]
    held = np.full(1, value, made.dtype or type(value))
    return Tensor(parse("constant", len(shape)), shape, held.dtype, held[0], (held,))


def _literal(one: Syntax) -> Any:
    match one:
        case Number(value):
            return value
        case Apply("negative", (Number(value),)):
            return -value
    raise TypeError(f"{one!r} is no number")


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
            text = f"order= must name each of {', '.join(own)} once, not {', '.join(asked.order)}"
            raise error(text, at, program)
    for name in asked.order:
        if name not in free:
            raise error(f"order= names {name}, which is no free index of the program", at, program)


def names_in(program: Program) -> tuple[str, ...]:
    """Every name that a program mentions."""
    found: dict[str, None] = {}
    for one in program.body:
        for part in one.parts():
            match part:
                case Name(name) | Read(name) | Length(name) | Shape(name) | Apply(name):
                    found[name] = None
                case Assign(op=str(op)):
                    found[op] = None
    return tuple(found)


def names_around(program: Program) -> tuple[str, ...]:
    """The names that a program takes from around it: those that it does not give itself."""
    own = set(program.parameters)
    for one in program.body:
        for part in one.parts():
            match part:
                case For(index):
                    own.add(index)
                case Make(name) | Assign(Name(name)) | Assign(Read(name)):
                    own.add(name)
    return tuple(name for name in names_in(program) if name not in own)


def results_of(program: Program, parts: list[Stage]) -> tuple[str, ...]:
    """What a program returns, or else what it writes and does not read later."""
    written = dict.fromkeys(name for stage in parts for name in stage.writes)
    if program.results is not None:
        known = {*written, *program.parameters, *(n for stage in parts for n in stage.makes)}
        for name in program.results:
            if name not in known:
                at = Place(program.first, 0, 1)
                raise error(f"{name} is returned, but not made", at, program)
        return program.results
    read = {
        part.array
        for stage in parts
        for one in stage.body
        for part in one.parts()
        if isinstance(part, Read) and part.array not in stage.writes
    }
    read |= {
        part.name
        for stage in parts
        for one in stage.body
        for part in one.parts()
        if isinstance(part, Name) and part.name not in stage.writes
    }
    return tuple(name for name in written if name not in read) or tuple(written)


def _numbers(scope: Mapping[str, Any]) -> Any:
    def number(name: str) -> int | None:
        value = scope.get(name)
        if isinstance(value, int | np.integer) and not isinstance(value, bool):
            return int(value)
        return None

    return number


def _made_shape(made: Make, found: Lengths) -> tuple[int, ...]:
    match made.shape:
        case (Shape(array),) if array in found.shapes:
            return found.shapes[array]
        case (Shape(array),):
            raise error(f"the shape of {array} is not known", made.at, found.stage.program)
    return tuple(_made_length(part, found, made) for part in made.shape)


def _made_length(part: Any, found: Lengths, made: Make) -> int:
    bounds = found.interval(part)
    if bounds is None or bounds[0] != bounds[1]:
        raise error("a length must be a whole number or a length", part.at, found.stage.program)
    if bounds[0] < 0:
        raise error(f"a length must not be negative: {bounds[0]}", made.at, found.stage.program)
    return bounds[0]


def _surroundings(
    scope: Mapping[str, Any], arrays: Mapping[str, Tensor], asked: Asked, begun: frozenset[str]
) -> Surroundings:
    inputs: dict[str, Input] = {}
    for name, tensor in arrays.items():
        known = _settled(tensor).memo.get(0)
        if known is None:
            known = _settled(tensor).memo[0] = input_of(_settled(tensor), 0)
        inputs[name] = known
    scalars: dict[str, Known] = {}
    operators: dict[str, str] = {}
    for name, value in scope.items():
        if isinstance(value, str):
            operators[name] = value
        elif not isinstance(value, Tensor):
            scalars[name] = _known(value)
    formats: dict[str, Format | None] = dict(asked.formats or {})
    for name in begun:
        formats[name] = _dense(arrays[name].ndim if name in arrays else 0)
    return Surroundings(inputs, scalars, operators, formats, begun)


def _known(value: Any) -> Known:
    kind = type(value) if is_weak(type(value)) else np.dtype(value.dtype)
    own = np.asarray(value)[()]
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return Known(kind, known_of(own, own.dtype.name, False), whole)


def _settled(tensor: Tensor) -> Tensor:
    """An operand in a format that has something to read, if only nothing at all."""
    if not tensor.is_vacant:
        return tensor
    if "vacated" not in tensor.memo:
        tensor.memo["vacated"] = from_dense(np.empty(tensor.shape, tensor.dtype))
    return tensor.memo["vacated"]  # type: ignore[no-any-return]


def _dense(ndim: int) -> Format:
    level: Any = Element()
    for _ in range(ndim):
        level = Dense(level)
    return Format(level, tuple(range(ndim)))


def _compiled(
    stage: Stage,
    uses: tuple[Use, ...],
    found: Lengths,
    given: Surroundings,
    asked: Asked,
    wide: bool,
    arrays: Mapping[str, Tensor],
) -> Ready:
    """Compile a stage, with operands stored in the order of its loops."""
    moved: dict[int, tuple[int, ...]] = {}
    transposed = False
    while True:
        out = meaning(stage, uses, found, given)
        try:
            compiled = _lowered(stage, out, given, asked, wide, transposed)
        except TooLarge:
            text = "the kernel would grow too large: write it as several, of fewer accesses each"
            raise error(text, stage.body[0].at, stage.program) from None
        except (Transpose, Discordant) as needed:
            orders = _orders(needed)
            several = _read_in_orders(stage, {out.tensors[number] for number in orders})
            if several - given.split:
                given.split |= several
                continue
            if orders.keys() <= moved.keys():  # no order of them serves: some are searched
                asked = replace(asked, searches=True)
                continue
            transposed = isinstance(needed, Transpose)
            moved |= orders
            for number, axes in orders.items():
                tensor = _settled(arrays[out.tensors[number]])
                given.stored[number] = input_of(reordered(tensor, axes), 0)
            continue
        dtypes = [np.dtype(output.tensor.dtype) for output in compiled.program.outputs]
        return Ready(Plan(compiled, *dtypes), out, moved)


def _read_in_orders(stage: Stage, names: set[str]) -> set[str]:
    """The arrays among some that are read at different indices."""
    reads: dict[str, set[tuple[Syntax, ...]]] = {}
    for one in stage.body:
        for part in one.parts():
            if isinstance(part, Read) and part.array in names:
                reads.setdefault(part.array, set()).add(part.indices)
    return {name for name, found in reads.items() if len(found) > 1}


def _orders(needed: Transpose | Discordant) -> dict[int, tuple[int, ...]]:
    if isinstance(needed, Discordant):
        return needed.orders
    return {s.number: axes for s, axes in zip(needed.inputs, needed.orders, strict=True)}


def _lowered(
    stage: Stage, out: Meaning, given: Surroundings, asked: Asked, wide: bool, transposed: bool
) -> Compiled:
    options = current()
    kinds = {
        one.format.index
        for one in (given.arrays[name] for name in out.tensors)
        if any(level.buffers for level in one.format.levels[:-1])
    }
    index = "int32" if kinds == {"int32"} and not wide else "int64"
    made = out.results[0]
    request = Request(
        None, made.format, index, options.strict_ieee, False, options.rules, transposed, BUDGET
    )
    simplify = Simplifier(rules_of(request))
    indexed = None if made.begun or asked.searches else _indexed(stage, out, asked)
    if indexed is not None:
        try:
            return compile_indexed(indexed, request)
        except NotImplementedError:
            pass  # no order of the loops writes the result in order: then it is written at random
    lengths = tuple(f"{i.name}_n" for i in out.loops)
    lengths += tuple(name for name in out.lengths if name not in lengths)
    parts = (out.stmt, out.results, out.names, out.dims, lengths)
    program = ordered(*parts, simplify, index, asked.searches)
    return compile_program(program, rules_of(request), simplify, BUDGET)


def _indexed(stage: Stage, out: Meaning, asked: Asked) -> Indexed | None:
    """One assignment in whole loops: a program whose loops the scheduler may order."""
    loops: list[cin.Loop] = []
    stmt = out.stmt
    while isinstance(stmt, cin.Loop):
        loops.append(stmt)
        stmt = stmt.body
    if not isinstance(stmt, cin.Assign) or len(out.results) > 1:
        return None
    made = stmt.target.obj
    assert isinstance(made, Made)
    indices = stmt.target.indices
    bound = [loop.index for loop in loops]
    if any(not isinstance(i, Index) for i in indices) or len(set(indices)) < len(indices):
        return None
    if any(loop.lo is not Lit(INDEX, 0) or loop.index not in out.extents for loop in loops):
        return None
    if [out.extents[i] for i in indices] != list(made.dims):  # type: ignore[index]
        return None
    reduced = tuple(i for i in bound if i not in indices)
    if (stmt.op is None) is bool(reduced) or (stmt.op is None and may_miss(stmt.value)):
        return None  # an update of each element alone keeps nothing of where its value is a fill
    start = made.start if stmt.op is not None else None
    if start is not None:
        identity = _dtypes.identity_of(stmt.op.name, np.dtype(made.dtype))  # type: ignore[union-attr]
        if identity is None or not same_constant(start, Lit(made.dtype, identity)):
            return None
    if asked.order is not None:
        order: tuple[Index, ...] | None = tuple(
            i
            for name in asked.order
            for i, own in zip(out.loops, stage.indices, strict=True)
            if own == name
        )
    else:
        order = None if stage.is_free else tuple(bound)
    result: tuple[Index, ...] = indices  # type: ignore[assignment]
    own = {f"{i.name}_n" for i in out.loops}
    lengths = tuple(name for name in out.lengths if name not in own)
    return Indexed(
        stmt.value,
        result,
        reduced,
        stmt.op,
        start,
        made.dtype,
        dict(out.extents),
        order=order,
        name=made.name,
        names=out.names,
        dims=out.dims,
        lengths=lengths,
    )


def _operands(ready: Ready, found: Lengths, scope: Mapping[str, Any]) -> Operands:
    out = ready.meaning
    tensors: list[Tensor] = []
    for number, name in enumerate(out.tensors):
        tensor = _settled(scope[name])
        tensors.append(reordered(tensor, ready.moved[number]) if number in ready.moved else tensor)
    scalars = [_dtypes.scalar(scope[name], np.dtype(dtype)) for name, dtype in out.scalars]
    sizes = [int(scope[name]) for name in out.sizes]
    own = {f"{i.name}_n": name for i, name in zip(out.loops, found.stage.indices, strict=True)}
    extents = tuple(_extent(name, own, out, found) for name in ready.plan.compiled.program.lengths)
    return Operands(tensors, scalars, sizes, extents, {})


def _extent(variable: str, own: Mapping[str, str], out: Meaning, found: Lengths) -> int:
    if variable in own:
        return max(found.ranges[own[variable]][1], 0)
    kind, place = out.lengths[variable]
    if kind == "index":
        return int(found.ranges[place][1])
    if kind == "range":
        name, end = place
        return int(found.ranges[name][end])
    return int(found.shapes[kind][place])


def _start(value: Any) -> Any:
    """The values that a given result begins with, which are its own."""
    if isinstance(value, Tensor):
        return np.array(to_dense(value), order="C").reshape(-1)
    return np.array([value])


def _explained(problem: IndexError, ready: Ready, stage: Stage) -> Exception:
    if len(problem.args) != 3:
        return problem
    site, index, length = problem.args
    use = ready.meaning.uses[site]
    told = error(
        f"index {index} is out of bounds for axis {use.axis} of {use.array}, of length {length}",
        use.at,
        stage.program,
    )
    return IndexError(str(told))
