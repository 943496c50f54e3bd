"""A whole call of a kernel with one result, as one function of straight lines.

For small operands allocating, gathering and trimming take longer than the kernel; functions for
each would take as long again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, NamedTuple

from structarr._compiler.backend.python.host import straight
from structarr._compiler.options import current
from structarr._execute import workspace_pool
from structarr._execute.allocation import cut
from structarr._execute.arguments import arguments_of, number_of
from structarr._execute.place import MOST, Place
from structarr._scheduler.compiled import Compiled
from structarr._scheduler.operands import Operands
from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor, counts_by_axis

WholeCall = Callable[[Operands, tuple[int, ...], Callable[..., Any]], Tensor | None]
"""From the operands, the result's shape and the compiled kernel to the result.

None if it may outgrow its positions.
"""


class Fixed(NamedTuple):
    """
    A whole call on operands of lengths that are known, as text.

    Attributes
    ----------
    tensors, scalars, sizes : list of str
        The names of what it takes, which stand for the operands G and their tensors T but where
        more of these is asked for than parts.
    lines : list of str
        Its lines, in which lengths are numbers.
    stored : str
        The buffers of the result.
    names : dict
        What the text refers to.
    """

    tensors: list[str]
    scalars: list[str]
    sizes: list[str]
    lines: list[str]
    stored: str
    names: dict[str, Any]

    @property
    def params(self) -> list[str]:
        """The names of what it takes, in order."""
        return [*self.tensors, *self.scalars, *self.sizes]

    @property
    def fill(self) -> str:
        """The code of the result's fill."""
        return _fill(self.names)


def whole_call(
    compiled: Compiled, place: Place, temps: list[tuple[Callable[..., int], Callable[..., Any]]]
) -> WholeCall:
    """The function that calls a kernel; none of the result's buffers may be prepared."""
    lines, stored, names = _written(compiled, place, temps, place.fill)
    lines = ["T = G.tensors", *lines, *made_of("made", stored, _fill(names))]
    return straight("G, S, kernel", lines, "made", names)


def made_of(name: str, stored: str, fill: str) -> list[str]:
    """The lines that make a result of its buffers and fill, as `Tensor` does without a call."""
    parts = {"format": "format", "shape": "S", "dtype": "dtype", "fill": fill, "buffers": stored}
    lines = [f"{name}.{part} = {code}" for part, code in parts.items()]
    return [f"{name} = new(Tensor)", *lines, f"{name}.memo = {{OWN: True}}"]


def fixed_text(
    compiled: Compiled,
    place: Place,
    temps: list[tuple[Callable[..., int], Callable[..., Any]]],
    given: Operands,
    shape: tuple[int, ...],
    fill: Any,
    kernel: Any,
) -> Fixed:
    """The text of a call of a kernel on operands of the lengths of some.

    Parameters
    ----------
    compiled, place, temps
        As `whole_call` takes them.
    given : Operands
        Of the same lengths.
    shape : tuple of int
        Of the result.
    fill : scalar or None
        Of the result; None where it depends on what is given.
    kernel : Kernel
        The kernel.
    """
    lines, stored, names = _written(compiled, place, temps, place.fill if fill is None else fill)
    lists = {
        "T": [f"t{k}" for k in range(len(given.tensors))],
        "G.scalars": [f"c{k}" for k in range(len(given.scalars))],
        "G.sizes": [f"z{k}" for k in range(len(given.sizes))],
    }
    numbers = {"G.extents": given.extents, "S": shape, "G.tensors": lists["T"]}
    told = {
        f"{name}[{k}]": str(one)
        for name, parts in {**lists, **numbers}.items()
        for k, one in enumerate(parts)
    }
    for k, tensor in enumerate(given.tensors):
        told |= {f"T[{k}].shape[{axis}]": str(one) for axis, one in enumerate(tensor.shape)}
    lines = [_PART.sub(lambda found: told[found[0]], line) for line in lines]
    lines, stored = _folded(lines, _PART.sub(lambda found: told[found[0]], stored))
    names |= {"Operands": Operands, "extents": given.extents, "nothing": {}, "S": shape}
    names["compiling"] = kernel
    return Fixed(lists["T"], lists["G.scalars"], lists["G.sizes"], lines, stored, names)


