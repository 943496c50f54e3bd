"""The examples of documents and docstrings that need a neighbour, which the gate leaves out."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from documented import PAGES, ROOT, WITH_NEIGHBOURS, check_examples, needs_neighbours

from structarr._testing.documents import needed

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("document", WITH_NEIGHBOURS)
def test_documents(document: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check_examples(document, monkeypatch, tmp_path, needed(PAGES[document]))


def _docstrings() -> Iterator[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    for path in sorted((ROOT / "structarr").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        text = path.read_text(encoding="utf-8")
        if ">>>" in text and any(one in text for one in ("dask", "pandas", "sklearn", "xarray")):
            found = finder.find(import_module(name), name)
            yield from found if {"_dask", "_xarray"} & {*parts} else filter(needs_neighbours, found)


@pytest.mark.parametrize("shown", list(_docstrings()), ids=lambda shown: shown.name)
def test_docstrings(shown: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert runner.run(shown).failed == 0
