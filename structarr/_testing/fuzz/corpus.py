"""The corpus: past finds as small programs, the text of one each in `finds/`."""

from __future__ import annotations

from importlib.resources import files

from structarr._testing.fuzz.snippet import Snippet


def entries() -> list[Snippet]:
    """All past finds, by name."""
    folder = files("structarr._testing.fuzz").joinpath("finds")
    found = [one for one in folder.iterdir() if one.name.endswith(".txt")]
    return [
        Snippet(one.name.removesuffix(".txt"), one.read_text(encoding="utf-8"))
        for one in sorted(found, key=lambda one: one.name)
    ]
