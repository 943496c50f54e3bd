"""A process whose package is a mutant: ``python within.py PATH NUMBER COMMAND...`` runs a module.

Nothing of the package may be imported before the mutant is set, so this is run as a script.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

OWN = SourceFileLoader.get_code

SECONDS = 300
"""The most time of a processor for some tests; a mutant that takes more is found."""


def install(compiled: Callable[[Path], CodeType | None]) -> None:
    """Have some files be imported as another code, which no cache of bytecode sees."""

    def get_code(self: SourceFileLoader, fullname: str) -> Any:
        return compiled(Path(self.path).resolve()) or OWN(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


def _limit() -> None:
    """Have the process end that takes too long, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main(words: list[str]) -> None:
    """Import the mutant, and run a module with the words that are left."""
    path, number, module, *rest = words
    _limit()
    sys.path.insert(0, str(Path(__file__).parent))
    mutants = import_module("mutants")

    whole = (mutants.ROOT / path).resolve()
    tree = mutants.mutated(whole.read_text(encoding="utf-8"), int(number))
    code = compile(tree, str(whole), "exec")
    install(lambda file: code if file == whole else None)
    sys.argv = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
