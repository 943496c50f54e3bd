"""The order of the loops: concordant with the operands where possible, else with transposes.

All orders are tried and priced by structure alone, so that the format of a result depends on the
operation and the operands' formats, never on counts or values.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, driver
from structarr._compiler.ir.expr import Index
from structarr._compiler.passes.index import Indexed, operands, source
from structarr._compiler.passes.words import SPARSE, Simplify, static_fill, word
from structarr._compiler.rules.algebra import same_constant

FORBIDDEN = 1000.0
DENSE, TRANSPOSE, WORKSPACE, UNNATURAL, SCATTER, STRIDE = 25.0, 10.0, 3.0, 1.0, 0.5, 0.2
APPENDED = ("list", "band", "runs")


@dataclass(frozen=True)
class Schedule:
    """Loops from the outermost, the words of the result's modes, and what it takes."""

    order: tuple[Index, ...]
    words: dict[Index, str]
    transposed: tuple[Input, ...] = ()  # operands to be stored in the loops' order first
    workspace: bool = False  # the last mode of the result is collected in a row first

    @property
    def dense(self) -> bool:
        """Whether the result is a plain dense array."""
        return all(one == "dense" for one in self.words.values())


@dataclass(frozen=True)
class Wanted:
    """What the user asks of a result: the words of its modes in storage order, and that order."""

    order: tuple[int, ...]
    words: tuple[str, ...]


def schedule(
    program: Indexed, simplify: Simplify, wanted: Wanted | None, transposed: bool = False
) -> Schedule:
    """The cheapest order of the loops.

    Once operands were transposed for an order, that order stands: nothing is transposed again.
    """
    plain = {i: word(program.value, i, simplify) for i in program.result + program.reduced}
    best: tuple[float, Schedule] | None = None
    for order in _orders(program):
        if wanted is not None and not _agrees(program, order, wanted):
            continue
        words = _words(program, plain, order, simplify, wanted)
        priced = _price(program, order, words)
        if priced is not None and transposed and priced[1].transposed:
            priced = priced[0] + FORBIDDEN, priced[1]
        if priced is not None and (best is None or priced[0] < best[0]):
            best = priced
    if best is None:
        raise NotImplementedError("no order of the loops can compute this expression")
    return best[1]


def _agrees(program: Indexed, order: tuple[Index, ...], wanted: Wanted) -> bool:
    """Whether the modes of the result come in the order asked for; dense ones may come in any."""
    mine = tuple(i for i in order if i in program.result)
    asked = tuple(program.result[axis] for axis in wanted.order)
    return mine == asked or all(one == "dense" for one in wanted.words)


def _orders(program: Indexed) -> list[tuple[Index, ...]]:
    every = program.result + program.reduced
    if len(every) <= 5:
        return list(permutations(every))
    seen: dict[tuple[Index, ...], None] = {every: None, program.reduced + program.result: None}
    for access in operands(program.value):
        mine = [one for one in map(driver, access.indices) if isinstance(one, Index)]
        seen[(*mine, *(one for one in every if one not in mine))] = None
    return list(seen)


def _words(
    program: Indexed,
    plain: dict[Index, str],
    order: tuple[Index, ...],
    simplify: Simplify,
    wanted: Wanted | None,
) -> dict[Index, str]:
    if wanted is not None:
        return {program.result[axis]: w for axis, w in zip(wanted.order, wanted.words, strict=True)}
    words: dict[Index, str] = {}
    keeps = keeps_fill(program, simplify)
    for i in program.result:
        own = plain[i]
        outer = [plain[r] for r in program.reduced if order.index(r) < order.index(i)]
        if outer:
            own = _united(own, outer, len(program.result))
        if own in ("scalar", "const"):
            own = "dense" if program.reduced else "runs"
        if program.reduced and (own == "runs" or (own != "dense" and not keeps)):
            own = "dense"
        words[i] = own
    return words


def keeps_fill(program: Indexed, simplify: Simplify) -> bool:
    """Whether reducing what is not stored gives the start value again."""
    fill = static_fill(program.value, simplify)
    if program.op is None or program.start is None:
        return True
    return same_constant(fill, program.start) or program.prune


def _united(own: str, outer: list[str], ndim: int) -> str:
    """The word of many fibers reduced into one: a row of a matrix stays a list."""
    if own in ("dense", "bitmap", "runs", "const", "scalar"):
        return "bitmap" if own == "bitmap" else "dense"
    narrow = ndim == 1 and any(one not in ("list", "band") for one in outer)
    return "dense" if narrow else "list"


def _price(
    program: Indexed, order: tuple[Index, ...], words: dict[Index, str]
) -> tuple[float, Schedule] | None:
    place = {one: k for k, one in enumerate(order)}
    cost, transposed = 0.0, []
    for access in operands(program.value):
        price = _access_price(access, place)
        if price is None:
            return None
        if price == TRANSPOSE:
            transposed.append(source(access))
        cost += price
    workspace = False
    first = min((place[r] for r in program.reduced), default=len(order))
    late = [i for i in order[first:] if i in words]
    appended = [i for i in late if words[i] in APPENDED]
    if appended:
        if len(late) > 1 or words[late[0]] != "list" or program.start is None:
            return None
        workspace, cost = True, cost + WORKSPACE
    cost += SCATTER * (len(late) - len(appended))
    if not transposed and _fills_up(program, order, words):  # else its words are still to change
        cost += DENSE
    if not all(one == "dense" for one in words.values()):
        natural = [place[i] for i in program.result]
        cost += UNNATURAL * sum(a > b for k, a in enumerate(natural) for b in natural[k:])
    return cost, Schedule(order, words, tuple(transposed), workspace)


def _fills_up(program: Indexed, order: tuple[Index, ...], words: dict[Index, str]) -> bool:
    """Whether a matrix comes out dense though every operand has zeros: another order keeps them."""
    kept = [i for i in order if i in words]
    if not program.reduced or len(kept) < 2 or words[kept[-1]] != "dense":
        return False
    return all(
        any(level.word in SPARSE for level in source(access).format.levels)
        for access in operands(program.value)
    )


def _access_price(access: Access, place: dict[Index, int]) -> float | None:
    """0 if concordant; None if no transpose makes it so."""
    drivers: list[int] = []
    for expr in access.indices:
        inner = driver(expr)
        others = [n for n in expr.nodes() if isinstance(n, Index) and n is not inner]
        if isinstance(inner, Index):
            if any(place[one] > place[inner] for one in others):
                return None
            drivers.append(place[inner])
    if is_dense(source(access)):
        last = max(place.values(), default=0)
        return STRIDE if drivers and last in drivers and drivers[-1] != last else 0.0
    if drivers == sorted(drivers):
        return 0.0
    bent = any(sum(isinstance(n, Index) for n in expr.nodes()) > 1 for expr in access.indices)
    return None if bent else TRANSPOSE


def is_dense(operand: Input) -> bool:
    """Whether an operand is a plain dense array, which any order of loops reads."""
    return bool(operand.format.is_dense)
