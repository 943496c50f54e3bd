"""Tables of the candidates of an expression: each with its price, and why it was refused."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from string import ascii_uppercase
from time import perf_counter
from typing import Final, NamedTuple

from structarr._execute.executor import Executor
from structarr._execute.planner import Planner
from structarr._execute.replay import Record
from structarr._execute.stand_ins import is_dense, stand_in
from structarr._execute.steps import Call, Step
from structarr._lazy.graph import Node
from structarr._scheduler import split_sums
from structarr._scheduler.assemble import Program
from structarr._scheduler.product_factors import array_of
from structarr._scheduler.product_order import Plan, Tree
from structarr._scheduler.reorder_products import Product

LONG: Final = 1.0  # seconds; what is expected to take as much is not measured
MOST: Final = 8  # the most orders of a product that are told
AXES: Final = "ijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Candidate:
    """
    A way to compute an expression, or the last kernel of the way that was picked.

    Attributes
    ----------
    program : str
        What it does.
    seconds : float
        The expected time.
    verdict : str
        "picked", or why it was refused.
    measured : float or None
        The time of a call whose kernels are compiled; None where that was not measured.
    """

    program: str
    seconds: float
    verdict: str
    measured: float | None = None


def table(candidates: Sequence[Candidate]) -> str:
    """The candidates as lines: the program, the expected and the measured time, the verdict."""
    rows = [("candidate", "expected", "measured", "")]
    rows += [
        (one.program, duration(one.seconds), duration(one.measured), one.verdict)
        for one in candidates
    ]
    width = max(len(program) for program, *_ in rows)
    return "\n".join(
        f"{program:{width}}  {expected:>8}  {measured:>8}  {verdict}".rstrip()
        for program, expected, measured, verdict in rows
    )


def duration(seconds: float | None) -> str:
    """A time with three digits and its unit."""
    if seconds is None:
        return "-"
    unit, scale = next(
        (one for one in (("s", 1.0), ("ms", 1e-3)) if seconds >= one[1]), ("us", 1e-6)
    )
    return f"{seconds / scale:.3g} {unit}"


def ways_of(node: Node, measure: bool) -> Iterator[Candidate]:
    """The orders of an expression's products, or its sums multiplied out and as they are."""
    node = Executor().planner.rewritten(node)
    parts = split_sums.split(node, is_dense)
    first = split_sums.first_of(node, parts, is_dense, stand_in)
    text = _Text()
    ways: list[_Way] = []
    if first is not None:
        ways.append(_Way(text.of_first(first), first.cost, lambda planner: planner.plan(node)))
    if parts is not None:
        out = parts.node if first is not None else node
        multiplied = partial(Planner.plan, node=out, split=first is None)
        ways.append(_Way(text.of_parts(parts), parts.cost, multiplied))
        written = partial(Planner.plan, node=node, split=False)
        ways.append(_Way("as it is written", parts.whole, written))
    elif first is None and (product := Product.of(node, mixed=True)) is not None:
        ways += [_ordered(text, product, plan) for plan in product.plans()[:MOST]]
    for program, nanoseconds, plan in ways:
        seconds = nanoseconds * 1e-9
        measured = _measured(node, plan) if measure and seconds < LONG else None
        verdict = _verdict(nanoseconds, ways[0].nanoseconds)
        yield Candidate(program, seconds, verdict, measured)


def programs_of(call: Call, cin: Callable[[Program], str]) -> Iterator[Candidate]:
    """The programs of a kernel with their times, that which was picked first."""
    choice, given = call.choice, call.given
    costs = [one.seconds for one in choice.costs(given)]
    own = choice.programs.index(call.pick.plan.compiled.program)
    for k in sorted(range(len(costs)), key=lambda k: (k != own, costs[k])):
        pick = choice.numbered(k)
        verdict = _verdict(costs[k], costs[own]) if pick else "outgrows the budget of lowering"
        run = pick and partial(choice, given, call.shape, pick)
        measured = _least(run) if run and costs[k] < LONG else None
        yield Candidate(cin(choice.programs[k]), costs[k], verdict, measured)


class _Way(NamedTuple):
    program: str
    nanoseconds: float
    plan: Callable[[Planner], Step]


def _ordered(text: _Text, product: Product, plan: Plan) -> _Way:
    written = product.node(plan.tree, product.result)
    return _Way(text.of(product, plan.tree), plan.cost, lambda planner: planner.written(written))


def _verdict(seconds: float, least: float) -> str:
    times = seconds / least if least else 1.0
    return "picked" if times == 1.0 else f"{times:.2g} times the expected time"


def _measured(node: Node, plan: Callable[[Planner], Step]) -> float | None:
    """The time of a way when its kernels are recorded; None where they are not."""
    record = Record(node.given)
    executor = Executor(record)
    replay = record.replay(executor.run(plan(executor.planner)))
    return None if replay is None else _least(partial(replay, node.given))


def _least(run: Callable[[], object]) -> float:
    """The least time of three calls, after one that compiles."""
    times = []
    for _ in range(4):
        begin = perf_counter()
        run()
        times.append(perf_counter() - begin)
    return min(times[1:])


class _Text:
    """Products as text: a letter for each array, and for each axis."""

    def __init__(self) -> None:
        self._arrays: dict[Hashable, str] = {}
        self._axes: dict[int, str] = {}

    def of(self, product: Product, tree: Tree | int) -> str:
        """The factors of a branch, with brackets around those that are multiplied first."""
        if not isinstance(tree, int):
            inner = [self.of(product, part) for part in tree]
            return " * ".join(
                text if isinstance(part, int) else f"({text})"
                for part, text in zip(tree, inner, strict=True)
            )
        array = array_of(product.nodes[tree])
        name = self._arrays.setdefault(array, _letter(ascii_uppercase, len(self._arrays)))
        places = [
            self._axes.setdefault(one, _letter(AXES, len(self._axes)))
            for one in product.labels[tree]
        ]
        return f"{name}[{', '.join(places)}]" if places else name

    def of_parts(self, parts: split_sums.Parts) -> str:
        """A sum of products."""
        terms = []
        for negative, product, plan, times in parts.products:
            factor = f"{times} * " if times != 1 else ""
            sign = "- " if negative else "+ "
            terms.append(f"{sign}{factor}{self.of(product, plan.tree)}")
        return " ".join(terms).removeprefix("+ ")

    def of_first(self, found: split_sums.Parts | split_sums.First) -> str:
        """Sums of products, each but the first with the value of the one before as an array."""
        self._axes.clear()  # the products of each have labels of their own
        if isinstance(found, split_sums.Parts):
            return self.of_parts(found)
        return f"{self.of_parts(found.within)}, then {self.of_first(found.beyond)}"


def _letter(letters: str, number: int) -> str:
    return letters[number] if number < len(letters) else f"{letters[0]}{number}"
