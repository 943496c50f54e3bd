"""The contract of a looplet, clause by clause, and what can be told without a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.accept import Accept
from structarr._compiler.looplets.base import Looplet
from structarr._testing.looplets.kernel import Failure
from structarr._testing.looplets.opening import Opening

CLAUSES: Final = {
    "fields": "fields hold nodes, texts, numbers and tuples of them: variables are renamed in them",
    "priority": "a class has a priority of its own, a whole number above that of Accept",
    "lowers": "`lower` lowers any loop in which its class comes first",
    "ends": "`lower` hands on loops that are simpler: smaller regions or fewer of its looplets",
    "values": "a loop over the extent meets its elements, none if the extent is empty",
    "truncate": "`truncate` describes the elements of the part; regions follow one another",
    "reindexed": "`reindexed` describes the elements that an affine index reads",
    "reversible": "`reindexed` takes negative factors where `reversible` is true",
    "at": "`at` is the element at an index",
    "repeated": "`repeated` is the value at every index, or None",
    "company": "beside other looplets of a loop each has its own elements",
    "facts": "what is assumed holds whenever the kernel gets there",
    "reads": "nothing outside of the buffers is read",
    "steps": "each turn of a loop in the kernel moves on",
    "given": "a kernel's names are those of what it is given, or set before they are read",
}
"""What a looplet promises to the loops that it stands in."""

PLAIN: Final = (Node, str, int, float, complex, type(None))


def told_by_the_class(looplet: Looplet) -> Iterator[Failure]:
    """Clauses that a looplet and those in it break as they stand."""
    for one in looplet.nodes():
        if isinstance(one, Looplet):
            yield from _fields(one)
            yield from _priority(type(one))


def _fields(looplet: Looplet) -> Iterator[Failure]:
    for field in looplet._fields:
        value = getattr(looplet, field)
        for part in value if isinstance(value, tuple) else (value,):
            if not isinstance(part, PLAIN):
                kind = type(part).__name__
                problem = f"{type(looplet).__name__}.{field} is a {kind}"
                yield Failure("fields", problem + _advice(part))


def _advice(part: Any) -> str:
    return ": store it by `structarr.looplets.function`" if callable(part) else ""


def _priority(kind: type[Looplet]) -> Iterator[Failure]:
    own: Any = kind.priority
    ours = kind.__module__.startswith(_OURS)
    if not isinstance(own, int) or (own <= Accept.priority and not ours):
        yield Failure(
            "priority", f"{kind.__name__} has {own!r}, not a number above {Accept.priority}"
        )
        return
    for other in () if ours else _classes():  # two classes of others are not this one's fault
        related = issubclass(kind, other) or issubclass(other, kind)
        if not related and other.priority == own and other is not Opening:
            yield Failure("priority", f"{kind.__name__} and {other.__name__} both have {own}")


_OURS: Final = "structarr."


def _classes() -> Iterator[type[Looplet]]:
    """The classes that loops may meet: those of the package, and those of the looplet's own."""
    waiting = Looplet.__subclasses__()
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        yield one
