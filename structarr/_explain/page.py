"""Parts of explanation pages: candidates, loops drawn as looplets, the kernel with links."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, Protocol

from structarr._compiler.ir.node import Node
from structarr._execute.plan import Plan
from structarr._explain.candidates import Candidate, duration
from structarr._explain.kernel_links import linked
from structarr._explain.loop_nests import Levels, drawn, nests

LEGEND: Final = (
    ("single", "one element"),
    ("blocks", "a value at each index"),
    ("runs", "one value, repeated"),
    ("full pale", "not stored"),
)


class Explained(Protocol):
    """The explained parts of a kernel."""

    @property
    def plan(self) -> Plan:
        """The kernel as the library calls it."""

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The ways to compute the expression."""

    @property
    def order(self) -> tuple[str, ...]:
        """The loops, outer ones first."""

    @property
    def told_loops(self) -> list[Node]:
        """The loops with their looplets, in the order of lowering."""

    @property
    def cin(self) -> str:
        """The program."""

    @property
    def kernel(self) -> str:
        """The kernel's source."""

    @property
    def looplets(self) -> str:
        """The looplets as text."""


def details(stages: Sequence[Explained]) -> str:
    """Return the parts of a page about kernels, one after the other."""
    return "".join(_stage(stage, f"s{number}") for number, stage in enumerate(stages))


def _stage(stage: Explained, prefix: str) -> str:
    levels = levels_of(stage)
    found = nests(stage.told_loops, stage.order, prefix)
    legend = "".join(_legend(*one) for one in LEGEND)
    parts = {
        "program": f"<pre>{escape(stage.cin)}</pre>",
        "plan": _table(stage.candidates) if len(stage.candidates) > 1 else "",
        "loops, each with what its operands look like along its axis": (
            f'<div class="legend">{legend}</div>{drawn(found, levels)}' if found else ""
        ),
        "kernel, with the levels and looplets that its lines are about": linked(
            stage.kernel, found, levels
        ),
    }
    titled = "".join(f"<h2>{title}</h2>{part}" for title, part in parts.items() if part)
    text = f"<summary>looplets as text</summary><pre>{escape(stage.looplets)}</pre>"
    return f'<div class="structarr card page">{titled}<details>{text}</details></div>'


def levels_of(stage: Explained) -> Levels:
    """The levels of all tensors of a kernel, by tensor and number, as people call them."""
    program = stage.plan.compiled.program
    formats = {name: source.format for name, source in program.inputs.items()}
    formats |= {output.tensor.name: output.format for output in program.outputs}
    levels: dict[tuple[str, int | None], str] = {}
    for name, form in formats.items():
        for number, level in enumerate(form.levels[:-1]):
            levels[name, number] = f"axis {form.order[number]}, {level.kind.name}"
        levels[name, None] = "values"
    return levels


def _legend(style: str, text: str) -> str:
    box = f'<rect class="{style}" width="12" height="12" rx="2"/>'
    return f'<span class="soft"><svg width="14" height="12">{box}</svg> {text}</span>'


def _table(candidates: Sequence[Candidate]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(one.program)}</code></td>"
        f'<td class="number">{duration(one.seconds)}</td>'
        f'<td class="number">{duration(one.measured)}</td><td>{escape(one.verdict)}</td></tr>'
        for one in candidates
    )
    head = '<th>candidate</th><th class="number">expected</th><th class="number">measured</th>'
    return f"<table><tr>{head}<th></th></tr>{rows}</table>"
