"""``python -m structarr.testing fuzz``: its words, and what it prints."""

from __future__ import annotations

import argparse
import math
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from structarr._testing.fuzz import corpus
from structarr._testing.fuzz.case import Settings
from structarr._testing.fuzz.driver import CHUNK, Plan, drive
from structarr._testing.fuzz.families import FAMILIES, numbered
from structarr._testing.fuzz.memory import dirtied
from structarr._testing.fuzz.outcome import outcome
from structarr._testing.fuzz.report import Report
from structarr._testing.fuzz.shrink import shrunk


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if something failed."""
    given = _parser().parse_args(words)
    settings = Settings(
        seed=given.seed,
        families=tuple(given.families.split(",")) if given.families else (),
        compiled=given.compiled,
        strict=given.strict,
        threads=given.threads,
        forced=given.forced,
        steps=given.steps,
        guided=given.guided,
    )
    unknown = [name for name in settings.families if not (name in FAMILIES or find_spec(name))]
    if unknown:
        print(f"families are {', '.join(FAMILIES)}, not {', '.join(unknown)}", file=sys.stderr)
        return 2
    if given.replay:
        with dirtied():
            return _replay(settings, given.replay, given.shrink)
    return _fuzz(settings, given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing fuzz",
        description="Run random programs, and compare their values with NumPy's.",
    )
    add = parser.add_argument
    add("--minutes", type=float, default=None, help="end after so long (10, or with --programs)")
    add("--programs", type=int, default=None, help="end after so many programs")
    add("--seed", type=int, default=0, help="of all that is random (0)")
    add("--jobs", type=int, default=1, help="processes (1)")
    add("--out", type=Path, default=Path("fuzz-found"), help="folder for what is found")
    add("--log", type=Path, default=None, help="file by which a run is resumed")
    add("--families", default="", help=f"of {','.join(FAMILIES)}, by commas (all)")
    add("--steps", type=int, default=12, help="most operations in a program (12)")
    add("--compiled", type=float, default=0.02, help="share of programs that are compiled (0.02)")
    add("--strict", type=float, default=0.3, help="share under strict_ieee (0.3)")
    add("--threads", type=float, default=0.05, help="share in pieces, by threads (0.05)")
    add("--forced", type=float, default=0.2, help="share by forced programs of the scheduler (0.2)")
    add("--limit", type=float, default=20.0, help="seconds for one program (20)")
    add("--guided", action="store_true", help="vary programs that take new arms (needs coverage)")
    add("--no-corpus", action="store_true", help="leave out the past finds, which run first")
    add("--replay", metavar="SEED:NUMBER", help="run one program, and print it")
    add("--shrink", action="store_true", help="with --replay: make a failure small")
    return parser


def _replay(settings: Settings, text: str, shrink: bool) -> int:
    seed, _, number = text.partition(":")
    case = numbered(replace(settings, seed=int(seed)), int(number))
    print(case.source(), flush=True)
    result = outcome(case)
    if result.failed and shrink:
        case = shrunk(case, result, 60.0)
        print("# smaller:\n" + case.source())
        result = outcome(case)
    print(f"# {result.kind} {result.group}")
    if result.failed:
        try:
            case.check()
        except Exception:
            traceback.print_exc()
    return int(result.failed)


def _fuzz(settings: Settings, given: argparse.Namespace) -> int:
    report = Report(settings, given.out, given.log)
    failures = 0 if given.no_corpus else _corpus()
    minutes = given.minutes
    if minutes is None:
        minutes = math.inf if given.programs is not None else 10.0
    plan = Plan(settings, minutes * 60, given.jobs, given.programs, given.limit)
    plan.done = report.done(CHUNK)
    try:
        drive(plan, report.add)
    except KeyboardInterrupt:
        print("\ninterrupted")
    report.summary()
    return int(bool(failures or report.tally.failed))


def _corpus() -> int:
    failures = 0
    entries = corpus.entries()
    for entry in entries:
        try:
            entry.check()
        except Exception as error:
            failures += 1
            print(f"corpus: {entry.name}: {type(error).__name__}: {error}")
    print(f"corpus: {len(entries)} past finds, {failures} fail", flush=True)
    return failures
