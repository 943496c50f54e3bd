"""Loops over the runs of rows: of one row, and over the pieces into which several cut each other.

Where no row stores anything nothing is visited. The body stands once in the text, whatever the
number of rows: it may be long, and loops of its own may be in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from structarr._language.runs.kinds import Rows, length
from structarr._language.runs.number_text import Value, loaded


@dataclass(frozen=True)
class Piece:
    """A row that a loop reads, by the name of its array and a number of its own."""

    name: str
    kind: Rows
    number: int

    @property
    def row(self) -> str:
        """The position of the row."""
        return f"row__{self.number}"

    @property
    def cursor(self) -> str:
        """The run that is next."""
        return f"q__{self.number}"

    @property
    def end(self) -> str:
        """The row's last run is before it."""
        return f"end__{self.number}"

    @property
    def value(self) -> Value:
        """The value of the piece that is visited."""
        return Value(f"v__{self.number}", loaded("", self.kind.dtype).kind)

    def opening(self) -> list[str]:
        """Lines that find the row's runs."""
        return [
            f"{self.cursor} = {self.name}__ptr[u({self.row})]",
            f"{self.end} = {self.name}__ptr[u({self.row} + 1)]",
        ]

    def read(self, part: str) -> str:
        """A bound of the next run."""
        return f"int64({self.name}__{part}[u({self.cursor})])"

    def load(self) -> str:
        """The value of the next run."""
        return loaded(f"{self.name}__val[u({self.cursor})]", self.kind.dtype).text


def single(piece: Piece, start: str, stop: str, body: Sequence[str]) -> list[str]:
    """A loop over the runs of one row."""
    return [
        *piece.opening(),
        f"while {piece.cursor} < {piece.end}:",
        f"    {start} = {piece.read('start')}",
        f"    {stop} = {piece.read('stop')}",
        f"    {piece.value.text} = {piece.load()}",
        f"    {piece.cursor} += 1",
        *[f"    {line}" for line in body],
    ]


def merged(pieces: Sequence[Piece], start: str, stop: str, body: Sequence[str]) -> list[str]:
    """A loop over the pieces of several rows.

    `lo__k` and `hi__k` bound the next run of row k, or what is left of it; behind its last run both
    are the row's length. The next piece begins at the least `lo`, or where the last one ended, and
    ends at the first bound after that.
    """
    lines: list[str] = []
    for one in pieces:
        lines += [*one.opening(), *_advanced(one)]
    bounds = [(f"lo__{one.number}", f"hi__{one.number}") for one in pieces]
    lines += ["while True:", f"    {start} = {_least([lo for lo, _ in bounds])}"]
    first = pieces[0]
    lines.append(f"    if {start} >= {length(first.name, first.kind.ndim - 1)}:")
    lines.append("        break")
    ends = [f"({hi} if {lo} <= {start} else {lo})" for lo, hi in bounds]
    lines.append(f"    {stop} = {_least(ends)}")
    for one, (lo, hi) in zip(pieces, bounds, strict=True):
        lines += [
            f"    if {lo} <= {start}:",
            f"        {one.value.text} = cur__{one.number}",
            f"        {lo} = {stop}",
            f"        if {hi} == {stop}:",
            f"            {one.cursor} += 1",
            *[f"            {line}" for line in _advanced(one)],
            "    else:",
            f"        {one.value.text} = {loaded(f'{one.name}__fill', one.kind.dtype).text}",
        ]
    return [*lines, *[f"    {line}" for line in body]]


def indented(lines: Sequence[str]) -> list[str]:
    """Lines of a block."""
    return [f"    {line}" for line in lines]


def _advanced(one: Piece) -> list[str]:
    """The bounds and the value of a row's next run."""
    lo, hi = f"lo__{one.number}", f"hi__{one.number}"
    dim, fill = length(one.name, one.kind.ndim - 1), f"{one.name}__fill"
    return [
        f"if {one.cursor} < {one.end}:",
        f"    {lo} = {one.read('start')}",
        f"    {hi} = {one.read('stop')}",
        f"    cur__{one.number} = {one.load()}",
        "else:",
        f"    {lo} = {dim}",
        f"    {hi} = {dim}",
        f"    cur__{one.number} = {loaded(fill, one.kind.dtype).text}",
    ]


def _least(values: Sequence[str]) -> str:
    found = values[0]
    for one in values[1:]:
        found = f"min({found}, {one})"
    return found
