"""A mutant in a process that has imported the package: the code of its functions is exchanged."""

from __future__ import annotations

import functools
import gc
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypeAlias

from structarr._support import syntax_trees
from structarr._testing.mutation.mutants import ROOT, Mutant, mutated

Name: TypeAlias = tuple[str, int]
"""The name of a function, and the line where it begins: what a mutant leaves as it is."""


class Swapped(Exception):
    """A mutant that cannot be put into a running process."""


class Living:
    """The functions of the package that live in this process, which become those of a mutant."""

    def __init__(self) -> None:
        gc.unfreeze()  # the tests' conftest hides what lives from the collector, and so from us
        self._functions: dict[str, list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():
            if type(one) is FunctionType and one.__code__.co_filename.startswith(str(ROOT)):
                self._functions[one.__code__.co_filename].append(one)

    def become(self, mutant: Mutant) -> int:
        """
        Have the functions of this process be those of a mutant.

        What the package computed while it was imported, or remembers of calls, stays as it was.

        Returns
        -------
        int
            How many functions have another code now.

        Raises
        ------
        Swapped
            If a function that lives refers to other variables around it than the mutant's does.
        """
        changed = _changed(*_codes(mutant))
        living = self._functions[str(ROOT / mutant.path)]
        living = [one for one in living if _name(one.__code__) in changed]
        for function in living:
            code = changed[_name(function.__code__)]
            try:
                function.__code__ = code
            except ValueError as error:
                raise Swapped(f"{function.__qualname__}: {error}") from error
        return len(living)


def _codes(mutant: Mutant) -> tuple[CodeType, CodeType]:
    """The code of a mutant's file, as it is and as it would be."""
    path = ROOT / mutant.path
    other = mutated(path.read_text(encoding="utf-8"), mutant.number)
    return _own(path), compile(other, str(path), "exec")


@functools.cache
def _own(path: Path) -> CodeType:
    text = path.read_text(encoding="utf-8")
    return compile(syntax_trees.module(text), str(path), "exec")


def _changed(own: CodeType, other: CodeType) -> dict[Name, CodeType]:
    """The functions of a module whose code differs, by their names, where those tell them apart."""
    before, after = _by_name(own), _by_name(other)
    return {
        name: after[name][0]
        for name, codes in before.items()
        if name in after and len(codes) == len(after[name]) == 1 and codes != after[name]
    }


def _by_name(code: CodeType) -> dict[Name, list[CodeType]]:
    found: dict[Name, list[CodeType]] = defaultdict(list)
    for one in _within(code):
        found[_name(one)].append(one)
    return found


def _within(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _within(one)


def _name(code: CodeType) -> Name:
    return code.co_name, code.co_firstlineno
