"""The map of what tests would find: which mutants would differ while a test runs.

``noting.py`` starts it, in a process whose package takes notes.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol
from zlib import crc32

import pytest

from structarr._testing.mutation import reach
from structarr._testing.mutation.forgetting import forgetting
from structarr._testing.mutation.forking import Tell, forked, passes, run
from structarr._testing.processor_time import TooLong, limited

SECONDS: Final = 0.5
"""For how long sets of arguments of a function are asked; the others are taken for alike."""

LONGEST: Final = 1.0
"""Seconds of a test that is in the map."""


class Notes(Protocol):
    """What was noted (`noting.Notes`, which was imported before the package)."""

    seen: bytearray
    starts: dict[str, int]


def main(words: Sequence[str], notes: Notes) -> int:
    """Make the K-th of N parts of a map: ``FOLDER K N TESTS...``."""
    folder, k, n, *tests = words
    share, at_import = (int(k), int(n)), bytes(notes.seen)
    return run(lambda items: _write(Path(folder), items, share, notes, at_import), tests)


def _write(
    folder: Path,
    items: dict[str, pytest.Item],
    share: tuple[int, int],
    notes: Notes,
    at_import: bytes,
) -> None:
    """Have each file of tests tell what it reaches, where its present text is not known."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, list[pytest.Item]] = {}
    for name, item in items.items():
        files.setdefault(name.partition("::")[0], []).append(item)
    forget = forgetting()
    for file, own in [*files.items()][share[0] :: share[1]]:
        at = reach.place(folder, file)
        if at.exists() and json.loads(at.read_text(encoding="utf-8"))["text"] == reach.short(
            own[0].path
        ):
            continue

        def told(tell: Tell, file: str = file, own: Sequence[pytest.Item] = own) -> None:
            tell(json.dumps(_reached(file, own, notes, at_import, forget)))

        start = time.monotonic()
        said = forked(told, folder)
        if said:
            reach.keep_texts(folder, json.loads(said)["reached"])
            at.write_text(said, encoding="utf-8")
        failed = "" if said else ", which were ended"
        print(f"{file}: {time.monotonic() - start:.1f} s of {len(own)} tests{failed}", flush=True)


def _reached(
    file: str,
    items: Sequence[pytest.Item],
    notes: Notes,
    at_import: bytes,
    forget: Callable[[], None],
) -> dict[str, Any]:
    """What the tests of a file reach, those that pass, each as if it were the first one."""
    tests, seconds, found = [], [], []
    left: dict[str, float] = defaultdict(lambda: SECONDS)
    for item in _spread(items):
        if left[reach.function(item.nodeid)] <= 0:
            continue
        forget()
        notes.seen[:] = bytes(len(notes.seen))
        start = time.process_time()
        passed = False
        with suppress(TooLong), limited(LONGEST):
            passed = passes(item, None)
        took = time.process_time() - start
        left[reach.function(item.nodeid)] -= took
        if passed:
            tests.append(item.nodeid)
            seconds.append(round(took, 3))
            found.append(bytes(notes.seen))
    known = {path: start for path, start in notes.starts.items() if path in reach.digests()}
    counts = _counts(notes)
    return dict(
        file=file, text=reach.short(items[0].path), tests=tests, seconds=seconds,
        reached={path: _bits(path, start, counts[path], found) for path, start in known.items()},
        at_import={
            path: [k for k in range(counts[path]) if any(at_import[start + k : start + k + 1])]
            for path, start in known.items()
        },
    )  # fmt: skip


def _bits(path: str, start: int, count: int, found: Sequence[bytes]) -> tuple[str, dict[int, str]]:
    """The digest of a file, and bits of tests for each of its mutants."""
    parts = [one[start : start + count].ljust(count, b"\0") for one in found]
    told = {n: sum([1 << k for k, one in enumerate(parts) if one[n]]) for n in range(count)}
    return reach.digests()[path], {n: f"{bits:x}" for n, bits in told.items() if bits}


def _counts(notes: Notes) -> dict[str, int]:
    starts = sorted(notes.starts.items(), key=lambda one: one[1])
    ends = [start for _, start in starts[1:]] + [len(notes.seen)]
    return {path: end - start for (path, start), end in zip(starts, ends, strict=True)}


def _spread(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests of each function together, its sets of arguments from all over their list."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        functions.setdefault(reach.function(item.nodeid), []).append(item)
    return [
        one
        for own in functions.values()
        for one in sorted(own, key=lambda item: crc32(item.nodeid.encode()))
    ]
