"""The family of shared parts: values that many expressions have as a part, computed in between.

Vectors are multiplied by square matrices, summed, and combined, as the steps of a solver do that
looks at nothing; then some are looked at, changed or forgotten, and the next steps go on with all
of them. What is computed of a part once is a leaf of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._array import Array as OurArray, stored
from structarr._testing.case import sound
from structarr._testing.fuzz.case import Case, Refused, Settings
from structarr._testing.fuzz.compare import same
from structarr._testing.fuzz.histories import KNOWN, after, opening
from structarr._testing.fuzz.operands import Operand, each_dense, given_by_name
from structarr._testing.fuzz.pieces import in_pieces
from structarr._testing.fuzz.refusals import comparable, reason, refusing
from structarr.errors import TraceError
from structarr.formats import parse
from structarr.formats.entries import Array

SUMS: Final = (
    "{m} @ {x}",
    "{m}.T @ {x}",
    "{x} @ {m}",
    "{m} @ ({x} + {y})",
    "({m} * {x}).sum(axis=0)",
    "({m} * {x}).sum(axis=1)",
    "({x} * {y}).sum()",
    "{x} @ {y}",
    "{x}.max()",
    "np.abs({x}).sum()",
    "np.maximum({m}, {x}).max(axis=1)",
    "{m}.sum(axis=1)",
    "{m}[{k}:].sum(axis=0)",
    "{m} @ {x}[::-1]",
    "{m}[:, ::-1] @ {x}",
    "np.cumsum({x})",
    "np.dot({m} @ {m}, {x})",
    "({m} - {x}) @ {y}",
    "({m} - {s}) @ {x}",
    "({s} + {m}).T @ {m}",
    "({x} > 0).sum()",
)
COMBINED: Final = (
    "{x} + {s} * {y}",
    "{x} - {s} * {y}",
    "{x} * {y}",
    "{n} * {x} + {y}",
    "np.clip({x}, -3, 3)",
    "np.clip({x} + {y}, -4, 4)",
    "np.sign({x})",
    "np.where({x} > {s}, {y}, {n})",
    "np.maximum({x}, {y})",
    "{x}[::-1] + {y}",
    "np.concatenate([{x}[{k}:], {y}[:{k}]])",
    "np.sign({x}) * np.abs({y})",
    "{x}[{k}] + {s}",
    "-{x}",
    "{m} * {x} - {m}",
    "{m} + {x}",
    "np.roll({x}, {k})",
    "np.outer({x}, {y})",
    "{x}[[{k}, 0]].sum() + {x}",
    "{x} + ({x} == {x}.max())",
)
CHANGES: Final = (
    "{x}[{k}] = {n}",
    "{x}[{k}:] = {n}",
    "{x}[{x} > {n}] = 0",
    "{x}[{k}:] = {y}[{k}:]",
    "{m}[{k}] = {x}",
    "{m}[:, {k}] = {n}",
    "{x} += {y}",
    "{x} *= {n}",
    "{x} = {y}",
    "{x} = np.clip({x}, -2, 2)",
    "looked_at({x})",
    "looked_at({s})",
    "looked_at({m})",
    "sa_compute({x}, {y}, {s})",
    "read({x})",
    "read({m})",
    "str({x})",
    "bool({s})",
    "bool({x}[{k}])",
    "{x} = {x}.copy()",
    "{x} = unpickled({x})",
    "del {x}",
    "clear()",
)
TRACED: Final = ("{x} = {y}", "{x} = np.clip({x}, -2, 2)", "{x}[{k}] = {n}", "looked_at({x})")
"""Changes in functions that are traced, where nothing is read."""

FORMATS: Final = ("csr", "csr", "csc", "coo", "dia", "bsr", "rle", "bitmap", "dcsr", "dense", "vbl")
VECTORS: Final = ("dense", "dense", "list", "rle", "bitmap")
WAYS: Final = (*4 * ("plain",), *3 * ("jit",), "eager", "threads", "pieces")
_OF_WAYS: Final = (*4 * ("plain",), *3 * ("jit",), "eager", "threads", "pieces")
LARGEST: Final = 1 << 20  # so that sums of what is made are exact in float32's 24 bits too


def generate(rng: np.random.Generator, settings: Settings) -> Case:
    """Lines over one or two square matrices, some vectors and numbers."""
    n = int(rng.integers(3, 9))
    # Programs that follow each other share formats and dtypes, so that kernels are lowered once.
    block = settings.block_rng()
    dtype = str(block.choice(("float64", "float64", "int64", "float32", "complex128")))
    formats = tuple(map(str, (*block.choice(FORMATS, 2), *block.choice(VECTORS, 2))))
    counts = rng.integers(1, 3, 2)
    matrices = [_operand(rng, f"m{k}", (n, n), dtype, formats[k]) for k in range(counts[0])]
    vectors = [_operand(rng, f"x{k}", (n,), dtype, formats[2 + k]) for k in range(counts[1])]
    operands = (*matrices, *vectors)
    way = str(rng.choice(WAYS))
    lines = _lines(rng, operands, int(rng.integers(3, 2 * settings.steps + 4)), way)
    tier = "compiled" if rng.random() < settings.compiled else "interpreted"
    options: dict[str, Any] = {"tier": tier, "strict_ieee": bool(rng.random() < 0.5)}
    if way == "eager":
        options["eager"] = True
    if way == "pieces":
        options.update(threads=int(rng.integers(1, 4)), tier="auto")
    return Sharing(operands, lines, int(rng.integers(1, 4)), way, options)


def _operand(
    rng: np.random.Generator, name: str, shape: tuple[int, ...], dtype: str, format: str
) -> Operand:
    """An operand of small whole numbers, of which sums are exact in any order."""
    data: Array = np.where(rng.random(shape) < 0.5, rng.integers(-3, 4, shape), 0).astype(dtype)
    if rng.random() < 0.2:
        return Operand(name, data, "raw")
    return Operand(name, data, "ours", parse(format, len(shape)), data.dtype.type(0))


def _lines(
    rng: np.random.Generator, operands: tuple[Operand, ...], count: int, way: str
) -> tuple[str, ...]:
    """Lines that NumPy runs, whose values stay small."""
    plain = {one.name: one.data.copy() for one in operands}
    lines: list[str] = []
    for _ in range(6 * count):
        if len(lines) == count:
            break
        line = _line(rng, plain, way)
        try:
            found = after(line, plain)
        except Exception:
            continue
        if all(_is_small(value, plain) for value in found.values()):
            plain = found
            lines.append(line)
    return tuple(lines)


def _is_small(value: Array, plain: dict[str, Array]) -> bool:
    return value.size <= 100 and bool(np.abs(value).max(initial=0) < LARGEST)


def _line(rng: np.random.Generator, plain: dict[str, Array], way: str) -> str:
    """A line over variables by the number of their axes, mostly the latest."""

    def one(ndim: int, otherwise: str) -> str:
        names = [name for name, value in plain.items() if np.ndim(value) == ndim]
        if not names:
            return otherwise
        return names[-1] if rng.random() < 0.4 else names[int(rng.integers(len(names)))]

    given = {
        "m": one(2, "m0"),
        "x": one(1, "x0"),
        "y": one(1, "x0"),
        "s": one(0, str(int(rng.integers(-2, 3)))),
        "k": int(rng.integers(3)),
        "n": int(rng.integers(-2, 4)),
    }
    draw = rng.random()
    kind: tuple[str, ...]
    if draw < 0.4:
        kind = SUMS
    elif draw < 0.75:
        kind = COMBINED
    else:
        texts = TRACED if way == "jit" else CHANGES
        return texts[int(rng.integers(len(texts)))].format(**given)
    made = kind[int(rng.integers(len(kind)))].format(**given)
    if rng.random() < 0.3:
        names = [*plain]
        return f"{names[int(rng.integers(len(names)))]} = {made}"
    return f"v{len(plain)} = {made}"


@dataclass(frozen=True)
class Sharing(Case):
    """Lines, run as often as there are rounds; all variables are compared at the end of each."""

    operands: tuple[Operand, ...]
    lines: tuple[str, ...]
    rounds: int = 1
    way: str = "plain"
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def operations(self) -> tuple[str, ...]:
        """The kinds of lines."""
        return tuple(re.sub(r"[vxm]\d+|-?\d+", "", line).strip() for line in self.lines)

    def check(self) -> None:
        """Compare all variables with NumPy's after each round."""
        run = self._jitted() if self.way == "jit" else self._run
        with ExitStack() as stack:
            stack.enter_context(sa.options(**self.options))
            stack.enter_context(np.errstate(all="ignore"))
            if self.way == "pieces":
                stack.enter_context(in_pieces())
            for turn in range(self.rounds):
                plain = {one.name: np.roll(one.data, turn) for one in self.operands}
                operands = tuple(
                    found
                    for one in self.operands
                    if (found := one.with_data(plain[one.name])) is not None
                )
                plain = {one.name: one.data for one in operands}
                for line in self.lines:
                    try:
                        plain = after(line, plain)
                    except Exception as error:
                        self._raises(run, operands, error)
                        return
                with refusing():
                    names = run(given_by_name(operands))
                    self._compare(names, plain)

    def _compare(self, names: dict[str, Any], plain: dict[str, Array]) -> None:
        if self.way == "threads":
            arrays = [names[name] for name in plain if isinstance(names[name], OurArray)]
            with ThreadPoolExecutor(3) as pool:
                list(pool.map(stored, [*arrays, *reversed(arrays), *arrays]))
        for name, want in reversed(plain.items()) if self.rounds > 1 else plain.items():
            value = names[name]
            if isinstance(value, OurArray):
                sound(stored(value))
            same(value, want, name=name)

    def _run(self, given: dict[str, Any]) -> dict[str, Any]:
        names = {name: sa.asarray(value) for name, value in given.items()}
        known = {"np": np, **KNOWN}
        for line in self.lines:
            exec(line, known, names)
        return names

    def _jitted(self) -> Any:
        names: dict[str, Any] = {"np": np, **KNOWN}
        exec(self._text, names)
        function = sa.jit(names["function"])

        def run(given: dict[str, Any]) -> dict[str, Any]:
            try:
                found = function(**{name: sa.asarray(one) for name, one in given.items()})
            except TraceError as error:
                raise Refused(f"TraceError: {str(error).rpartition(': ')[2]}") from error
            return dict(found)

        return run

    @property
    def _text(self) -> str:
        body = "".join(f"    {line}\n" for line in self.lines)
        arguments = ", ".join(one.name for one in self.operands)
        return f"def function({arguments}):\n{body}    return dict(locals())\n"

    def _raises(self, run: Any, operands: tuple[Operand, ...], error: Exception) -> None:
        """NumPy raises, as it may with other elements: so must the library."""
        try:
            names = run(given_by_name(operands))
            for value in names.values():
                if isinstance(value, OurArray):
                    stored(value)
        except Exception as own:
            if not isinstance(own, Refused) and not comparable(own, error) and reason(own) is None:
                raise

    def source(self) -> str:
        """Python text of the arrays and the lines."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return "\n".join(
            [
                *opening(self.operands),
                f"# {self.way}, {self.rounds} rounds, each of elements rolled by one more",
                f"with sa.options({options}):",
                *[f"    {line}" for line in self.lines or ("pass",)],
                "",
            ]
        )

    def simpler(self) -> Iterator[Case]:
        """Fewer lines and rounds, one thread, interpreted, dense operands."""
        for k in reversed(range(len(self.lines))):
            yield replace(self, lines=(*self.lines[:k], *self.lines[k + 1 :]))
        if self.rounds > 1:
            yield replace(self, rounds=self.rounds - 1)
        if self.way != "plain":
            options = {name: one for name, one in self.options.items() if name not in _OF_WAYS}
            yield replace(self, way="plain", options=options)
        if self.options.get("tier") != "interpreted":
            yield replace(self, options={**self.options, "tier": "interpreted"})
        for operands in each_dense(self.operands):
            yield replace(self, operands=operands)
