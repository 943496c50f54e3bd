"""Events that profiles are told of: what took time besides the call that they began with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["lowered", "compiled", "loaded", "interpreted", "called", "converted"]


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


@contextmanager
def timed(kind: Kind, what: Any) -> Iterator[None]:
    """Tell how long a block took, if anybody is told."""
    if not observers:
        yield
        return
    start = perf_counter()
    try:
        yield
    finally:
        tell(kind, what, perf_counter() - start)
