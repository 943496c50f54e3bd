"""Which errors of the package no test raises, as a plugin of pytest.

    ./run test raised

Each statement `raise` of the package notes that it is reached. At the end those that were not are
printed, and a folder of notes, `out/raised`, tells the processes of both runs of each other's.
"""

from __future__ import annotations

import ast
import importlib.machinery
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "structarr"
NOTES = ROOT / "out" / "raised"
PRIVATE = ("_compiler", "_scheduler", "_testing")
"""Rooms of which coverage is measured anyhow, or whose errors are those of tests."""

reached: set[str] = set()


class _Noting(ast.NodeTransformer):
    def __init__(self, path: Path) -> None:
        self._path = path.relative_to(ROOT).as_posix()

    def visit_Raise(self, node: ast.Raise) -> list[ast.stmt]:
        place = f"{self._path}:{node.lineno}"
        note = ast.parse(f"__import__('raised_errors').reached.add({place!r})").body[0]
        for one in ast.walk(note):
            ast.copy_location(one, node)
        return [note, node]


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        path = Path(self.get_filename(fullname))
        tree = _Noting(path).visit(ast.parse(path.read_bytes(), path))
        return compile(tree, path, "exec", dont_inherit=True)  # type: ignore[no-any-return]


class _Finder(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname.partition(".")[0] != "structarr":
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None and spec.origin and spec.origin.endswith(".py"):
            spec.loader = _Loader(fullname, spec.origin)
        return spec


def statements() -> Iterator[str]:
    """The places of the statements that raise errors of a user's mistakes."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] in PRIVATE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None and not _abstract(node.exc):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"


def _abstract(raised: ast.expr) -> bool:
    """Whether a statement is what a method has that others override."""
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


# As the plugin is imported, since the package is imported with the first conftest.
sys.meta_path.insert(0, _Finder)  # type: ignore[arg-type]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what this process reached."""
    NOTES.mkdir(parents=True, exist_ok=True)
    name = getattr(session.config, "workerinput", {}).get("workerid", "main")
    (NOTES / f"{name}-{os.getpid()}").write_text("\n".join(sorted(reached)), encoding="utf-8")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what no process of the run reached."""
    found = {line for note in NOTES.iterdir() for line in note.read_text().splitlines()}
    every = list(statements())
    missing = [place for place in every if place not in found]
    terminalreporter.section("errors that no test raises")
    for place in missing:
        path, _, line = place.partition(":")
        text = (ROOT / path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        terminalreporter.line(f"{place}: {text.strip()}")
    terminalreporter.line(f"{len(missing)} of {len(every)}")
