"""Extents of a stage's indices and lengths of its results, in one call.

The results are numbers, with two exceptions that change the kernel: which indices run over a whole
mode (`Lengths.links`), and which accesses are not proved to be in bounds. The kernel checks those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from structarr._language.read.messages import axes, error
from structarr._language.read.syntax import (
    Apply,
    Length,
    Modified,
    Name,
    Number,
    Place,
    Syntax,
    parts,
)
from structarr._language.resolve.accesses import Use
from structarr._language.resolve.stages import Stage
from structarr.errors import ProgramError

WHOLE, SAFE, CHECKED, PERMITTED = "whole", "safe", "checked", "permitted"
Range = tuple[int, int]  # the least value, and the largest


@dataclass
class Lengths:
    """The numbers of one call, by `measured`."""

    stage: Stage
    shapes: dict[str, tuple[int, ...]]  # of arrays that are known, then of results too
    number: Callable[[str], int | None]  # a whole number by name
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)  # half-open, by index
    whole: dict[str, bool] = field(default_factory=dict)  # from 0, and by no other index
    falling: list[str] = field(default_factory=list)  # indices that may end before they begin
    links: tuple[str, ...] = ()  # by use

    def interval(self, one: Syntax) -> Range | None:
        """The least and the largest value of an index expression; None where it is not known."""
        match one:
            case Number(value) if isinstance(value, int):
                return int(value), int(value)
            case Name(name) if name in self.ranges:
                lo, hi = self.ranges[name]
                return lo, hi - 1
            case Name(name):
                known = self.number(name)
                return None if known is None else (known, known)
            case Length():
                length = self.length(one)
                return length, length
            case Modified(_, arg):
                return self.interval(arg)
            case Apply(op, args) if op in _INTERVALS:
                found = [self.interval(arg) for arg in args]
                return None if None in found else _INTERVALS[op](*found)
        return None

    def length(self, one: Length) -> int:
        """The length of an axis of an array."""
        shape = self.shapes.get(one.array)
        if shape is None:
            raise _error(f"the shape of {one.array} is not known: make it first", one.at, self)
        if not -len(shape) <= one.axis < len(shape):
            raise _error(f"{one.array} has {axes(len(shape))}, no axis {one.axis}", one.at, self)
        return shape[one.axis]


def _error(message: str, at: Place, found: Lengths) -> ProgramError:
    """An error at a place of the stage."""
    return error(message, at, found.stage.program)


def _times(a: Range, b: Range) -> Range:
    """The product of two ranges."""
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


_INTERVALS: dict[str, Callable[..., Range]] = {
    "add": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "subtract": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "window": lambda a, b, k: (a[0] + k[0], a[1] + k[1]),
    "multiply": _times,
    "negative": lambda a: (-a[1], -a[0]),
    "positive": lambda a: a,
    "minimum": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "maximum": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
}


def measured(
    stage: Stage,
    uses: tuple[Use, ...],
    shapes: Mapping[str, tuple[int, ...]],
    number: Callable[[str], int | None],
    declared: Mapping[str, tuple[int, int]],
) -> Lengths:
    """Find the range of every index and the shape of every result.

    Raises
    ------
    ProgramError
        If the extent of an index is not known, or not the same everywhere, or if the length of a
        result's axis cannot be told.
    """
    found = Lengths(stage, dict(shapes), number)
    for use in uses:
        shape = found.shapes.get(use.array)
        if shape is None and use.array not in stage.inner and use.array not in stage.writes:
            text = f"{use.array} is not known here: it is no array among the arguments"
            raise _error(text, use.at, found)
        if shape is not None and use.axis >= len(shape):
            raise _error(f"too many indices: {use.array} has {axes(len(shape))}", use.at, found)
    for index in stage.indices:
        _measure_index(index, uses, found, declared)
    for name in stage.writes:
        if name not in found.shapes:
            found.shapes[name] = _shape_of(name, uses, found)
    found.links = tuple(_link(use, found) for use in uses)
    return found


def _measure_index(
    index: str, uses: tuple[Use, ...], found: Lengths, declared: Mapping[str, tuple[int, int]]
) -> None:
    """Find the range of an index, and whether it is all of a mode."""
    stage, loop = found.stage, found.stage.indices[index]
    if loop is not None:
        start = (0, 0) if loop.start is None else found.interval(loop.start)
        stop = found.interval(loop.stop)
        if start is None or stop is None:
            raise _error(
                "a loop's bounds are made of whole numbers, lengths and indices of loops around it",
                loop.stop.at,
                found,
            )
        found.ranges[index] = start[0], stop[1]
        bounds = [loop.stop] if loop.start is None else [loop.start, loop.stop]
        bent = any(isinstance(n, Name) and n.name in stage.around[index] for n in parts(bounds))
        found.whole[index] = not bent and start == (0, 0)
        if start[1] > stop[0]:
            found.falling.append(index)
    else:
        found.ranges[index] = declared.get(index) or _inferred(index, uses, found)
        found.whole[index] = found.ranges[index][0] == 0


def _inferred(index: str, uses: tuple[Use, ...], found: Lengths) -> tuple[int, int]:
    """The extent that the plain uses of an index have: all the same."""
    first: tuple[Use, int] | None = None
    for use in uses:
        shape = found.shapes.get(use.array)
        if use.plain != index or use.permitted or shape is None:
            continue
        length = shape[use.axis]
        if first is not None and first[1] != length:
            before, other = first
            raise _error(
                f"index {index} runs over axis {before.axis} of {before.array}, of length {other}, "
                f"and over axis {use.axis} of {use.array}, of length {length}: they must agree",
                use.at,
                found,
            )
        first = first or (use, length)
    if first is not None:
        return 0, first[1]
    window = _window(index, found)
    if window is not None:
        return window
    divided = [
        part
        for use in uses
        for part in use.index.parts()
        if isinstance(part, Apply) and part.op == "divide"
    ]
    if divided:
        raise _error(
            "an index must be a whole number: divide by `//`, which rounds down",
            divided[0].at,
            found,
        )
    named = (
        use.at for use in uses for p in use.index.parts() if isinstance(p, Name) and p.name == index
    )
    at = next(named, Place(1, 0, 1))
    raise _error(
        f"the extent of index {index} is not known, since no array is read or made at {index} "
        f"alone: give extents={{{index!r}: n}}, or write the loop `for {index} in range(n)`",
        at,
        found,
    )


def _window(index: str, found: Lengths) -> tuple[int, int] | None:
    """The extent that `window(a, b, index)` declares."""
    for part in parts(found.stage.body):
        match part:
            case Apply("window", (start, stop, Name(name))) if name == index:
                begin, end = found.interval(start), found.interval(stop)
                if begin is not None and end is not None and begin[0] == begin[1]:
                    return 0, max(end[1] - begin[0], 0)
    return None


def _shape_of(name: str, uses: tuple[Use, ...], found: Lengths) -> tuple[int, ...]:
    """The shape of a result, by the indices that alone stand for its axes."""
    mine = [use for use in uses if use.array == name]
    shape: list[int] = []
    for axis in range(1 + max((use.axis for use in mine), default=-1)):
        own = [use for use in mine if use.axis == axis]
        known = {found.ranges[use.plain][1] for use in own if use.plain is not None}
        if len(known) != 1 or any(
            use.plain is not None and found.ranges[use.plain][0] for use in own
        ):
            raise _error(
                f"the length of axis {axis} of {name} is not known: make it first, as in "
                f"`{name} = np.zeros(n)`, or give out=",
                own[0].at,
                found,
            )
        shape.append(known.pop())
    return tuple(shape)


def _link(use: Use, found: Lengths) -> str:
    """The relation of an access's index to its mode, which says whether it has to be checked."""
    if use.permitted:
        return PERMITTED
    shape = found.shapes.get(use.array)
    if shape is None:  # a temporary, made within a loop
        return CHECKED
    length = shape[use.axis]
    if use.plain is not None and found.whole[use.plain] and found.ranges[use.plain][1] == length:
        return WHOLE
    bounds = found.interval(use.index)
    if bounds is None:
        return CHECKED
    least, most = bounds
    literal = all(isinstance(part, Apply | Number) for part in use.index.parts())
    if literal and -length <= least < 0:
        return SAFE  # a negative constant counts from the end
    return SAFE if least > most or (least >= 0 and most < length) else CHECKED
