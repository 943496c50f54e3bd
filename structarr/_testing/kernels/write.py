"""Records as texts, a file a case."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from .case import Case
from .record import Part, Record

_SHORT: Final = ("operand", "result", "error")  # parts of a line each


def text_of(case: Case, record: Record) -> str:
    """The text of a case: its expression, operands and results, and each part below its title."""
    head = [case.text, *case.program.rstrip().splitlines(), ""]
    head += [_shown(part).rstrip() for part in record if part[0] in _SHORT]
    parts = [_shown(part) for part in record if part[0] not in _SHORT]
    return "\n".join([*head, "", *parts])


def _shown(part: Part) -> str:
    title, text = part
    return f"{title} {text}\n" if title in _SHORT else f"[{title}]\n{text}\n"


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """A file for each name, in a folder for each group; files that were there remain."""
    for name, text in texts.items():
        path = folder / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
