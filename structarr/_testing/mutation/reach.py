"""Which tests reach which lines: what is tried first for a mutant.

The map is made once, by the tests of each file in a process of its own, and kept in a folder, a
file for each file of tests. The texts that it tells of are kept beside it: where a file of the
package has changed since, its lines are looked up in the former text. Lines and tests that came
later are not in the map: what finds their mutants is found by names, as without a map.
"""

from __future__ import annotations

import ast
import difflib
import functools
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from structarr._support import syntax_trees
from structarr._testing.mutation.mutants import ROOMS, ROOT, Mutant, mirrored


@dataclass
class Reach:
    """
    The tests that reach each line.

    Attributes
    ----------
    seconds : dict
        How long each test took, by its identity; those that failed are not there.
    lines : dict
        Tests by files of the package and their lines.
    files : dict
        All tests of a file, by its path.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    files: dict[str, list[str]] = field(default_factory=dict)

    def of(self, mutant: Mutant) -> list[str]:
        """
        The tests that reach a mutant: those of its own folder and others by turns.

        Those of each function come in turn, the shortest of its arguments first.
        A line that is a part of another line has no tests, and takes those of the nearest line
        before it in its function.
        """
        lines = self.lines.get(mutant.path, {})
        for line in range(mutant.line, beginning(mutant), -1):
            if line in lines:
                near = f"tests/{mirrored(mutant).parent.as_posix()}/"
                first = [one for one in lines[line] if one.startswith(near)]
                rest = [one for one in lines[line] if not one.startswith(near)]
                both = zip_longest(self._in_turns(first), self._in_turns(rest))
                return [one for turn in both for one in turn if one is not None]
        return []

    def alike(self, tests: Sequence[str]) -> list[str]:
        """The other tests of the same files: they may find what the first one made."""
        files = dict.fromkeys(map(_file, tests))
        known = {*tests}
        return [one for file in files for one in self.files[file] if one not in known]

    def _in_turns(self, tests: Iterable[str]) -> list[str]:
        functions: dict[str, list[str]] = {}
        for one in sorted(tests, key=self.seconds.__getitem__):
            functions.setdefault(one.partition("[")[0], []).append(one)
        return [one for turn in zip_longest(*functions.values()) for one in turn if one is not None]

    def add(self, entry: dict[str, Any], folder: Path | None = None) -> None:
        """Take in what one file of tests reaches; former texts of the package are in a folder."""
        tests = entry["tests"]
        self.seconds.update(dict(zip(tests, entry["seconds"], strict=True)))
        self.files[entry["file"]] = tests
        for path, (digest, lines) in entry["reached"].items():
            now = _now(folder, path, digest)
            own = self.lines.setdefault(path, {})
            for line, bits in lines.items():
                number, at = int(bits, 16), now.get(int(line))
                if at is not None:
                    own.setdefault(at, []).extend(
                        [one for k, one in enumerate(tests) if number >> k & 1]
                    )


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
    """The lines of a file as it was that are there today, and where."""
    if path not in digests():
        return {}
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    if digests()[path] == digest:
        return {line: line for line in range(1, len(lines) + 1)}
    if folder is None or not _text(folder, digest).exists():
        return {}
    former = _text(folder, digest).read_text(encoding="utf-8").splitlines()
    blocks = difflib.SequenceMatcher(None, former, lines, autojunk=False).get_matching_blocks()
    return {one.a + k + 1: one.b + k + 1 for one in blocks for k in range(one.size)}


def _text(folder: Path, digest: str) -> Path:
    return folder / "texts" / digest


def place(folder: Path, file: str) -> Path:
    """Where the part of a file of tests is."""
    return folder / f"{file.replace('/', '+')}.json"


def _file(test: str) -> str:
    return test.partition("::")[0]


def beginning(mutant: Mutant) -> int:
    """The first line of the innermost function of a mutant."""
    tree = syntax_trees.module((ROOT / mutant.path).read_text(encoding="utf-8"))
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    return max([one.lineno for one in functions if one.lineno <= mutant.line])


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
