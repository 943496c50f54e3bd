"""Names in a program: those it takes from around it, and those it returns."""

from __future__ import annotations

from structarr._language.read.messages import error
from structarr._language.read.syntax import (
    Apply,
    Assign,
    For,
    Length,
    Make,
    Name,
    Place,
    Program,
    Read,
    Shape,
    accessed,
    parts,
)
from structarr._language.resolve.stages import Stage


def names_in(program: Program) -> tuple[str, ...]:
    """Every name that a program mentions."""
    found: dict[str, None] = {}
    for part in parts(program.body):
        match part:
            case Name(name) | Read(name) | Length(name) | Shape(name) | Apply(name):
                found[name] = None
            case Assign(op=str(op)):
                found[op] = None
    return tuple(found)


def names_around(program: Program) -> tuple[str, ...]:
    """The names that a program takes from around it: those that it does not give itself."""
    own = set(program.parameters)
    for part in parts(program.body):
        match part:
            case For(name) | Make(name) | Assign(Name(name)) | Assign(Read(name)):
                own.add(name)
    return tuple(name for name in names_in(program) if name not in own)


def results_of(program: Program, stages: list[Stage]) -> tuple[str, ...]:
    """The names that a program returns, or else those it writes and does not read later."""
    written = dict.fromkeys(name for stage in stages for name in stage.writes)
    if program.results is not None:
        known = {*written, *program.parameters, *(n for stage in stages for n in stage.makes)}
        for name in program.results:
            if name not in known:
                at = Place(program.first, 0, 1)
                raise error(f"{name} is returned, but never assigned", at, program)
        return program.results
    read = {
        one
        for stage in stages
        for part in parts(stage.body)
        if (one := accessed(part)) is not None and one not in stage.writes
    }
    return tuple(name for name in written if name not in read) or tuple(written)
