"""The Python examples of the README files run as they stand."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("document", ["README.md", "data/README.md"])
def test_examples_run(document, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, document, "exec"), names)


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
