"""Keys of expressions; expressions of equal keys are computed by the same calls of kernels.

The calls of an expression depend on its structure, on which of its operands are the same, on what
the compiler knows of its scalars, and on the options, but on no value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from structarr._compiler.backend.python.host import straight
from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.ops import CONSTANTS, Op
from structarr._compiler.options import current
from structarr._execute.lengths import pattern_of
from structarr._lazy import structure
from structarr._lazy.node import Given, Node, Shape, dtype_name, nodes_of
from structarr._lazy.rewrite.on_stored_values import places_of
from structarr._lazy.slice_length import SliceLength
from structarr._scheduler.inputs import known_of, operators_of, told_by, with_rules
from structarr._scheduler.push_masks import annihilates, may_mask
from structarr._storage.tensor import Tensor
from structarr._support.caches import room, table
from structarr.formats import Format

Distinction: TypeAlias = Callable[[Node, Given], Hashable]
"""From an expression and what it is given to what tells it from others of its structure."""

_distinctions: dict[int, tuple[Distinction, ...]] = table()
_general: dict[Hashable, tuple[Distinction, ...]] = table()


def key_of(node: Node) -> Hashable:
    """The key of an expression; None if expressions like it seldom come again."""
    number = node.number
    if not number:
        return None
    found = _distinctions.get(number)
    if found is None:
        found = room(_distinctions, light=True)[number] = _distinguished_at_all(node)
    if not found:
        return number, current().planned
    given = node.given
    if len(found) == 1:
        return number, current().planned, found[0](node, given)
    return number, current().planned, *[one(node, given) for one in found]


def is_told(number: int) -> bool:
    """Whether the key of expressions of a structure, one of which was asked for, is that alone."""
    return number != structure.NONE and not _distinctions.get(number, True)


def _distinguished_at_all(node: Node) -> tuple[Distinction, ...]:
    """The distinctions between expressions of a structure, which other lengths share."""
    general = structure.general_of(node.number)
    if general == structure.NONE:
        return tuple(_distinguished(node))
    key = general, pattern_of(node.given)
    found = _general.get(key)
    if found is None:
        found = room(_general)[key] = tuple(_distinguished(node))
    return found


def _distinguished(node: Node) -> Iterator[Distinction]:
    """The distinctions between expressions of the structure of one."""
    scalars, sizes = [], []
    alike: dict[tuple[Format, Shape], list[int]] = {}
    for place, one in enumerate(node.given):
        if isinstance(one, int):
            sizes.append(place)
        elif isinstance(one, Tensor):
            alike.setdefault((one.format, one.shape), []).append(place)
        elif type(one) is not SliceLength:
            scalars.append(place)
    for (fmt, _), places in alike.items():
        if len(places) > 1:
            yield _same_tensors(tuple(places), fmt.is_dense)
    if sizes:
        yield _equal_sizes(tuple(sizes))
    if scalars:
        masks = bool(node.sums) and any(map(may_mask, maps_of(node)))
        yield _scalars(tuple(scalars), operators_of(node), masks)


def _same_tensors(places: tuple[int, ...], dense: bool) -> Distinction:
    """The distinction by tensors that are the same, or have the same coordinates."""

    def distinct(node: Node, given: Given) -> Hashable:
        tensors = [given[place] for place in places]
        return pattern(tensors), dense or pattern([places_of(one) for one in tensors])

    if len(places) > 2:
        return distinct
    first, second = places
    if dense:
        return lambda node, given: given[first] is given[second]

    def of_two(node: Node, given: Given) -> Hashable:
        one, other = given[first], given[second]
        return one is other or (None if places_of(one) == places_of(other) else False)

    return of_two


def _equal_sizes(places: tuple[int, ...]) -> Distinction:
    """The distinction by starts of slices that are equal."""
    return lambda node, given: pattern([given[place] for place in places])


def _scalars(places: tuple[int, ...], ops: Iterable[Op], masks: bool) -> Distinction:
    """The distinction by facts of scalars: special values, equal ones, fills that annihilate."""
    told = told_by(ops)
    known: dict[Hashable, Hashable] = {}

    def anew(node: Node, given: Given, values: Hashable) -> Hashable:
        maps = maps_of(node) if masks else ()
        annihilating = [annihilates(one, k) for one in maps for k in range(len(one.args))]
        scalars = known_scalars([given[place] for place in places], with_rules(told))
        # A number, as keys are looked up at each call and facts take long to hash.
        found = room(known, 1024)[values] = structure.number_of(scalars, *annihilating)
        return found

    each = [f"c{place}" for place in places]
    given = "".join([f"given[{place}], " for place in places])
    # Those of a loop are the same objects in each turn, as operations keep what they convert.
    same = " and ".join([f"{one} is last[{k}]" for k, one in enumerate(each, 2)])
    lines = [
        f"planned, {', '.join(each)} = current().planned, {given}",
        "last = latest[0]",
        f"if planned is last[0] and {same}: return last[1]",
        f"values = planned, {''.join([f'{one}.tobytes(), ' for one in each])}",
        "found = known.get(values)",
        "if found is None: found = anew(node, given, values)",
        f"latest[0] = planned, found, {', '.join(each)}",
    ]
    latest = [(None,) * (2 + len(places))]
    names = {"current": current, "known": known, "anew": anew, "latest": latest}
    return straight("node, given", lines, "found", names)


def known_scalars(scalars: Sequence[Any], told: frozenset[Any], others: Any = ()) -> Hashable:
    """The facts that the compiler knows of scalars: special values among some, and equal ones.

    Those of which it knows nothing are equal as Python's numbers: no zeros or NaN are among them,
    but as parts of complex numbers. They may equal others, which are Python's numbers.
    """
    known: list[Lit | None] = []
    compared: list[Any] = []
    for one in scalars:
        value = one.item()
        if type(value) is float and value == value and value not in CONSTANTS and value not in told:
            known.append(None)  # of what most are it is known at once, as calls under `jit` ask
        else:
            known.append(known_of(value, dtype_name(one.dtype), False, told))
        compared.append(repr(value) if type(value) is complex else value)
    compared += [repr(one) if type(one) is complex else one for one in others] if others else []
    return *known, pattern(compared)


def unknown_beside(
    scalars: Sequence[Any], told: frozenset[Any], others: Sequence[Any]
) -> frozenset[Any] | None:
    """The values that scalars must not have for as much to be known of them as of some: nothing.

    They are floats, not NaN, and all different. None where something is known of one of these.
    """
    avoided = frozenset([*CONSTANTS, *told, *others])
    values = [one.item() for one in scalars]
    unknown = all([type(one) is float and one == one and one not in avoided for one in values])
    return avoided if unknown and len({*values}) == len(values) else None


def maps_of(node: Node) -> Iterator[Node]:
    """The elementwise operations of an expression."""
    return (one for one in nodes_of(node) if one.kind == "map")


def pattern(values: list[Any]) -> tuple[int, ...] | None:
    """The place of the first equal value of each; None where all differ."""
    if len(set(values)) == len(values):
        return None
    first: dict[Any, int] = {}
    return tuple([first.setdefault(value, place) for place, value in enumerate(values)])
