"""A process that runs programs by their numbers, and shrinks those that fail."""

from __future__ import annotations

import faulthandler
import gc
import signal
import time
import traceback
import warnings
from dataclasses import dataclass
from typing import Any, Final

from structarr._testing.fuzz.case import Case, Settings
from structarr._testing.fuzz.families import numbered
from structarr._testing.fuzz.guide import Guide
from structarr._testing.fuzz.memory import bounded, dirtied
from structarr._testing.fuzz.outcome import Outcome, outcome
from structarr._testing.fuzz.shrink import shrunk
from structarr._testing.fuzz.tally import Find, Tally

TELL: Final = getattr(signal, "SIGUSR1", 0)
"""The signal upon which a process writes where it is."""


@dataclass(frozen=True, slots=True)
class Task:
    """Programs with consecutive numbers, and the seconds for each and for shrinking one.

    Where nothing interrupts a program, such as a compiler, it is stuck after `patience` seconds of
    work.
    """

    settings: Settings
    start: int
    stop: int
    limit: float = 20.0
    shrinking: float = 20.0
    grace: float = 10.0

    @property
    def patience(self) -> float:
        """More seconds than a program and its shrinking take if their limits interrupt them."""
        return 4 * self.limit + self.shrinking + self.grace


def run(
    task: Task,
    known: set[str],
    clock: Any = None,
    guide: Guide | None = None,
) -> Tally:
    """Run programs.

    `clock[:]` is told each one's number, and when and after how much work it began. A guide draws
    them by what earlier ones reached.
    """
    found = Tally()
    for number in range(task.start, task.stop):
        if clock is not None:
            clock[:] = number, time.monotonic(), time.process_time()
        _count(found, task, number, known, guide)
    return found


def _count(found: Tally, task: Task, number: int, known: set[str], guide: Guide | None) -> None:
    try:
        case = (numbered if guide is None else guide.case)(task.settings, number)
    except Exception:
        found.programs += 1
        found.failed["generator"] += 1
        found.finds.append(Find(number, "generator", traceback.format_exc(), ""))
        return
    result = outcome(case, task.limit)
    found.programs += 1
    found.operations += len(case.operations)
    if guide is not None:
        found.add(Tally(reached=guide.ran(case)))
    if result.kind == "refused":
        found.refused[result.group] += 1
    if not result.failed:
        return
    if result.group not in known and not result.group.startswith("slow"):
        case, result = _smaller(case, result, task)
    if result.group not in known:
        known.add(result.group)
        found.finds.append(Find(number, result.group, result.message, case.source()))
    found.failed[result.group] += 1


def _smaller(case: Case, result: Outcome, task: Task) -> tuple[Case, Outcome]:
    small = shrunk(case, result, task.shrinking, task.limit)
    again = outcome(small, task.limit)
    # What fails the first time alone is reported as it was.
    return (small, again) if again.failed else (case, result)


def serve(pipe: Any, clock: Any, crash: str) -> None:
    """Answer tasks until there are no more; errors of the process itself go to a file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    gc.set_threshold(50_000)  # most of what lowering allocates lives on: to look for cycles is vain
    with bounded(), dirtied(), open(crash, "w", encoding="utf-8") as file:
        faulthandler.enable(file)
        if hasattr(faulthandler, "register"):  # not on Windows
            faulthandler.register(TELL, file)
        known: set[str] = set()
        guide: Guide | None = None
        while (task := pipe.recv()) is not None:
            if task.settings.guided and guide is None:
                guide = Guide()
            pipe.send(run(task, known, clock, guide))
