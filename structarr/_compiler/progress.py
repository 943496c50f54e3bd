"""A line of progress for whatever takes longer than a second, by the option `progress`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from time import perf_counter
from typing import Final, TextIO

from structarr._compiler.options import current

SLOW: Final = 1.0
"""The seconds from which something is told of."""

OFTEN: Final = 0.2
"""The seconds after which it may be told how far something is."""

WIDTH: Final = 79


def is_told() -> bool:
    """Whether anybody is told of what takes long."""
    return _teller() is not None


def _teller() -> Callable[[str], object] | None:
    """Who is told; None if nobody is."""
    asked = current().progress
    if callable(asked):
        return asked
    return _write_line if asked or (asked is None and _is_watched()) else None


def _is_watched() -> bool:
    """Whether what goes to the standard error is read while it is written."""
    stream = sys.stderr
    return stream is not None and (_is_of_notebook(stream) or _is_terminal(stream))


def _is_of_notebook(stream: TextIO) -> bool:
    """Whether a stream is shown below a cell."""
    return type(stream).__module__.partition(".")[0] == "ipykernel"


@lru_cache(1)
def _is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal: the system is asked once."""
    return stream.isatty()


def _write_line(text: str) -> None:
    """Write over the line at hand, which is one as long as the terminal is that wide."""
    width = WIDTH
    with suppress(OSError, ValueError, AttributeError):  # no terminal
        width = min(WIDTH, max(os.get_terminal_size(sys.stderr.fileno()).columns, 2) - 1)
    print(f"\r{text[:width]:{width}}\r", end="", file=sys.stderr, flush=True)


@contextmanager
def announced(text: str, seconds: float) -> Iterator[None]:
    """Tell of what is expected to take some seconds, for as long as it takes."""
    tell = _teller() if seconds > SLOW else None
    if tell is None:
        yield
        return
    tell(text)
    try:
        yield
    finally:
        _settle(tell)


@contextmanager
def followed(text: str) -> Iterator[Callable[..., None]]:
    """
    Tell how far something is once it has taken a second, at most a few times a second.

    Gives the function that takes the share that is done, None if that is not known, and what comes
    next or has come if that has a name.
    """
    tell, last = _teller(), perf_counter() + SLOW - OFTEN

    def follow(share: float | None, what: str = "") -> None:
        nonlocal last
        now = perf_counter()
        if tell is not None and now - last > OFTEN:
            last = now
            tell(f"{text}: {'' if share is None else f'{share:.0%} '}{what}".rstrip())

    try:
        yield follow
    finally:
        if tell is not None:
            _settle(tell)


def _settle(tell: Callable[[str], object]) -> None:
    """Leave an empty line where one was written."""
    if tell is _write_line:
        _write_line("")
