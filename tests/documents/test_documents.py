"""What the documents say is so: examples run, links lead somewhere, tables are complete."""

import re

import pytest
from documented import ROOT, check_examples

from structarr._compiler.ir.ops import OPS
from structarr._testing.documents import unexplained
from structarr.formats import name_table

DOCUMENTS = (
    "README.md",
    "data/README.md",
    "docs/formats.md",
    "docs/extending.md",
    "docs/loops.md",
    "docs/jit.md",
)
TUTORIALS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.glob("docs/tutorials/*.md")
    if path.name != "index.md"
)
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
)


@pytest.mark.parametrize("document", [*DOCUMENTS, *TUTORIALS])
def test_examples_run(document, monkeypatch, as_shipped):
    monkeypatch.setattr(name_table, "NAMES", dict(name_table.NAMES))  # which an example adds to
    check_examples(document, monkeypatch)


@pytest.mark.parametrize("document", TUTORIALS)
def test_tutorials_explain_lines_that_they_show(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    assert unexplained(text) == [], f"{document} explains code that its kernels do not have"


@pytest.mark.parametrize("document", PAGES)
def test_links_between_documents_lead_somewhere(document):
    here = ROOT / document
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", here.read_text(encoding="utf-8"))
    assert [link for link in links if not (here.parent / link).exists()] == []


@pytest.mark.parametrize("document", PAGES)
def test_links_to_headings_lead_to_one(document):
    here = ROOT / document
    gone = []
    links = re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", here.read_text(encoding="utf-8"))
    for page, anchor in links:
        target = here.parent / page if page else here
        if anchor not in _anchors(target.read_text(encoding="utf-8")):
            gone.append(f"{page}#{anchor}")
    assert gone == []


def _anchors(text):
    """The anchors of a page's headings, as they are made of the headings' text."""
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_index_lists_every_page():
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\]\(([^)#:\s]+)\)", text))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    below = {page for page in pages if page.startswith("tutorials/")} - {"tutorials/index.md"}
    assert sorted(pages - below - listed - {"index.md"}) == []


def test_table_of_zeros_names_every_operator_that_annihilates():
    text = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    table = text.split("| structural operand |")[1].split("\n\n")[0]
    named = {name for row in table.split("\n") for name in re.findall(r"`(\w+)`", row[:90])}
    annihilating = {
        op.name
        for op in OPS.values()
        if op.function is None
        for fact in (op.left_annihilator, op.right_annihilator, op.right_constant)
        if fact is not None
    }
    assert annihilating <= named
