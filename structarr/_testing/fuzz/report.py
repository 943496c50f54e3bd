"""The printed and stored results of a run, and the log by which it is resumed."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict
from pathlib import Path

from structarr._testing.fuzz.case import Settings
from structarr._testing.fuzz.reach import unreached
from structarr._testing.fuzz.tally import Find, Tally
from structarr._testing.fuzz.worker import Task


class Report:
    """The findings of a run so far."""

    def __init__(self, settings: Settings, out: Path, log: Path | None) -> None:
        self.settings, self.out, self.log = settings, out, log
        self.tally = Tally()
        self.began = self._told = time.monotonic()
        self._ran = 0  # programs of this process, not of the log
        self._groups: set[str] = set()
        self._ranges = self._read()

    def add(self, task: Task, tally: Tally) -> None:
        """Count what a task found, print its failures, and write the log."""
        self.tally.add(tally)
        self._ran += tally.programs
        for find in tally.finds:
            self._show(find)
        if self.log is not None:
            line = {"seed": task.settings.seed, "start": task.start, "stop": task.stop}
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**line, **tally.counts()}) + "\n")
        if time.monotonic() - self._told > 30:
            self._told = time.monotonic()
            print(self._line(), flush=True)

    def done(self, chunk: int) -> set[int]:
        """The first numbers of the chunks that the log has whole."""
        numbers = {n for start, stop in self._ranges for n in range(start, stop)}
        firsts = {number - number % chunk for number in numbers}
        return {first for first in firsts if {*range(first, first + chunk)} <= numbers}

    def summary(self) -> None:
        """Print all counts."""
        print(self._line())
        for title, counts in (("refused", self.tally.refused), ("failed", self.tally.failed)):
            print(f"{title}: {counts.total()}")
            for reason, count in counts.most_common(40):
                print(f"  {count:6} {reason}")
        if self.settings.guided:
            arms = [*unreached(self.tally.reached)]
            print(f"never taken: {len(arms)} arms")
            print("\n".join(f"  {one}" for one in arms))

    def _line(self) -> str:
        seconds = max(time.monotonic() - self.began, 1e-9)
        found = self.tally
        return (
            f"{found.programs} programs, {found.operations} operations, "
            f"{found.refused.total()} refused, {found.failed.total()} failed in "
            f"{len(found.failed)} groups, {self._ran / seconds:.1f} programs/s"
        )

    def _show(self, find: Find) -> None:
        if find.group in self._groups:
            return
        self._groups.add(find.group)
        seed = self.settings.seed
        families = ",".join(self.settings.families)
        words = f"--families {families} " if families else ""
        again = "varied" if self.settings.guided else f"--replay {seed}:{find.number}"
        head = f"# {find.group}\n# {words}{again}\n"
        body = head + "".join(f"# {line}\n" for line in find.message.splitlines()) + find.source
        print(f"\nFAILED {body}", flush=True)
        self.out.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(find.group.encode()).hexdigest()[:10]
        (self.out / f"{seed}-{find.number}-{name}.py").write_text(body, encoding="utf-8")
        record = json.dumps(asdict(find))
        with (self.out / "found.jsonl").open("a", encoding="utf-8") as file:
            file.write(record + "\n")

    def _read(self) -> list[tuple[int, int]]:
        ranges: list[tuple[int, int]] = []
        if self.log is None or not self.log.exists():
            return ranges
        for line in self.log.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:  # a line that was cut off where the run ended
                continue
            if entry["seed"] == self.settings.seed:
                ranges.append((entry["start"], entry["stop"]))
                self.tally.add(Tally.of(entry))
        return ranges