def fixed_call(
    fixed: Fixed,
    views: Sequence[Callable[[Tensor], Tensor] | None],
    otherwise: Callable[[Operands, tuple[int, ...]], Tensor | None],
) -> Callable[..., Tensor | None]:
    """The function of a call on operands of lengths that are known.

    Parameters
    ----------
    fixed : Fixed
        Its text.
    views : sequence of callable or None
        What makes operands that are views, of which the call is given the tensors whose buffers
        they have: most calls read these alone.
    otherwise : callable
        Makes the call where the kernel is not compiled.

    Returns
    -------
    callable
        From the tensors, the scalars and the sizes to the result.
    """
    tensors, names = [*fixed.tensors], {**fixed.names, "otherwise": otherwise}
    for k, view in enumerate(views):
        if view is not None:
            names[f"view{k}"], tensors[k] = view, f"view{k}(t{k})"
    parts = ", ".join([f"[{', '.join(one)}]" for one in (tensors, fixed.scalars, fixed.sizes)])
    operands = f"Operands({parts}, extents, nothing)"
    lines = [*fixed.lines, *made_of("made", fixed.stored, fixed.fill)]
    lines = [line.replace("guard(G, S)", f"guard({operands}, S)") for line in lines]
    text = "\n".join(lines)
    for k, view in enumerate(views):
        if view is not None and _beyond_buffers(k, text):
            lines = [line.replace(f"view{k}(t{k})", f"t{k}") for line in lines]
            lines = [f"t{k} = view{k}(t{k})", *lines]
    if _WHOLE.search(text):
        lines = [f"G = {operands}", "T = G.tensors", *lines]
    lines = [
        "kernel, options = compiling.compiled, current()",
        f"if kernel is None or not options.compiles: return otherwise({operands}, S)",
        *[line.replace("current()", "options") for line in lines],
    ]
    return straight(", ".join(fixed.params), lines, "made", names)


def is_apart(fixed: Fixed, views: Sequence[object]) -> bool:
    """Whether a call asks for its operands one by one, and for no more than buffers of views."""
    text = "\n".join([*[line for line in fixed.lines if not GUARDED.fullmatch(line)], fixed.stored])
    asked = [k for k, view in enumerate(views) if view is not None and _beyond_buffers(k, text)]
    return not (asked or _WHOLE.search(text))


def _fill(names: dict[str, Any]) -> str:
    """The code of the fill of a result, by what its call refers to."""
    return "fill" if names["known"] is None else "known"


def _beyond_buffers(number: int, text: str) -> bool:
    """Whether a text asks more of an operand than buffers and fill, or what is made of it."""
    asked = re.sub(rf"view{number}\(t{number}\)", "", text)
    return re.search(rf"\bt{number}\b(?!\.(?:buffers|fill)\b)", asked) is not None


def _folded(lines: list[str], made: str) -> tuple[list[str], str]:
    """Lines and a result with lengths that are known as numbers in them, and what follows."""
    known: dict[str, str] = {}
    found: list[str] = []

    def told(code: str) -> str:
        return _LENGTH.sub(lambda name: known.get(name[0], name[0]), code)

    for line in lines:
        targets, equals, code = line.partition(" = ")
        if not equals or not _TARGETS.fullmatch(targets):
            found.append(told(line))
            continue
        code = _ROOM.sub(_chosen, told(code))
        for name in targets.split(", "):
            known.pop(name, None)
        if _SUM.fullmatch(code) and _LENGTH.fullmatch(targets):
            terms = [prod(map(int, one.split(" * "))) for one in code.split(" + ")]
            known[targets] = str(sum(terms))
        else:
            found.append(f"{targets} = {code}")
    return found, told(made)


def _chosen(found: re.Match[str]) -> str:
    """How room of a length is made, of the two ways that depend on the length."""
    made, size, dtype, few, pooled = found.groups()
    return f"{made if int(size) < int(few) else pooled}({size}, {dtype})"


