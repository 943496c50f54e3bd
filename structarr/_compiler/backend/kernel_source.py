"""The functions of a kernel as texts, one for each tier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from structarr._compiler.backend.expression_source import closes_at_end, text
from structarr._compiler.backend.line_source import COMPILED, PYTHONS, Printer
from structarr._compiler.ir.expr import Expr, Helper, Load
from structarr._compiler.ir.kernel import Invoke, Line, Set, every_line


class Function(NamedTuple):
    """A function of a kernel: its parameters in order, and the text of what it returns."""

    name: str
    params: tuple[str, ...]
    block: tuple[Line, ...]
    result: str


def sources(functions: Sequence[Function]) -> tuple[str, str]:
    """The text of a kernel's functions, for the compiled tier and for the interpreted one."""
    printers = COMPILED, Printer(True, _sums(functions))
    compiled, plain = ("\n".join([one.source(*f) for f in functions]) for one in printers)
    return compiled, plain


def _sums(functions: Sequence[Function]) -> dict[str, str]:
    """The variables that are sums, and Python's type of them, if it is wider."""
    found: dict[str, list[Expr | str]] = {}
    for line in (line for one in functions for line in every_line(one.block)):
        match line:
            case Set(var, value):
                found.setdefault(var.name, []).append(value)
            case Invoke(name, _, (var,)):
                found.setdefault(var.name, []).append(name)
    sums: dict[str, str] = {}
    for name, every in found.items():
        kinds = {_kind(value) for value in every if not _is_sum(value)}
        if len(kinds) == 1 and any(map(_is_sum, every)):
            sums[name] = PYTHONS.get(kinds.pop(), "")
    return sums


def _is_sum(value: Expr | str) -> bool:
    return isinstance(value, Helper) and value.name == "radd"


def _kind(value: Expr | str) -> str:
    """The dtype of an element or of a converted value; another text of anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, Load):
        return value.buffer.dtype
    shown = text(value)
    return shown.partition("(")[0] if closes_at_end(shown) else ""
