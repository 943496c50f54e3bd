"""Errors that show their place in the user's text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from structarr._language.read.syntax import Place, Program
from structarr.errors import ProgramError


def error(message: str, place: Place, program: Program) -> ProgramError:
    """Return the error that says `message` and shows `place`.

    Lines and columns count from 1, as in editors.

    Examples
    --------
    >>> program = Program("loops", (), (), None, "y[i] = x[::2]")
    >>> print(error("a slice is not supported", Place(1, 9, 12), program))
    a slice is not supported
      line 1, column 10
        y[i] = x[::2]
                 ^^^
    """
    lines = program.text.split("\n")
    number = min(max(place.line - program.first, 0), len(lines) - 1)
    line = lines[number].rstrip()
    where = f"line {number + program.first}, column {place.column + 1}"
    if program.file:
        where = f'File "{program.file}", {where}, in {program.name}'
    indent = len(line) - len(line.lstrip())
    # Tabs stay, so that the caret stands under its place whatever the width of tabs.
    margin = "".join("\t" if char == "\t" else " " for char in line[indent : place.column])
    carets = "^" * max(min(place.end, len(line)) - place.column, 1)
    return ProgramError(f"{message}\n  {where}\n    {line[indent:]}\n    {margin}{carets}")


@contextmanager
def followed(program: Program) -> Iterator[None]:
    """What follows a program by recursion; refuses one that nests too deeply for that."""
    try:
        yield
    except RecursionError:
        text = "this nests too deeply: split it into several statements"
        raise error(text, Place(program.first, 0, 1), program) from None


def axes(count: int) -> str:
    """Say how many axes there are.

    Examples
    --------
    >>> axes(1), axes(2)
    ('1 axis', '2 axes')
    """
    return f"{count} axis" if count == 1 else f"{count} axes"
