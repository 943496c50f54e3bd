"""Temporaries: which statements make them, how far those reach, and what they begin with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from structarr._compiler.ir.cin import Tensor
from structarr._compiler.ir.expr import Expr, Lit
from structarr._compiler.rules.constants import literal
from structarr._language.read import syntax
from structarr._language.resolve.scope import Scope, Temporary
from structarr._language.resolve.values import Values
from structarr.formats import Element, Format
from structarr.formats.base import Level
from structarr.formats.workspace import Workspace

Body = tuple[syntax.Syntax, ...]


def introduced(body: Body, scope: Scope) -> list[str]:
    """The temporaries that the first of some statements makes, for those after it."""
    one, *later = body
    if isinstance(one, syntax.Make):
        return [one.name]
    every = syntax.assignments((one,))
    new = dict.fromkeys(part.name for part in every if _is_new(part, part is one, scope))
    if isinstance(one, syntax.Assign):
        return list(new)
    return [name for name in new if any(name in syntax.reads(after) for after in later)]


def _is_new(one: syntax.Assign, always: bool, scope: Scope) -> bool:
    """Whether a scalar gets its value that is no result, and no temporary that is there.

    One that was read is another from where it is assigned `always`, unless what comes after the
    block, or the next turn of its loop, reads it.
    """
    if not isinstance(one.target, syntax.Name):
        return False
    if one.name in scope.finished:
        own = one.name in syntax.reads(one) or one.name in scope.handed_on
        return one.op is None and always and not own
    return one.name not in scope.results and one.name not in scope.temporaries


def handed_on(body: Body) -> set[str]:
    """The names that statements read, or update, before they assign a value to them.

    A turn of a loop over them takes these over from the one before.
    """
    found: set[str] = set()
    anew: set[str] = set()
    for one in body:
        found |= _needed(one) - anew
        if isinstance(one, syntax.Assign) and one.op is None:
            anew.add(one.name)
    return found


def _needed(one: syntax.Syntax) -> set[str]:
    match one:
        case syntax.For(_, _, _, body):
            return handed_on(body) | syntax.reads(replace(one, body=()))
        case syntax.If(_, body, orelse):
            outside = syntax.reads(replace(one, body=(), orelse=()))
            return handed_on(body) | handed_on(orelse) | outside
        case syntax.Assign(op=str()):
            return syntax.reads(one) | {one.name}
    return syntax.reads(one)


def parted(body: Body, scope: Scope) -> tuple[list[str], Body, Body]:
    """Temporaries, the statements that make them, and those after it, which read them."""
    names: dict[str, None] = {}
    for k, one in enumerate(body):
        if names.keys() & syntax.reads(one):
            return list(names), body[:k], body[k:]
        names |= dict.fromkeys(introduced(body[k:], scope))
    return list(names), body, ()


def temporary(name: str, makers: Body, values: Values) -> Temporary:
    """A temporary, by the statements that make it."""
    scope = values.scope
    made = next((m for m in makers if isinstance(m, syntax.Make) and m.name == name), None)
    assigned = [one for one in syntax.assignments(makers) if one.name == name]
    first = assigned[0] if made is None else None
    _check_updates(name, first, assigned, scope)
    starts = first is not None and _is_start(first, makers)
    begin = None
    if made is not None:
        begin = values.made(made)
        dtype = made.dtype or begin.dtype
    else:
        dtype = values.dtype_of(assigned)
    if first is not None and starts:
        begin = values.value(first.value)
    value = literal(dtype, 0) if begin is None else begin.cast(dtype)
    assert isinstance(value, Lit)
    start = Lit(dtype, value.value, True)  # the value of elements that are not written
    dims = () if made is None else _dims(made, values)
    level: Level = Workspace(Element()) if dims else Element()
    own = scope.named(name)
    stored = Format(level, tuple(range(len(dims))))
    return Temporary(Tensor(own, stored, dtype, start, dims, "temp", start), starts)


def _check_updates(
    name: str, first: syntax.Assign | None, assigned: Sequence[syntax.Assign], scope: Scope
) -> None:
    """Refuse updates by several operators."""
    updates = assigned if first is None else assigned[1:]
    if len({one.op for one in updates}) > 1:
        raise scope.error(
            f"{name} is updated by more than one operator: use a name for each", updates[-1].at
        )


def _is_start(first: syntax.Assign, makers: Body) -> bool:
    """Whether a temporary's first value is a number that it has in any case."""
    unconditional = any(first is one for one in makers)
    return unconditional and syntax.written_number(first.value) is not None


def _dims(made: syntax.Make, values: Values) -> tuple[Expr, ...]:
    """The lengths of a temporary: of its one axis, if it is no scalar."""
    if not made.shape:
        return ()
    if len(made.shape) > 1:
        raise values.scope.error(
            "a temporary within loops has one axis at most: make it before the loops", made.at
        )
    length = values.sizes.length(made.shape[0])
    if length is None:
        raise values.scope.error(
            "a temporary must be as long as a loop over it: make it of that loop's length", made.at
        )
    return (length,)
