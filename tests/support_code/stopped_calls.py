"""Interpreted calls that are stopped, as if compiling took as long as a few looks at the clock."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from structarr._compiler.backend import kernel
from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.backend.python import interpret

Stop: TypeAlias = Callable[[int], list[str]]


def stopping(
    monkeypatch: pytest.MonkeyPatch,
    build: Callable[[Kernel, list[str]], Any],
    *tables: tuple[ModuleType, str],
) -> Stop:
    """A switch: from then on, calls are stopped that look at the clock more often than that.

    They look at it in each turn of each loop. It returns the list of what is compiled, to which
    `build` adds. Kernels, and what other tables of modules keep, are made anew.
    """

    def after(looks: int) -> list[str]:
        made: list[str] = []
        ticks = count()
        monkeypatch.setattr(interpret, "OFTEN", 1)
        monkeypatch.setattr(interpret, "perf_counter", lambda: next(ticks))
        for module, table in ((kernel, "_kernels"), *tables):
            monkeypatch.setattr(module, table, {})
        monkeypatch.setattr(Kernel, "_seconds_to_compile", lambda self: looks)
        monkeypatch.setattr(Kernel, "_compile", lambda self: build(self, made))
        return made

    return after
