"""The evaluation: what cases name, means and targets, figures from rows, and the page."""

from __future__ import annotations

import json

import pytest
from benchmark_rows import rows as benchmark_rows

from benchmarks import boxplots, evaluation, report, targets
from benchmarks.machine import machine
from benchmarks.ways import Case, break_even, case_of, geometric, means


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
    found = means("spmspv", benchmark_rows()["spmspv"], "kernel")
    assert found["10%", "walk"]["as TACO merges"].mean == pytest.approx(4.0)
    assert found["10", "picked"]["scipy"].mean == pytest.approx(1.0)
    mean = geometric([2.0, 8.0, 4.0])
    assert (mean.mean, mean.least, mean.most, mean.count) == (pytest.approx(4.0), 2.0, 8.0, 3)


def test_break_even_is_between_the_densities_beside_it():
    assert break_even([(1.0, 100.0), (100.0, 0.01)]) == pytest.approx(10.0)
    assert break_even([(1.0, 2.0), (2.0, 1.5)]) is None
    assert break_even([]) is None


def test_targets_take_the_fastest_way_that_fits():
    found = {
        (one.target.experiment, one.target.label): one for one in targets.reached(benchmark_rows())
    }
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
    found = boxplots.boxes("spmspv", benchmark_rows()["spmspv"], "10%")
    assert found == {
        "walk": [2.0, 8.0],
        "picked": [2.0, 8.0],
        "picked, whole call": [2.0, 8.0],
        "TACO's C": [1 / 1.5, 1 / 1.5],
        "scipy": [4.0, 4.0],
    }
    # Beside a merge of the lower triangle, which is another one.
    found = boxplots.boxes("triangles", benchmark_rows()["triangles"], "")
    assert found == {"gallop": [1.0, 16.0]}


def test_what_is_not_kept_is_measured_once(tmp_path):
    rows = benchmark_rows()
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
