"""``python -m structarr.testing c``: kernels as C, compiled, beside Python, to the bit."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from structarr._testing.beside_python import Beside
from structarr._testing.c_target import CTarget, compiler, preloaded
from structarr._testing.fuzz.case import Case, Settings
from structarr._testing.fuzz.families import numbered
from structarr._testing.fuzz.outcome import outcome
from structarr._testing.target_contract import check
from structarr.targets import Target

PATIENCE = 600.0  # seconds for a program, most of which the C compiler takes
WITHIN = "STRUCTARR_C_AT"
"""Names the file in which a process that runs checked kernels says where it is."""


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if something failed."""
    given = _parser().parse_args(words)
    if compiler() is None:
        print("there is no C compiler: nothing is compared", file=sys.stderr)
        return 2
    if given.checked and WITHIN not in os.environ:
        return _apart(words)
    target = CTarget(given.checked)
    beside = Beside(target)
    failed = 0
    if not given.no_contract:
        failed += _contract(beside)
    failed += sum(_fails(case, name) for name, case in _programs(beside, given))
    print(
        f"{target.built} kernels compiled, {target.left} left to Python, {failed} failed; "
        f"{beside.compared} left the bits that they leave interpreted, {beside.rounded} add in any "
        "order or call functions that may be rounded otherwise"
    )
    return int(bool(failed))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing c",
        description="Compile kernels as C, run them, and compare their values with Python's.",
    )
    add = parser.add_argument
    add("--programs", type=int, default=200, help="random programs of the fuzzer (200)")
    add("--first", type=int, default=0, help="the number of the first of them (0)")
    add("--seed", type=int, default=0, help="of all that is random (0)")
    add("--minutes", type=float, default=10.0, help="end after so long (10)")
    add("--checked", action="store_true", help="under the sanitizers of addresses and of C's rules")
    add("--no-contract", action="store_true", help="leave out operators and the corpus of kernels")
    return parser


def _apart(words: Sequence[str]) -> int:
    """Run the command in a process with the compiler's libraries; tell where one that dies was."""
    with TemporaryDirectory() as folder:
        at = Path(folder) / "at"
        own = {
            WITHIN: str(at),
            "LD_PRELOAD": preloaded(),
            "PYTHONMALLOC": "malloc",
            "ASAN_OPTIONS": "detect_leaks=0,allocator_may_return_null=1",
            "UBSAN_OPTIONS": "print_stacktrace=1",
        }
        command = [sys.executable, "-m", "structarr.testing", "c", *words]
        status = subprocess.run(command, env={**os.environ, **own}, check=False).returncode
        if status not in (0, 1):
            where = at.read_text(encoding="utf-8") if at.exists() else "the contract of targets"
            print(f"the process ended with {status} in {where}")
        return status and 1


def _contract(target: Target) -> int:
    """Whether the target breaks the contract, for each operator and part of the corpus."""
    try:
        check(target)
    except AssertionError as error:
        print(f"FAILED {error}")
        return 1
    return 0


def _programs(target: Target, given: argparse.Namespace) -> Iterator[tuple[str, Case]]:
    """Random programs by the target, until the time is over."""
    settings, end = Settings(seed=given.seed), time.monotonic() + 60 * given.minutes
    for number in range(given.first, given.first + given.programs):
        if time.monotonic() > end:
            print(f"the time is over: ended before program {number}")
            return
        name = f"{given.seed}:{number}"
        if WITHIN in os.environ:
            Path(os.environ[WITHIN]).write_text(f"program {name}", encoding="utf-8")
        yield name, by_target(numbered(settings, number), target)


def by_target(case: Case, target: Any) -> Case:
    """A program of the fuzzer whose kernels a target runs."""
    own: Any = case
    assert any(one.name == "options" for one in fields(own))
    return replace(own, options={**own.options, "tier": target})  # type: ignore[no-any-return]


def _fails(case: Case, name: str) -> bool:
    found = outcome(case, PATIENCE)
    if found.failed:
        print(f"FAILED {name}: {found.group}\n{found.message}\n{case.source()}", flush=True)
    return found.failed