_LENGTH = re.compile(r"\b(?:f\d+|n\d+_\d+)\b")
_TARGETS = re.compile(r"\w+(?:, \w+)*")
_SUM = re.compile(r"\d+(?: [+*] \d+)*")
_ROOM = re.compile(r"\((\w+)\((\d+), (\w+)\) if \2 < (\d+) else (\w+)\(\2, \3\)\)")
_PART = re.compile(r"\bT\[\d+\]\.shape\[\d+\]|\b(?:[TS]|G\.\w+)\[\d+\]")
_WHOLE = re.compile(r"\b[GT]\b")
GUARDED: Final = re.compile(r"if \((.*)\) and not guard\(G, S\)\((.*)\): return None")


def _tuple(parts: Sequence[str]) -> str:
    """The code of a tuple."""
    return f"({', '.join(parts)},)" if parts else "()"


def _written(
    compiled: Compiled,
    place: Place,
    temps: list[tuple[Callable[..., int], Callable[..., Any]]],
    fill: Any,
) -> tuple[list[str], str, dict[str, Any]]:
    """The lines of a whole call, the buffers of its result and what they refer to.

    They read the operands G, their tensors T, the result's shape S, the kernel, and what the fill
    depends on where it is None.
    """
    code = place.allocation
    count = 1 + max([source.number for source in compiled.parts.inputs], default=-1)
    lines = [f"B{k} = T[{k}].buffers" for k in range(count)]
    names: dict[str, Any] = {
        **code.names,
        "counts_by_axis": counts_by_axis,
        "current": current,
        "guard": place.guard,
        "fill_by": place.fill_by,
        "fills": place.fills,
        "known": fill,
        "started": place.start,
        "cut": cut,
        "new": Tensor.__new__,
        "Tensor": Tensor,
        "format": place.format,
        "OWN": OWN,
    }
    beyond = f"{code.elements} * {place.width} > current().densify_limit"
    if place.appends:
        counts = [f"T[{k}].memo.get('by axis') or counts_by_axis(T[{k}])" for k in range(count)]
        lines.append(f"K = [{', '.join(counts)}]")
        beyond += f" or {code.elements} > {MOST[place.format.index]}"
    lines += code.bounds
    lines.append(f"if ({beyond}) and not guard(G, S)({code.elements}): return None")
    if fill is None:
        values = [number_of(one, compiled.parts.lengths) for one in place.unknown]
        told = " and ".join([f"{one} is last[{k + 1}]" for k, one in enumerate(values)])
        key = "".join([f"{one}.tobytes(), " for one in values])
        lines += [
            "last = latest[0]",
            f"fill = last[0] if {told} else fills.get(({key}))",
            f"if fill is None: fill = fill_by({', '.join(values)})",
            f"latest[0] = fill, {', '.join(values)}",
        ]
        names["latest"] = [(None,) * (1 + len(values))]
    room = _tuple([part.made.format(n=part.length) for part in code.parts])
    if re.search(r"\bstart\b", room):
        lines.append(f"start = {_fill(names) if place.start is None else 'started'}")
    lines.append(f"O = {room}")
    for k, (length, wanted) in enumerate(temps):
        names |= {f"length{k}": length, f"wanted{k}": wanted}
    if temps:
        names |= {"take": workspace_pool.take, "give": workspace_pool.give}
        asked = [f"wanted{k}(length{k}(T, G), len(O[-1]))" for k in range(len(temps))]
        lines.append(f"X = [{', '.join([f'take({one})' for one in asked])}]")
    lines.append(f"W = kernel({arguments_of(compiled, 'B{}', 'O')})")
    if temps:
        lines.append("for space in X: give(space)")
    stored = "O"
    if place.appends:
        lines += code.trims
        parts = [(f"O[{k}]", size) for k, size in enumerate(code.used)]
        fits = "{0} if len({0}) == {1} else cut({0}, {1})"  # most do, without a call
        stored = _tuple([fits.format(*one) for one in parts])
    return lines, stored, names
