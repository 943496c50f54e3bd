"""Docstrings of public functions and methods: how many lack a section, which may only shrink."""

import inspect
from collections import Counter
from collections.abc import Iterator
from typing import Any

import structarr as sa

MOST = {"docstring": 2, "Parameters": 199, "Examples": 179}
"""How many still lack each; lower a number when docstrings are completed."""


def public() -> Iterator[tuple[str, Any]]:
    """The functions of the package, and the methods of its arrays."""
    for name in dir(sa):
        found = None if name.startswith("_") else getattr(sa, name)
        if inspect.isfunction(found) and found.__module__.startswith("structarr"):
            yield name, found
    for name, found in vars(sa.Array).items():
        if not name.startswith("_") and inspect.isfunction(found):
            yield f"Array.{name}", found


def lacking(function: Any) -> Iterator[str]:
    """The sections that a docstring lacks."""
    text = inspect.getdoc(function) or ""
    takes = [name for name in inspect.signature(function).parameters if name != "self"]
    if not text:
        yield "docstring"
    if takes and "Parameters\n---" not in text:
        yield "Parameters"
    if "Examples\n---" not in text:
        yield "Examples"


def test_no_more_docstrings_lack_a_section_than_before() -> None:
    found: dict[str, list[str]] = {section: [] for section in MOST}
    for name, function in public():
        for section in lacking(function):
            found[section].append(name)
    counts = Counter({section: len(names) for section, names in found.items()})
    assert all(counts[section] <= most for section, most in MOST.items()), found
