"""Looplets as SVG: a strip along the axis, cut where the looplet says that it changes.

Strips show the shape of a looplet, not its data: steps are drawn a few times, and their ends are
where the text says.
"""

from __future__ import annotations

from html import escape
from typing import Final

from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.show import show
from structarr._compiler.looplets.accept import Accept
from structarr._compiler.looplets.discard import Discard
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.pipeline import Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.steps import Steps
from structarr._compiler.looplets.switch import Switch

WIDTH: Final = 460.0
HEIGHT: Final = 22.0
CELL: Final = 13.0
TIMES: Final = 3
"""How often the step of a stepper is drawn."""

Box = tuple[float, float]
"""Where a part begins, and its width."""


def strip(looplet: Node) -> str:
    """
    Return a looplet drawn along its axis, as an SVG element.

    Examples
    --------
    >>> from structarr._compiler.ir.expr import Lit
    >>> strip(Spike(Lit("float64", 0.0), Lit("float64", 1.0))).count("<rect")
    2
    """
    drawn = _Strip()
    drawn.draw(looplet, (0.0, WIDTH))
    height = HEIGHT + (18 if drawn.has_marks else 2)
    view = f'viewBox="-1 -1 {WIDTH + 2:.0f} {height:.0f}"'
    size = f'width="{WIDTH + 2:.0f}" height="{height:.0f}"'
    title = f"<title>{escape(said(looplet))}</title>"
    return f'<svg {view} {size} role="img">{title}{"".join(drawn.parts)}</svg>'


def said(looplet: Node) -> str:
    """
    Return what a looplet is, in words.

    Examples
    --------
    >>> from structarr._compiler.ir.expr import Lit
    >>> said(Spike(Lit("float64", 0.0, True), Lit("float64", 1.0)))
    'spike: 0.0 but for the last element, which is 1.0'
    """
    match looplet:
        case Run(body):
            return f"run: {_value(body)} everywhere"
        case Lookup():
            return "lookup: a value at each index"
        case Spike(body, tail):
            return f"spike: {_value(body)} but for the last element, which is {_value(tail)}"
        case Pipeline(phases):
            return f"pipeline: {len(phases)} parts, one after the other"
        case Steps():
            kind = "jumper, which leads" if looplet.is_leader else "stepper"
            rest = "" if looplet.rest is None else f"; then {_value_of(looplet.rest)}"
            return f"{kind}: pieces up to {show(looplet.stop)}, each a {said(looplet.body)}{rest}"
        case Switch(cases):
            return f"switch: one of {len(cases)}, by {show(cases[0].cond)}"
        case Accept():
            return "accept: takes what is written here"
        case Discard():
            return "discard: what is written here is not stored"
    inner = _inner(looplet)
    name = type(looplet).__name__.lower()
    return f"{name} of a {said(inner)}" if inner is not None else _value(looplet)


class _Strip:
    """A strip that is being drawn."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.marks = True
        self.has_marks = False

    def draw(self, looplet: Node, box: Box) -> None:
        x, width = box
        match looplet:
            case Run(body):
                self._rect(box, "full pale" if _is_fill(body) else "runs", _value(body))
            case Lookup():
                count = max(round(width / CELL), 1)
                for k in range(count):
                    self._rect((x + k * width / count, width / count), "blocks", "")
            case Spike(body, tail):
                last = min(CELL, width / 2)
                self._rect((x, width - last), "full pale", _value(body))
                self._rect((x + width - last, last), "single", "", _value(tail))
            case Pipeline(phases):
                shares = [1.0 if isinstance(phase.body, Run) else 2.0 for phase in phases]
                for phase, part in zip(phases, _divided(box, shares), strict=True):
                    self.draw(phase.body, part)
                    if phase.stop is not None:
                        self._mark(sum(part), show(phase.stop))
            case Steps():
                self._steps(looplet, box)
            case Switch(cases):
                for case, part in zip(cases, _divided(box, [1.0] * len(cases)), strict=True):
                    self.draw(case.body, part)
                    self._mark(part[0] + part[1] / 2, show(case.cond))
            case Accept() | Discard():
                self._rect(box, "ground", "", said(looplet))
            case _:
                inner = _inner(looplet)
                if inner is not None:
                    self.draw(inner, box)
                else:
                    self._rect(box, "full pale" if _is_fill(looplet) else "single", _value(looplet))

    def _steps(self, steps: Steps, box: Box) -> None:
        shares = [1.4, 0.8, 1.1] + ([0.35] if steps.rest is None else [0.35, 0.8])
        parts = _divided(box, shares)
        marks = self.marks
        for number, part in enumerate(parts[:TIMES]):
            self.marks = marks and number == 0  # those of the first tell of all
            self.draw(steps.body, part)
        self.marks = marks
        self._mark(sum(parts[0]), show(steps.stop))
        x, width = parts[TIMES]
        self.parts.append(f'<text x="{x + width / 2:.1f}" y="15" text-anchor="middle">…</text>')
        if steps.rest is not None:
            self.draw(steps.rest, parts[TIMES + 1])

    def _rect(self, box: Box, name: str, text: str, title: str = "") -> None:
        x, width = box
        tip = f"<title>{escape(title or text)}</title>"
        head = f'<rect class="{name}" x="{x + 0.7:.1f}" y="0" height="{HEIGHT:.0f}" rx="2"'
        self.parts.append(f'{head} width="{max(width - 1.4, 1):.1f}">{tip}</rect>')
        if text and 6.2 * len(text) < width:
            middle = f'x="{x + width / 2:.1f}" y="15" text-anchor="middle"'
            self.parts.append(f"<text {middle}>{escape(text)}</text>")

    def _mark(self, x: float, text: str) -> None:
        """Tell what is at a boundary, below it."""
        if not self.marks:
            return
        self.has_marks = True
        half = 3.1 * len(text)
        middle = min(max(x, half), WIDTH - half)
        self.parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{HEIGHT:.0f}" y2="{HEIGHT + 4:.0f}"/>'
            f'<text class="soft" x="{middle:.1f}" y="{HEIGHT + 14:.0f}" text-anchor="middle">'
            f"{escape(text)}</text>"
        )


def _divided(box: Box, shares: list[float]) -> list[Box]:
    """Parts of a box whose widths are in proportion to shares."""
    x, width = box
    parts = []
    for share in shares:
        own = width * share / sum(shares)
        parts.append((x, own))
        x += own
    return parts


def _is_fill(body: Node) -> bool:
    """Whether a value is what is not stored."""
    return show(body).endswith("'")


def _value(body: Node) -> str:
    """A value as text, without the mark of a fill; what is stored is not told by its place."""
    inner = body.body if isinstance(body, Run) else body
    if any(isinstance(node, Fiber) for node in inner.nodes()):
        return "stored"
    return show(inner).removesuffix("'")


def _value_of(rest: Node) -> str:
    return _value(rest) if isinstance(rest, Run) else said(rest)


def _inner(looplet: Node) -> Node | None:
    """The looplet within one that shifts, scales, or names something."""
    inner = getattr(looplet, "body", None)
    return inner if isinstance(inner, Node) else None
