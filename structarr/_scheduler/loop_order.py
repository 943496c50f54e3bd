"""The order of the loops: concordant with the operands where possible, else with transposes.

All orders are tried and priced by structure alone, so that the format of a result depends on the
operation and the operands' formats, never on counts or values.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, driver
from structarr._compiler.ir.expr import Expr, Index
from structarr._compiler.ir.node import substitute
from structarr._scheduler.accesses import fill_of, mode_of, operands, source
from structarr._scheduler.indexing import Indexed
from structarr._scheduler.result_structure import Wanted, keeps_fill, result_structures
from structarr._scheduler.scans import scan_order
from structarr._scheduler.structure import Simplify, mode_structure
from structarr._scheduler.structure_algebra import DENSE
from structarr._support.records import record
from structarr.formats.kind import ModeStructure

FORBIDDEN = 1000.0
FILLS_UP, TRANSPOSE, MIRROR = 25.0, 10.0, 5.0
WORKSPACE, UNNATURAL, STRIDE = 3.0, 1.0, 0.2
MOST_OTHERS = 6  # the most further orders of the loops


@record
class Schedule:
    """An order of the loops, the structure of the result, and what both require."""

    order: tuple[Index, ...]
    modes: dict[Index, ModeStructure]
    transposed: tuple[Input, ...] = ()  # operands to be transposed to the loops' order
    workspace: bool = False  # whether the result's last mode is collected in a workspace

    @property
    def dense(self) -> bool:
        """Whether the result is a plain dense array."""
        return all(one is DENSE for one in self.modes.values())


def schedules(
    program: Indexed, simplify: Simplify, wanted: Wanted | None, transposed: bool = False
) -> list[Schedule]:
    """The cheapest order of the loops, then others that write the same result as it does.

    There are none where no order writes what is `wanted` in the order in which it is stored.

    Once operands were transposed for an order, that order stands: nothing is transposed again. The
    others read all operands as they are.
    """
    own = {i: mode_structure(program.value, i, simplify) for i in program.result + program.reduced}
    keeps = keeps_fill(program, simplify)
    aside = _scaling(program, simplify)
    found: list[tuple[float, Schedule]] = []
    for order in _orders(program, wanted):
        if wanted is not None and not _agrees(program, order, wanted):
            continue
        modes = result_structures(program, own, order, simplify, wanted)
        filled = wanted is not None and all(one is DENSE for one in wanted.modes)
        priced = _price(program, order, modes, keeps, filled, aside)
        if priced is not None and transposed and priced[1].transposed:
            priced = priced[0] + FORBIDDEN, priced[1]
        if priced is not None:
            found.append(priced)
    if not found:
        return []
    _, best = min(found, key=lambda priced: priced[0])
    others = [one for _, one in found if one is not best and _writes_alike(one, best)]
    others.sort(key=lambda one: _gaps(program, one))
    return [best, *(others[:MOST_OTHERS] if wanted is None else ())]


def finishing(plans: Sequence[Schedule]) -> list[Schedule]:
    """The schedules that finish one element after the other, if the best one does."""
    found = [one for one in plans if finishes(one)]
    return found if found[:1] == list(plans[:1]) else []


def finishes(plan: Schedule) -> bool:
    """Whether all loops over modes of a dense result are around the others."""
    outer = plan.order[: len(plan.modes)]
    return plan.dense and not plan.workspace and not plan.transposed and {*outer} == {*plan.modes}


def _writes_alike(one: Schedule, best: Schedule) -> bool:
    """Whether an order of the loops takes no transposes, and its result is that of another's."""
    if one.transposed or one.modes != best.modes:
        return False
    return best.dense or _modes(one) == _modes(best)


def _modes(plan: Schedule) -> list[Index]:
    """The result's modes in the order of the loops."""
    return [i for i in plan.order if i in plan.modes]


def _gaps(program: Indexed, plan: Schedule) -> int:
    """The number of dense loops around loops that a sparse operand leads."""
    place = {i: k for k, i in enumerate(plan.order)}
    return sum(place[i] for i in plan.order if _is_led(program, i))


def _is_led(program: Indexed, index: Index) -> bool:
    """Whether an operand is sparse along an index."""
    return any(
        source(access).format.levels[level].kind.is_sparse
        for access in operands(program.value)
        if (level := mode_of(access, index)) is not None
    )


def _agrees(program: Indexed, order: tuple[Index, ...], wanted: Wanted) -> bool:
    """Whether the modes of the result come in the order asked for; dense ones may come in any."""
    mine = tuple(i for i in order if i in program.result)
    asked = tuple(program.result[axis] for axis in wanted.order)
    return mine == asked or all(one is DENSE for one in wanted.modes)


def _orders(program: Indexed, wanted: Wanted | None) -> list[tuple[Index, ...]]:
    """Orders of the loops to try, each with every index once; some agree with what is asked for."""
    if program.order is not None:
        return [program.order]
    every = program.result + program.reduced
    if len(every) <= 5:
        return list(permutations(every))
    seen = [every, program.reduced + program.result]
    stored = [
        [one for one in map(driver, access.indices) if isinstance(one, Index)]
        for access in operands(program.value)
    ]
    seen += [tuple(dict.fromkeys((*mine, *every))) for mine in stored]
    together = _together(stored, every)
    seen += [] if together is None else [together]
    if wanted is not None:
        seen += [_as_asked(program, order, wanted) for order in seen]
    return list(dict.fromkeys(seen))


def _together(
    stored: Sequence[Sequence[Index]], every: Sequence[Index]
) -> tuple[Index, ...] | None:
    """The order of the loops in which all operands are stored; None where there is none."""
    left, found = list(every), []
    while left:
        free = (one for one in left if not any(_comes_after(one, mine, left) for mine in stored))
        chosen = next(free, None)
        if chosen is None:
            return None
        left.remove(chosen)
        found.append(chosen)
    return tuple(found)


