"""The gallery: each script is short, and has a picture and a place on its pages."""

import pytest
from documented import PAGES, ROOT

SCRIPTS = sorted(
    path for path in (ROOT / "examples" / "gallery").glob("*.py") if path.stem != "shared"
)


def test_there_are_scripts():
    assert len(SCRIPTS) >= 12


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script_is_short_and_shown_with_its_picture(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    assert (ROOT / "docs" / "gallery" / f"{path.stem}.png").is_file()
    assert f"]({path.stem}.png)" in PAGES["docs/gallery/index.md"]
    assert f"examples/gallery/{path.name}\n" in PAGES["docs/gallery/programs.md"]
