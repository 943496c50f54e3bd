"""What the documents say is so: examples run, links lead somewhere, tables are complete."""

import re

import pytest
from documented import PAGES, ROOT, WITH_EXAMPLES, check_examples, reads_data

import structarr as sa
from structarr._compiler.ir.ops import OPS
from structarr._testing.documents import unexplained
from structarr.formats import name_table

SHOWN = [page for page in WITH_EXAMPLES if "<!-- shown: " in PAGES[page]]


@pytest.mark.parametrize("document", WITH_EXAMPLES)
def test_examples_run(document, monkeypatch, as_shipped, tmp_path):
    monkeypatch.setattr(name_table, "NAMES", dict(name_table.NAMES))  # which an example adds to
    with sa.options(tier="auto" if reads_data(document) else "interpreted"):
        check_examples(document, monkeypatch, tmp_path)


@pytest.mark.parametrize("document", SHOWN)
def test_documents_explain_lines_that_they_show(document):
    assert unexplained(PAGES[document]) == [], (
        f"{document} explains code that its kernels do not have"
    )


@pytest.mark.parametrize("document", PAGES)
def test_links_between_documents_lead_somewhere(document):
    home = (ROOT / document).parent
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", PAGES[document])
    assert [link for link in links if not (home / link).exists()] == []


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


def test_every_page_is_reached_by_links_from_the_index():
    reached, todo = set(), ["docs/index.md"]
    while todo:
        page = todo.pop()
        if page in PAGES and page not in reached:
            reached.add(page)
            home = (ROOT / page).parent
            for link in re.findall(r"\]\(([^)#:\s]+)", PAGES[page]):
                if (home / link).exists():
                    todo.append((home / link).resolve().relative_to(ROOT).as_posix())
    assert sorted(PAGES.keys() - reached) == []


def test_every_page_has_a_place_in_the_tree_of_the_site():
    placed = {"docs/index.md"}
    for page, text in PAGES.items():
        home = (ROOT / page).parent
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
            for entry in tree.split("\n\n", 1)[1].split():
                found = home.glob(entry) if "*" in entry else [home / entry]
                placed |= {one.resolve().relative_to(ROOT).as_posix() for one in found}
    assert sorted(PAGES.keys() ^ placed) == []


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
