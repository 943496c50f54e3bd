"""``python -m structarr.testing mutants``: a sample of faults, and which of them no test finds."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from structarr._testing.mutation.explained import explained
from structarr._testing.mutation.finding import TESTS, Found, Ways, make_map, serving
from structarr._testing.mutation.mutants import Mutant, every_mutant


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if a mutant survives."""
    given = _parser().parse_args(words)
    if not (TESTS / "conftest.py").exists():
        print("mutants are tested in a checkout: the tests are not installed", file=sys.stderr)
        return 2
    if given.make_map:
        make_map(given.map, given.jobs)
    known = _read(given.log)
    if given.again:
        known = {one: found for one, found in known.items() if found.by}
    drawn = random.Random(given.seed).sample(_of(given.room), given.sample)
    same = [one for one in drawn if one in explained()]
    drawn = [one for one in drawn if one not in explained()]
    rest = [one for one in drawn if one not in known]
    print(f"{len(same)} mutants are the same program, as explained; these are not asked")
    print(f"{len(drawn)} mutants, {len(drawn) - len(rest)} of them known", flush=True)
    end = time.monotonic() + 60 * given.minutes
    with (
        ThreadPoolExecutor(given.jobs) as pool,
        serving(given.map, given.jobs, given.quick, given.seconds) as servers,
    ):
        asked = pool.map(Ways(given.programs, end, given.quick, servers).found_by, rest)
        for one, found in zip(rest, asked, strict=True):
            if found is None:
                break
            known[one] = found
            _write(given.log, one, found)
            print(f"{found.by or 'SURVIVES':40} {found.seconds:6.2f} s {one}", flush=True)
    return _summary({one: known[one] for one in drawn if one in known})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing mutants",
        description="Change one place of the compiler at a time, and see whether a test fails.",
    )
    add = parser.add_argument
    add("--sample", type=int, default=600, help="how many mutants (600)")
    add("--seed", type=int, default=0, help="which of all (0)")
    add("--room", default="", help="of files whose path contains this (all)")
    add("--jobs", type=int, default=1, help="processes (1)")
    add("--minutes", type=float, default=1e9, help="end after so long")
    add("--programs", type=int, default=40, help="random programs for what tests do not find (40)")
    add("--quick", action="store_true", help="by the tests alone that take seconds")
    add("--seconds", type=float, default=None, help="of tests that reach it (8 if quick, else 60)")
    add("--again", action="store_true", help="ask those again that survive in the log")
    add("--map", type=Path, default=None, help="folder of what tests reach: those come first")
    add("--make-map", action="store_true", help="make what that folder lacks")
    add("--log", type=Path, default=None, help="file by which a run is resumed")
    return parser


def _of(room: str) -> list[Mutant]:
    return [one for one in every_mutant() if room in one.path]


def _summary(known: dict[Mutant, Found]) -> int:
    survivors = [one for one, found in known.items() if not found.by]
    killed = len(known) - len(survivors)
    share = killed / len(known) if known else 1.0
    for what, ends in (("found", True), ("that survives", False)):
        seconds = [one.seconds for one in known.values() if bool(one.by) is ends]
        each = sum(seconds) / max(len(seconds), 1)
        print(f"{len(seconds)} {what}: {each:.2f} s of a processor each")
    print(f"{len(known)} mutants, {killed} found, {share:.1%}; these survive:")
    print("\n".join(f"  {one}" for one in survivors) or "  none")
    return int(bool(survivors))


def _read(log: Path | None) -> dict[Mutant, Found]:
    if log is None or not log.exists():
        return {}
    entries = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return {Mutant(**one["mutant"]): Found(one["by"], one["seconds"]) for one in entries}


def _write(log: Path | None, mutant: Mutant, found: Found) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"mutant": asdict(mutant), **found._asdict()}) + "\n")
