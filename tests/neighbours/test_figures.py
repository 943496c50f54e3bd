"""Figures of the evaluation, as matplotlib draws them, and the page that shows them."""

from __future__ import annotations

import pytest
from benchmark_rows import rows as benchmark_rows

from benchmarks import evaluation, figures, report
from benchmarks.__main__ import main


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_every_experiment_with_rows_has_a_figure(tmp_path, kind):
    rows = benchmark_rows()
    del rows["alpha"]
    files = figures.draw(rows, tmp_path, kind)
    assert [file.name for file in files] == [
        f"{name}.{kind}" for name in ("spmspv", "triangles", "convolution", "similarity")
    ]
    assert all(file.stat().st_size > 1000 for file in files)


def test_figures_are_the_same_when_drawn_again(tmp_path):
    rows = {"triangles": benchmark_rows()["triangles"]}
    (one,), (two,) = figures.draw(rows, tmp_path / "a"), figures.draw(rows, tmp_path / "b")
    assert one.read_text() == two.read_text()


def test_the_command_draws_what_is_kept_and_fills_the_page(tmp_path, capsys):
    for name, rows in benchmark_rows().items():
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
