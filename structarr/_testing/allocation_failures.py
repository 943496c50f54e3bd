"""``python -m structarr.testing memory``: programs of which each allocation fails in turn.

A failed allocation is to end a program by a `MemoryError`, or to be made up for; then the operands
are what they were, the program gives its value when it runs again, and nothing of it is left in
memory.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._testing.allocations import Allocations, counted
from structarr._testing.fuzz.case import Settings
from structarr._testing.fuzz.families import numbered
from structarr._testing.fuzz.program import Program
from structarr._testing.short_of_memory import GIVEN, OTHERS, REFUSED, WRONG, turns

TURNS: Final = 20  # of a program in processes that are short of memory
MOST: Final = 60  # allocations of a program that fail, evenly among all


class Unclean(AssertionError):
    """A failed allocation that was not dealt with; the message says which, and what came of it."""


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if something failed."""
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing memory",
        description="Have each allocation of random programs fail in turn.",
    )
    parser.add_argument("--programs", type=int, default=100, help="how many (100)")
    parser.add_argument("--seed", type=int, default=0, help="of all that is random (0)")
    parser.add_argument("--minutes", type=float, default=10.0, help="end after so long (10)")
    parser.add_argument(
        "--short", choices=("python", "system"),
        help="have Python's own allocations fail, or the system's, at random",
    )  # fmt: skip
    given = parser.parse_args(words)
    if given.short:
        return _short(given)
    warnings.simplefilter("ignore")
    failures, failed, programs = 0, 0, 0
    end = time.monotonic() + 60 * given.minutes
    for number in range(given.programs):
        if time.monotonic() > end:
            break
        programs += 1
        try:
            failures += fail_in_turn(program_of(given.seed, number))
        except Unclean as error:
            failed += 1
            print(f"FAILED {given.seed}:{number}: {error}", file=sys.stderr, flush=True)
    print(f"{programs} programs, {failures} failed allocations, {failed} programs unclean")
    return int(bool(failed))


def _short(given: argparse.Namespace) -> int:
    """Have allocations fail that are not of arrays; return the status."""
    found: Counter[str] = Counter()
    end = time.monotonic() + 60 * given.minutes
    for number in range(given.programs):
        if time.monotonic() > end:
            print(f"the time is over: ended before program {number}")
            break
        asked = turns(program_of(given.seed, number), given.short, TURNS, number)
        for text in [one for one in asked if one.startswith(WRONG)]:
            print(f"FAILED {given.seed}:{number}: {text}", file=sys.stderr, flush=True)
        found.update({one.partition(":")[0]: count for one, count in asked.items()})
    print(", ".join([f"{found[one]} {one}" for one in (GIVEN, REFUSED, OTHERS, WRONG)]))
    return int(any(one.startswith(WRONG) for one in found))


def program_of(seed: int, number: int) -> Program:
    """A random program that runs in one thread."""
    settings = Settings(
        seed=seed, number=number, families=("numpy",), compiled=0.1, threads=0.0, steps=4
    )
    case = numbered(settings, number)
    assert isinstance(case, Program)
    return replace(case, rounds=())


def fail_in_turn(program: Program) -> int:
    """Run a program with one allocation after the other failing; return how many failed."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), sa.options(**program.plain_options):
        warnings.simplefilter("ignore")
        try:
            want = program._run({one.name: one.data.copy() for one in program.operands})
            program._ours(program.operands, want)
        except Exception:
            return 0  # what is refused, or is an error to begin with
        with counted() as memory:
            turns = [*_turns(program, want, memory)]
            before = _left(memory)
            gc.freeze()  # what was there before, of which nothing becomes garbage in the turns
            try:
                return sum(_fails(program, want, memory, k, before) for k in turns)
            finally:
                gc.unfreeze()


def _turns(program: Program, want: dict[str, Any], memory: Allocations) -> Iterator[int]:
    """The numbers of the allocations that are to fail, once all is warm."""
    program._ours(program.operands, want)
    memory.fail()
    program._ours(program.operands, want)
    yield from range(0, memory.asked, max(1, memory.asked // MOST))


def _left(memory: Allocations) -> int:
    """How many arrays there are when tables are empty and garbage is collected."""
    sa.clear_cache()
    gc.collect()
    return memory.alive


def _fails(
    program: Program, want: dict[str, Any], memory: Allocations, number: int, before: int
) -> bool:
    """Have one allocation fail, and look at what is left; return whether it was made at all."""
    memory.fail(number)
    try:
        program._ours(program.operands, want)
    except MemoryError:
        pass
    except Exception as error:
        raise Unclean(
            f"allocation {number} fails: {type(error).__name__}: {error}\n{program.source()}"
        ) from error
    finally:
        made = memory.asked > number
        memory.fail()
    try:
        program.without_rounds().check()
    except Exception as error:
        raise Unclean(
            f"after allocation {number} failed: {type(error).__name__}: {error}\n{program.source()}"
        ) from error
    left = _left(memory) - before
    if left > MOST:
        raise Unclean(f"allocation {number} fails: {left} arrays are left")
    return made
