"""Pages of explanations: loops drawn as looplets, and lines of kernels linked to them."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.looplets.base import Looplet
from structarr._compiler.looplets.pipeline import Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.steps import Steps
from structarr._explain.loop_nests import nests
from structarr._explain.page import levels_of
from structarr._explain.strip import said, strip

A = sa.asarray(np.diag([1.0, 2.0, 3.0]), format="csr")
RUNS = sa.asarray(np.tri(3), format="rle")
BAND = sa.asarray(np.tri(3), format="band")


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


def page(explained, folder: Path) -> str:
    explained.to_html(folder / "page.html")
    return (folder / "page.html").read_text(encoding="utf-8")


def seen(explained) -> dict[tuple[str, int | None], Looplet]:
    """The first looplet of each level."""
    found = nests(explained.told_loops, explained.order, "p")
    return {(s.tensor, s.depth): s.looplet for nest in reversed(found) for s in nest.seen}


def test_looplets_are_of_the_levels_that_unfurled_into_them() -> None:
    explained = sa.explain((A * RUNS * BAND).sum(axis=1))
    looplets = seen(explained)
    assert isinstance(looplets["A", 1], Steps) and isinstance(looplets["B", 1], Steps)
    assert isinstance(looplets["D", 1], Pipeline)
    levels = levels_of(explained)
    assert levels["A", 1] == "axis 1, list" and levels["D", None] == "values"


def test_strips_show_where_looplets_change() -> None:
    looplets = seen(sa.explain((A * RUNS * BAND).sum(axis=1)))
    listed = ElementTree.fromstring(strip(looplets["A", 1]))
    classes = [one.get("class") for one in listed.iter("rect")]
    assert classes == ["full pale", "single"] * 3 + ["full pale"]
    banded = ElementTree.fromstring(strip(looplets["D", 1]))
    assert {"d_start", "d_stop"} <= {one.text for one in banded.iter("text")}
    assert "each a run: b_v everywhere" in said(looplets["B", 1])
    assert isinstance(looplets["B", 1].body, Run)


@pytest.mark.parametrize(
    "explain",
    [
        lambda: sa.explain(A @ A),
        lambda: sa.explain(np.maximum(A, 2.0) + RUNS),
        lambda: sa.explain("y[i] += A[i, j] * x[j]; z[i] = y[i] * 2", A=A, x=np.ones(3)),
        lambda: sa.explain("y[i] = x[p[i]]", x=np.ones(3), p=np.arange(3)),
        lambda: sa.explain(sa.kron(A, A).sum()),
    ],
)
def test_lines_link_to_rows_that_are_there(explain, tmp_path) -> None:
    text = page(explain(), tmp_path)
    targets = re.findall(r'id="([^"]+)"', text)
    links = re.findall(r'href="#([^"]+)"', text)
    assert len(set(targets)) == len(targets)
    assert set(links) <= set(targets)
    for svg in re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL):
        ElementTree.fromstring(svg)


def test_lines_that_read_a_level_say_so(tmp_path) -> None:
    text = page(sa.explain((A * RUNS).sum(axis=1)), tmp_path)
    rows = re.findall(r"<tr><td><pre>(.*?)</pre></td><td>(.*?)</td></tr>", text)
    about = {line.strip(): chips for line, chips in rows}
    (begin,) = (chips for line, chips in about.items() if line.startswith("a_q = A1_ptr"))
    assert "A axis 1, list: stepper" in begin and "B" not in re.sub(r"<[^>]+>", "", begin)
    untold = [line for line, chips in about.items() if "_idx[" in line and not chips]
    assert untold == []


def test_pages_have_program_plan_and_kernel_and_need_nothing_else(tmp_path) -> None:
    text = page(sa.explain(A @ RUNS @ np.ones(3)), tmp_path)
    for part in ("<h2>program</h2>", "<h2>plan</h2>", "picked", "<h2>loops", "<h2>kernel"):
        assert part in text
    assert "http" not in text and "<script" not in text


def test_traces_have_the_drawings_of_all_their_kernels(tmp_path) -> None:
    step = sa.jit(lambda a, x: a @ x + 1)
    step(A, np.ones(3))
    assert 'id="s0l0r0"' in page(step.explain(A, np.ones(3)), tmp_path)
