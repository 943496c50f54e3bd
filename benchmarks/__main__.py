"""The command: ``python -m benchmarks NAME [--data DIR] [--quick] [--json FILE] [--plot FILE]``.

``python -m benchmarks figures [--rows DIR] [--out DIR]`` draws the paper's experiments.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

import structarr
from benchmarks import evaluation, plots, report

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "data"

NAMES: Final = (
    "alpha",
    "calibrate",
    "chunks",
    "conversions",
    "convolution",
    "design",
    "elementary",
    "everyday",
    "formats",
    "latency",
    "masks",
    "regret",
    "scaling",
    "similarity",
    "solvers",
    "spmspv",
    "sums",
    "triangles",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a benchmark; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.plot is not None and options.name != "scaling":
        print("--plot: only scaling has a picture", file=sys.stderr)
        return 2
    if not options.data.is_dir():
        print(f"--data {options.data}: no such folder; leave it out for {HERE}", file=sys.stderr)
        return 2
    if options.name == "figures":
        return _figures(options)
    structarr.options(threads=1)
    benchmark = import_module(f"benchmarks.{options.name}")
    run: Callable[[Path, bool], Iterator[report.Row]] = benchmark.run
    rows = _printed(run(options.data, options.quick))
    if hasattr(benchmark, "summary"):
        print(benchmark.summary(rows))
    if options.json is not None:
        report.write(options.json, rows)
    if options.plot is not None:
        plots.growth(rows, options.plot)
    return 0 if all(row.checked for row in rows) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("benchmarks", description="Compare with every peer installed.")
    parser.add_argument("name", choices=(*NAMES, "figures"), help="what to measure")
    parser.add_argument("--data", type=Path, default=HERE, help="a folder laid out like data/")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller cases")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--plot", type=Path, help="of scaling: draw the growth into this file")
    told = "of figures: a folder of rows as NAME.json; what it lacks is measured"
    parser.add_argument("--rows", type=Path, help=told)
    parser.add_argument("--out", type=Path, default=ROOT / "out", help="of figures: where they go")
    parser.add_argument("--page", type=Path, help="of figures: a page to bring up to date")
    return parser


def _figures(options: argparse.Namespace) -> int:
    kept = options.rows or ROOT / "out" / ("rows-quick" if options.quick else "rows")
    rows = evaluation.collected(kept, options.data, options.quick, _printed)
    print(evaluation.write(rows, kept, options.out, options.page))
    return 0 if all(row.checked for every in rows.values() for row in every) else 1


def _printed(rows: Iterator[report.Row]) -> list[report.Row]:
    print(report.HEADER, flush=True)
    seen = []
    for row in rows:
        print(report.line(row), flush=True)
        seen.append(row)
    return seen


if __name__ == "__main__":
    sys.exit(main())
