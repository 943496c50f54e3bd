"""The signature of a kernel as text: its parameters, and the bounds of its results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from structarr._compiler.backend.params import Param
from structarr._compiler.ir.expr import Buffer, Expr
from structarr._compiler.ir.show import show
from structarr._compiler.ir.variables import Var
from structarr.formats.base import Format
from structarr.formats.names import name_of


class KernelResult(Protocol):
    """One of a kernel's results."""

    @property
    def format(self) -> Format: ...
    @property
    def fill(self) -> Expr: ...
    @property
    def start(self) -> Expr | None: ...
    @property
    def bounds(self) -> tuple[Expr | None, ...]: ...


def call_text(
    arguments: Iterable[Buffer | Var], params: Iterable[Param], results: Sequence[KernelResult]
) -> str:
    """The parameters of a kernel in order, and each result with its estimates, a line each."""
    pairs = zip(arguments, params, strict=True)
    lines = [f"takes {argument.label}: {_type(param)}" for argument, param in pairs]
    for number, result in enumerate(results):
        lines.append(f"gives {name_of(result.format)}, {result.format.index}, {_fills(result)}")
        lines += [
            f"level {depth} of result {number} has room for {show(bound)}"
            for depth, bound in enumerate(result.bounds)
            if bound is not None
        ]
    return "\n".join(lines)


def _type(param: Param) -> str:
    written = ", written" if param.writable else ""
    return f"{param.dtype}{'[]' if param.array else ''}{written}"


def _fills(result: KernelResult) -> str:
    start = "" if result.start is None else f", beginning with {show(result.start)}"
    return f"filled with {show(result.fill)}{start}"
