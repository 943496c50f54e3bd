"""The evaluation: what cases name, means and targets, figures from rows, and the page."""

from __future__ import annotations

import json

import pytest

from benchmarks import boxplots, evaluation, figures, report, targets
from benchmarks.__main__ import main
from benchmarks.machine import machine
from benchmarks.report import row
from benchmarks.ways import Case, break_even, case_of, geometric, means

PEERS = {"as TACO merges": 1.0, "TACO's C": 1.5, "handwritten": 0.5, "scipy": 0.25}


def _rows():
    """Rows of every experiment, in which ours takes a second, and peers what is told."""
    spmspv = [
        row(f"{way} {group} {name}", variant, 1.0, peer, seconds * factor, True)
        for way in ("walk", "picked")
        for group in ("10%", "10")
        for name, seconds in (("a", 2.0), ("b", 8.0))
        for variant in ("kernel", "whole call")
        for peer, factor in PEERS.items()
    ]
    triangles = [
        row(f"{way} {name}", "kernel", 1.0, "as TACO merges", seconds, True)
        for way in ("gallop", "lower")
        for name, seconds in (("a", 1.0), ("b", 16.0))
    ]
    convolution = [
        row(f"masked {density}%", variant, 1e-3, peer, seconds, True)
        for density, seconds in ((0.1, 1.0), (1, 1e-2), (10, 1e-4))
        for variant in ("kernel", "whole call")
        for peer in ("opencv", "scipy")
    ]
    convolution += [
        row("masked omniglot 12%", "kernel", 1.0, "opencv", 0.5, True),
        row("masked break-even", "density, %", 5.0, "opencv", 8.0, True),
    ]
    images = [
        row(f"{collection} {way}", variant, 1.0, peer, 3.0, True)
        for collection in ("mnist", "omniglot")
        for way in ("rle", "picked")
        for variant in ("kernel", "whole call")
        for peer in ("opencv", "numpy")
    ]
    images += [
        row(f"rle scan {page}", "kernel", 1.0, "opencv", seconds, True)
        for page, seconds in (("a", 20.0), ("b", 80.0))
    ]
    return {
        "spmspv": spmspv,
        "triangles": triangles,
        "convolution": convolution,
        "alpha": images,
        "similarity": images,
    }


@pytest.mark.parametrize(
    ("experiment", "case", "wanted"),
    [
        ("spmspv", "vbl lead 10 west1505", Case("10", "vbl lead", "west1505")),
        ("triangles", "walk web-edu", Case("", "walk", "web-edu")),
        ("convolution", "picked 3%", Case("3%", "picked", "")),
        ("convolution", "masked omniglot 12%", Case("omniglot 12%", "masked", "")),
        ("alpha", "picked rle scan page_1", Case("scans", "picked rle", "page_1")),
        ("alpha", "rle omniglot stack", Case("omniglot stack", "rle", "")),
        ("similarity", "picked vbl mnist", Case("mnist", "picked vbl", "")),
    ],
)
def test_a_case_names_a_group_a_way_and_a_member(experiment, case, wanted):
    assert case_of(experiment, case) == wanted


def test_geometric_means_are_over_the_members_of_a_group():
    found = means("spmspv", _rows()["spmspv"], "kernel")
    assert found["10%", "walk"]["as TACO merges"].mean == pytest.approx(4.0)
    assert found["10", "picked"]["scipy"].mean == pytest.approx(1.0)
    mean = geometric([2.0, 8.0, 4.0])
    assert (mean.mean, mean.least, mean.most, mean.count) == (pytest.approx(4.0), 2.0, 8.0, 3)


def test_break_even_is_between_the_densities_beside_it():
    assert break_even([(1.0, 100.0), (100.0, 0.01)]) == pytest.approx(10.0)
    assert break_even([(1.0, 2.0), (2.0, 1.5)]) is None
    assert break_even([]) is None


