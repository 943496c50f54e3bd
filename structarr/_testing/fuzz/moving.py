"""The family of moving slices: the same lines again and again, with other starts and lengths.

What is remembered of the first call names starts, lengths and points by where they stand; in some
first calls two of them, or a sum of two, agree by chance, and no longer in later ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._testing.fuzz.case import Case, Refused, Settings, Wrong
from structarr._testing.fuzz.compare import same
from structarr._testing.fuzz.operands import Operand, each_dense, given_by_name
from structarr._testing.fuzz.refusals import comparable, reason, refusing
from structarr.errors import TraceError
from structarr.formats import parse
from structarr.formats.entries import Array

CUTS: Final = (
    "{x}[{s}:{s} + {n}]",
    "{x}[{s}:{s} + {n}]",
    "{x}[{s}:{s} + 2 * {n}:2]",
    "{x}[{s} + {n}:{s}:-1]",
    "{x}[{s}:]",
    "{x}[:-1 - {s}]",
    "{x}[-{n}:]",
    "{x}[{s}]",
    "{x}[-1 - {s}]",
    "{x}[:, {s}:{s} + {n}]",
    "{x}[:, {s}]",
    "{x}[{s}, {t}:{t} + {n}]",
    "{x}[{s}:{s} + {n}, {t}:{t} + {m}]",
)
SUMMED: Final = (
    "{x} @ {p}",
    "{x} @ {p}[{s}]",
    "{x} @ {p}.T",
    "{x}.sum(axis=0)",
    "{x}.sum(axis=-1)",
    "{x}.sum(axis=-1)[:, None]",
    "{x}.max(axis=0)",
    "np.cumsum({x}, axis=0)",
    "({x} * {y}).sum(axis=-1)",
)
COMBINED: Final = (
    "{x} * {p}[{s}:{s} + {n}]",
    "{x} + {p}[{s}:{s} + {n}]",
    "{x} - {p}[{s}:{s} + {n}, {t}]",
    "{x} * {p}[{s}:{s} + {n}, {t}:{t} + {m}]",
    "{x} * {p}[{s}]",
    "{x} + {p}[{s}, {t}]",
    "{x} + {y}",
    "{x} * {y}",
    "np.where({x} > 0, {x}, {y})",
    "np.concatenate([{x}, {y}])",
    "{x} * {s}",
    "{x}.T",
    "{x}[::-1]",
)
FORMATS: Final = {1: ("list", "rle", "dense"), 2: ("csr", "csr", "csc", "coo", "rle", "bitmap")}
STARTS: Final = ("s0", "s1", "s2")
LENGTHS: Final = ("n0", "n1")
MOST: Final = 2000  # elements of an array


def generate(rng: np.random.Generator, settings: Settings) -> Case:
    """Lines with slices, and numbers for two to four calls."""
    dtype = str(rng.choice(("float64", "float64", "int64")))
    rows, columns = int(rng.integers(18, 30)), int(rng.integers(7, 10))
    shapes = [(rows, columns), (rows, columns), (columns, columns), (rows,)]
    operands = tuple(
        _operand(rng, f"a{k}", shapes[k], dtype) for k in range(int(rng.integers(2, 5)))
    )
    numbers = _numbers(rng, {})
    plain = {one.name: one.data for one in operands}
    lines = _lines(rng, plain, numbers, int(rng.integers(2, min(settings.steps, 6) + 1)))
    later = tuple(_numbers(rng, numbers) for _ in range(int(rng.integers(2, 5))))
    tier = "compiled" if rng.random() < settings.compiled else "interpreted"
    jitted = bool(rng.random() < 0.3)
    return Moving(operands, lines, (numbers, *later), {"tier": tier}, jitted)


def _operand(rng: np.random.Generator, name: str, shape: tuple[int, ...], dtype: str) -> Operand:
    """An operand of small whole numbers, in one of few formats, since plans are kept by them."""
    data = np.where(rng.random(shape) < 0.4, rng.integers(-4, 5, shape), 0).astype(dtype)
    if rng.random() < 0.3:
        return Operand(name, data, "raw")
    format = parse(str(rng.choice(FORMATS[len(shape)])), len(shape))
    return Operand(name, data, "ours", format, data.dtype.type(0))


def _numbers(rng: np.random.Generator, first: dict[str, int]) -> dict[str, int]:
    """Starts and lengths; at first one is mostly the sum of two, later lengths mostly stay."""
    least = int(rng.random() < 0.8)
    found = {name: int(rng.integers(least, 5)) for name in STARTS}
    if not first and rng.random() < 0.8:
        found["s2"] = found["s0"] + found["s1"]
    if first and rng.random() < 0.7:
        return first | found
    return found | {"n0": int(rng.integers(5, 10)), "n1": int(rng.integers(1, 5))}


def _lines(
    rng: np.random.Generator, plain: Mapping[str, Array], numbers: Mapping[str, int], count: int
) -> tuple[str, ...]:
    """Lines that NumPy runs with some numbers."""
    names: dict[str, Any] = dict(plain)
    lines: list[str] = []
    for _ in range(30 * count):
        if len(lines) == count:
            break
        text = _text(rng, [*plain], [*names])
        try:
            value = np.asarray(eval(text, {"np": np}, {**names, **numbers}))
        except (ValueError, IndexError):
            continue
        if 0 < value.size <= MOST and np.abs(value).max() < 1e5:
            lines.append(f"t{len(lines)} = {text}")
            names[f"t{len(lines) - 1}"] = value
    return tuple(lines)


def _text(rng: np.random.Generator, operands: list[str], names: list[str]) -> str:
    """What comes next: after a slice mostly a sum, then a slice of it, combined with another."""
    turn = len(names) - len(operands) if rng.random() < 0.7 else int(rng.integers(4))
    kind = (CUTS, SUMMED, CUTS, COMBINED)[turn % 4]
    p, y = rng.choice(operands), rng.choice(names)
    x = names[-1] if rng.random() < 0.8 else rng.choice(names)
    s, t = rng.choice(STARTS, 2)
    n, m = rng.choice(LENGTHS, 2)
    return kind[int(rng.integers(len(kind)))].format(x=x, y=y, p=p, s=s, t=t, n=n, m=m)


@dataclass(frozen=True)
class Moving(Case):
    """Lines over arrays and numbers, of which the last line's value is compared at each call."""

    operands: tuple[Operand, ...]
    lines: tuple[str, ...]
    calls: tuple[dict[str, int], ...]
    options: dict[str, Any] = field(default_factory=dict)
    jitted: bool = False

    @property
    def operations(self) -> tuple[str, ...]:
        """The lines without their targets."""
        return tuple(line.partition(" = ")[2] for line in self.lines)

    @property
    def _text(self) -> str:
        arguments = ", ".join([*(one.name for one in self.operands), *STARTS, *LENGTHS])
        result = self.lines[-1].partition(" = ")[0] if self.lines else self.operands[0].name
        lines = [*self.lines, f"return {result}"]
        return f"def function({arguments}):\n" + "".join(f"    {line}\n" for line in lines)

    def check(self) -> None:
        """Compare each call with NumPy's."""
        names: dict[str, Any] = {"np": np}
        exec(self._text, names)
        function = names["function"]
        ours = sa.jit(function) if self.jitted else function
        plain = [one.data for one in self.operands]
        with sa.options(**self.options), np.errstate(all="ignore"):
            given = [sa.asarray(one) for one in given_by_name(self.operands).values()]
            for place, numbers in enumerate(self.calls):
                try:
                    want = function(*plain, **numbers)
                except (ValueError, IndexError) as error:
                    _raises(lambda numbers=numbers: ours(*given, **numbers), error)
                    continue
                same(_refused(lambda n=numbers: ours(*given, **n)), want, name=f"call {place}")

    def source(self) -> str:
        """Python text of the arrays and the calls; `got` and `want` are of the last one."""
        ours = ", ".join(f"sa.asarray({one.given_text})" for one in self.operands)
        plain = ", ".join(one.name for one in self.operands)
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return "\n".join(
            [
                "import numpy as np",
                "import structarr as sa",
                "from structarr.formats import *",
                *[f"{one.name} = {one.text}" for one in self.operands],
                self._text,
                f"plain, given = [{plain}], [{ours}]",
                f"called = {'sa.jit(function)' if self.jitted else 'function'}",
                f"for numbers in {list(self.calls)}:",
                "    want = function(*plain, **numbers)",
                f"    with sa.options({options}):",
                "        got = np.asarray(called(*given, **numbers))",
                "    np.testing.assert_array_equal(got, want, str(numbers))",
                "",
            ]
        )

    def simpler(self) -> Iterator[Case]:
        """Fewer calls, fewer lines, dense operands."""
        for k in range(len(self.calls) if len(self.calls) > 1 else 0):
            yield replace(self, calls=(*self.calls[:k], *self.calls[k + 1 :]))
        yield from self._of_fewer_lines()
        if self.jitted:
            yield replace(self, jitted=False)
        if self.options.get("tier") != "interpreted":
            yield replace(self, options={**self.options, "tier": "interpreted"})
        for operands in each_dense(self.operands):
            yield replace(self, operands=operands)

    def _of_fewer_lines(self) -> Iterator[Case]:
        for k in reversed(range(len(self.lines))):
            target = self.lines[k].partition(" = ")[0]
            rest = (*self.lines[:k], *self.lines[k + 1 :])
            if not any(re.search(rf"\b{target}\b", line.partition(" = ")[2]) for line in rest):
                yield replace(self, lines=rest)


def _refused(call: Any) -> Any:
    """The value of a call, read; a documented refusal is told as one."""
    try:
        with refusing():
            return np.asarray(call())
    except TraceError as error:
        raise Refused(f"TraceError: {str(error).rpartition(': ')[2]}") from error


def _raises(call: Any, error: Exception) -> None:
    """NumPy raises with these numbers: so must the library, for a like reason."""
    try:
        np.asarray(call())
    except Exception as own:
        if not isinstance(own, TraceError) and not comparable(own, error) and reason(own) is None:
            raise
        return
    raise Wrong(f"NumPy raises {error!r}, and the library does not")
