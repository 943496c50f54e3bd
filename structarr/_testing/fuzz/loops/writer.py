"""Random functions of loops: results, nests of loops, branches, temporaries and updates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from structarr._testing.fuzz.loops.operands import Argument, Draws, Given, random_array
from structarr._testing.fuzz.loops.speaker import Range, Speaker
from structarr._testing.fuzz.operands import Operand

UPDATES: Final = ("+", "-", "*", "min", "max", "=", "|", "&", "^", "+", "+", "=")
EXTREMES: Final = {"min": ("min", "np.minimum"), "max": ("max", "np.maximum")}


@dataclass
class Result:
    """An array or a scalar that a program makes: its name, its shape, how it is updated."""

    name: str
    shape: tuple[int, ...]
    op: str
    is_given: bool = False


class Writer(Speaker):
    """Writes a program line by line."""

    def __init__(self, rng: np.random.Generator, odd: bool) -> None:
        super().__init__(rng, odd)
        self.lines: list[str] = []
        self.fresh = 0

    def name(self, stem: str) -> str:
        """A new name."""
        self.fresh += 1
        return f"{stem}{'abcdefghijklmnopqrstuvwxyz'[self.fresh % 26]}"

    def say(self, text: str, depth: int) -> None:
        """Write a line."""
        self.lines.append("    " * depth + text)

    def block(self, results: list[Result], depth: int, loops: int) -> None:
        """Some statements, `loops` loops deep at most."""
        if loops and (depth < 2 or self.chance(2)):
            self.loop(results, depth, loops)
        elif loops and self.chance(2):
            self.temporary(results, depth)
        elif self.chance(5):
            self.branch(results, depth, loops)
        else:
            self.update(self.among(results), depth)
        if self.chance(4):
            self.update(self.among(results), depth)

    def loop(
        self, results: list[Result], depth: int, loops: int, over: tuple[str, Range] | None = None
    ) -> None:
        """A loop, and what is in it."""
        index = self.among([name for name in "ijklpq" if name not in self.ranges])
        bounds, self.ranges[index] = over or self.extent()
        self.say(f"for {index} in range({bounds}):", depth)
        self.block(results, depth + 1, loops - 1)
        del self.ranges[index]

    def extent(self) -> tuple[str, Range]:
        """The bounds of a loop, and how far it runs."""
        length = self.among(self.dims)
        text = self.length(length)
        if not self.chance(3):
            return text, (0, length)
        found = [
            (f"1, {text}", (1, length)),
            (f"{text} - 1", (0, length - 1)),
            (f"{self.pick(0, 1)}, 2", (0, 2)),
            (f"{text} - 2, {text}", (length - 2, length)),
        ]
        for index, (lo, hi) in self.ranges.items():
            found += [
                (f"{index}, {text}", (lo, length)),
                (f"{index} + 1, {text}", (lo + 1, length)),
                (f"{index} + 1", (0, hi)),
                (f"min({index} + 2, {text})", (0, min(hi + 1, length))),
                (f"max({index} - 1, 0), {text}", (max(lo - 1, 0), length)),
            ]
        return self.among(found)

    def branch(self, results: list[Result], depth: int, loops: int) -> None:
        """An `if`, with or without an `elif` and an `else`."""
        self.say(f"if {self.condition(1)}:", depth)
        self.block(results, depth + 1, loops)
        if self.chance(4):
            self.say(f"elif {self.condition(0)}:", depth)
            self.update(self.among(results), depth + 1)
        if self.chance(3):
            self.say("else:", depth)
            self.update(self.among(results), depth + 1)

    def temporary(self, results: list[Result], depth: int) -> None:
        """A scalar, summed in an inner loop or assigned, or a vector, and its use."""
        name = self.name("t")
        if self.chance(3):
            self._row(name, results, depth)
            return
        if self.chance(2):
            self.say(f"{name} = {self.value(1)}", depth)
        else:
            self.say(f"{name} = {self.zero}", depth)
            self.loop([Result(name, (), self.pick("+", "+", *self._extremes()))], depth, 1)
        self.scalars.append(name)
        self.update(self.among(results), depth)
        self.scalars.remove(name)

    def _row(self, name: str, results: list[Result], depth: int) -> None:
        length = self.among(self.dims)
        text = self.length(length)
        self.say(f"{name} = np.zeros({text}, np.{self.dtype()})", depth)
        made = Result(name, (length,), self.pick("+", "="))
        self.loop([made], depth, 1, (text, (0, length)))
        self.readable[name] = (length,)
        self.temps.add(name)
        self.loop(results, depth, 1)
        del self.readable[name]

    def _extremes(self) -> tuple[str, ...]:
        return () if self.kind in "cb" else ("min", "max")

    def update(self, result: Result, depth: int) -> None:
        """An assignment or update; of what may be missing too."""
        indices, guards = [], []
        for length in result.shape:
            text, (lo, hi) = self.affine(length)
            guards += [f"{text} >= 0"] * (lo < 0) + [f"{text} < {length}"] * (hi > length)
            indices.append(text)
        if guards:
            self.say(f"if {' and '.join(guards)}:", depth)
            depth += 1
        target = f"{result.name}[{', '.join(indices)}]" if indices else result.name
        value = self.value(self.pick(1, 0, 1, 2))
        if result.op in EXTREMES:
            name = self.among(EXTREMES[result.op])
            self.say(f"{target} = {name}({target}, {value})", depth)
        elif result.op in "=|&^" or not self.chance(4):
            sign = "" if result.op == "=" else result.op
            self.say(f"{target} {sign}= {value}", depth)
        else:
            self.say(f"{target} = {target} {result.op} ({value})", depth)

    # ------------------------------------------------------------- whole programs

    def dtype(self) -> str:
        """One that holds the values; wider than they are, or as they are."""
        own = np.result_type(*map(np.dtype, self.palette)).name
        wide = {"b": "bool", "u": "uint64", "i": "int64", "f": "float64", "c": "complex128"}
        return self.pick(own, wide[self.kind])

    def result(self, name: str) -> Result:
        """A result, and how it is updated."""
        n, m = self.dims
        shape = self.pick((n,), (n, m), (m,), (m, n), ())
        allowed = [
            op
            for op in UPDATES
            if not (op in EXTREMES and self.kind == "c")
            and not (op in "|&^" and self.kind in "fc")
            and not (op == "-" and self.kind == "b")
            and (shape or op == ("|" if self.kind == "b" else "+"))
        ]
        given = bool(shape) and self.chance(5)
        return Result(name, shape, self.among(allowed), given)

    @property
    def zero(self) -> str:
        """The start of a sum."""
        return {"b": "False", "c": "0j", "f": "0.0"}.get(self.kind, "0")

    def make(self, result: Result) -> None:
        """Make a result before its loops, or have it given."""
        dtype = self.dtype()
        if result.is_given:
            data = self.rng.integers(0, 3, result.shape).astype(dtype)
            self.operands.append(Given(Operand(result.name, data, "raw")))
            return
        if not result.shape:
            self.say(f"{result.name} = {self.zero}", 1)
            return
        shape = ", ".join(self.length(n) for n in result.shape)
        shape = f"({shape})" if len(result.shape) > 1 else shape
        if result.op in ("*", "&") or self.chance(6):
            self.say(f"{result.name} = np.full({shape}, 1, np.{dtype})", 1)
        else:
            self.say(f"{result.name} = np.zeros({shape}, np.{dtype})", 1)


def function_of(rng: np.random.Generator, odd: bool) -> tuple[str, list[Argument]]:
    """The text of a function of one or two nests of loops, and its arguments."""
    writer = Writer(rng, odd)
    every: list[Result] = []
    for names in ("yv", "u")[: writer.pick(1, 1, 2)]:
        results = [writer.result(name) for name in names[: writer.pick(1, 1, 2)]]
        for result in results:
            writer.make(result)
        writer.loop(results, 1, writer.pick(2, 1, 3))
        every += results
        for result in results:
            writer.readable |= {result.name: result.shape} if result.shape else {}
            writer.scalars += [] if result.shape else [result.name]
    return _function(writer.operands, "\n".join(writer.lines), ", ".join(r.name for r in every))


def _function(operands: list[Argument], body: str, returned: str) -> tuple[str, list[Argument]]:
    names = ", ".join(one.name for one in operands)
    return f"def program({names}):\n{body}\n    return {returned}\n", operands


def part_of(rng: np.random.Generator, odd: bool) -> tuple[str, list[Argument]]:
    """A function that assigns a part of its result in order, of operands that lie elsewhere."""
    draws = Draws(rng)
    ndim = draws.pick(2, 2, 1, 3)
    dtype = draws.pick("float64", "int64", "bool")
    shape, ranges = [], []
    for _ in range(ndim):
        n = int(rng.integers(0, 5 if ndim > 2 else 7))
        lo, hi = sorted(int(one) for one in rng.integers(0, n + 1, 2))
        shape.append(n)
        ranges.append(draws.pick((0, n), (lo, hi)))
    reads: list[str] = []
    given: list[Argument] = []
    for name in "AB"[: draws.pick(1, 2)]:
        moves = [draws.pick(0, 0, 1, 2, -min(lo, 2)) for lo, _ in ranges]
        spare = draws.pick(0, 0, 1)
        own = tuple(hi + move + spare for (_, hi), move in zip(ranges, moves, strict=True))
        given.append(random_array(draws, name, own, dtype, odd))
        at = ", ".join(f"{i} + {move}" for i, move in zip("ijk", moves, strict=False))
        reads.append(f"{name}[{at}]")
    value = draws.among(["{0}", "{0} * 2"] if len(reads) < 2 else ["{0} + {1}", "{0} * {1}"])
    loops = "".join(
        f"{'    ' * depth}for {i} in range({lo}, {hi}):\n"
        for depth, (i, (lo, hi)) in enumerate(zip("ijk", ranges, strict=False), 1)
    )
    target = f"{'    ' * (ndim + 1)}y[{', '.join('ijk'[:ndim])}]"
    kind = "int64" if dtype == "bool" else dtype
    made = f"    y = np.zeros({tuple(shape)}, np.{kind})\n"
    return _function(given, f"{made}{loops}{target} = {value.format(*reads)}", "y")
