"""Random programs of one line, whose indices are free, and the same written out as loops."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from structarr._testing.fuzz.loops.operands import Argument
from structarr._testing.fuzz.loops.speaker import Speaker
from structarr.formats.entries import Array

_UPDATES: Final = ("min", "max")


@dataclass(frozen=True)
class Line:
    """`y[target] op= value` for all indices."""

    value: str
    target: tuple[str, ...]
    reduced: tuple[str, ...]
    op: str
    order: str | None
    extents: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        """The program."""
        at = f"[{', '.join(self.target)}]" if self.target else ""
        sign = f"<<{self.op}>>=" if self.op in _UPDATES else f"{self.op}=".replace("==", "=")
        return f"y{at} {sign} {self.value}"

    def function(self, names: list[str]) -> str:
        """The text of a function that gives the value at every place, as NumPy promotes them."""
        used = (*self.target, *self.reduced)
        lengths = dict(self.extents)
        lines = [f"def program({', '.join(names)}):", "    found = []"]
        for depth, name in enumerate(used, 1):
            lines.append(f"{'    ' * depth}for {name} in range({lengths[name]}):")
        lines.append(f"{'    ' * (len(used) + 1)}found.append({self.value})")
        return "\n".join([*lines, "    return found,"]) + "\n"

    def reduced_by_numpy(self, found: list[Any]) -> Array | None:
        """The result, of the value at every place; None of nothing, where it has none."""
        lengths = dict(self.extents)
        shape = tuple(lengths[name] for name in (*self.target, *self.reduced))
        axes = tuple(range(len(self.target), len(shape)))
        if not found and self.op in (*_UPDATES, "&"):  # which a dtype decides
            return None
        full = np.array(found, np.result_type(*found) if found else bool).reshape(shape)
        return full if self.op == "=" else np.asarray(_REDUCE[self.op](full, axis=axes))


_REDUCE: Final[Mapping[str, Callable[..., Any]]] = {
    "+": np.sum,
    "*": np.prod,
    "|": np.bitwise_or.reduce,
    "&": np.bitwise_and.reduce,
    "min": np.min,
    "max": np.max,
}


def line_of(rng: np.random.Generator, odd: bool) -> tuple[Line, list[Argument]] | None:
    """A line and its operands; None where no index stands in one."""
    writer = Speaker(rng, odd)
    n, m = writer.dims
    every = [("i", n), ("j", m), ("k", n)]
    free = [every[k] for k in rng.permutation(3)][: int(rng.integers(1, 4))]
    writer.ranges = {name: (0, length) for name, length in free}
    writer.reads = int(rng.integers(1, 5))
    text = writer.value(int(rng.integers(0, 3)))
    used = [name for name, _ in free if re.search(rf"\b{name}\b", text)]
    places = " ".join(re.findall(r"\[([^\[\]]*)\]", text))
    if not used or not all(re.search(rf"\b{name}\b", places) for name in used):
        return None
    target = tuple(used[: int(rng.integers(0, 3))])
    reduced = tuple(name for name in used if name not in target)
    ops = ["+", "+", *(["|", "&"] if writer.kind in "b" else ["*"])]
    ops += ["min", "max"] if writer.kind not in "cb" else []
    ops += ["="] * 3 if target and not reduced else []
    order = "".join(used[k] for k in rng.permutation(len(used))) if writer.chance(3) else None
    extents = tuple((name, length) for name, length in free if name in used)
    line = Line(text, target, reduced, writer.among(ops), order, extents)
    words = set(re.findall(r"\w+", text))
    return line, [one for one in writer.operands if one.name in words]
