"""What a stage means: its statements in concrete index notation, over operands not yet stored.

Operands stand as `Operand`s, results as `Made`, both in the order of their axes; formats and
storage are chosen afterwards, by the compiler's passes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from structarr import _dtypes
from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Multi,
    Padded,
    Pass,
    Permit,
    Protocol,
    Sieve,
    Stmt,
    Tensor,
    Where,
    Within,
)
from structarr._compiler.ir.expr import INDEX, Call, Expr, Index, Lit, Var
from structarr._compiler.ir.ops import OPS, Op
from structarr._compiler.passes.index import apply as read
from structarr._compiler.passes.made import Made
from structarr._compiler.rules.algebra import literal
from structarr._language import syntax, terms
from structarr._language.lengths import CHECKED, SAFE, WHOLE, Lengths, Use
from structarr._language.messages import axes, error
from structarr._language.names import kernel_name
from structarr._language.stages import Stage
from structarr._language.terms import Kind, Term, cast, strong
from structarr._language.vocabulary import PADDINGS
from structarr.formats import Element, Format
from structarr.formats.workspace import Workspace


@dataclass(frozen=True)
class Known:
    """What the compiler knows of a scalar: its kind, and its value where that has an algebra."""

    kind: Kind
    value: Lit | None
    whole: bool  # whether it may stand in an index


@dataclass
class Surroundings:
    """What the names of a stage stand for, as far as the kernel depends on it."""

    arrays: dict[str, Input]
    scalars: dict[str, Known]
    operators: dict[str, str]  # the names of users' operators, as the table of operators has them
    formats: dict[str, Format | None]  # of results, where they are asked for
    begun: frozenset[str]  # results that begin as a given array
    stored: dict[int, Input] = field(default_factory=dict)  # operands in another order, by number
    split: set[str] = field(default_factory=set)  # arrays that are read in several orders


@dataclass
class Meaning:
    """A stage as a statement, and what its kernel is to be called with."""

    stmt: Stmt = field(default_factory=Pass)
    results: list[Made] = field(default_factory=list)
    tensors: list[str] = field(default_factory=list)  # operands by number
    names: dict[int, str] = field(default_factory=dict)  # of operands in the kernel
    scalars: list[tuple[str, str]] = field(default_factory=list)  # name and dtype, by number
    sizes: list[str] = field(default_factory=list)
    lengths: dict[str, tuple[str, Any]] = field(default_factory=dict)  # what each is of
    dims: dict[tuple[int, int], Expr] = field(default_factory=dict)  # of operands
    uses: tuple[Use, ...] = ()  # the sites that the kernel checks, by number
    loops: tuple[Index, ...] = ()  # in the order of nesting
    extents: dict[Index, Expr] = field(default_factory=dict)


def meaning(stage: Stage, uses: tuple[Use, ...], found: Lengths, given: Surroundings) -> Meaning:
    """Build the statement of a stage.

    Raises
    ------
    ProgramError
        At the place of what breaks a rule of the language.
    """
    return _Builder(stage, uses, found, given).whole()


@dataclass
class _Temp:
    """A temporary: a scalar, or a vector, made by inner loops and used outside of them."""

    access: Callable[[tuple[Expr, ...]], Access]
    tensor: Tensor
    first: bool  # whether its first value is its start


class _Builder:
    def __init__(
        self, stage: Stage, uses: tuple[Use, ...], found: Lengths, given: Surroundings
    ) -> None:
        self.stage, self.found, self.given = stage, found, given
        self.uses = {(u.array, u.axis, u.index, u.permitted): k for k, u in enumerate(uses)}
        self.out = Meaning(uses=uses)
        self.taken: set[str] = set()
        self.parents: dict[Any, Any] = {}
        self.index: dict[str, Index] = {}
        self.numbers: dict[tuple[str, tuple[syntax.Syntax, ...]], int] = {}
        self.made: dict[str, Made] = {}
        self.temps: dict[str, _Temp] = {}
        self.finished: set[str] = set()  # temporaries that are read from now on
        self.asking: set[str] = set()
        self.typing = False  # only dtypes are asked for: temporaries are not there yet
        for name in stage.indices:
            self.index[name] = Index(kernel_name(name, self.taken))
        for k, use in enumerate(uses):
            if found.links[k] == WHOLE:
                self._join(("index", use.plain), (use.array, use.axis))
        for name, loop in stage.indices.items():
            if loop is not None and found.whole[name]:
                self._join(("index", name), _length_key(loop.stop))
        for name, made in stage.makes.items():
            for axis, part in enumerate(made.shape):
                self._join_made(name, axis, part)

    def error(self, message: str, at: syntax.Place) -> Exception:
        return error(message, at, self.stage.program)

    def whole(self) -> Meaning:
        """The statement, and all that was met on the way."""
        out = self.out
        self.typing = True
        for name in self.stage.writes:
            out.results.append(self._result(name))
        self.typing = False
        for name, index in self.index.items():
            self._extent(name, index)
        out.loops = tuple(self.index.values())
        if self.stage.is_free:
            out.stmt = self._free()
        else:
            out.stmt = self._block(self.stage.body)
        return out

    # ------------------------------------------------------------- lengths

    def _join(self, one: Any, other: Any) -> None:
        root, below = self._root(one), self._root(other)
        if root != below:
            self.parents[below] = root

    def _join_made(self, name: str, axis: int, part: syntax.Syntax) -> None:
        """The axes of an array that is made are as long as what it is made by says."""
        if isinstance(part, syntax.Shape):
            for k in range(len(self.found.shapes[part.array])):
                self._join((part.array, k), (name, k))
        else:
            self._join(_length_key(part), (name, axis))

    def _root(self, one: Any) -> Any:
        while one in self.parents:
            one = self.parents[one]
        return one

    def _length(self, key: Any) -> Expr | None:
        """The variable of the length of all that is as long as an index."""
        root = self._root(key)
        name = next(
            (n for n in self.index if self.found.whole[n] and self._root(("index", n)) == root),
            None,
        )
        if name is None:
            return None
        variable = f"{self.index[name].name}_n"
        self.out.lengths[variable] = ("index", name)
        return Var(INDEX, variable)

    def _dim(self, array: str, axis: int) -> Expr:
        """The length of an axis, the same variable as the loops' over all of it."""
        found = self._length((array, axis))
        if found is not None:
            return found
        variable = f"{kernel_name(array, set())}_{axis}_n"
        self.out.lengths[variable] = (array, axis)
        return Var(INDEX, variable)

    def _number(self, array: str, indices: tuple[syntax.Syntax, ...]) -> int:
        """The number of an operand: one for all reads of an array, if one order of it serves."""
        key = (array, indices if array in self.given.split else ())
        if key not in self.numbers:
            number = self.numbers[key] = len(self.out.tensors)
            self.out.tensors.append(array)
            self.out.names[number] = kernel_name(array, self.taken)
            for axis in range(len(self.found.shapes[array])):
                self.out.dims[number, axis] = self._dim(array, axis)
        return self.numbers[key]

    def _extent(self, name: str, index: Index) -> None:
        if self.found.whole[name]:
            length = self._length(("index", name))
            assert length is not None
            self.out.extents[index] = length

    # ------------------------------------------------------------- results

    def _result(self, name: str) -> Made:
        """A result, by everything that the stage assigns to it."""
        stage, made = self.stage, self.stage.makes.get(name)
        assigned = [a for one in stage.body for a in _assignments(one, name)]
        if not assigned:
            raise self.error(f"{name} is never written", stage.body[0].at)
        op = self._operator(assigned)
        wanted = self.given.formats.get(name)
        begun = name in self.given.begun
        if made is not None and (
            made.dtype is not None or isinstance(assigned[0].target, syntax.Read)
        ):
            dtype = made.dtype or _made_dtype(self._value(made.value).kind)
        elif begun and name in self.given.arrays:
            dtype = self.given.arrays[name].dtype
        else:
            first = [] if made is None else [self._value(made.value).kind]
            dtype = self._dtype_of(assigned, op, first)
        start = self._start(op, dtype, made, assigned[0].at)
        shape = self.found.shapes[name]
        dims = tuple(self._dim(name, axis) for axis in range(len(shape)))
        own, updated = kernel_name(name, self.taken), op is not None
        found = Made(own, dtype, start, updated, begun, made is not None, wanted, dims)
        self.made[name] = found
        return found

    def _operator(self, assigned: list[syntax.Assign]) -> str | None:
        """The one operator by which a result is updated."""
        ops = {one.op for one in assigned}
        if len(ops) > 1:
            names = [_shown(one.op) for one in assigned]
            other = next(one for one in assigned if one.op != assigned[0].op)
            raise self.error(
                f"{_target(other)} is updated by {names[0]} and by {_shown(other.op)}: a result "
                "has one operator; write to two results and combine them",
                other.at,
            )
        return assigned[0].op

    def _dtype_of(self, assigned: list[syntax.Assign], op: str | None, first: list[Kind]) -> str:
        kinds = first + [self._summand(one).kind for one in assigned]
        dtype = terms.promoted(kinds)
        if op is None:
            return dtype
        name = self._op(op, assigned[0].at).name
        try:
            return _dtypes.reduction(name, np.dtype(dtype))
        except TypeError as problem:
            raise self.error(str(problem), assigned[0].at) from None

    def _start(self, op: str | None, dtype: str, made: syntax.Make | None, at: Any) -> Lit:
        if made is not None:
            value = self._value(made.value).cast(dtype)
            if not isinstance(value, Lit):
                raise self.error("an array is made of one number, written out", made.at)
            return Lit(dtype, value.value, True)
        if op is None:
            return literal(dtype, 0, True)
        operator = self._op(op, at)
        start = _dtypes.identity_of(operator.name, np.dtype(dtype))
        if start is None:
            start = operator.left_identity
        if start is None:
            raise self.error(
                f"{op} has no identity to begin with: make the result first, as in "
                "`y = np.full(n, start)`",
                at,
            )
        return literal(dtype, start, True)

    # ------------------------------------------------------------- statements

    def _free(self) -> Stmt:
        """One assignment for all indices, those of its target outermost."""
        stmt = self._block(self.stage.body)
        for name in reversed(list(self.stage.indices)):
            index = self.index[name]
            lo, hi = Lit(INDEX, 0), self.out.extents.get(index)
            stmt = Loop(index, lo, hi, stmt) if hi is not None else self._part(name, stmt)
        return stmt

    def _part(self, name: str, stmt: Stmt) -> Stmt:
        """A loop over an extent that a call declares, and that does not begin at 0."""
        index = self.index[name]
        bounds = [f"{index.name}_{place}" for place in ("start", "stop")]
        for place, variable in enumerate(bounds):
            self.out.lengths[variable] = ("range", (name, place))
        lo, hi = (Var(INDEX, variable) for variable in bounds)
        return Loop(index, lo, hi, stmt)

    def _block(self, body: tuple[syntax.Syntax, ...]) -> Stmt:
        """Statements in order; what a temporary's makers are the producer of its readers."""
        first = next((k for k in range(len(body)) if self._introduced(body[k:])), None)
        if first is None:
            return _multi([self._statement(one) for one in body])
        before = [self._statement(one) for one in body[:first]]
        names, last = self._temporaries(body[first:])
        makers, readers = body[first : first + last], body[first + last :]
        outside, finished = dict(self.temps), set(self.finished)
        self.finished -= set(names)
        temps = [self._temp(name, makers) for name in names]
        lines = [stmt for one in makers if (stmt := self._maker(one)) is not None]
        producer = _multi(lines)
        self.finished |= set(names)
        consumer = self._block(readers)
        self.temps, self.finished = outside, finished
        return _multi([*before, Where(consumer, producer, tuple(t.tensor for t in temps))])

    def _introduced(self, body: tuple[syntax.Syntax, ...]) -> list[str]:
        """The temporaries that the first of some statements makes, for those after it."""
        one, *later = body
        if isinstance(one, syntax.Make):
            return [one.name]
        if isinstance(one, syntax.Assign):
            return [_name(one.target)] if self._is_new(one) else []
        names = {
            _name(part.target): None
            for part in one.parts()
            if isinstance(part, syntax.Assign) and self._is_new(part)
        }
        return [name for name in names if any(name in _values(after) for after in later)]

    def _is_new(self, one: syntax.Assign) -> bool:
        """Whether a scalar gets its value that is no result, and no temporary that is there."""
        if not isinstance(one.target, syntax.Name):
            return False
        name = one.target.name
        if name in self.finished:
            return one.op is None
        return name not in self.made and name not in self.temps

    def _temporaries(self, body: tuple[syntax.Syntax, ...]) -> tuple[list[str], int]:
        """What is made in a block until something made is read, and how far that is."""
        names: dict[str, None] = {}
        for k, one in enumerate(body):
            if k and any(name in _values(one) for name in names):
                return list(names), k
            names |= dict.fromkeys(self._introduced(body[k:]))
        return list(names), len(body)

    def _temp(self, name: str, makers: tuple[syntax.Syntax, ...]) -> _Temp:
        made = next((m for m in makers if isinstance(m, syntax.Make) and m.name == name), None)
        assigned = [a for one in makers for a in _assignments(one, name)]
        if name in self.given.scalars or name in self.given.arrays:
            raise self.error(f"{name} is an operand: it cannot be assigned to", makers[0].at)
        first = assigned[0] if assigned and made is None else None
        if first is not None and first.op is not None:
            raise self.error(f"{name} is updated before it has a value", first.at)
        whole = any(first is one for one in makers)  # and not under a condition
        starts = first is not None and whole and _is_number(first.value)
        updates = assigned[1:] if first is not None else assigned
        ops = {one.op for one in updates}
        if len(ops) > 1:
            raise self.error(f"{name} is updated by more than one operator", updates[-1].at)
        kinds = [self._summand(one).kind for one in assigned]
        if made is not None:
            dtype = made.dtype or _made_dtype(self._value(made.value).kind)
        else:
            dtype = terms.promoted(kinds)
            if updates and updates[0].op is not None:
                op = self._op(updates[0].op, updates[0].at)
                dtype = _dtypes.reduction(op.name, np.dtype(dtype))
        value = made.value if made is not None else first.value if first and starts else None
        begin = None if value is None else self._value(value)
        first_value = literal(dtype, 0) if begin is None else begin.cast(dtype)
        assert isinstance(first_value, Lit)
        start = Lit(dtype, first_value.value, True)  # what stands where nothing is written
        dims: tuple[Expr, ...] = ()
        level: Any = Element()
        if made is not None and made.shape:
            if len(made.shape) > 1:
                raise self.error(
                    "a temporary within loops has one axis at most: make it before the loops",
                    made.at,
                )
            length = self._length(_length_key(made.shape[0]))
            if length is None:
                raise self.error("a temporary is as long as a loop over it: give it that", made.at)
            dims, level = (length,), Workspace(Element())
        own = kernel_name(name, self.taken)
        order = tuple(range(len(dims)))
        tensor = Tensor(own, Format(level, order), dtype, start, dims, "temp", start)
        temp = self.temps[name] = _Temp(lambda at: Access(dtype, tensor, at), tensor, starts)
        return temp

    def _maker(self, one: syntax.Syntax) -> Stmt | None:
        """A statement of those that make temporaries; a start needs none."""
        if isinstance(one, syntax.Make):
            return None
        if isinstance(one, syntax.Assign) and isinstance(one.target, syntax.Name):
            temp = self.temps.get(one.target.name)
            if temp is not None and temp.first and one.op is None:
                temp.first = False
                return None
        return self._statement(one)

    def _statement(self, one: syntax.Syntax) -> Stmt:
        match one:
            case syntax.For(index, start, stop, body):
                return self._loop(one, index, start, stop, body)
            case syntax.If(cond, body, orelse):
                return self._branch(cond, body, orelse)
            case syntax.Assign():
                return self._assign(one)
        raise self.error("a statement that is not supported", one.at)

    def _loop(
        self,
        one: syntax.For,
        index: str,
        start: syntax.Syntax | None,
        stop: syntax.Syntax,
        body: tuple[syntax.Syntax, ...],
    ) -> Stmt:
        own = self.index[index]
        hi = self.out.extents.get(own)
        lo: Expr = Lit(INDEX, 0)
        if hi is None:
            lo = lo if start is None else self._bound(start)
            hi = self._bound(stop)
        return Loop(own, lo, hi, self._block(body))

    def _bound(self, one: syntax.Syntax) -> Expr:
        term = self._value(one)
        if term.index is None:
            raise self.error("a loop's bound must be a whole number", one.at)
        return term.index

    def _branch(
        self,
        cond: syntax.Syntax,
        body: tuple[syntax.Syntax, ...],
        orelse: tuple[syntax.Syntax, ...],
    ) -> Stmt:
        stmt = self._block(body)
        for part in reversed(_conjuncts(cond)):
            stmt = Sieve(self._truth(part), stmt)
        if not orelse:
            return stmt
        fails = syntax.Apply("logical_not", (cond,), at=cond.at)
        return _multi([stmt, Sieve(self._truth(fails), self._block(orelse))])

    def _truth(self, one: syntax.Syntax) -> Expr:
        term = self._value(one)
        if term.dtype == "bool":
            return term.expr
        dtype = term.dtype
        return Call("bool", OPS["not_equal"], (term.expr, literal(dtype, 0)))

    def _assign(self, one: syntax.Assign) -> Stmt:
        target = self._place(one.target)
        value = self._summand(one)
        dtype = target.dtype
        if not np.can_cast(np.dtype(value.dtype), np.dtype(dtype), "same_kind") and not (
            terms.is_weak(value.kind) and _fits(value, dtype)
        ):
            raise self.error(
                f"{value.dtype} values do not go into {_target(one)}, which is {dtype}", one.at
            )
        op = None if one.op is None else self._op(one.op, one.at)
        stored = value.cast(dtype)
        if _subtracts(one):  # in the target's dtype: an unsigned number has no negative
            stored = Call(dtype, OPS["negative"], (stored,))
        return Assign(target, op, stored)

    def _summand(self, one: syntax.Assign) -> Term:
        """What an assignment's value is made of; what is subtracted is not negated yet."""
        if _subtracts(one):
            assert isinstance(one.value, syntax.Apply)
            return self._value(one.value.args[0])
        return self._value(one.value)

    def _op(self, name: str, at: Any) -> Op:
        name = self.given.operators.get(name, name)
        found = OPS.get(name)
        if found is None:
            raise self.error(f"there is no operator {name}", at)
        return found

    def _place(self, target: syntax.Syntax) -> Access:
        """Where an assignment writes."""
        if isinstance(target, syntax.Name):
            temp = self._temporary(target.name, target.at)
            if temp is not None and temp.tensor.dims:
                text = f"{target.name} is an array: write an element, {target.name}[i]"
                raise self.error(text, target.at)
            if temp is not None:
                return temp.access(())
            return self._target_access(target.name, (), target.at)
        assert isinstance(target, syntax.Read)
        temp = self._temporary(target.array, target.at)
        if temp is not None:
            return temp.access(tuple(self._index(target, k) for k in range(len(target.indices))))
        if any(isinstance(i, syntax.Modified) for i in target.indices):
            raise self.error("a protocol is for reading: the result takes none", target.at)
        indices = tuple(self._index(target, k) for k in range(len(target.indices)))
        return self._target_access(target.array, indices, target.at)

    def _temporary(self, name: str, at: syntax.Place) -> _Temp | None:
        """A temporary that may still be written."""
        if name in self.finished:
            raise self.error(f"{name} is updated after it was read: use another name", at)
        return self.temps.get(name)

    def _target_access(self, name: str, indices: tuple[Expr, ...], at: Any) -> Access:
        made = self.made.get(name)
        if made is None:
            raise self.error(f"{name} is an operand: it cannot be assigned to", at)
        if made.ndim != len(indices):
            raise self.error(f"{name} has {axes(made.ndim)}, not {len(indices)}", at)
        return Access(made.dtype, made, indices)

    # ------------------------------------------------------------- values

    def _value(self, one: syntax.Syntax) -> Term:
        match one:
            case syntax.Number(value):
                return terms.number(value)
            case syntax.Apply("negative", (syntax.Number(value),)) if not isinstance(value, bool):
                return terms.number(-value)
            case syntax.Missing():
                raise self.error("missing stands in coalesce alone", one.at)
            case syntax.Name(name):
                return self._name(name, one.at)
            case syntax.Length(array, axis):
                self.found.length(one)
                return terms.of_index(self._dim(array, axis % len(self.found.shapes[array])))
            case syntax.Read():
                return self._read(one)
            case syntax.Apply():
                return self._apply(one)
            case syntax.Modified(kind):
                raise self.error(f"{kind} is said of an index: A[{kind}(i)]", one.at)
        raise self.error("an expression that is not supported", one.at)

    def _name(self, name: str, at: Any) -> Term:
        if name in self.index:
            return terms.of_index(self.index[name])
        if name in self.temps and not self.temps[name].tensor.dims:
            return strong(self.temps[name].access(()))
        if name in self.temps:
            raise self.error(f"{name} is an array: read an element, {name}[i]", at)
        if name in self.made:
            raise self._unfinished(name, at)
        if name in self.given.arrays:
            raise self.error(f"{name} is an array: read an element, {name}[i]", at)
        known = self.given.scalars.get(name)
        made = self.stage.makes.get(name)
        if known is None and made is not None and not made.shape and name not in self.stage.writes:
            return self._value(made.value)  # a number that is named once
        if known is None and self.typing:
            return self._untold(name, at)
        if known is None:
            raise self.error(f"{name} is not known here: it is no argument and no index", at)
        return Term(known.kind, lambda dtype: self._scalar(name, known, dtype), self._whole(name))

    def _unfinished(self, name: str, at: syntax.Place) -> Exception:
        return self.error(
            f"{name} is read while it is being made: only its update, as in `{name}[i] += x`, "
            "reads it; make another array first, and read that",
            at,
        )

    def _untold(self, name: str, at: syntax.Place) -> Term:
        """A value of the dtype of a temporary, by all that is assigned to it."""
        assigned = [a for one in self.stage.body for a in _assignments(one, name)]
        made = [
            part
            for one in self.stage.body
            for part in one.parts()
            if isinstance(part, syntax.Make) and part.name == name
        ]
        if name in self.stage.writes:
            raise self._unfinished(name, at)
        if not assigned or name in self.asking:
            raise self.error(f"{name} is not known here: it is no argument and no index", at)
        if made:
            told = made[0].dtype or _made_dtype(self._value(made[0].value).kind)
            return strong(Var(told, f"?{name}"))
        self.asking.add(name)
        op = next((one.op for one in assigned if one.op is not None), None)
        dtype = self._dtype_of(assigned, op, [])
        self.asking.discard(name)
        return strong(Var(dtype, f"?{name}"))

    def _scalar(self, name: str, known: Known, dtype: str) -> Expr:
        if known.value is not None:
            return literal(dtype, known.value.value)
        stored = dtype if terms.is_weak(known.kind) else np.dtype(known.kind).name
        key = (name, stored)
        if key not in self.out.scalars:
            self.out.scalars.append(key)
        return cast(Var(stored, f"scalar{self.out.scalars.index(key)}"), dtype)

    def _whole(self, name: str) -> Expr | None:
        if not self.given.scalars[name].whole:
            return None
        known = self.given.scalars[name]
        if known.value is not None:
            return Lit(INDEX, int(known.value.value))
        if name not in self.out.sizes:
            self.out.sizes.append(name)
        return Var(INDEX, f"whole{self.out.sizes.index(name)}")

    def _read(self, one: syntax.Read) -> Term:
        name = one.array
        temp = self.temps.get(name)
        if temp is None and self.typing and name in self.stage.inner:
            return self._untold(name, one.at)
        indices = tuple(self._index(one, k) for k in range(len(one.indices)))
        if temp is not None:
            return strong(temp.access(indices))
        if name in self.made:
            raise self._unfinished(name, one.at)
        if name in self.given.scalars and not indices:
            return self._name(name, one.at)
        operand = self.given.arrays.get(name)
        if operand is None and self.typing:
            return self._untold(name, one.at)
        if operand is None:
            raise self.error(f"{name} is not known here: it is not an argument", one.at)
        if len(indices) != len(operand.ones):
            text = f"{name} has {axes(len(operand.ones))}, and is read with {len(indices)} indices"
            raise self.error(text, one.at)
        number = self._number(name, one.indices)
        held = self.given.stored.get(number, operand)
        source = Input(held.dtype, held.ones, number, held.format, held.fill, held.weight)
        return strong(read(source, indices))

    def _index(self, access: syntax.Read, axis: int) -> Expr:
        """An index of an access: with its protocols, and checked where it may be outside."""
        found = access.indices[axis]
        protocols: list[str] = []
        way = ""  # of reading outside
        while isinstance(found, syntax.Modified):
            if found.kind == "permit" or found.kind in PADDINGS:
                if way:
                    raise self.error(f"{way} and {found.kind} of one index", found.at)
                way = found.kind
            else:
                protocols.append(found.kind)
            found = found.arg
        term = self._value(found)
        index = term.index
        if index is None:
            if np.dtype(term.kind).kind not in "iu":
                raise self.error(f"an index must be a whole number, not {term.dtype}", found.at)
            index = cast(term.expr, INDEX)
        array = access.array
        place = self.uses[array, axis, found, bool(way)]
        if array in self.temps:
            dim = self._temp_dim(access, axis)
            link = WHOLE if self.out.extents.get(index) is dim else CHECKED  # type: ignore[call-overload]
        else:
            link, dim = self.found.links[place], self._dim(array, axis)
        if isinstance(index, Lit) and index.value < 0 and link == SAFE:
            index = dim + index.value
        if way == "permit":
            index = Permit(index, dim)
        elif way:
            index = Padded(index, way, dim, place)
        elif link == CHECKED:
            index = Within(index, dim, place)
        for name in reversed(protocols):
            index = Protocol(index, name)
        return index

    def _temp_dim(self, access: syntax.Read, axis: int) -> Expr:
        """The length of a temporary's axis."""
        dims = self.temps[access.array].tensor.dims
        if len(access.indices) != len(dims):
            text = f"{access.array} has {axes(len(dims))}, not {len(access.indices)}"
            raise self.error(text, access.at)
        return dims[axis]

    def _apply(self, one: syntax.Apply) -> Term:
        if one.op == "coalesce":
            return self._coalesce(one)
        args = [self._value(arg) for arg in one.args]
        op = self.given.operators.get(one.op, one.op)
        if op not in OPS and not op.startswith("astype:") and op != "window":
            raise self.error(f"there is no function {one.op}", one.at)
        try:
            return terms.apply(op, args)
        except (TypeError, OverflowError) as problem:
            raise self.error(str(problem), one.at) from None

    def _coalesce(self, one: syntax.Apply) -> Term:
        args = [self._value(arg) for arg in one.args if not isinstance(arg, syntax.Missing)]
        return terms.apply("coalesce", args)