def test_targets_take_the_fastest_way_that_fits():
    found = {(one.target.experiment, one.target.label): one for one in targets.reached(_rows())}
    walk = found["spmspv", "walk, x 10%"]
    assert (walk.way, walk.figure, walk.over_c) == ("walk", pytest.approx(4.0), pytest.approx(6.0))
    assert found["triangles", "gallop"].figure == pytest.approx(4.0)
    assert found["triangles", "gallop, greatest"].figure == 16.0
    assert found["convolution", "break-even, % filled"].figure == pytest.approx(10**0.5)
    assert found["alpha", "scans"].figure == pytest.approx(40.0)
    assert found["spmspv", "gallop, x 10%"].figure is None
    assert found["similarity", "MNIST, picked"].way == "picked"
    lines = targets.text(list(found.values())).splitlines()
    assert len(lines) == 1 + len(targets.TARGETS)
    assert "not measured" in next(line for line in lines if "gallop, x 10%" in line)


def test_boxes_hold_each_member_once_peers_and_the_whole_call_of_what_is_picked():
    found = boxplots.boxes("spmspv", _rows()["spmspv"], "10%")
    assert found == {
        "walk": [2.0, 8.0],
        "picked": [2.0, 8.0],
        "picked, whole call": [2.0, 8.0],
        "TACO's C": [1 / 1.5, 1 / 1.5],
        "scipy": [4.0, 4.0],
    }
    # Beside a merge of the lower triangle, which is another one.
    found = boxplots.boxes("triangles", _rows()["triangles"], "")
    assert found == {"gallop": [1.0, 16.0]}


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_every_experiment_with_rows_has_a_figure(tmp_path, kind):
    pytest.importorskip("matplotlib")
    rows = _rows()
    del rows["alpha"]
    files = figures.draw(rows, tmp_path, kind)
    assert [file.name for file in files] == [
        f"{name}.{kind}" for name in ("spmspv", "triangles", "convolution", "similarity")
    ]
    assert all(file.stat().st_size > 1000 for file in files)


def test_figures_are_the_same_when_drawn_again(tmp_path):
    pytest.importorskip("matplotlib")
    rows = {"triangles": _rows()["triangles"]}
    (one,), (two,) = figures.draw(rows, tmp_path / "a"), figures.draw(rows, tmp_path / "b")
    assert one.read_text() == two.read_text()


def test_the_command_draws_what_is_kept_and_fills_the_page(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    for name, rows in _rows().items():
        report.write(tmp_path / f"{name}.json", rows)
    page = tmp_path / "page.md"
    page.write_text("# A\n<!-- measured: targets --><!-- end -->\nB\n"
                    "<!-- measured: spmspv -->old<!-- end -->\n"
                    "<!-- measured: machine --><!-- end -->\nC\n")  # fmt: skip
    arguments = ["figures", "--rows", str(tmp_path), "--out", str(tmp_path / "f")]
    assert main([*arguments, "--page", str(page)]) == 0
    assert "gallop, greatest" in capsys.readouterr().out
    text = page.read_text()
    assert "| spmspv | walk, x 10% | walk | 3.3 | 4.00 | 2.00-8.0 | 2 | 6.00 | 1.6 |" in text
    assert "| 10 | walk | 4 | 6 | 2 | 1 |" in text
    assert "![Speed-ups of matrix times sparse vector over TACO's merge](f/spmspv.svg)" in text
    assert "old" not in text and "\nB\n" in text and text.endswith("\nC\n")
    assert sorted(file.name for file in (tmp_path / "f").iterdir()) == sorted(
        f"{name}.svg" for name in evaluation.EXPERIMENTS
    )


def test_what_is_not_kept_is_measured_once(tmp_path):
    rows = _rows()
    for name in evaluation.EXPERIMENTS[1:]:
        report.write(tmp_path / f"{name}.json", rows[name])
    asked = []

    def measure(given):
        asked.append(given)
        return rows["spmspv"]

    for _ in range(2):
        found = evaluation.collected(tmp_path, tmp_path, True, measure)
        assert found == rows
    assert len(asked) == 1
    assert "Processor" in json.loads((tmp_path / "machine.json").read_text())


def test_a_machine_is_named_by_its_processor_and_libraries():
    found = machine()
    assert found["Processor"] and found["NumPy"][0].isdigit()
    assert "/" not in found["Processor"]
