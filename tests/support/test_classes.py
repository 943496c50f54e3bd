"""Abstract or final: no class overrides what a class of which there are instances defines."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from types import ModuleType

import structarr
from structarr._support import syntax_trees

ASKING = {"_public", "isinstance", "issubclass", "cast", "TypeVar", "every", "has"}
NEIGHBOURS = (
    "structarr.sklearn",
    "structarr.xarray",
    "structarr._xarray",
    "structarr.interop",
    "structarr.dask",
    "structarr._dask",
)  # need packages that need not be there


def test_no_class_overrides_what_a_class_with_instances_defines() -> None:
    modules = list(_modules())
    pairs = [(cls, base) for cls in _classes(modules) for base in cls.__mro__[1:]]
    found = [(cls, base, names) for cls, base in pairs if (names := _overridden(cls, base))]
    made = _made(modules, {base for _, base, _ in found})
    wrong = [
        f"{cls.__qualname__} overrides {', '.join(names)} of {base.__qualname__}"
        for cls, base, names in found
        if base in made
    ]
    assert not wrong


def test_classes_with_instances_are_told_from_others() -> None:
    modules = [structarr._compiler.looplets.spike, structarr.formats.names]
    kinds = {structarr.looplets.Run, structarr.formats.Dense, structarr.looplets.Looplet}
    assert structarr.looplets.Run in _made(modules, kinds)
    assert structarr.looplets.Looplet not in _made(modules, kinds)


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(structarr.__path__, "structarr."):
        if not found.name.startswith(NEIGHBOURS) and not found.name.endswith("__main__"):
            importlib.import_module(found.name)
            yield sys.modules[found.name]


def _classes(modules: list[ModuleType]) -> set[type]:
    found = {one for module in modules for one in vars(module).values() if inspect.isclass(one)}
    own = {one for one in found if one.__module__.startswith("structarr")}
    return {one for one in own if not issubclass(one, BaseException)}


def _made(modules: list[ModuleType], bases: set[type]) -> set[type]:
    """The classes of some that a line calls, or hands on for others to call."""
    names = "|".join(one.__name__ for one in bases)
    near = re.compile(rf"\b({names})\(|[:(,] ?({names})[,)]")  # most modules need not be parsed
    asked = re.compile(rf"(?m)^ *class .*|\b({'|'.join(ASKING)})\([^()]*\)")
    texts = [asked.sub("", inspect.getsource(module)) for module in modules]
    return {
        one
        for module, text in zip(modules, texts, strict=True)
        if near.search(text)
        for one in _handed(module)
        if one in bases
    }


def _handed(module: ModuleType) -> Iterator[type]:
    for node in ast.walk(syntax_trees.module(inspect.getsource(module))):
        handed: list[ast.expr | None] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            handed = [node.func, *([] if name in ASKING else node.args)]
        elif isinstance(node, ast.Dict):
            handed = list(node.values)
        for one in handed:
            value = getattr(module, one.id, None) if isinstance(one, ast.Name) else None
            if inspect.isclass(value):
                yield value


def _overridden(cls: type, base: type) -> list[str]:
    """The members that a class has of its own though a base, which is not for it, has them."""
    theirs = {
        name
        for one in base.__mro__
        if one.__module__.startswith("structarr")
        for name, value in vars(one).items()
        if inspect.isfunction(value) or not name.startswith("_")
    }
    return sorted(name for name in vars(cls) if name in theirs and not name.startswith("__"))
