"""``python -m ...run OUT JOBS TREE ONLY``: the records of the corpus, kept in a file as JSON.

It runs beside the package in the folder TREE, to which PYTHONPATH leads.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import structarr as sa

from .case import Case
from .corpus import corpus
from .record import records


def chosen(only: str) -> list[Case]:
    """The cases whose name or text has some words in it."""
    return [case for case in corpus() if only in case.name or only in case.text]


def main(words: list[str]) -> None:
    """Record the cases, and write them to a file."""
    out, jobs, tree, only = Path(words[0]), int(words[1]), Path(words[2]), words[3]
    if not Path(sa.__file__).resolve().is_relative_to(tree.resolve()):
        raise ImportError(f"structarr comes from {sa.__file__}, not from {tree}")
    found: dict[str, Any] = {case.name: kept for case, kept in records(chosen(only), jobs)}
    out.write_text(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
