"""Programs in processes that are short of memory: Python's own allocations fail, or the system's.

What fails here may be any allocation: of a list, a string, a frame, a library. Each turn is in a
process of its own, which either gives the program's value or ends it by a `MemoryError`, and then
computes the same again with all of the memory.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._testing.fuzz.program import Program

MOST: Final = 50_000  # the last allocation of Python's that fails; programs have some ten thousand
SPARE: Final = 1 << 20  # bytes, of which a random part is left to a process
SIZES: Final = (1 << 20, 1 << 16, 1 << 12, 480, 240, 120, 60, 1)

LOSES_CODE: Final = (3, 13) <= sys.version_info < (3, 14)
"""Whether a function that finds no memory gives up its code twice: CPython's issue gh-122752."""
_KEPT: Final[list[CodeType]] = []

GIVEN, REFUSED, OTHERS, WRONG = "values", "refused by MemoryError", "refused by C", "unclean"
"""What a turn comes to: C is that of Python and NumPy, which at times raise without an error."""


@contextmanager
def one_fails(rng: random.Random) -> Iterator[None]:
    """One of the next allocations of Python's fails."""
    hooks: Any = import_module("_testcapi")
    number = int(MOST ** rng.random())
    hooks.set_nomemory(number, number + 1)
    try:
        yield
    finally:
        hooks.remove_mem_hooks()


@contextmanager
def little_is_left(rng: random.Random) -> Iterator[None]:
    """The system has no more memory for this process; of what it has, all but a little is taken."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1, before[1]))
    taken = _taken()
    kept, left = [0], int(SPARE ** rng.random())
    while taken is not None and kept[0] < left:
        taken, own = taken
        kept[0] += len(own)
    del own
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _taken() -> Any:
    """All the memory that is there, as a chain of pieces, the smallest first."""
    found: Any = None
    for size in SIZES:
        try:
            while True:
                found = (found, bytes(size))
        except MemoryError:
            continue
    return found


WAYS: Final = {"python": one_fails, "system": little_is_left}


def turns(program: Program, way: str, count: int, seed: int) -> Counter[str]:
    """
    What some turns of a program come to.

    Parameters
    ----------
    program : Program
        What runs.
    way : {"python", "system"}
        Which allocations fail.
    count : int
        How many turns.
    seed : int
        Of which allocations fail.

    Returns
    -------
    Counter
        How often each of `GIVEN`, `REFUSED`, `OTHERS`, and texts of what is wrong.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"), sa.options(**program.plain_options):
        warnings.simplefilter("ignore")
        try:
            want = program._run({one.name: one.data.copy() for one in program.operands})
            program._ours(program.operands, want)
        except Exception:
            return Counter()  # what is refused, or is an error to begin with
        rng = random.Random(seed)
        return Counter([_turn(program, want, way, rng.randrange(1 << 30)) for _ in range(count)])


def _turn(program: Program, want: dict[str, Any], way: str, seed: int) -> str:
    """What a turn comes to, in a process of its own."""
    with TemporaryDirectory() as folder:
        answer, errors = Path(folder) / "answer", Path(folder) / "errors"
        child = os.fork()
        if not child:
            _within(lambda: _outcome(program, want, way, seed), answer, errors)
        _, status = os.waitpid(child, 0)
        if answer.exists():
            return answer.read_text(encoding="utf-8")
        said = errors.read_text(encoding="utf-8", errors="replace")
        if (
            "Fatal Python error" in said
        ):  # it gives up where an error about an error finds no memory
            return OTHERS
        return f"{WRONG}: turn {seed} ends the process by {status}: {said}\n{program.source()}"


def _within(outcome: Callable[[], str], answer: Path, errors: Path) -> None:
    """The child: it never returns."""
    try:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
        answer.write_text(outcome(), encoding="utf-8")
    finally:
        os._exit(0)


def _outcome(program: Program, want: dict[str, Any], way: str, seed: int) -> str:
    gc.disable()  # which allocation fails is to depend on the program alone
    sa.clear_cache()
    if LOSES_CODE:
        _KEPT.extend(codes() * 64)  # more often than one turn gives them up
    error: BaseException | None = None
    try:
        with WAYS[way](random.Random(seed)):
            program._ours(program.operands, want)
    except BaseException as found:
        error = found
    said = _said(error)
    if said.startswith(WRONG):
        return f"{said}\nin turn {seed} of\n{program.source()}"
    try:
        program.without_rounds().check()
    except Exception as after:
        return f"{WRONG} after turn {seed}: {_told(after)}\n{program.source()}"
    return said


def codes() -> list[CodeType]:
    """The code of all functions, and of those within them."""
    gc.unfreeze()  # the tests' conftest hides what lives from the collector, and so from us
    found: dict[int, CodeType] = {}
    rest = [one.__code__ for one in gc.get_objects() if type(one) is FunctionType]
    while rest:
        one = rest.pop()
        if id(one) not in found:
            found[id(one)] = one
            rest.extend([part for part in one.co_consts if isinstance(part, CodeType)])
    return [*found.values()]


def _said(error: BaseException | None) -> str:
    match error:
        case None:
            return GIVEN
        case MemoryError():
            return REFUSED
        case SystemError() | ImportError():  # no line of ours raises these
            return OTHERS
    return f"{WRONG}: {_told(error)}"


def _told(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)[-4:])