def _comes_after(index: Index, mine: Sequence[Index], left: Sequence[Index]) -> bool:
    """Whether an operand is stored by another one of some indices before it is by this one."""
    return index in mine and any(one in left for one in mine[: mine.index(index)])


def _as_asked(program: Indexed, order: tuple[Index, ...], wanted: Wanted) -> tuple[Index, ...]:
    """An order of the loops in which the modes of the result have the order asked for."""
    asked = iter(wanted.order)
    return tuple(program.result[next(asked)] if i in program.result else i for i in order)


def _price(
    program: Indexed,
    order: tuple[Index, ...],
    modes: dict[Index, ModeStructure],
    keeps: bool,
    filled: bool,
    aside: frozenset[Access],
) -> tuple[float, Schedule] | None:
    if scan_order(program, order, modes) is None:
        return None
    place = {one: k for k, one in enumerate(order)}
    cost, transposed = 0.0, []
    for access in operands(program.value):
        price = _access_price(access, place)
        if price is None:
            return None
        if price in (TRANSPOSE, MIRROR):
            transposed.append(source(access))
        cost += price
    workspace = False
    first = min((place[r] for r in program.reduced), default=len(order))
    late = [i for i in order[first:] if i in modes]
    if any(modes[i].kind.scatter is None for i in late):
        if len(late) > 1 or not modes[late[0]].kind.elementwise or program.start is None:
            return None
        workspace, cost = True, cost + WORKSPACE
    cost += sum(modes[i].kind.scatter or 0.0 for i in late)
    # What is asked for dense is filled anyway, but need not be visited element by element; where
    # something is transposed, modes change.
    scatters = filled and any(i in modes for i in order[-1:])
    if not (transposed or scatters) and _fills_up(program, order, modes, aside):
        cost += FILLS_UP
    if not keeps and any(_is_led(program, i) for i in late):
        cost += FILLS_UP  # fills are added to one element after the other
    if not all(one is DENSE for one in modes.values()):
        natural = [place[i] for i in program.result]
        cost += UNNATURAL * sum(a > b for k, a in enumerate(natural) for b in natural[k:])
    return cost, Schedule(order, modes, tuple(transposed), workspace)


def _fills_up(
    program: Indexed,
    order: tuple[Index, ...],
    modes: dict[Index, ModeStructure],
    aside: frozenset[Access],
) -> bool:
    """Whether a matrix comes out dense though every operand is sparse: another order avoids it.

    In products of several matrices, what has none of the result's modes is left aside, such as
    weights of what is summed; and so are vectors that only scale what is sparse.
    """
    kept = [i for i in order if i in modes]
    if not program.reduced or len(kept) < 2 or modes[kept[-1]] is not DENSE:
        return False
    every = [one for one in operands(program.value) if one not in aside]
    matrices = [one for one in every if any(mode_of(one, i) is not None for i in kept)]
    return all(map(_is_sparse, matrices if len(matrices) > 1 else every))


def _is_sparse(access: Access) -> bool:
    return any(level.kind.is_sparse for level in source(access).format.levels)


def _scaling(program: Indexed, simplify: Simplify) -> frozenset[Access]:
    """The vectors of a sum of products that only scale its matrices, which are all sparse.

    Where any one of these stores nothing, the product is its fill, whatever a vector holds.
    """
    every = operands(program.value)
    vectors = frozenset([one for one in every if is_dense(source(one)) and _axes_of(one) < 2])
    others = [one for one in every if one not in vectors]
    if not vectors or len(others) < 2 or not all(map(_is_sparse, others)):
        return frozenset()
    without = [simplify(substitute(program.value, {one: fill_of(one)})) for one in others]
    return frozenset() if any([one.has(Access) for one in without]) else vectors


def _axes_of(access: Access) -> int:
    """The axes along which an operand is read at more than one place."""
    return sum([expr.has(Index) for expr in access.indices])


def _access_price(access: Access, place: dict[Index, int]) -> float | None:
    """The price of an access: 0 if it is concordant, None if no transpose makes it so."""
    drivers: list[int] = []
    for expr in in_order(access, place):
        inner = driver(expr)
        others = [n for n in expr.every(Index) if n is not inner]
        if isinstance(inner, Index):
            if any(place[one] > place[inner] for one in others):
                return None
            drivers.append(place[inner])
        elif others:  # a computed index is bound once its parts are
            drivers.append(max(place[one] for one in others))
    if is_dense(source(access)):
        last = max(place.values(), default=0)
        return STRIDE if drivers and last in drivers and drivers[-1] != last else 0.0
    if drivers == sorted(drivers):
        return 0.0
    compound = any(len(expr.every(Index)) > 1 for expr in access.indices)
    if compound:
        return None
    levels = source(access).format.levels
    return MIRROR if levels[-1].uniform and levels[-2].mirrored is not None else TRANSPOSE


def in_order(access: Access, place: dict[Index, int]) -> tuple[Expr, ...]:
    """The indices of an access, those of a symmetric pair of modes in the order of the loops."""
    indices = list(access.indices)
    for k, level in enumerate(source(access).format.levels):
        pair = indices[k - 1 : k + 1]
        if level.kind.is_symmetric and all(isinstance(one, Index) for one in pair):
            indices[k - 1 : k + 1] = sorted(pair, key=place.__getitem__)  # type: ignore[arg-type]
    return tuple(indices)


def is_dense(operand: Input) -> bool:
    """Whether an operand is a plain dense array, which any order of loops reads."""
    return bool(operand.format.is_dense)
