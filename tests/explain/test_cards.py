"""Arrays and explanations as HTML, and their short texts."""

import webbrowser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import structarr as sa
from structarr._explain.drawing import drawing


def rectangles(a: sa.Array, name: str) -> int:
    tensor = a.compute()._tensor
    assert tensor is not None
    svg = ElementTree.fromstring(drawing(tensor))
    return sum(name in one.get("class", "").split() for one in svg.iter("rect"))


def image() -> np.ndarray:
    dense = np.zeros((8, 12))
    dense[2:4, 3:9], dense[6, 5] = 7, 1
    return dense


@pytest.mark.parametrize(
    ("format", "name", "count"),
    [
        ("csr", "single", 13),  # an element each
        ("vbl", "blocks", 3),  # a block each
        ("sparse-rle", "runs", 3),
        ("rle", "runs", 14),
        ("rle", "pale", 11),  # those of the fill
        ("dense", "full", 96),
    ],
)
def test_short_arrays_are_drawn_piece_by_piece(format: str, name: str, count: int) -> None:
    with sa.options(tier="interpreted"):
        assert rectangles(sa.asarray(image(), format=format), name) == count


def test_rules_and_constants_have_colours_of_their_own() -> None:
    assert rectangles(sa.arange(20), "rule") == 20
    assert rectangles(sa.full((3, 4), 7.0), "runs") == 1


def test_long_arrays_are_drawn_by_cells() -> None:
    diagonal = sa.eye(10**6)
    assert 48 <= rectangles(diagonal, "single") < 200
    assert rectangles(sa.arange(10**9), "rule") < 10


@pytest.mark.parametrize("shape", [(), (0,), (3, 0)])
def test_empty_shapes_have_no_drawing(shape: tuple[int, ...]) -> None:
    a = sa.zeros(shape).compute()
    assert drawing(a._tensor) == ""  # type: ignore[arg-type]
    assert "structarr" in a._repr_html_()


def test_html_has_facts_levels_values_and_both_schemes() -> None:
    html = sa.asarray(image(), format="csr")._repr_html_()
    for text in ("csr", "(8, 12)", "SparseList", "13 stored", "prefers-color-scheme: dark"):
        assert text in html
    assert "http" not in html


def test_html_of_a_large_lazy_array_computes_nothing() -> None:
    a = sa.ones((300, 300))
    html = (a @ a)._repr_html_()
    assert "not computed" in html
    assert "A @ A" in html


def test_html_escapes() -> None:
    html = sa.asarray(np.array([1.0, np.nan]), format="list", fill_value=np.nan)._repr_html_()
    assert html.count("<div") == html.count("</div>")


def test_explanations_are_short_until_they_are_printed() -> None:
    a = sa.asarray(image(), format="csr")
    with sa.options(tier="interpreted"):
        for one in (sa.explain(a @ np.ones(12)), sa.explain("s += a[i]", a=[1.0]), sa.explain(a)):
            assert len(repr(one)) < 3000
            assert repr(one).startswith(f"<{type(one).__name__}\n")
            assert "<details>" in one._repr_html_() or "<svg" in one._repr_html_()
        assert "loops over i, j" in repr(sa.explain(a @ np.ones(12)))


def test_explanations_are_pages_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = sa.asarray(image(), format="csr")
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    with sa.options(tier="interpreted"):
        found = sa.explain(a @ np.ones(12))
        found.to_html(tmp_path / "page.html")
        shown = found.show()
    page = (tmp_path / "page.html").read_text()
    assert opened == [shown.as_uri()]
    assert page == shown.read_text()
    assert page.startswith("<!doctype html>")
    for text in ("looplets as text", "Stepper", "def kernel", "loops over i, j"):
        assert text in page
    assert "http" not in page
