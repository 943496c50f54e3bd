"""The lines of a function of C, and the names in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from structarr._compiler.backend.c.prelude import WORDS
from structarr._compiler.backend.text.kinds import Kind, Untranslated

TYPES = {
    **{"bool": "bool", "float32": "float", "float64": "double"},
    **{"complex64": "float complex", "complex128": "double complex"},
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}


LEAVE = "goto finish;"
"""The line by which a function ends that has something to do at its end."""


def type_of(kind: Kind) -> str:
    """C's type of a number."""
    return TYPES[kind.name]


def in_ascii(name: str) -> str:
    """A name in the letters that C has."""
    return "".join([one if one.isascii() else f"x{ord(one):x}" for one in name])


class Code:
    """
    The body of a function, which is written where it is now.

    Attributes
    ----------
    used : set of str
        The functions of the prelude that it calls; those of one kernel share it.
    written : set of str
        The buffers that it writes to.
    owned : list of str
        The pointers to memory that it frees when it ends.
    """

    def __init__(self, used: set[str]) -> None:
        self.used = used
        self.written: set[str] = set()
        self.owned: list[str] = []
        self._names: set[str] = set()
        self._declared: list[str] = []
        self._lines: list[str] = []
        self._depth = 1

    def name(self, wanted: str) -> str:
        """A name like one that is wanted, which C lets a variable have and no other has."""
        plain = in_ascii(wanted)
        found, number = plain, 1
        while found in WORDS or found in self._names:
            number += 1
            found = f"{plain}_{number}"
        self._names.add(found)
        return found

    def declare(self, kind: str, wanted: str) -> str:
        """Make a variable of the function, and return its name."""
        name = self.name(wanted)
        self._declared.append(f"    {kind}{name} = 0;")
        return name

    def room(self, kind: Kind, wanted: str, count: int) -> str:
        """Make an array of the function, and return its name; its values are not set."""
        name = self.name(wanted)
        self._declared.append(f"    {type_of(kind)} {name}[{count}];")
        return name

    def variable(self, kind: Kind, wanted: str = "value") -> str:
        """Make a variable for a number."""
        return self.declare(f"{type_of(kind)} ", wanted)

    def call(self, name: str, *args: str) -> str:
        """The call of a function of the prelude."""
        self.used.add(name)
        return f"{name}({', '.join(args)})"

    def line(self, text: str) -> None:
        """Add a line."""
        self._lines.append("    " * self._depth + text)

    def finish(self) -> None:
        """Add the label at which the function ends."""
        if self._lines and self._lines[-1] == f"    {LEAVE}":
            self._lines.pop()
        self._lines.append("finish: ;")

    @contextmanager
    def block(self, head: str, close: str = "}") -> Iterator[None]:
        """Lines in braces."""
        self.line(f"{head} {{")
        with self.deeper():
            yield
        self.line(close)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Lines one level further in."""
        self._depth += 1
        yield
        self._depth -= 1

    @contextmanager
    def aside(self) -> Iterator[list[str]]:
        """An expression that is needed under a condition only, and the lines before it."""
        before, self._lines = self._lines, []
        try:
            yield self._lines
        finally:
            self._lines = before

    def put(self, lines: Sequence[str]) -> None:
        """Add lines that were put aside at the same depth."""
        self._lines += lines

    @contextmanager
    def without_lines(self) -> Iterator[None]:
        """An expression of which only the value may be needed, under a condition."""
        before = len(self._lines)
        yield
        if len(self._lines) > before:
            raise Untranslated("a call with effects under a condition")

    def text(self) -> str:
        """The declarations and the lines."""
        return "\n".join([*self._declared, *self._lines])
