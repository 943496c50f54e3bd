"""How a mutant is found: by the tests that reach it, and by those that are named after its file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import IO, Final, NamedTuple

from structarr._testing.mutation.mutants import ROOT, Mutant, mirrored

SECONDS: Final = 3000  # for the tests of one mutant that waits for something for ever
PYTEST: Final = ("pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header")
FUZZ: Final = ("structarr._testing.mutation.programs",)
SECONDS_OF_TESTS: Final = {True: 8.0, False: 60.0}  # that reach a mutant
FORKING: Final = (sys.executable, "-m", "structarr._testing.mutation.forking")
MAPPING: Final = (sys.executable, str(Path(__file__).with_name("noting.py")))

TESTS: Final = ROOT.parent / "tests"
REACHING: Final = (
    *("golden", "compiler/looplets", "compiler/lowering", "compiler/rules"),
    *("compiler/kernel_passes", "formats", "scheduler", "explain", "language", "property"),
    *("storage", "lazy", "execute", "extension"),
)
"""The folders of tests whose reach is told: what finds most in least time first."""

# What is run for a mutant of a room, beside the tests that are named after its file, random
# programs and the folder that mirrors its own: what finds most in least time first.
GOLDEN: Final = ("tests/golden",)
CORPUS: Final = ("tests/support/test_kernel_corpus.py",)
AFTER: Final = {
    "_compiler": ("tests/compiler", "tests/property", "tests/language"),
    "_scheduler": ("tests/scheduler", "tests/explain", "tests/property"),
    "formats": ("tests/formats", "tests/storage", "tests/property"),
}


class Found(NamedTuple):
    """
    What was found of a mutant.

    Attributes
    ----------
    by : str
        What fails for it, "" if nothing does.
    seconds : float
        The time of a processor that it took; with several jobs, others' may be in it.
    """

    by: str
    seconds: float


class Server:
    """
    A process that has collected the tests, and tells which of them find a mutant.

    Parameters
    ----------
    folder : pathlib.Path
        Where the map is of what tests reach.
    seconds : float
        For how long those that reach a mutant are run, and those beside them.
    """

    def __init__(self, folder: Path, seconds: float) -> None:
        words = [*FORKING, str(folder), str(seconds), *_folders()]
        self._process = subprocess.Popen(
            words, cwd=ROOT.parent, env=_own(), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._read("ready")

    def found_by(self, mutant: Mutant) -> Found:
        """The test that finds it: "-" if none does, "" if it was not asked."""
        print(json.dumps(asdict(mutant)), file=_open(self._process.stdin), flush=True)
        return Found(*json.loads(self._read("said")))

    def close(self) -> None:
        """End the process."""
        _open(self._process.stdin).close()
        self._process.wait()

    def _read(self, word: str) -> str:
        for line in _open(self._process.stdout):
            first, _, rest = line.partition(" ")
            if first.strip() == word:
                return rest
        raise RuntimeError("the process of the tests has ended")


@dataclass
class Ways:
    """
    How mutants are asked.

    Attributes
    ----------
    programs : int
        Random programs for what tests do not find.
    end : float
        When nothing is asked any more, by `time.monotonic`.
    quick : bool
        Whether only tests that take seconds are run; with a map, those that reach the mutant.
    servers : queue
        Processes that know what tests reach, if there is a map.
    """

    programs: int
    end: float
    quick: bool
    servers: SimpleQueue[Server] | None

    def found_by(self, mutant: Mutant) -> Found | None:
        """What fails for a mutant; None after the end of the run."""
        if time.monotonic() > self.end:
            return None
        said, seconds = self._by_reach(mutant)
        if said not in ("", "-"):
            return Found(said, seconds)
        if said and self.quick:
            return Found("", seconds)
        slow = () if self.quick or said == "-" else _slow(mutant)
        before = _spent()
        for words in (*_quick(mutant, self.programs), *slow):
            if time.monotonic() > self.end:
                return None
            if _fails(mutant, words):
                by = " ".join(words[-1:] if words[0] == "pytest" else ("fuzz",))
                return Found(by, seconds + _spent() - before)
        return Found("", seconds + _spent() - before)

    def _by_reach(self, mutant: Mutant) -> Found:
        if self.servers is None:
            return Found("", 0.0)
        server = self.servers.get()
        try:
            return server.found_by(mutant)
        finally:
            self.servers.put(server)


@contextmanager
def serving(
    folder: Path | None, jobs: int, quick: bool, seconds: float | None = None
) -> Iterator[SimpleQueue[Server] | None]:
    """Processes that know what tests reach, if there is a map."""
    if folder is None:
        yield None
        return
    servers = [Server(folder, seconds or SECONDS_OF_TESTS[quick]) for _ in range(jobs)]
    queue: SimpleQueue[Server] = SimpleQueue()
    for one in servers:
        queue.put(one)
    try:
        yield queue
    finally:
        for one in servers:
            one.close()


def make_map(folder: Path, jobs: int) -> None:
    """Have the tests tell what they reach, those of files of which that is not known."""
    started = [
        subprocess.Popen(
            [*MAPPING, str(folder), str(k), str(jobs), *_folders()],
            cwd=ROOT.parent, env=_own(),
        )
        for k in range(jobs)
    ]  # fmt: skip
    for one in started:
        one.wait()


def _spent() -> float:
    """Seconds of a processor that the processes took that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _folders() -> list[str]:
    return [f"tests/{one}" for one in REACHING]


def _own() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT.parent), "SCIPY_ARRAY_API": "1"}


def _open(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def _quick(mutant: Mutant, programs: int) -> Iterator[tuple[str, ...]]:
    """What is run for a mutant first: tests named after its file, goldens, and programs."""
    for one in (*_names(TESTS.rglob(f"test_*{mirrored(mutant).stem}*.py")), *GOLDEN):
        yield (*PYTEST, one)
    if programs:
        yield (*FUZZ, str(programs))


def _slow(mutant: Mutant) -> Iterator[tuple[str, ...]]:
    """What is run for a mutant that is not found by then: the folders that are about its room."""
    folder = mirrored(mutant).parent
    own = [f"tests/{folder.as_posix()}"] if (TESTS / folder).exists() else []
    for one in dict.fromkeys([*own, *CORPUS, *AFTER[mutant.path.partition("/")[0]]]):
        yield (*PYTEST, one)


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
