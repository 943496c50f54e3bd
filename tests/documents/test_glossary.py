"""The glossary: one entry for each term, in order, with a link to its explanation."""

import re

import pytest
from documented import ROOT

TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^\*\*([^*\n]+)\*\*\n((?:.+\n)+)", TEXT, flags=re.MULTILINE)
TERMS = [term for term, _ in ENTRIES]

EXPECTED = {
    "annihilator",
    "array expression",
    "block (VBL)",
    "buffer",
    "buffer pool",
    "cardinality",
    "coiteration",
    "compressed",
    "concordant",
    "concrete index notation (CIN)",
    "cost model",
    "CSF",
    "CSR",
    "densify limit",
    "extent",
    "fiber",
    "fill value",
    "format",
    "fusion",
    "gallop",
    "Gustavson's algorithm",
    "identity",
    "jumper",
    "kernel",
    "level",
    "lookup",
    "looplet",
    "lowering",
    "mask",
    "phase",
    "protocol",
    "replay",
    "rewrite rule",
    "run-length encoding",
    "semiring",
    "spike",
    "stepper",
    "structural zero",
    "tier",
    "unfurl",
    "workspace",
}


def test_terms_are_in_order_and_have_one_entry_each():
    assert sorted(TERMS, key=str.lower) == TERMS
    assert len({term.lower() for term in TERMS}) == len(TERMS)


def test_terms_of_the_field_have_an_entry():
    assert sorted(EXPECTED - set(TERMS)) == []


@pytest.mark.parametrize(("term", "entry"), ENTRIES, ids=TERMS)
def test_entries_are_short_and_link_to_an_explanation(term, entry):
    assert len(entry.split()) <= 75
    assert re.search(r"\]\([^)\s]+\)", entry), f"{term} links to no page"


def test_terms_that_entries_refer_to_exist():
    referred = {term for _, entry in ENTRIES for term in re.findall(r"\*([^*]+)\*", entry)}
    known = {term.split(" (")[0] for term in TERMS}
    assert sorted(term for term in referred if not {term, *_singular(term)} & known) == []


def _singular(term):
    """A term without the ending of a plural or a participle."""
    return {term.removesuffix("s"), term.removesuffix("ed") + "ing", term.removesuffix("ed")}
