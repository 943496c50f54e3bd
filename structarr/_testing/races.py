"""``python -m structarr.testing races``: processes that write the same files, and are killed at it.

Whoever reads a file of the folder of kernels, or one of `sa.save`, finds what one process wrote
whole, or nothing. Writers are killed at each step that the system is asked for, and at each byte of
what is written.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._compiler.backend.disk import folder

PROCESSES: Final = 24
PATIENCE: Final = 600  # seconds for all processes to be where one is
STEPS: Final = ("open", "os.rename", "os.chmod", "os.remove", "os.utime", "os.mkdir")
"""What the system is asked for, by the names of Python's audit events."""


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if something failed."""
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing races",
        description="Have processes race on one folder of kernels, and kill writers at each step.",
    )
    parser.add_argument("--races", type=int, default=200, help="how many (200)")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="in each (24)")
    given = parser.parse_args(words)
    if not hasattr(os, "fork"):
        print("races need processes that fork", file=sys.stderr)
        return 2
    start = time.monotonic()
    with TemporaryDirectory(prefix="structarr-races-") as place:
        os.environ["STRUCTARR_CACHE_DIR"] = place
        wrong = raced(given.races, given.processes)
        kills, torn = killed(Path(place))
    seconds = time.monotonic() - start
    print(
        f"{given.races} races of {given.processes} processes, {wrong} with wrong contents; "
        f"{kills} writers killed, {torn} with something torn; {seconds:.0f} s"
    )
    return int(bool(wrong or torn))


# ------------------------------------------------------------------------------- races


def raced(races: int, processes: int) -> int:
    """Have processes write and read the same names at once; return how many read what is wrong."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(processes)
    wrong = context.Value("i", 0)
    started = [
        context.Process(target=_race, args=(races, number, barrier, wrong))
        for number in range(processes)
    ]
    for one in started:
        one.start()
    for one in started:
        one.join()
    return int(wrong.value) + sum(one.exitcode != 0 for one in started)


def _race(races: int, number: int, barrier: Any, wrong: Any) -> None:
    for race in range(races):
        name, content = f"race_{race}.kernel", _content(race)
        barrier.wait(PATIENCE)
        if number == 0:  # nobody is there any more, and a look at the folder's size takes long
            _forget(f"race_{race - 1}.kernel")
        if number % 3:
            folder.write(name, content)
        elif number == 0 and race % 7 == 0:
            _damage(name)
        if folder.read(name) not in (None, content):
            with wrong.get_lock():
                wrong.value += 1


def _content(race: int) -> bytes:
    return np.random.default_rng(race).bytes(100 + race % 5000)


def _forget(name: str) -> None:
    place = folder.directory()
    if place is not None:
        (place / name).unlink(missing_ok=True)


def _damage(name: str) -> None:
    """Cut a file, as a machine that loses its power does."""
    place = folder.directory()
    if place is not None and (place / name).exists():
        os.truncate(place / name, 40)


# ------------------------------------------------------------------------------ killing


def killed(place: Path) -> tuple[int, int]:
    """Kill writers of kernels and of files; return how many, and how many left something torn."""
    old, new = sa.asarray(np.eye(4), format="csr"), sa.asarray(np.ones((30, 30)), format="rle")
    path = place / "array.npz"
    writes = partial(folder.write, "killed.kernel", _content(7)), partial(sa.save, path, new)
    reads = partial(_kernel_is_whole, "killed.kernel"), partial(_file_is_whole, path, (old, new))
    kills = torn = 0
    for write, is_whole in zip(writes, reads, strict=True):
        for stop in (_at_step, _at_byte):
            for count in range(10_000):
                sa.save(path, old)
                if not _dies(partial(stop, 97 * count if stop is _at_byte else count), write):
                    break  # it came to its end
                kills += 1
                torn += not is_whole()
    return kills, torn


def _dies(prepare: Callable[[], None], write: Callable[[], object]) -> bool:
    """Whether a child that writes is killed."""
    child = os.fork()
    if child == 0:
        try:
            prepare()
            write()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _at_step(count: int) -> None:
    """Have this process be killed at the step after so many others."""
    left = [count]

    def watch(event: str, args: Any) -> None:
        if event in STEPS:
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1

    sys.addaudithook(watch)


def _at_byte(count: int) -> None:
    """Have this process be killed when it writes beyond so many bytes of a file."""
    import resource  # which Windows has not

    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _kernel_is_whole(name: str) -> bool:
    return folder.read(name) in (None, _content(7))


def _file_is_whole(path: Path, known: tuple[Any, ...]) -> bool:
    found = sa.load(path).todense()
    return any(np.array_equal(found, one.todense()) for one in known)
