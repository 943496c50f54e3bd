"""What the documents say is so: examples run, links lead somewhere, tables are complete."""

import re

import pytest
from documented import ROOT, check_examples

from structarr._compiler.ir.ops import OPS
from structarr._testing.documents import unexplained
from structarr.formats import names

DOCUMENTS = ("README.md", "data/README.md", "docs/formats.md", "docs/extending.md", "docs/loops.md")
TUTORIALS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.glob("docs/tutorials/*.md")
    if path.name != "index.md"
)


@pytest.mark.parametrize("document", [*DOCUMENTS, *TUTORIALS])
def test_examples_run(document, monkeypatch):
    monkeypatch.setattr(names, "_NAMES", dict(names._NAMES))  # which an example adds to
    check_examples(document, monkeypatch)


@pytest.mark.parametrize("document", TUTORIALS)
def test_tutorials_explain_lines_that_they_show(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    assert unexplained(text) == [], f"{document} explains code that its kernels do not have"


@pytest.mark.parametrize(
    "document",
    sorted(
        str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    ),
)
def test_links_between_documents_lead_somewhere(document):
    here = ROOT / document
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", here.read_text(encoding="utf-8"))
    assert [link for link in links if not (here.parent / link).exists()] == []


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
