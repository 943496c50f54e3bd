"""The family of histories: arrays that are made, assigned to, looked at, stored and read again.

Arrays are values: whatever happens to one later, an array that was made of it stays what it was.
The same lines run on NumPy's arrays, of which each new one is a copy; `x += 1` makes a new one.
"""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._array import Array as OurArray, stored
from structarr._testing.case import sound
from structarr._testing.fuzz.case import Case, Settings
from structarr._testing.fuzz.compare import same
from structarr._testing.fuzz.fitting import fits
from structarr._testing.fuzz.mapping import mapped
from structarr._testing.fuzz.operands import Operand, format_text, given_by_name, random_operand
from structarr._testing.fuzz.refusals import comparable, reason, refusing
from structarr._testing.fuzz.trees import random_format
from structarr.errors import FormatError
from structarr.formats.entries import Array

MAKES: Final = (
    "np.add({a}, {b})",
    "np.multiply({a}, {b})",
    "np.maximum({a}, {b})",
    "np.where({a} > 0, {b}, 1)",
    "{a} * 2",
    "{a} - 1",
    "{a}.T",
    "{a}[::-1]",
    "{a}[1:]",
    "{a}[[0, -1]]",
    "{a}.sum(axis=0)",
    "{a}.max(axis=-1)",
    "np.cumsum({a}, axis=0)",
    "np.concatenate([{a}, {b}])",
    "np.stack([{a}, {b}])",
    "np.reshape({a}, -1)",
    "{a} @ {b}",
    "{a}.copy()",
    "copy.deepcopy({a})",
    "read_back({a})",
    "unpickled({a})",
)
CHANGES: Final = (
    "{a}[{k}] = {n}",
    "{a}[{k}:] = {n}",
    "{a}[...] = {n}",
    "{a}[{a} > 1] = {n}",
    "{a}[{k}] = {b}[{k}]",
    "{a}[::2] = {b}[::2]",
    "{a} += 1",
    "{a} *= {b}",
    "looked_at({a})",
    "str({a})",
    "float({a}.sum())",
    "sa_compute({a}, {b})",
    "clear()",
)
MOST: Final = 2000  # elements of an array
LINES: Final = 14


def generate(rng: np.random.Generator, settings: Settings) -> Case:
    """A history of some lines over a few arrays of whole numbers."""
    shape = tuple(int(k) for k in rng.choice((1, 2, 3, 4, 6), int(rng.integers(1, 4))))
    dtype = str(rng.choice(("float64", "float64", "int64", "float32")))
    operands = tuple(_whole(rng, f"v{k}", shape, dtype) for k in range(int(rng.integers(1, 4))))
    tier = "compiled" if rng.random() < settings.compiled else "interpreted"
    lines = _lines(rng, operands, int(rng.integers(2, min(LINES, settings.steps + 2) + 1)))
    return History(operands, lines, {"tier": tier, "strict_ieee": bool(rng.random() < 0.5)})


def _whole(rng: np.random.Generator, name: str, shape: tuple[int, ...], dtype: str) -> Operand:
    """An operand of small whole numbers, whose sums are exact in any order."""
    made = random_operand(rng, name, shape, dtype=dtype)
    data = np.rint(made.data).astype(dtype)
    fill = None if made.fill is None else np.rint(np.nan_to_num(made.fill, posinf=9, neginf=-9))
    if made.format is None or fill is None:
        return replace(made, data=np.nan_to_num(data) + 0)
    data, fill = (
        np.nan_to_num(data) + data.dtype.type(0),
        data.dtype.type(fill) + data.dtype.type(0),
    )
    if fits(data, made.format, fill):
        return replace(made, data=data, fill=fill)
    return Operand(name, data, "raw")


def _lines(rng: np.random.Generator, operands: tuple[Operand, ...], count: int) -> tuple[str, ...]:
    """Lines that NumPy runs."""
    plain = {one.name: one.data.copy() for one in operands}
    lines: list[str] = []
    for _ in range(4 * count):
        if len(lines) == count:
            break
        line = _line(rng, plain)
        try:
            found = after(line, plain)
        except Exception:
            continue
        if all(
            value.size <= MOST and np.abs(value).max(initial=0) < 1e5 for value in found.values()
        ):
            plain = found
            lines.append(line)
    return tuple(lines)


def _line(rng: np.random.Generator, plain: dict[str, Array]) -> str:
    names = [*plain]
    a, b = (names[int(rng.integers(len(names)))] for _ in range(2))
    given = {"a": a, "b": b, "k": int(rng.integers(3)), "n": int(rng.integers(-2, 4))}
    draw = rng.random()
    if draw < 0.06:
        return f"v{len(plain)} = {a}"  # the same array by another name
    if draw < 0.12 and plain[a].ndim:
        other = random_format(rng, plain[a].shape, plain[a].dtype)
        return f"{a} = asformat({a}, {format_text(other)})"
    if draw < 0.55:
        made = MAKES[int(rng.integers(len(MAKES)))].format(**given)
        return f"v{len(plain)} = {made}"
    return CHANGES[int(rng.integers(len(CHANGES)))].format(**given)


