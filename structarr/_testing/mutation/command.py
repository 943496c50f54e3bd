"""``python -m structarr.testing mutants``: a sample of faults, and which of them no test finds."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from structarr._testing.mutation.mutants import ROOT, Mutant, every_mutant

SECONDS: Final = 3000  # for the tests of one mutant that waits for something for ever
PYTEST: Final = ("pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header")
FUZZ: Final = ("structarr._testing.mutation.programs",)

TESTS: Final = ROOT.parent / "tests"

# What is run for a mutant of a room, beside the tests that are named after its file, random
# programs and the folder that mirrors its own: what finds most in least time first.
GOLDEN: Final = ("tests/golden",)
CORPUS: Final = ("tests/support/test_kernel_corpus.py",)
AFTER: Final = {
    "_compiler": ("tests/compiler", "tests/property", "tests/language"),
    "_scheduler": ("tests/scheduler", "tests/explain", "tests/property"),
    "formats": ("tests/formats", "tests/storage", "tests/property"),
}


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if a mutant survives."""
    given = _parser().parse_args(words)
    if not (ROOT.parent / "tests" / "conftest.py").exists():
        print("mutants are tested in a checkout: the tests are not installed", file=sys.stderr)
        return 2
    known = _read(given.log)
    drawn = random.Random(given.seed).sample(_of(given.room), given.sample)
    rest = [one for one in drawn if one not in known]
    print(f"{len(drawn)} mutants, {len(drawn) - len(rest)} of them known", flush=True)
    end = time.monotonic() + 60 * given.minutes
    with ThreadPoolExecutor(given.jobs) as pool:
        asked = pool.map(lambda one: _found_by(one, given.programs, end, given.quick), rest)
        for one, by in zip(rest, asked, strict=True):
            if by is None:
                break
            known[one] = by
            _write(given.log, one, by)
            print(f"{by or 'SURVIVES':40} {one}", flush=True)
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
    add("--log", type=Path, default=None, help="file by which a run is resumed")
    return parser


def _of(room: str) -> list[Mutant]:
    return [one for one in every_mutant() if room in one.path]


def _found_by(mutant: Mutant, programs: int, end: float, quick: bool) -> str | None:
    """What fails for a mutant, "" if nothing does; None after the end of the run."""
    for words in (*_quick(mutant, programs), *(() if quick else _slow(mutant))):
        if time.monotonic() > end:
            return None
        if _fails(mutant, words):
            return " ".join(words[-1:] if words[0] == "pytest" else ("fuzz",))
    return ""


def _quick(mutant: Mutant, programs: int) -> Iterator[tuple[str, ...]]:
    """What is run for a mutant first: tests named after its file, goldens, and programs."""
    for one in (*_names(TESTS.rglob(f"test_*{_mirrored(mutant).stem}*.py")), *GOLDEN):
        yield (*PYTEST, one)
    if programs:
        yield (*FUZZ, str(programs))


def _slow(mutant: Mutant) -> Iterator[tuple[str, ...]]:
    """What is run for a mutant that is not found by then: the folders that are about its room."""
    folder = _mirrored(mutant).parent
    own = [f"tests/{folder.as_posix()}"] if (TESTS / folder).exists() else []
    for one in dict.fromkeys([*own, *CORPUS, *AFTER[mutant.path.partition("/")[0]]]):
        yield (*PYTEST, one)


def _mirrored(mutant: Mutant) -> Path:
    """Its file, as the folders of tests have it."""
    return Path(mutant.path.replace("/_", "/").removeprefix("_"))


def _names(found: Iterable[Path]) -> list[str]:
    return sorted([one.relative_to(ROOT.parent).as_posix() for one in found])


def _fails(mutant: Mutant, words: Sequence[str]) -> bool:
    """Whether a command fails with a mutant, or takes too long."""
    script = Path(__file__).with_name("within.py")
    command = [sys.executable, str(script), mutant.path, str(mutant.number), *words]
    with TemporaryDirectory(prefix="structarr-mutant-") as folder:
        own = {"STRUCTARR_CACHE_DIR": folder, "PYTHONPATH": str(ROOT.parent)}
        try:
            status = subprocess.run(
                command, cwd=ROOT.parent, env={**os.environ, **own}, timeout=SECONDS,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
            ).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            return True
    return status != 0


def _summary(known: dict[Mutant, str]) -> int:
    survivors = [one for one, by in known.items() if not by]
    share = 1 - len(survivors) / len(known) if known else 0.0
    print(f"{len(known)} mutants, {len(known) - len(survivors)} found, {share:.1%}; these survive:")
    print("\n".join(f"  {one}" for one in survivors) or "  none")
    return int(bool(survivors))


def _read(log: Path | None) -> dict[Mutant, str]:
    if log is None or not log.exists():
        return {}
    entries = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return {Mutant(**one["mutant"]): one["by"] for one in entries}


def _write(log: Path | None, mutant: Mutant, by: str) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"mutant": asdict(mutant), "by": by}) + "\n")
