"""Lines that read beyond the ends of arrays in every format, against plain Python.

What is missing is an exception to the oracle: whatever is computed with it is left, up to the
`coalesce` around it or to the assignment, which then is not made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from example_counts import examples
from hypothesis import assume, given, strategies as st
from program_values import Case, Operand, operands
from strategies import Draw

import structarr as sa
from structarr._compiler.options import options
from structarr.errors import ProgramError

MODES = ("edge", "circular", "reflect", "symmetric")


class Absent(Exception):
    """What is read outside of an array."""


@dataclass
class Bent:
    """An index that may be outside."""

    mode: str
    index: int

    def within(self, n: int) -> int:
        i, twice = self.index, 2 * n
        match self.mode:
            case "permit" if not 0 <= i < n:
                raise Absent
            case "edge":
                return min(max(i, 0), n - 1)
            case "circular":
                return i % n
            case "symmetric":
                return min(i % twice, twice - 1 - i % twice)
            case "reflect" if n > 1:
                return min(i % (twice - 2), twice - 2 - i % (twice - 2))
        return i


class Reads:
    """An array of the oracle."""

    def __init__(self, data: np.ndarray) -> None:
        self.data = data

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        pairs = zip(parts, self.data.shape, strict=True)
        return self.data[tuple(i.within(n) if isinstance(i, Bent) else i for i, n in pairs)]


def coalesce(*values: Callable[[], Any]) -> Any:
    for value in values:
        try:
            return value()
        except Absent:
            pass
    raise Absent


def _bent(mode: str) -> Callable[[int], Bent]:
    return lambda index: Bent(mode, index)


NAMES: dict[str, Any] = {mode: _bent(mode) for mode in ("permit", *MODES)}
NAMES |= {"coalesce": coalesce, "where": lambda cond, a, b: a if cond else b}
NAMES |= {"maximum": np.maximum, "minimum": np.minimum}

Text = tuple[str, str]  # ours, and the oracle's


class Line:
    """Writes one line; it knows how far every index runs."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.result = draw(st.sampled_from([("i",), ("i", "j")]))
        self.summed = draw(st.sampled_from([(), ("k",)]))
        every = self.result + self.summed
        self.extents = {name: draw(st.integers(1, 6)) for name in every}
        self.arrays = [self._array(name) for name in "ab"[: draw(st.integers(1, 2))]]

    def _array(self, name: str) -> Operand:
        shape = self.draw(st.lists(st.integers(1, 6), min_size=1, max_size=2))
        return self.draw(operands(name, tuple(shape), "float64"))

    def index(self, n: int) -> str:
        name = self.draw(st.sampled_from([*self.extents]))
        extent = self.extents[name]
        mode = self.draw(st.sampled_from(["", "permit", "permit", *MODES]))
        if mode == "permit":
            other = self.draw(st.sampled_from([*self.extents]))
            form = self.draw(
                st.sampled_from(["{0} + {1}", "{1} - {0}", "2 * {0} + {1}", "{0} + {2}"])
            )
            return f"permit({form.format(name, self.draw(st.integers(-3, 5)), other)})"
        reach = 0 if mode == "" else n - (mode == "reflect")
        if extent > n + 2 * reach:
            return f"permit({name})"
        first = self.draw(st.integers(-reach, n + reach - extent))
        back = self.draw(st.booleans())
        bent = f"{first + extent - 1} - {name}" if back else f"{name} + {first}"
        return f"{mode}({bent})" if mode else bent

    def value(self, depth: int) -> Text:
        if not depth or self.draw(st.integers(0, 4)) == 0:
            array = self.draw(st.sampled_from(self.arrays))
            read = f"{array.name}[{', '.join(self.index(n) for n in array.data.shape)}]"
            return read, read
        form = self.draw(
            st.sampled_from(
                [
                    *["{} * {}"] * 3,
                    *("{} + {}", "{} - {}", "maximum({}, {})", "minimum({}, {})"),
                    *("where({} > 0.5, {}, 1.0)", "coalesce({}, {})", "coalesce({}, 0.0)"),
                    *("coalesce({}, 5.0)", "2.0 * {}"),
                ]
            )
        )
        parts = [self.value(depth - 1) for _ in range(form.count("{}"))]
        own, theirs = ([part[k] for part in parts] for k in (0, 1))
        lazy = form.replace("{}", "lambda: {}").replace("0.0)", "lambda: 0.0)")
        lazy = lazy.replace("5.0)", "lambda: 5.0)") if form.startswith("coalesce") else form
        return f"({form.format(*own)})", f"({lazy.format(*theirs)})"


@st.composite
def lines(draw: Draw) -> tuple[Case, str, str, Line]:
    line = Line(draw)
    own, theirs = line.value(draw(st.integers(0, 2)))
    op = draw(st.sampled_from(["+", "max"] if line.summed else ["=", "=", "+"]))
    used = {*re.findall(r"\w+", own), *line.result}
    line.extents = {name: n for name, n in line.extents.items() if name in used}
    target = f"y[{', '.join(line.result)}]"
    updates = {"=": f"{target} = {own}", "+": f"{target} += {own}"}
    text = updates.get(op, f"{target} = max({target}, {own})")
    return Case(text, line.arrays), theirs, op, line


def expected(theirs: str, op: str, line: Line) -> np.ndarray:
    start = -np.inf if op == "max" else 0.0
    y = np.full([line.extents[name] for name in line.result], start)
    code = compile(theirs, "oracle", "eval")
    arrays = {array.name: Reads(array.data) for array in line.arrays}
    for place in np.ndindex(*line.extents.values()):
        try:
            value = eval(code, NAMES | arrays | dict(zip(line.extents, place, strict=True)))
        except Absent:
            continue
        at = place[: y.ndim]
        y[at] = value if op == "=" else y[at] + value if op == "+" else max(y[at], value)
    return y


@examples(0.6)
@given(lines())
def test_lines_read_beyond_ends(drawn: tuple[Case, str, str, Line]) -> None:
    case, theirs, op, line = drawn
    given = {one.name: one.given for one in line.arrays if f"{one.name}[" in case.text}
    try:
        with options(tier="interpreted"):
            found = sa.loops(case.text, **given, extents=line.extents)
    except ProgramError as error:
        assume("would grow too large" not in str(error))
        raise
    np.testing.assert_allclose(found.todense(), expected(theirs, op, line), atol=1e-9)