def after(line: str, plain: dict[str, Array]) -> dict[str, Array]:
    """NumPy's arrays after a line; a new one is a copy, unless it is the same by another name."""
    before = copy.deepcopy(plain)
    names = dict(before)
    known = {"np": np, "copy": copy, **dict.fromkeys(KNOWN, _first), **_format_names()}
    with np.errstate(all="ignore"):
        exec(re.sub(r"^(\w+) ([+*])=", r"\1 = np.array(\1); \1 \2=", line), known, names)
    is_alias = re.fullmatch(r"\w+ = \w+", line) is not None
    return {
        name: value if value is before.get(name) or is_alias else np.array(value)
        for name, value in names.items()
    }


def opening(operands: Sequence[Operand]) -> list[str]:
    """The first lines of a program: what it imports, and its operands in our formats."""
    return [
        "import numpy as np",
        *(["import scipy.sparse"] if any("scipy" in one.given_text for one in operands) else []),
        "import structarr as sa",
        "from structarr._testing.fuzz.histories import KNOWN",
        "from structarr.formats import *",
        "globals().update(KNOWN)",
        *[f"{one.name} = {one.text}" for one in operands],
        *[f"{one.name} = sa.asarray({one.given_text})" for one in operands],
    ]


def _first(*values: Any) -> Any:
    """What the functions of `KNOWN` make of NumPy's arrays: another one that is equal."""
    return np.array(values[0]) if values else None


def _format_names() -> dict[str, Any]:
    return {name: one for name, one in vars(sa.formats).items() if not name.startswith("_")}


def _asformat(value: Any, format: Any) -> Any:
    if not isinstance(value, OurArray):
        return value
    try:
        return value.asformat(format)
    except FormatError:
        return value.copy()


KNOWN: Final = {
    "asformat": _asformat,
    "looked_at": lambda value: value.compute() if isinstance(value, OurArray) else value,
    "sa_compute": lambda *values: sa.compute(*[v for v in values if isinstance(v, OurArray)]),
    "read": lambda value: np.asarray(value) if isinstance(value, OurArray) else value,
    "read_back": mapped,
    "unpickled": lambda value: pickle.loads(pickle.dumps(value)),
    "clear": sa.clear_cache,
}


@dataclass(frozen=True)
class History(Case):
    """Arrays, and lines that are run on them; all arrays are compared at the end."""

    operands: tuple[Operand, ...]
    lines: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def operations(self) -> tuple[str, ...]:
        """The kinds of lines."""
        return tuple(re.sub(r"v\d+|-?\d+|\(.*\)", "", line).strip() for line in self.lines)

    def check(self) -> None:
        """Compare all arrays with NumPy's, in the end."""
        plain = {one.name: one.data.copy() for one in self.operands}
        with sa.options(**self.options), np.errstate(all="ignore"):
            names = self._given()
            known = {"np": np, "copy": copy, **KNOWN, **_format_names()}
            for line in self.lines:
                try:
                    plain = after(line, plain)
                except Exception as error:
                    self._raises(line, known, names, error)
                    return
                self._run(line, known, names)
            for name, want in plain.items():
                value = names[name]
                if isinstance(value, OurArray):
                    sound(stored(value))
                same(value, want, name=name)

    def _given(self) -> dict[str, Any]:
        given = given_by_name(self.operands)
        return {name: sa.asarray(value) for name, value in given.items()}

    def _run(self, line: str, known: dict[str, Any], names: dict[str, Any]) -> None:
        with refusing():
            exec(line, known, names)

    def _raises(
        self, line: str, known: dict[str, Any], names: dict[str, Any], error: Exception
    ) -> None:
        """NumPy raises, which happens where a history is made smaller: so must the library."""
        try:
            exec(line, known, names)
        except Exception as own:
            if not comparable(own, error) and reason(own) is None:
                raise

    def source(self) -> str:
        """Python text of the arrays and the lines; `got` and `want` are of the last array."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return "\n".join(
            [
                "import copy",
                *opening(self.operands),
                f"with sa.options({options}):",
                *[f"    {line}" for line in self.lines or ("pass",)],
                "",
            ]
        )

    def simpler(self) -> Iterator[Case]:
        """Histories of fewer lines, interpreted."""
        for k in reversed(range(len(self.lines))):
            yield replace(self, lines=(*self.lines[:k], *self.lines[k + 1 :]))
        if self.options.get("tier") != "interpreted":
            yield replace(self, options={**self.options, "tier": "interpreted"})
