"""Stages: a program in parts, each one kernel; a later one reads what earlier ones made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from structarr._language.read.inline_lengths import without_lets
from structarr._language.read.messages import error
from structarr._language.read.syntax import (
    Apply,
    Assign,
    For,
    If,
    Make,
    Modified,
    Name,
    Place,
    Program,
    Read,
    Syntax,
    assignments,
    mapped,
    parts,
    reads,
    written_number,
)


@dataclass(frozen=True)
class Stage:
    """Statements that one kernel runs; every loop has an index of its own name."""

    program: Program
    body: tuple[Syntax, ...]
    indices: Mapping[str, For | None]  # in the order of nesting; None where no loop is written
    around: Mapping[str, tuple[str, ...]]  # for each index those of the loops around its loop
    makes: Mapping[str, Make]  # the arrays that the program makes before its loops
    writes: tuple[str, ...]  # the results of the stage
    begun: frozenset[str]  # the results that an earlier stage wrote, too
    inner: frozenset[str]  # the arrays that are made within loops

    @property
    def is_free(self) -> bool:
        """Whether no loop is written."""
        return any(loop is None for loop in self.indices.values())


def stages(program: Program, bound: frozenset[str]) -> tuple[Stage, ...]:
    """Cut a program before each statement that reads what the ones before it wrote.

    `bound` are the names that have values. Other names in index positions are indices.
    """
    return tuple(_cut(program, bound))


def _cut(program: Program, bound: frozenset[str]) -> Iterator[Stage]:
    """The stages, one after the other."""
    makes: dict[str, Make] = {}
    body: list[Syntax] = []
    begun: set[str] = set()

    def ended() -> Stage:
        stage = _stage(program, tuple(body), dict(makes), frozenset(begun), bound)
        begun.update(stage.writes)
        body.clear()
        return stage

    for one in without_lets(program):
        made = _made(one)
        if made is not None:
            used = set().union(*map(reads, body)) | set(_written(tuple(body), makes, program))
            if made.name in used:  # the statements so far mean the former array
                yield ended()
            makes[made.name] = made
            begun.discard(made.name)
            continue
        if not any(assignments((one,))):
            continue
        free = _is_free(one)
        before = tuple(body)
        if body and (
            free
            or reads(one) & set(_written(before, makes, program))
            or _clash(_operators(*before), _operators(one))
        ):
            yield ended()
        body.append(one)
        if free:
            yield ended()
    if body:
        yield ended()
    elif not begun:
        raise error(
            "the program writes nothing: assign a result, as in `y[i] = 2 * x[i]`",
            Place(program.first, 0, 1),
            program,
        )


def _clash(before: Mapping[str, set[str | None]], now: Mapping[str, set[str | None]]) -> bool:
    """Whether a name is written by another operator than before."""
    return any(name in before and before[name] != ops for name, ops in now.items())


def _operators(*body: Syntax) -> dict[str, set[str | None]]:
    """The operators by which statements write each name."""
    found: dict[str, set[str | None]] = {}
    for one in assignments(body):
        found.setdefault(one.name, set()).add(one.op)
    return found


def _made(one: Syntax) -> Make | None:
    """The making of an array or a scalar, if a statement is one; `s = 0.0` is."""
    if isinstance(one, Make):
        return one
    match one:
        case Assign(Name(name), None, value) if written_number(value) is not None:
            return Make(name, (), value, None, at=one.at)
    return None


def _stage(
    program: Program,
    body: tuple[Syntax, ...],
    makes: dict[str, Make],
    begun: frozenset[str],
    bound: frozenset[str],
) -> Stage:
    """Some statements as a stage, their indices named apart."""
    indices: dict[str, For | None] = {}
    around: dict[str, tuple[str, ...]] = {}
    renamed = tuple(_rename(one, {}, indices, around, program) for one in body)
    known = bound | {name for name, made in makes.items() if not made.shape}
    for one in renamed:
        if _is_free(one):  # it stands outside of all loops: its indices are free
            for name in _free_indices(one):
                if name not in known:
                    indices[name], around[name] = None, ()
    writes = _written(body, makes, program)
    inner = {part.name for part in parts(body) if isinstance(part, Make)}
    return Stage(program, renamed, indices, around, makes, writes, begun, frozenset(inner))


def _is_free(one: Syntax) -> bool:
    """Whether a statement has no loop: an assignment, or one under conditions."""
    return isinstance(one, Assign | If) and not any(isinstance(p, For) for p in one.parts())


def _free_indices(one: Syntax) -> Iterator[str]:
    """The names that stand as indices: plain, or under a modifier or in a sum."""
    targets = [part.target for part in assignments((one,))]
    accesses = [part for part in one.parts() if isinstance(part, Read)]
    accesses.sort(key=lambda read: not any(read is one for one in targets))
    indices = (index for read in accesses for index in read.indices)
    return iter(dict.fromkeys(name for index in indices for name in _outer(index)))


def _outer(index: Syntax) -> Iterator[str]:
    """The names in an index, those in elements that it reads left aside."""
    match index:
        case Name(name):
            yield name
        case Modified(_, arg):
            yield from _outer(arg)
        case Apply(_, args):
            for arg in args:
                yield from _outer(arg)


def _rename(
    one: Syntax,
    table: Mapping[str, str],
    indices: dict[str, For | None],
    around: dict[str, tuple[str, ...]],
    program: Program,
) -> Syntax:
    """Give each loop's index a name that no other loop has."""

    def inner(part: Syntax) -> Syntax:
        return _rename(part, table, indices, around, program)

    match one:
        case Assign(Name(name)) if name in table:
            raise error(f"{name} is the index of a loop: assign to another name", one.at, program)
        case Name(name) if name in indices and name not in table:
            raise error(
                f"{name} is the index of another loop, which has no value here", one.at, program
            )
        case Name(name):
            return replace(one, name=table.get(name, name))
        case For(index, _, stop, body):
            if index in table:
                raise error(
                    f"{index} is the index of a loop around this one: use another name",
                    one.at,
                    program,
                )
            name = index
            while name in indices:
                name += "'"  # Python's names have none
            start = None if one.start is None else inner(one.start)
            loop = For(name, start, inner(stop), (), at=one.at)
            indices[name], around[name] = loop, tuple(table.values())
            below = {**table, index: name}
            made = tuple(_rename(part, below, indices, around, program) for part in body)
            indices[name] = whole = replace(loop, body=made)
            return whole
    return mapped(one, inner)


def _written(
    body: tuple[Syntax, ...], makes: Mapping[str, Make], program: Program
) -> tuple[str, ...]:
    """The names that statements write for others: arrays, and scalars out of loops."""
    local = {part.name for part in parts(body) if isinstance(part, Make)}
    found: dict[str, None] = {}
    for one in body:
        for part in one.parts():
            match part:
                case Assign(Read(array), _, _) if array not in local:
                    found[array] = None
                case Assign(Name(name), op, _):
                    outside = name in makes or name in program.parameters or part is one
                    if outside or (op is not None and not program.parameters and name not in local):
                        found[name] = None
                    else:
                        local.add(name)
    return tuple(found)
