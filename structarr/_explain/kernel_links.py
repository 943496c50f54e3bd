"""The lines of a kernel, each with links to the levels and looplets that it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from structarr._explain.loop_nests import Levels, Nest, Seen

_NAME = re.compile(r"[A-Za-z_]\w*")
_BUFFER = re.compile(r"([A-Za-z]\w*?)(\d*)_[a-z]\w*")


def linked(kernel: str, found: list[Nest], levels: Levels) -> str:
    """Return the lines as rows of a table: the line, and chips of what it is about."""
    rows = []
    for line in kernel.rstrip("\n").split("\n"):
        chips = "" if line.startswith("def ") else "".join(_chips(line, found, levels))
        rows.append(f"<tr><td><pre>{escape(line)}</pre></td><td>{chips}</td></tr>")
    return f'<table class="kernel">{"".join(rows)}</table>'


def _chips(line: str, found: list[Nest], levels: Levels) -> Iterator[str]:
    names = list(dict.fromkeys(_NAME.findall(line)))
    told = set()
    for key, seen in _about(names, found, levels):
        if key in told:
            continue
        told.add(key)
        text = f"{key[0]} {levels.get(key, '')}".strip()
        if seen is None:
            yield f'<span class="chip">{escape(text)}</span>'
        else:
            kind = type(seen.looplet).__name__.lower()
            yield f'<a class="chip" href="#{seen.place}">{escape(text)}: {kind}</a>'


def _about(
    names: list[str], found: list[Nest], levels: Levels
) -> Iterator[tuple[tuple[str, int | None], Seen | None]]:
    """The levels that names are about: of buffers, and of the variables of looplets."""
    every = [seen for nest in found for seen in nest.seen]
    indices = {nest.loop.index.name for nest in found}
    for name in names:
        if name in indices:
            continue
        plain = re.sub(r"(?<=[a-z])_\d+$", "", name)  # two of one name are told apart by numbers
        of = next((seen for seen in every if plain in seen.variables), None)
        if of is not None and (of.tensor, of.depth) in levels:
            yield (of.tensor, of.depth), of
            continue
        buffer = _BUFFER.fullmatch(name)
        key = buffer and (buffer[1], int(buffer[2]) if buffer[2] else None)
        if key and key in levels:
            yield key, next((s for s in every if (s.tensor, s.depth) == key), None)
