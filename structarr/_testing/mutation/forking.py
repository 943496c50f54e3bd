"""pytest, which collects all tests once, and has processes of its own run those that are asked for.

``python -m structarr._testing.mutation.forking`` is started by the command; it needs ``fork``. A
mutant costs what the tests cost that are run for it, as nothing is imported or collected anew.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import pytest
from _pytest.runner import runtestprotocol

from structarr._testing.mutation import reach
from structarr._testing.mutation.forgetting import forgetting
from structarr._testing.mutation.mutants import ROOT, Mutant, mirrored
from structarr._testing.mutation.swapping import Living, Swapped

ARGUMENTS: Final = ("-q", "-s", "-n", "0", "-p", "no:cacheprovider", "--no-header")
ROOM: Final = 6 << 30
"""Bytes that the tests of a mutant may take beyond what is there."""

Tell: TypeAlias = Callable[[str], object]


class Collected:
    """
    A plugin of pytest that does something else than to run all tests.

    Parameters
    ----------
    work : callable
        What is called with the tests that were collected, by their identities.
    """

    def __init__(self, work: Callable[[dict[str, pytest.Item]], None]) -> None:
        self._work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the work instead."""
        self._work({item.nodeid: item for item in session.items})
        return True


def run(work: Callable[[dict[str, pytest.Item]], None], tests: Sequence[str]) -> int:
    """Collect tests, and do some work with them."""
    os.chdir(ROOT.parent)
    return int(pytest.main([*ARGUMENTS, *tests], plugins=[Collected(work)]))


# ------------------------------------------------------------------------------- processes


def forked(work: Callable[[Tell], None], kept: Path, wall: float = 1200.0) -> str:
    """
    What a function tells last, in a process of its own without output.

    Parameters
    ----------
    work : callable
        What is called, with what tells a text.
    kept : pathlib.Path
        Where machine code is kept by the texts of kernels, which no mutant changes.
    wall : float
        The most time.

    Returns
    -------
    str
        What it told before it came to its end, or was ended.
    """
    with TemporaryDirectory(prefix="structarr-mutant-") as folder:
        told = Path(folder) / "told"
        child = os.fork()
        if not child:
            _within(lambda: work(partial(told.write_text, encoding="utf-8")), kept)
        _wait(child, wall)
        return told.read_text(encoding="utf-8") if told.exists() else ""


def _within(work: Callable[[], None], kept: Path) -> None:
    """The child: it never returns."""
    try:
        os.environ["STRUCTARR_CACHE_DIR"] = str(kept.absolute() / "kernels")
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        work()
    finally:
        os._exit(0)


def _wait(child: int, wall: float) -> None:
    end = time.monotonic() + wall
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.005)


def passes(item: pytest.Item, after: pytest.Item | None) -> bool:
    """Whether a test passes; another one comes after it."""
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=after))


# ------------------------------------------------------------------------------- mutants


class Asking:
    """
    Which of the tests of this process find a mutant.

    Parameters
    ----------
    folder : pathlib.Path
        Where the map is.
    items : dict
        The tests that were collected, by their identities.
    seconds : float
        For how long those that reach a mutant are run, and those beside them.
    """

    def __init__(self, folder: Path, items: dict[str, pytest.Item], seconds: float) -> None:
        self._folder, self._items, self._seconds = folder, items, seconds
        self._map = reach.read(folder)
        self._living, self._forget = Living(), forgetting()
        self._unmapped = [one for one in items if one not in self._map.seconds]
        self._others: dict[str, list[str]] = {}
        for one in self._unmapped:
            self._others.setdefault(reach.function(one), []).append(one)
        self._alone: dict[str, bool] = {}  # whether a test passes without a mutant
        gc.freeze()  # a child that collects garbage would copy what it looks at

    def found_by(self, mutant: Mutant) -> str:
        """
        The test that finds a mutant: "-" if none does, "" if it was not asked.

        What fails without the mutant, too, does not find it.
        """
        reaching = self._map.of(mutant)
        tests = [*self._in_time(reaching), *self._in_time(self._alike(mutant, reaching))]
        if not tests:
            return "-" if self._map.knows(mutant) else ""
        while True:
            said = self._first(tests, mutant)
            if said == "-" and not self._map.knows(mutant):
                return ""
            if said not in self._items:
                return said
            if self._passes_alone(said) and (
                said == tests[0] or self._first([said], mutant) != "-"
            ):
                return said
            tests.remove(said)

    def _passes_alone(self, test: str) -> bool:
        if test not in self._alone:
            self._alone[test] = self._first([test], None) == "-"
        return self._alone[test]

    def _first(self, tests: Sequence[str], mutant: Mutant | None) -> str:
        told = sum(map(self._map.seconds_of, tests))
        return forked(partial(self._ask, tests, mutant), self._folder, 60 + 30 * told)

    def _ask(self, tests: Sequence[str], mutant: Mutant | None, tell: Tell) -> None:
        """
        Tell which test is run, up to the first that fails.

        What ends the process is so told, too. At the end "-" is told, and "" if no function is
        another.
        """
        try:
            if mutant and not self._living.become(mutant):
                return
        except Swapped:
            return
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, taken + ROOM))
        items = [self._items[one] for one in tests]
        for item, after in zip_longest(items, items[1:]):
            tell(item.nodeid)
            self._forget()
            _end_after(3 + 5 * self._map.seconds_of(item.nodeid))
            if not passes(item, after):
                return
        tell("-")

    def _alike(self, mutant: Mutant, tests: Sequence[str]) -> list[str]:
        """Tests that the map has not: those that are named after the file, and of the functions."""
        name = _plain(mirrored(mutant).stem)
        named = [one for one in self._unmapped if name in _plain(one)]
        functions = dict.fromkeys(map(reach.function, tests))
        others = [one for name in functions for one in self._others.get(name, ())]
        return [*dict.fromkeys([*named, *others])]

    def _in_time(self, tests: Sequence[str]) -> Iterator[str]:
        seconds = self._seconds
        for one in tests:
            if one in self._items:
                seconds -= self._map.seconds_of(one)
                if seconds < 0:
                    return
                yield one


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _end_after(seconds: float) -> None:
    """Have the system end this process after so much more time of a processor."""
    end = int(time.process_time() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))


def main(words: Sequence[str]) -> int:
    """Ask mutants that are read line by line: ``FOLDER SECONDS TESTS...``."""
    folder, seconds, *tests = words

    def answer(items: dict[str, pytest.Item]) -> None:
        asking = Asking(Path(folder), items, float(seconds))
        print("ready", flush=True)
        for line in sys.stdin:
            before = _spent()
            said = asking.found_by(Mutant(**json.loads(line)))
            print("said " + json.dumps([said, round(_spent() - before, 2)]), flush=True)

    with suppress(KeyboardInterrupt):
        return run(answer, tests)
    return 0


def _spent() -> float:
    """Seconds of a processor that this process and its children took."""
    return sum(os.times()[:4])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
