"""What the documents and docstrings show, and whether it is so."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from structarr._testing.documents import AGAIN, renewed

ROOT = Path(__file__).resolve().parents[2]
_NEIGHBOURS = re.compile("pandas|sklearn")


def check_examples(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the examples of a document, which must show what comes of them."""
    monkeypatch.chdir(ROOT)
    text = (ROOT / document).read_text(encoding="utf-8")
    module = ModuleType("documented")  # where pickles look for the classes of an example
    monkeypatch.setitem(sys.modules, "documented", module)
    assert text == renewed(text, document, module), f"run {AGAIN} {document}"


def needs_neighbours(shown: doctest.DocTest) -> bool:
    """Whether the examples of a docstring need a package that the gate does without."""
    return any(_NEIGHBOURS.search(example.source) for example in shown.examples)
