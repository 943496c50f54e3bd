"""Programs that functions of the package run, which bring the language along when one is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def run(program: str, **given: Any) -> Any:
    """Run a program of loops as `structarr.loops` does; most processes never do, nor import it."""
    return import_module("structarr._api.programs.loops").loops(program, **given)
