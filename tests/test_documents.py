"""What the documents say is so: examples run, links lead somewhere, tables are complete."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from structarr._compiler.ir.ops import OPS

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("document", "needs"),
    [
        *((name, "numpy") for name in ("README.md", "data/README.md", "docs/formats.md")),
        *((name, "numpy") for name in ("docs/extending.md", "docs/loops.md")),
        ("docs/pandas.md", "pandas"),
        ("docs/sklearn.md", "sklearn"),
    ],
)
def test_examples_run(document, needs, monkeypatch):
    pytest.importorskip(needs)
    monkeypatch.chdir(ROOT)
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL))
    assert blocks
    module = ModuleType("documented")  # where pickles look for the classes of an example
    monkeypatch.setitem(sys.modules, "documented", module)
    for block in blocks:
        above = "\n" * text.count("\n", 0, block.start(1))  # kernels read their source by its lines
        exec(compile(above + block[1], document, "exec"), vars(module))


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
