"""The lines that programs reach, of the rooms whose arms a fuzzer is to take."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import structarr
from structarr._support import syntax_trees

ROOT: Final = Path(structarr.__file__).parent
ROOMS: Final = (
    *("_compiler/looplets", "_compiler/lowering", "_compiler/rules", "_compiler/kernel_passes"),
    *("_scheduler", "_lazy/rewrite", "_execute", "_api/jit"),
)
"""Where looplets are lowered, rules applied, programs chosen and run."""

Lines = dict[str, set[int]]
"""The numbers of lines by the paths of files below the package."""


class Reach:
    """
    A watch on the lines that this process reaches, by coverage.py.

    Attributes
    ----------
    lines : dict of str to set of int
        The lines so far.
    """

    def __init__(self) -> None:
        from coverage import Coverage  # of the extra "coverage"

        include = [f"{ROOT / room}/*" for room in ROOMS]
        self.lines: Lines = {}
        self._watch: Any = Coverage(data_file=None, include=include, config_file=False)
        self._watch.start()

    def stop(self) -> None:
        """End the watch."""
        self._watch.stop()

    def look(self) -> Lines:
        """The lines that were reached since the last look, for the first time."""
        data = self._watch.get_data()
        found: Lines = {}
        for path in data.measured_files():
            name = Path(path).relative_to(ROOT).as_posix()
            new = {*(data.lines(path) or ())} - self.lines.setdefault(name, set())
            if new:
                found[name] = new
                self.lines[name] |= new
        data.erase()
        return found


def unreached(lines: Mapping[str, set[int]]) -> Iterator[str]:
    """The arms that no program took: where each begins and ends, and its first line."""
    for room in ROOMS:
        for path in sorted((ROOT / room).glob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            text = path.read_text(encoding="utf-8").splitlines()
            for first, last in _arms(path, lines.get(name, set())):
                yield f"{name}:{first}-{last} {text[first - 1].strip()}"


def _arms(path: Path, reached: set[int]) -> Iterator[tuple[int, int]]:
    """The stretches of statements in functions that were not reached."""
    stretch: list[int] = []
    for line in _statements(path):
        if line not in reached:
            stretch.append(line)
        elif stretch:
            yield stretch[0], stretch[-1]
            stretch = []
    if stretch:
        yield stretch[0], stretch[-1]


@cache
def _statements(path: Path) -> list[int]:
    """The first lines of statements in functions; those of docstrings and definitions aside."""
    found: set[int] = set()
    for node in ast.walk(syntax_trees.module(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            for one in ast.walk(node):
                if isinstance(one, ast.stmt) and not _is_silent(one):
                    found.add(one.lineno)
    return sorted(found)


def _is_silent(node: ast.stmt) -> bool:
    """Whether a statement leaves no trace where it is run, or is one that others define."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Nonlocal | ast.Global | ast.Pass):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
