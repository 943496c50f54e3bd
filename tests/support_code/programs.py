"""Random programs of loops, as text that is Python too."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from program_values import Case, Draw, Operand, Range, Speaker, operands

UPDATES = ("+", "-", "*", "min", "max", "=", "|", "+", "+", "=")
EXTREMES = {"min": ("min", "np.minimum"), "max": ("max", "np.maximum")}


@dataclass
class Result:
    """An array or a scalar that a program makes: its name, its shape, how it is updated."""

    name: str
    shape: tuple[int, ...]
    op: str
    is_given: bool = False


class Writer(Speaker):
    """Writes a program line by line."""

    def __init__(self, draw: Draw) -> None:
        super().__init__(draw)
        self.lines: list[str] = []
        self.fresh = 0

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}{'abcdefghijklmnopqrstuvwxyz'[self.fresh % 26]}"

    def say(self, text: str, depth: int) -> None:
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
            self.update(self.draw(st.sampled_from(results)), depth)
        if self.chance(4):
            self.update(self.draw(st.sampled_from(results)), depth)

    def loop(
        self, results: list[Result], depth: int, loops: int, over: tuple[str, Range] | None = None
    ) -> None:
        index = self.pick(*[name for name in "ijklpq" if name not in self.ranges])
        bounds, self.ranges[index] = over or self.extent()
        self.say(f"for {index} in range({bounds}):", depth)
        self.block(results, depth + 1, loops - 1)
        del self.ranges[index]

    def extent(self) -> tuple[str, Range]:
        length = self.draw(st.sampled_from(self.dims))
        text = self.length(length)
        if not self.chance(3):
            return text, (0, length)
        found = [
            (f"1, {text}", 1, length),
            (f"{text} - 1", 0, length - 1),
            (f"{self.pick(0, 1)}, 2", 0, 2),
            (f"{text} - 2, {text}", length - 2, length),
        ]
        for index, (lo, hi) in self.ranges.items():
            found += [
                (f"{index}, {text}", lo, length),
                (f"{index} + 1, {text}", lo + 1, length),
                (f"{index} + 1", 0, hi),
                (f"min({index} + 2, {text})", 0, min(hi + 1, length)),
                (f"max({index} - 1, 0), {text}", max(lo - 1, 0), length),
            ]
        text, lo, hi = self.draw(st.sampled_from(found))
        return text, (lo, hi)

    def branch(self, results: list[Result], depth: int, loops: int) -> None:
        self.say(f"if {self.condition(1)}:", depth)
        self.block(results, depth + 1, loops)
        if self.chance(4):
            self.say(f"elif {self.condition(0)}:", depth)
            self.update(self.draw(st.sampled_from(results)), depth + 1)
        if self.chance(3):
            self.say("else:", depth)
            self.update(self.draw(st.sampled_from(results)), depth + 1)

    def temporary(self, results: list[Result], depth: int) -> None:
        """A scalar, summed in an inner loop or assigned, or a vector, and its use."""
        name = self.name("t")
        if self.chance(3):
            length = self.draw(st.sampled_from(self.dims))
            text = self.length(length)
            self.say(f"{name} = np.zeros({text}, np.{self.dtype()})", depth)
            made = Result(name, (length,), self.pick("+", "="))
            self.loop([made], depth, 1, (text, (0, length)))
            self.readable[name] = (length,)
            self.temps.add(name)
            self.loop(results, depth, 1)
            del self.readable[name]
            return
        if self.chance(2):
            self.say(f"{name} = {self.value(1)}", depth)
        else:
            self.say(f"{name} = {self.zero}", depth)
            self.loop([Result(name, (), "+")], depth, 1)
        self.scalars.append(name)
        self.update(self.draw(st.sampled_from(results)), depth)
        self.scalars.remove(name)

    def update(self, result: Result, depth: int) -> None:
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
            name = self.pick(*EXTREMES[result.op])
            self.say(f"{target} = {name}({target}, {value})", depth)
        elif result.op in "=|" or not self.chance(4):
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
        n, m = self.dims
        shape = self.pick((n,), (n, m), (m,), (m, n), ())
        allowed = [
            op
            for op in UPDATES
            if not (op in EXTREMES and self.kind == "c")
            and not (op == "|" and self.kind in "fc")
            and not (op == "-" and self.kind == "b")
            and (shape or op == ("|" if self.kind == "b" else "+"))
        ]
        given = bool(shape) and self.chance(5)
        return Result(name, shape, self.draw(st.sampled_from(allowed)), given)

    @property
    def zero(self) -> str:
        return {"b": "False", "c": "0j", "f": "0.0"}.get(self.kind, "0")

    def make(self, result: Result) -> None:
        """Make a result before its loops, or have it given."""
        dtype = self.dtype()
        if result.is_given:
            rng = np.random.default_rng(self.draw(st.integers(0, 99)))
            data = rng.integers(0, 3, result.shape).astype(dtype)
            self.operands.append(Operand(result.name, data, data.copy()))
            return
        if not result.shape:
            self.say(f"{result.name} = {self.zero}", 1)
            return
        shape = ", ".join(self.length(n) for n in result.shape)
        shape = f"({shape})" if len(result.shape) > 1 else shape
        if result.op == "*" or self.chance(6):
            self.say(f"{result.name} = np.full({shape}, 1, np.{dtype})", 1)
        else:
            self.say(f"{result.name} = np.zeros({shape}, np.{dtype})", 1)


@st.composite
def programs(draw: Draw) -> Case:
    """A function of one or two nests of loops."""
    writer = Writer(draw)
    every: list[Result] = []
    for names in ("yv", "u")[: draw(st.sampled_from([1, 1, 2]))]:
        results = [writer.result(name) for name in names[: draw(st.sampled_from([1, 1, 2]))]]
        for result in results:
            writer.make(result)
        writer.loop(results, 1, draw(st.sampled_from([2, 1, 3])))
        every += results
        for result in results:
            writer.readable |= {result.name: result.shape} if result.shape else {}
            writer.scalars += [] if result.shape else [result.name]
    parameters = ", ".join(one.name for one in writer.operands)
    body = "\n".join(writer.lines)
    returned = ", ".join(one.name for one in every)
    return Case(f"def program({parameters}):\n{body}\n    return {returned}\n", writer.operands)


@st.composite
def parts(draw: Draw) -> Case:
    """A function that assigns a part of its result in order, of operands that lie elsewhere."""
    ndim = draw(st.sampled_from([2, 2, 1, 3]))
    dtype = draw(st.sampled_from(["float64", "int64", "bool"]))
    indices, shape, ranges = "ijk"[:ndim], [], []
    for _ in range(ndim):
        n = draw(st.integers(0, 4 if ndim > 2 else 6))
        lo, hi = sorted(draw(st.tuples(st.integers(0, n), st.integers(0, n))))
        shape.append(n)
        ranges.append(draw(st.sampled_from([(0, n), (lo, hi)])))
    reads, given = [], []
    for name in "AB"[: draw(st.integers(1, 2))]:
        moves = [draw(st.sampled_from([0, 0, 1, 2, -min(lo, 2)])) for lo, _ in ranges]
        spare = draw(st.sampled_from([0, 0, 1]))
        own = tuple(hi + move + spare for (_, hi), move in zip(ranges, moves, strict=True))
        given.append(draw(operands(name, own, dtype)))
        at = ", ".join(f"{i} + {move}" for i, move in zip(indices, moves, strict=True))
        reads.append(f"{name}[{at}]")
    value = draw(
        st.sampled_from(["{0}", "{0} * 2"] if len(reads) < 2 else ["{0} + {1}", "{0} * {1}"])
    )
    loops = "".join(
        f"{'    ' * depth}for {i} in range({lo}, {hi}):\n"
        for depth, (i, (lo, hi)) in enumerate(zip(indices, ranges, strict=True), 1)
    )
    target = f"{'    ' * (ndim + 1)}y[{', '.join(indices)}]"
    kind = "int64" if dtype == "bool" else dtype
    text = (
        f"    y = np.zeros({tuple(shape)}, np.{kind})\n{loops}{target} = {value.format(*reads)}\n"
    )
    names = ", ".join(one.name for one in given)
    return Case(f"def program({names}):\n{text}    return y\n", given)


@dataclass
class Line:
    """A program of one assignment, whose indices are free."""

    case: Case  # its text is the value
    target: tuple[str, ...]
    reduced: tuple[str, ...]
    op: str
    order: str | None
    extents: dict[str, int]

    @property
    def text(self) -> str:
        """The program."""
        at = f"[{', '.join(self.target)}]" if self.target else ""
        sign = f"<<{self.op}>>=" if self.op in EXTREMES else f"{self.op}=".replace("==", "=")
        return f"y{at} {sign} {self.case.text}"


@st.composite
def lines(draw: Draw) -> Line:
    """One line; its value has one dtype, so that it does not depend on what is read first."""
    writer = Speaker(draw)
    n, m = writer.dims
    free = draw(st.permutations([("i", n), ("j", m), ("k", n)]))[: draw(st.integers(1, 3))]
    writer.ranges = {name: (0, length) for name, length in free}
    writer.reads = draw(st.integers(1, 4))
    text = writer.value(draw(st.integers(0, 2)))
    used = [name for name, _ in free if re.search(rf"\b{name}\b", text)]
    places = " ".join(re.findall(r"\[([^\[\]]*)\]", text))
    assume(used and all(re.search(rf"\b{name}\b", places) for name in used))
    target = tuple(used[: draw(st.integers(0, 2))])
    reduced = tuple(name for name in used if name not in target)
    ops = ["+", "+", *(["|"] if writer.kind in "b" else ["*"])]
    ops += [*EXTREMES] if writer.kind not in "cb" else []
    ops += ["="] * 3 if target and not reduced else []
    order = "".join(draw(st.permutations(used))) if used and writer.chance(3) else None
    extents = {name: length for name, length in free if name in used}
    case = Case(text, writer.operands)
    return Line(case, target, reduced, draw(st.sampled_from(ops)), order, extents)
