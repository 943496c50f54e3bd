"""The contract of kinds: what the fields of one have to be, and to say of each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import chain
from math import inf
from typing import Any, Final

from structarr.formats.support import Children, Repeat, Support

STAND_INS: Final = ("plain", "each", "above", "partial", "looser", "several")
"""The fields that name a kind; None stands for the kind itself."""


def clauses_broken(kind: Any) -> Iterator[str]:
    """The clauses that a kind breaks, in words."""
    return (clause for clause, kept in chain(_typed(kind), _agreeing(kind)) if not kept)


def _typed(kind: Any) -> Iterator[tuple[str, bool]]:
    """The types that fields have to have, in words, and whether they do."""
    types = {"name": str, "support": Support, "repeat": Repeat, "children": Children}
    for name, wanted in {**types, "beside_full": Repeat}.items():
        yield (
            f"`{name}` is of the class {wanted.__name__}",
            isinstance(getattr(kind, name), wanted),
        )
    for name in STAND_INS:
        yield f"`{name}` is a kind", isinstance(getattr(kind, name), type(kind) | None)
    for name in ("joins", "meets"):
        yield f"`{name}` is a function of two structures", callable(getattr(kind, name))
    for name in ("share", "step", "lookup", "scatter"):
        value = getattr(kind, name)
        absent = value is None and name != "lookup"
        fits = absent or (isinstance(value, int | float) and 0 <= value < inf)
        yield f"`{name}` is a number of at least 0", fits
    for flag in fields(kind):
        if isinstance(flag.default, bool):
            yield f"`{flag.name}` is True or False", isinstance(getattr(kind, flag.name), bool)


def _agreeing(kind: Any) -> Iterator[tuple[str, bool]]:
    """The relations between fields, in words, and whether they hold."""
    each, plain = kind.each, kind.plain
    several, single = kind.support is Support.STRETCHES, kind.support is Support.SINGLE
    made = kind.has_runs or kind.is_rule  # children that stand for elements of no own
    yield "a kind of runs or of a rule needs `each`", not made or each is not None
    fits = each is None or not (each.has_runs or each.is_rule)
    yield "`each` stores elements one by one", fits
    yield "`share` is at most 1", kind.share is None or kind.share <= 1
    stretched = kind.is_stretch or several or not kind.is_sparse
    yield "runs are of stretches", not kind.has_runs or stretched
    gaps = kind.is_sparse and kind.beside_full is Repeat.CONST
    yield "values beside gaps differ from those in gaps: `beside_full` is not CONST", not gaps
    yield "values in runs repeat", not kind.has_runs or kind.repeat is not Repeat.EACH
    yield "`plain` is its own `plain`", plain is None or plain.plain is plain
    yield "a kind that relates two modes needs `plain`", not kind.relates or plain is not None
    yield "mirrored children relate two modes", kind.is_mirrored <= kind.relates
    yield "`conjugates` is asked of mirrored children", kind.conjugates <= kind.is_mirrored
    yield "`vacant` is asked of single elements", kind.vacant <= single
    yield "`in_runs` is asked of stretches", kind.in_runs <= (kind.is_stretch or several)
    yield "`from_start` is asked of one stretch", kind.from_start <= kind.is_stretch
    yield "an arithmetic kind stores every element", kind.arithmetic <= (not kind.is_sparse)
    yield "what leaps takes steps", not kind.leaps or kind.step is not None
    # What takes any further element is not stood for by what takes some.
    loosest = plain is None and kind.looser is None
    for name in STAND_INS:
        one = getattr(kind, name)
        if one is not None:
            yield f"`{name}` is its own `{name}`", getattr(one, name) is one
            yield f"`{name}` takes any further element", not loosest or one.looser is one
