"""Events that profiles are told of: what took time besides the call that they began with."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")
Kind: TypeAlias = Literal[
    "lowered", "compiled", "loaded", "interpreted", "stopped", "called", "converted"
]


class Event(NamedTuple):
    """Something that was done, in seconds; `what` is a kernel, a program, or a text."""

    kind: Kind
    what: Any
    seconds: float


observers: Final[list[Callable[[Event], object]]] = []
"""Who is told; empty but while something is profiled."""


def tell(kind: Kind, what: Any, seconds: float) -> None:
    """Tell all observers."""
    for observer in tuple(observers):
        observer(Event(kind, what, seconds))


def timed(kind: Kind, work: Callable[[], T], what: Callable[[], Any]) -> T:
    """The result of some work, whose duration and subject observers are told."""
    if not observers:
        return work()
    start = perf_counter()
    try:
        return work()
    finally:
        tell(kind, what(), perf_counter() - start)
