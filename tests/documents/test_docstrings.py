"""Docstrings of public functions and methods have each section that their readers need."""

import ast
import builtins
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

import structarr as sa
import structarr.csgraph
import structarr.masks
import structarr.testing

MODULES: tuple[ModuleType, ...] = (
    sa,
    sa.csgraph,
    sa.fft,
    sa.formats,
    sa.linalg,
    sa.masks,
    sa.ndimage,
    sa.semirings,
)
CLASSES = (sa.Array, sa.Operator, sa.semirings.Semiring)
CHECKS = [name for name in dir(sa.testing) if name.startswith("check_")]
CHECKS = [name for name in CHECKS if getattr(sa.testing, name).__module__ == sa.testing.__name__]


def public() -> Iterator[tuple[str, Any]]:
    """The functions of the package, and the methods of its arrays."""
    for module in MODULES:
        for name in dir(module):
            found = None if name.startswith("_") else getattr(module, name)
            if inspect.isfunction(found) and found.__module__.startswith("structarr"):
                yield f"{module.__name__}.{name}", found
    for name in CHECKS:
        yield f"structarr.testing.{name}", getattr(sa.testing, name)
    for kind in CLASSES:
        for name, found in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_"):
                yield f"{kind.__name__}.{name}", found


@cache
def tree(function: FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function."""
    (found,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(found, ast.FunctionDef)
    return found


def raises(function: Any, seen: set[Any]) -> bool:
    """Whether a function raises an error by itself, or by another one of its module."""
    inner = inspect.unwrap(function)
    if inner in seen:
        return False
    seen.add(inner)
    for node in ast.walk(tree(inner)):
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = inner.__globals__.get(node.func.id)
            here = inspect.isfunction(called) and called.__module__ == inner.__module__
            if here and raises(called, seen):
                return True
    return False


def lacking(function: Any) -> Iterator[str]:
    """The sections that a docstring lacks."""
    text = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    needed = {
        "Parameters": [name for name in signature.parameters if name != "self"],
        "Returns": signature.return_annotation not in (None, "None", "NoReturn"),
        "Raises": raises(function, set()),
        "See Also": True,
        "Examples": True,
    }
    if not text:
        yield "docstring"
    for section, asked in needed.items():
        if asked and f"{section}\n{'-' * len(section)}\n" not in text:
            yield section


def described(function: Any) -> set[str]:
    """The names of the parameters that a docstring describes."""
    text = inspect.getdoc(function) or ""
    _, _, after = text.partition("Parameters\n----------\n")
    names: set[str] = set()
    for line in after.split("\n\n")[0].splitlines():
        if line and not line.startswith(" "):
            names |= {one.strip(" *") for one in line.partition(" : ")[0].split(",")}
    return names


def test_every_docstring_has_its_sections() -> None:
    found = {name: sorted(lacking(function)) for name, function in public()}
    assert {name: sections for name, sections in found.items() if sections} == {}


def test_docstrings_describe_the_parameters_that_there_are() -> None:
    wrong = {}
    for name, function in public():
        taken = {one for one in inspect.signature(function).parameters if one != "self"}
        told = described(function)
        if taken != told:
            wrong[name] = {"missing": sorted(taken - told), "unknown": sorted(told - taken)}
    assert wrong == {}


def test_docstrings_name_shared_sections_that_there_are() -> None:
    assert [name for name, function in public() if "\n$" in (inspect.getdoc(function) or "")] == []


def test_errors_that_docstrings_name_exist() -> None:
    unknown = {}
    for name, function in public():
        _, _, after = (inspect.getdoc(function) or "").partition("Raises\n------\n")
        for line in after.split("\n\n")[0].splitlines():
            if line and not line.startswith(" ") and not _error(line):
                unknown[name] = line
    assert unknown == {}


def _error(name: str) -> bool:
    """Whether a name is that of an exception."""
    module, _, last = name.rpartition(".")
    if module:
        return hasattr(importlib.import_module(module), last)
    return hasattr(builtins, name) or hasattr(sa.errors, name)


def test_references_lead_to_names_that_there_are() -> None:
    unknown = {}
    for name, function in public():
        home = name.rpartition(".")[0]
        _, _, after = (inspect.getdoc(function) or "").partition("See Also\n--------\n")
        for line in after.split("\n\n")[0].splitlines():
            reference = line.partition(" : ")[0].strip()
            if not line.startswith(" ") and not _known(reference, home):
                unknown[name] = reference
    assert unknown == {}


def _known(reference: str, home: str) -> bool:
    """Whether a name is found, in the module of the docstring or as it is written."""
    if reference.startswith(("scipy.", "pandas.")):
        return True
    places = (f"structarr.{home}", home, "structarr", "")
    return any(_found(f"{place}.{reference}".strip(".")) for place in places)


def _found(path: str) -> bool:
    first, *names = path.split(".")
    found: Any = {"structarr": sa, "numpy": np}.get(first)
    for name in names:
        found = getattr(found, name, None)
    return found is not None