def _length_key(one: syntax.Syntax) -> Any:
    """What is as long as a length: an axis, or whatever else says the same."""
    return (one.array, one.axis) if isinstance(one, syntax.Length) else one


def _subtracts(one: syntax.Assign) -> bool:
    return one.op == "add" and isinstance(one.value, syntax.Apply) and one.value.op == "negative"


def _multi(stmts: list[Stmt]) -> Stmt:
    return stmts[0] if len(stmts) == 1 else Multi(tuple(stmts))


def _assignments(one: syntax.Syntax, name: str) -> list[syntax.Assign]:
    return [
        part
        for part in one.parts()
        if isinstance(part, syntax.Assign) and _name(part.target) == name
    ]


def _name(target: syntax.Syntax) -> str:
    return target.name if isinstance(target, syntax.Name) else target.array  # type: ignore[attr-defined]


def _target(one: syntax.Assign) -> str:
    return _name(one.target)


def _shown(op: str | None) -> str:
    return "=" if op is None else op


def _values(one: syntax.Syntax) -> set[str]:
    """The names that a statement reads."""
    found: set[str] = set()
    for part in one.parts():
        match part:
            case syntax.Assign(target, _, value):
                tops: list[syntax.Syntax] = [value]
                tops += target.indices if isinstance(target, syntax.Read) else ()
            case syntax.If(cond):
                tops = [cond]
            case _:
                continue
        for top in tops:
            for node in top.parts():
                if isinstance(node, syntax.Name):
                    found.add(node.name)
                elif isinstance(node, syntax.Read):
                    found.add(node.array)
    return found


def _conjuncts(cond: syntax.Syntax) -> list[syntax.Syntax]:
    if isinstance(cond, syntax.Apply) and cond.op == "logical_and":
        return [part for arg in cond.args for part in _conjuncts(arg)]
    return [cond]


def _is_number(one: syntax.Syntax) -> bool:
    if isinstance(one, syntax.Apply) and one.op == "negative":
        return _is_number(one.args[0])
    return isinstance(one, syntax.Number)


def _made_dtype(kind: Kind) -> str:
    """What NumPy makes of `zeros`, and of `full` with a number."""
    return np.dtype(kind).name


def _fits(value: Term, dtype: str) -> bool:
    try:
        value.cast(dtype)
    except OverflowError:
        return False
    return True
