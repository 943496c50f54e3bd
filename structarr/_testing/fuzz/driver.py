"""The driver: hands numbers to processes until the time is over, and replaces those that die."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from structarr._testing.fuzz.case import Settings
from structarr._testing.fuzz.tally import Find, Tally
from structarr._testing.fuzz.worker import TELL, Task, serve

CHUNK = 32  # programs a task
LIFE = 4096  # programs a process, which bounds what caches keep
WAITS = 10  # times as long as a program may work, it may wait


@dataclass(slots=True)
class Plan:
    """A run: its settings and its ends, whichever comes first."""

    settings: Settings
    seconds: float
    jobs: int = 1
    programs: int | None = None
    limit: float = 20.0
    done: set[int] = field(default_factory=set)  # first numbers of the chunks that a log has

    def chunks(self) -> Iterator[Task]:
        """Tasks that are still to do."""
        start = 0
        while self.programs is None or start < self.programs:
            stop = start + CHUNK if self.programs is None else min(start + CHUNK, self.programs)
            if start not in self.done:
                yield Task(self.settings, start, stop, self.limit)
            start += CHUNK


@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Any
    clock: Any
    crash: Path
    task: Task | None = None
    programs: int = 0

    def give(self, task: Task) -> None:
        self.task = task
        self.clock[:] = task.start, time.monotonic(), worked(self.process.pid)
        self.pipe.send(task)

    def end(self) -> None:
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()


def drive(plan: Plan, report: Callable[[Task, Tally], None]) -> None:
    """Run programs in processes; `report` is called with what each task found."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory(prefix="structarr-fuzz-") as folder:
        os.environ.setdefault("STRUCTARR_CACHE_DIR", folder)
        workers = [_started(folder) for _ in range(plan.jobs)]
        try:
            _drive(plan, workers, folder, report)
        finally:
            for one in workers:
                one.end()


def _drive(
    plan: Plan, workers: list[_Worker], folder: str, report: Callable[[Task, Tally], None]
) -> None:
    end = time.monotonic() + plan.seconds
    chunks = plan.chunks()
    rest: list[Task] = []  # what dead workers left
    while True:
        for place, one in enumerate(workers):
            if one.task is None and time.monotonic() < end:
                task = rest.pop() if rest else next(chunks, None)
                if task is not None:
                    workers[place] = one = _fresh(one, folder)
                    one.give(task)
        busy = [one for one in workers if one.task is not None]
        if not busy:
            return
        ready = wait([one.pipe for one in busy], timeout=1.0)
        for place, one in enumerate(workers):
            if one.task is None:
                continue
            if one.pipe in ready and (tally := _received(one)) is not None:
                task, one.task = one.task, None
                one.programs += tally.programs
                report(task, tally)
            elif not one.process.is_alive() or _stuck(one):
                tally, left = _died(one)
                report(replace(one.task, stop=int(one.clock[0]) + 1), tally)
                rest += left
                workers[place] = _replaced(one, folder)


def _received(worker: _Worker) -> Tally | None:
    try:
        found = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join(5)
        return None
    assert isinstance(found, Tally)
    return found


def _stuck(worker: _Worker) -> bool:
    """Whether a program takes longer than it may; it is asked to write where it is.

    Work counts, as others may keep the processors busy; one that waits is given `WAITS` as long.
    """
    assert worker.task is not None
    most, waited = worker.task.patience, time.monotonic() - worker.clock[1]
    done = worked(worker.process.pid) - worker.clock[2]
    if waited < most or (done < most and waited < WAITS * most):
        return False
    if TELL and worker.process.is_alive():
        os.kill(worker.process.pid, TELL)
        time.sleep(1.0)
    return True


def worked(process: int | None) -> float:
    """The seconds of processors that a process has taken; where no file tells, those of clocks."""
    path = Path(f"/proc/{process}/stat")
    if not path.exists():
        return time.monotonic()
    fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _died(worker: _Worker) -> tuple[Tally, list[Task]]:
    """The find that a dead process is, and the numbers after it and before it to run again."""
    task, number = worker.task, int(worker.clock[0])
    assert task is not None
    alive = worker.process.is_alive()
    why = "stuck" if alive else f"died with exit code {worker.process.exitcode}"
    trace = worker.crash.read_text(encoding="utf-8") if worker.crash.exists() else ""
    at = next((line.strip() for line in trace.splitlines() if "structarr" in line), "")
    group = f"crash: {why} {at.rpartition('structarr/')[2]}".strip()
    tally = Tally(programs=1, finds=[Find(number, group, f"{why}\n{trace[:3000]}", "")])
    tally.failed[group] += 1
    parts = [replace(task, stop=number), replace(task, start=number + 1)]
    return tally, [part for part in parts if part.start < part.stop]


def _started(folder: str) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    clock = context.Array("d", 3, lock=False)
    handle, name = tempfile.mkstemp(dir=folder, suffix=".txt")
    os.close(handle)
    process = context.Process(target=serve, args=(theirs, clock, name), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, clock, Path(name))


def _fresh(worker: _Worker, folder: str) -> _Worker:
    return _replaced(worker, folder) if worker.programs >= LIFE else worker


def _replaced(worker: _Worker, folder: str) -> _Worker:
    worker.end()
    return _started(folder)
