"""Which tests may find which mutants: those that run into what is changed.

The map is made once, by the tests of each file in a process of its own, and kept in a folder, a
file for each file of tests. The texts that it tells of are kept beside it: where a file of the
package has changed since, its mutants are those of the same lines of the former text. Lines and
tests that came later are not in the map: what finds their mutants is found by names, as without a
map.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

from structarr._testing.mutation.mutants import ROOMS, ROOT, Mutant, mirrored, mutants_of

Place: TypeAlias = tuple[str, int]
"""A mutant's file and its number there."""


@dataclass
class Reach:
    """
    The tests that reach each mutant.

    Attributes
    ----------
    seconds : dict
        How long each test took, by its identity; those that failed are not there.
    reaching : dict
        By mutants: tests of files, and bits that say which of these reach it.
    known : set
        Mutants of which the map tells.
    at_import : set
        Those that make a difference while the package is imported.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    reaching: dict[Place, list[tuple[list[str], int]]] = field(default_factory=dict)
    known: set[Place] = field(default_factory=set)
    at_import: set[Place] = field(default_factory=set)
    _texts: set[tuple[str, str]] = field(default_factory=set)

    def of(self, mutant: Mutant) -> list[str]:
        """
        The tests that reach a mutant: goldens and those of its own folder, and others by turns.

        Those of each function come in turn, the shortest of its arguments first.
        """
        found = self.reaching.get((mutant.path, mutant.number), [])
        tests = [one for own, bits in found for k, one in enumerate(own) if bits >> k & 1]
        near = (f"tests/{mirrored(mutant).parent.as_posix()}/", "tests/golden/")
        first = [one for one in tests if one.startswith(near)]
        rest = [one for one in tests if not one.startswith(near)]
        both = zip_longest(self._in_turns(first), self._in_turns(rest))
        return [one for turn in both for one in turn if one is not None]

    def functions(self, mutant: Mutant) -> set[str]:
        """The functions of the tests that reach a mutant."""
        return {function(one) for one in self.of(mutant)}

    def knows(self, mutant: Mutant) -> bool:
        """Whether a mutant is told of, and makes no difference while the package is imported."""
        place = (mutant.path, mutant.number)
        return place in self.known and place not in self.at_import

    def seconds_of(self, test: str) -> float:
        """How long a test takes; one with other arguments than the map has, as long as those."""
        own = self.seconds.get(test)
        return self._by_function.get(function(test), 0.0) if own is None else own

    @functools.cached_property
    def _by_function(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for test, seconds in self.seconds.items():
            found[function(test)] = max(seconds, found.get(function(test), 0.0))
        return found

    def _in_turns(self, tests: Iterable[str]) -> list[str]:
        functions: dict[str, list[str]] = {}
        for one in sorted(tests, key=self.seconds.__getitem__):
            functions.setdefault(function(one), []).append(one)
        return [one for turn in zip_longest(*functions.values()) for one in turn if one is not None]

    def add(self, entry: dict[str, Any], folder: Path | None = None) -> None:
        """Take in what one file of tests reaches; former texts of the package are in a folder."""
        tests: list[str] = entry["tests"]
        self.seconds.update(dict(zip(tests, entry["seconds"], strict=True)))
        for path, (digest, bits) in entry["reached"].items():
            now = _now(folder, path, digest)
            if (path, digest) not in self._texts:
                self._texts.add((path, digest))
                self.known.update([(path, one) for one in now.values()])
            for former in entry["at_import"].get(path, ()):
                if former in now:
                    self.at_import.add((path, now[former]))
            for number, tests_of_it in bits.items():
                if int(number) in now:
                    own = self.reaching.setdefault((path, now[int(number)]), [])
                    own.append((tests, int(tests_of_it, 16)))


def read(folder: Path) -> Reach:
    """The map that a folder holds."""
    found = Reach()
    for path in sorted(folder.glob("*.json")):
        found.add(json.loads(path.read_text(encoding="utf-8")), folder)
    return found


def keep_texts(folder: Path, paths: Iterable[str]) -> None:
    """Keep the present texts of files beside a map of them."""
    for path in paths:
        at = _text(folder, digests()[path])
        at.parent.mkdir(parents=True, exist_ok=True)
        if not at.exists():
            at.write_bytes((ROOT / path).read_bytes())


@functools.cache
def _now(folder: Path | None, path: str, digest: str) -> dict[int, int]:
    """The mutants of a file as it was that are there today, by their numbers, and theirs now."""
    if path not in digests():
        return {}
    text = (ROOT / path).read_text(encoding="utf-8")
    if digests()[path] == digest:
        return {one.number: one.number for one in mutants_of(text, path)}
    if folder is None or not _text(folder, digest).exists():
        return {}
    former = _text(folder, digest).read_text(encoding="utf-8")
    lines = _lines(former.splitlines(), text.splitlines())
    then = _by_lines(mutants_of(former, path))
    now = _by_lines(mutants_of(text, path))
    return {
        one.number: other.number
        for (line, what), ones in then.items()
        for one, other in zip(ones, now.get((lines.get(line, 0), what), ()), strict=False)
    }


def _by_lines(mutants: Iterable[Mutant]) -> dict[tuple[int, str], list[Mutant]]:
    found: dict[tuple[int, str], list[Mutant]] = {}
    for one in mutants:
        found.setdefault((one.line, one.what), []).append(one)
    return found


def _lines(former: Sequence[str], lines: Sequence[str]) -> dict[int, int]:
    """The lines of a text that are left of a former one, by their numbers, and theirs now."""
    blocks = difflib.SequenceMatcher(None, former, lines, autojunk=False).get_matching_blocks()
    return {one.a + k + 1: one.b + k + 1 for one in blocks for k in range(one.size)}


def _text(folder: Path, digest: str) -> Path:
    return folder / "texts" / digest


def place(folder: Path, file: str) -> Path:
    """Where the part of a file of tests is."""
    return folder / f"{file.replace('/', '+')}.json"


def function(test: str) -> str:
    return test.partition("[")[0]


_DIGESTS: dict[str, str] = {}


def digests() -> dict[str, str]:
    """The contents of all files that mutants are made of, in short."""
    if not _DIGESTS:
        for path in [path for room in ROOMS for path in sorted((ROOT / room).glob("*.py"))]:
            name = path.relative_to(ROOT).as_posix()
            _DIGESTS[name] = short(path)
    return _DIGESTS


def short(path: Path) -> str:
    """The contents of a file, in short."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
