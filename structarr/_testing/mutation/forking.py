"""pytest, which collects all tests once, and has processes of its own run those that are asked for.

``python -m structarr._testing.mutation.forking`` is started by the command; it needs ``fork``. A
mutant costs what the tests cost that are run for it, as nothing is imported or collected anew.
"""

from __future__ import annotations

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
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

from structarr._testing.mutation import reach
from structarr._testing.mutation.mutants import ROOMS, ROOT, Mutant
from structarr._testing.mutation.swapping import Swapped, swap

ARGUMENTS: Final = ("-q", "-s", "-n", "0", "-p", "no:cacheprovider", "--no-header")
ROOM: Final = 6 << 30
"""Bytes that the tests of a mutant may take beyond what is there."""


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


def forked(work: Callable[[], str], seconds: int = 0, wall: float = 1200.0) -> str:
    """
    What a function gives in a process of its own, with an own cache of kernels and no output.

    Parameters
    ----------
    work : callable
        What is called.
    seconds : int
        The most time of a processor; 0 is any.
    wall : float
        The most time.

    Returns
    -------
    str
        What it gave; "ended by N" if the process did not come to its end.
    """
    with TemporaryDirectory(prefix="structarr-mutant-") as folder:
        answer = Path(folder) / "answer"
        child = os.fork()
        if not child:
            _within(work, seconds, folder, answer)
        status = _waited(child, wall)
        said = answer.read_text(encoding="utf-8") if answer.exists() else ""
    return said if os.WIFEXITED(status) and said else f"ended by {status}"


def _within(work: Callable[[], str], seconds: int, folder: str, answer: Path) -> None:
    """The child: it never returns."""
    try:
        os.environ["STRUCTARR_CACHE_DIR"] = folder
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, taken + ROOM))
        answer.write_text(work(), encoding="utf-8")
    finally:
        os._exit(0)


def _waited(child: int, wall: float) -> int:
    end = time.monotonic() + wall
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1]
        time.sleep(0.01)


def failing(items: Sequence[pytest.Item]) -> str:
    """The first of some tests that fails, "-" if none does."""
    for item, after in zip_longest(items, items[1:]):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
            return item.nodeid
    return "-"


# ------------------------------------------------------------------------------- the map


def write_map(folder: Path, items: dict[str, pytest.Item], share: tuple[int, int]) -> None:
    """Have each file of tests tell what it reaches, where its present text is not known."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, list[pytest.Item]] = {}
    for name, item in items.items():
        files.setdefault(name.partition("::")[0], []).append(item)
    for file, own in [*files.items()][share[0] :: share[1]]:
        at = reach.place(folder, file)
        if at.exists() and json.loads(at.read_text(encoding="utf-8"))["text"] == reach.short(
            own[0].path
        ):
            continue
        said = forked(lambda own=own, file=file: json.dumps(_reached(file, own)))  # type: ignore[misc]
        if said.startswith("{"):
            reach.keep_texts(folder, json.loads(said)["reached"])
            at.write_text(said, encoding="utf-8")
        print(
            f"{file}: {len(own)} tests" + (f", {said[:40]}" if said[0] != "{" else ""), flush=True
        )


def _reached(file: str, items: Sequence[pytest.Item]) -> dict[str, Any]:
    """What the tests of a file reach, those that pass."""
    import coverage

    data = coverage.Coverage(
        data_file=None, source=[str(ROOT / one) for one in ROOMS], branch=False
    )
    data.start()
    tests, seconds = [], []
    for item, after in zip_longest(items, items[1:]):
        data.switch_context(item.nodeid)
        start = time.process_time()
        reports = runtestprotocol(item, log=False, nextitem=after)
        if not any(report.failed for report in reports):
            tests.append(item.nodeid)
            seconds.append(round(time.process_time() - start, 3))
    data.stop()
    text, reached = reach.short(items[0].path), _lines(data.get_data(), tests)
    return dict(file=file, text=text, tests=tests, seconds=seconds, reached=reached)


def _lines(data: Any, tests: Sequence[str]) -> dict[str, tuple[str, dict[int, str]]]:
    """By files of the package: their digests, and bits of tests for each line."""
    number, now, found = {one: k for k, one in enumerate(tests)}, reach.digests(), {}
    for path in data.measured_files():
        name = Path(path).relative_to(ROOT).as_posix()
        if name not in now:
            continue
        lines = {}
        for line, contexts in data.contexts_by_lineno(path).items():
            bits = sum([1 << number[one] for one in {*contexts} if one in number])
            if bits:
                lines[line] = f"{bits:x}"
        found[name] = (now[name], lines)
    return found


# ------------------------------------------------------------------------------- mutants


def found_by(
    mutant: Mutant, map_: reach.Reach, items: dict[str, pytest.Item], seconds: float
) -> str:
    """
    The test that finds a mutant: "-" if none does, "" if it was not asked.

    First the tests that reach it, then those beside them, each for some seconds, as they took for
    the map. What fails without the mutant, too, after the same tests, does not find it.
    """
    reaching = [one for one in map_.of(mutant) if one in items]
    if not reaching:
        return ""
    alike = [one for one in map_.alike(reaching) if one in items]
    tests = [*_within_time(reaching, map_, seconds), *_within_time(alike, map_, seconds)]
    told = sum(map(map_.seconds.__getitem__, tests))

    def asked(tests: Sequence[str], mutates: bool = True) -> str:
        try:
            if mutates and not swap(mutant):
                return "none lives"
        except Swapped as error:
            return f"none lives: {error}"
        return failing([items[one] for one in tests])

    while True:
        said = forked(partial(asked, tests), seconds=30 + int(4 * told))
        if said == "-" or said.startswith("none lives"):
            return said if said == "-" else ""
        until = tests[: tests.index(said) + 1] if said in tests else tests
        plain = forked(partial(asked, until, mutates=False), seconds=30 + int(4 * told))
        if plain == "-":
            return said
        if plain not in tests:
            return ""
        tests.remove(plain)


def _within_time(tests: Sequence[str], map_: reach.Reach, seconds: float) -> Iterator[str]:
    for one in tests:
        seconds -= map_.seconds[one]
        if seconds < 0:
            return
        yield one


def main(words: Sequence[str]) -> int:
    """
    Make a map, or ask mutants, with the tests that come last among the words.

    ``map FOLDER K N`` makes the K-th of N parts; ``ask FOLDER SECONDS`` reads mutants line by line.
    """
    what, folder, *rest = words
    if what == "map":
        k, n, *tests = rest
        return run(lambda items: write_map(Path(folder), items, (int(k), int(n))), tests)
    seconds, *tests = rest
    map_ = reach.read(Path(folder))

    def answer(items: dict[str, pytest.Item]) -> None:
        print("ready", flush=True)
        for line in sys.stdin:
            said = found_by(Mutant(**json.loads(line)), map_, items, float(seconds))
            print("said " + json.dumps(said), flush=True)

    with suppress(KeyboardInterrupt):
        return run(answer, tests)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
