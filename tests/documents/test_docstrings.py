"""Docstrings of public functions and methods have each section that their readers need."""

import ast
import builtins
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from documented import public_names

import structarr as sa
from structarr._support import syntax_trees

NAMES = public_names()
COMPILER = ("structarr.cin", "structarr.looplets", "structarr.targets")
"""The modules whose nodes and functions name in a sentence what they are made of."""

USERS = (sa.Array, sa.Operator, sa.semirings.Semiring)
"""The classes whose methods users call; those of others are for who extends the package."""

FORMAT = re.compile(r"\b([Ll]azy|[Dd]ense|formats?|lists?|structure|view|itself)\b")
TIME = re.compile(r"\b(time|copied|copies|copy|search|call|itself|looked up)\b")
"""Words by which a result is told: how it is stored, and what it takes to compute."""

Public = tuple[str, Any]


@cache
def everything() -> tuple[Public, ...]:
    """All public names, each object once, with what they stand for."""
    names = [*NAMES.names_of_package()]
    names += [name for module in NAMES.MODULES for name in NAMES.names_of(module)]
    found = {id(NAMES.found(name)): (name, NAMES.found(name)) for name in reversed(names)}
    return tuple(sorted(found.values(), key=lambda pair: pair[0]))


def plain(found: Any) -> Any:
    """A function without what remembers its results."""
    return found.__wrapped__ if hasattr(found, "cache_info") else found


@cache
def public() -> tuple[Public, ...]:
    """The functions of the package but the compiler's, and the methods that users call."""
    functions = [
        (name, found)
        for name, found in everything()
        if inspect.isfunction(plain(found)) and not name.startswith(COMPILER)
    ]
    methods = [
        (f"{kind.__name__}.{name}", found)
        for kind in USERS
        for name, found in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    ]
    return (*functions, *methods)


@cache
def classes() -> tuple[Public, ...]:
    """The public classes but the compiler's nodes."""
    return tuple(
        (name, found)
        for name, found in everything()
        if inspect.isclass(found) and not name.startswith(COMPILER)
    )


@cache
def of_the_compiler() -> tuple[Public, ...]:
    """The nodes, looplets and functions of the compiler."""
    return tuple(
        (name, found)
        for name, found in everything()
        if name.startswith(COMPILER) and (inspect.isclass(found) or inspect.isfunction(found))
    )


def fields(found: Any) -> list[str]:
    """The parameters of a function, or what instances of a class are made of."""
    if inspect.isclass(found) and issubclass(found, (BaseException, Enum)):
        return []
    try:
        names = list(inspect.signature(found).parameters.values())
    except ValueError:  # a class of C's
        return []
    bare = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    public = [one for one in names if one.name not in ("self", "cls") and one.name[0] != "_"]
    if inspect.isclass(found) and all(one.kind in bare for one in public):
        return []  # that of `object`, or of a protocol
    return [one.name for one in public]


@cache
def tree(function: FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function."""
    (found,) = syntax_trees.module(textwrap.dedent(inspect.getsource(function))).body
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
    text = inspect.getdoc(plain(function)) or ""
    signature = inspect.signature(function)
    needed = {
        "Parameters": fields(function),
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
    text = inspect.getdoc(plain(function)) or ""
    names: set[str] = set()
    for section in ("Parameters", "Attributes"):
        _, _, after = text.partition(f"{section}\n{'-' * len(section)}\n")
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
        taken, told = set(fields(function)), described(function)
        if taken != told:
            wrong[name] = {"missing": sorted(taken - told), "unknown": sorted(told - taken)}
    assert wrong == {}


def test_results_are_told_by_format_and_time() -> None:
    lacking = {}
    for name, function in public():
        if "Array" in str(inspect.signature(function).return_annotation):
            _, _, after = (inspect.getdoc(function) or "").partition("Returns\n-------\n")
            told, _, _ = after.partition("\n\n")
            if not (FORMAT.search(told) and TIME.search(told)):
                lacking[name] = told
    assert lacking == {}


def test_classes_tell_what_they_are_made_of_with_an_example() -> None:
    lacking = {}
    for name, kind in classes():
        text, told = inspect.getdoc(kind) or "", described(kind)
        missing = [field for field in fields(kind) if field not in told]
        missing += [one for one in ("See Also", "Examples") if f"{one}\n---" not in text]
        if missing:
            lacking[name] = missing
    assert lacking == {}


def test_nodes_and_functions_of_the_compiler_name_what_they_are_made_of() -> None:
    lacking = {}
    for name, found in of_the_compiler():
        text = inspect.getdoc(found) or ""
        told = described(found) | {one for one in re.findall(r"`(\w+)`", text)}
        told |= set(re.findall(r"\w+", " ".join(re.findall(r"``(.+?)``", text))))
        inherits = inspect.isclass(found) and "those of `Steps`" in text
        missing = [field for field in fields(found) if field not in told and not inherits]
        if missing or not text:
            lacking[name] = missing
    assert lacking == {}


def test_methods_and_properties_of_public_classes_have_docstrings() -> None:
    bare = [
        f"{name}.{one}"
        for name, kind in everything()
        if inspect.isclass(kind)
        for one, found in vars(kind).items()
        if one[0] != "_" and isinstance(found, (FunctionType, classmethod, property))
        if not inspect.getdoc(getattr(kind, one))
    ]
    assert bare == []


def test_properties_of_arrays_have_an_example() -> None:
    every = inspect.getmembers(sa.Array, lambda one: isinstance(one, property))
    told = {name: one for name, one in every if not name.startswith("__")}  # users type those
    assert "fill_value" in told
    told |= {name: getattr(sa.Array, name) for name in ("__getitem__", "__setitem__")}
    lacking = {
        name: section
        for name, one in told.items()
        for section in ("See Also", "Examples")
        if f"{section}\n{'-' * len(section)}\n" not in (inspect.getdoc(one) or "")
    }
    assert lacking == {}


def test_objects_are_told_by_their_classes() -> None:
    assert [name for name, found in everything() if not inspect.getdoc(found)] == []


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
