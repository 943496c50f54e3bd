"""What the documents and docstrings show, and whether it is so."""

from __future__ import annotations

import doctest
import importlib.util
import re
import sys
from collections.abc import Container
from pathlib import Path
from types import ModuleType

import pytest

from structarr._testing.documents import AGAIN, has_examples, needed, renewed

ROOT = Path(__file__).resolve().parents[2]
_NEIGHBOURS = re.compile("dask|pandas|sklearn")
_READS_DATA = re.compile(r"^[^`\n]*\"data/", flags=re.MULTILINE)


PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "data/README.md"})
}
"""The documents with their texts."""

WITH_EXAMPLES = [page for page, text in PAGES.items() if has_examples(text)]
WITH_NEIGHBOURS = [page for page, text in PAGES.items() if needed(text)]


def public_names() -> ModuleType:
    """The module of the site that lists the public names."""
    spec = importlib.util.spec_from_file_location(
        "public_names", ROOT / "docs" / "site" / "public_names.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def reads_data(page: str) -> bool:
    """Whether the examples of a document read the sample data."""
    return bool(_READS_DATA.search(PAGES[page]))


def check_examples(
    page: str, monkeypatch: pytest.MonkeyPatch, home: Path, has: Container[str] = ()
) -> None:
    """
    Run the examples of a document, which must show what comes of them.

    They run in an empty folder, `home`, but for those that read the sample data; examples that need
    a package are left out, but for those in `has`.
    """
    text = PAGES[page]
    monkeypatch.chdir(ROOT if reads_data(page) else home)
    module = ModuleType("documented")  # where pickles look for the classes of an example
    monkeypatch.setitem(sys.modules, "documented", module)
    place = str(ROOT / page)  # where kernels read their source
    assert text == renewed(text, place, module, has), f"run {AGAIN} {page}"


def needs_neighbours(shown: doctest.DocTest) -> bool:
    """Whether the examples of a docstring need a package that the gate does without."""
    return any(_NEIGHBOURS.search(example.source) for example in shown.examples)
