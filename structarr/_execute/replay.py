"""Replay: the kernels of an expression computed before are called for another of the same key.

Planning an expression takes longer than a small kernel runs. A replay is a function of straight
lines, one a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import inf
from typing import Any

from structarr._compiler.backend.python.host import straight
from structarr._execute.joined_calls import Calls, Direct, Line, Text
from structarr._execute.lengths import Lengths
from structarr._execute.plan import Plan
from structarr._execute.replay_step import Step, View, known, listed, note_plain
from structarr._execute.replay_table import Replay
from structarr._execute.replayed import are_unknown, is_alone, is_known, picked, whole
from structarr._execute.steps import Call
from structarr._lazy.composed_start import ComposedStart
from structarr._lazy.leaves import constant_of
from structarr._lazy.node import Given
from structarr._scheduler.inputs import operators_of, told_of
from structarr._scheduler.operands import Operands
from structarr._scheduler.thin_terms import StoredTerm, is_thin
from structarr._scheduler.unlike_terms import Scaled, Unlike
from structarr._storage.dense import finite
from structarr._storage.memo import DERIVED, Derive, origin_of
from structarr._storage.tensor import Tensor
from structarr._storage.views import SAME_BUFFERS


def _view(derive: Derive, detail: Any, base: Tensor) -> Tensor:
    return derive(base, detail)


def _view_of_view(outer: View, inner: View, base: Tensor) -> Tensor:
    return outer(inner(base))


class Record:
    """The steps that the executor ran for expressions, by the numbers of what they read.

    Parameters
    ----------
    given : tuple
        What the expressions are given at each replay.
    fixed : bool
        Whether lengths and places are the same at each replay.
    more : bool
        Whether numbers are given after these.
    """

    def __init__(self, given: Given, fixed: bool = False, more: bool = False) -> None:
        self._fixed = fixed
        self._more = more
        self._lengths = Lengths(given)
        places = [*enumerate(given)]
        self._numbers = {one: k for k, one in places if isinstance(one, Tensor)}
        self._roots = {*self._numbers}  # the tensors that no step gave
        self._settled = {*self._numbers}  # those whose counts the key fixes
        self._given = given
        self._scalars = {id(one): k for k, one in places}
        self._sizes = {one: k for k, one in places if isinstance(one, int)}
        self._views: dict[Tensor, tuple[Tensor, View]] = {}  # of tensors with the same buffers
        self._steady = {*self._numbers}  # tensors whose fills are always the same
        self._lasting: set[int] = set()  # the identities of scalars that are always the same
        self._calls = Calls()
        self._asked: list[tuple[int, tuple[int, ...], float]] = []  # what is to be thin
        self._steps: list[Step] = []
        self.kernels: dict[str, Call] = {}  # the calls, by the names of their results
        for one in self._roots:
            if one.is_constant:  # whose value the key fixes
                self.scalar(constant_of(one).data)

    def call(self, step: Call, result: Tensor) -> None:
        """Note a call, unless it reads what no step gave."""
        given = step.given
        needs, found = self._places(given.tensors), self._scalars_of(step)
        sizes = [self._size(size) for size in given.sizes]
        if needs is None or found is None or None in sizes or given.prepared:
            return
        told = told_of(operators_of(step.node))
        scalars, named, numbers = found
        if any(is_known(step.constants[k].data, told) for k in numbers):
            return
        alone = tuple(numbers.values())
        number = len(self._steps)
        self.kernels[f"k{len(self._given) + number}"] = step
        extents, shape = f"extents{number}", f"shape{number}"
        names = {**named, "Operands": Operands, extents: given.extents, shape: step.shape}
        if step.counted and needs:  # lengths are numbers of stored values, which no key fixes
            extents = f"k{needs[0]}.shape"
            shape = extents if step.shape else shape
        lists = f"[{listed(scalars)}], [{listed(sizes)}]"
        counts = step.counted and bool(needs)
        told_sizes = (extents, shape) if counts else None
        general = self._general_call(f"[{known(needs)}], {lists}", step, number, told_sizes)
        names |= {f"choice{number}": step.choice, f"pick{number}": step.pick, "anew": picked}
        call, plain = f"call{number}", step.choice.is_plain(step.pick, given)
        is_direct = not step.counted and (plain or step.choice.is_whole(step.pick, given))
        sources: list[tuple[int, View | None]] = [(k, None) for k in needs]
        if is_direct:
            sources = [self._source(one) for one in given.tensors]
        read, views = tuple([k for k, _ in sources]), [view for _, view in sources]
        codes = [f"k{k}" for k in read]
        for k, view in enumerate(views):
            if view is not None:
                codes[k], names[f"view{number}_{k}"] = f"view{number}_{k}({codes[k]})", view
        operands = f"Operands([{', '.join(codes)}], {lists}, {extents}, {{}})"
        counted = self._as_counted(zip(codes, given.tensors, strict=True))
        direct = None
        if is_direct:
            place, taken = len(self._calls), (*[f"k{k}" for k in read], *scalars, *map(str, sizes))
            code = f"calls[{place}]({listed(taken)})"
            names["calls"] = self._calls
            if plain and not (counted or alone):
                direct = Direct(place, taken)
            if not plain:
                code = f"({code} if alone() else {call}({operands}, {shape}, pick{number}))"
                names |= {"alone": is_alone, call: step.choice}
            steady = self._is_steady(given, step.pick.plan)
            self._steady |= {result} if steady else set()
            fill = result.fill if steady else None
            joins = direct is not None
            note_plain(joins, self._calls, step.pick.plan, given, step.shape, fill, views)
        elif plain:
            code = f"{call}({operands}, {shape})"
            names[call] = step.pick.plan
        else:
            code = f"{call}({operands}, {shape}, pick{number})"
            names[call] = step.choice
        if counted:
            code = f"({code} if {counted} else anew(choice{number}, {operands}, {shape}))"
        if alone:
            code = f"{code} if unknown(told{number}, {known(alone)}) else None"
        # A number that structure decides may count elements along an axis, and places are known.
        if alone or named or (sizes and self._fixed):
            general = None
            names |= {"unknown": are_unknown, f"told{number}": told}
        # What follows was planned with what the compiler knows of the fill.
        told_fill = step.pick.plan.places[0].fill is None and is_known(result.fill, told)
        fill = result.fill.tobytes() if told_fill else b""
        needed = (*read, *alone)
        self._add(Step(needed, code, names, general, True, fill, needs, direct=direct), result)

    def _general_call(
        self, lists: str, step: Call, number: int, told: tuple[str, str] | None
    ) -> str | None:
        """The code of a call for arrays of any lengths; `told` are its extents and shape, if known.

        The program is picked anew, as counts of what was computed may be of another magnitude.
        """
        extents, shape = told or (
            self._lengths.shape(step.given.extents),
            self._lengths.shape(step.shape),
        )
        if extents is None or shape is None:
            return None
        return f"anew(choice{number}, Operands({lists}, {extents}, {{}}), {shape})"

    def _as_counted(self, tensors: Iterable[tuple[str, Tensor]]) -> str:
        """The code that asks whether operands store about as much as those of a noted call.

        Nothing is asked of those of which the key tells as much.
        """
        told = [
            f"{code}.magnitudes == {one.magnitudes}"
            for code, one in tensors
            if not (one.format.is_dense or one in self._settled)
        ]
        return " and ".join(told)

    def _is_steady(self, given: Operands, plan: Plan) -> bool:
        """Whether the fill of a call's result is the same at each replay."""
        if plan.places[0].fill is not None:
            return True
        tensors = all([one in self._steady for one in given.tensors])
        return tensors and all([id(one) in self._lasting for one in given.scalars])

    def split(
        self,
        sums: Tensor,
        sparse: Sequence[StoredTerm],
        unlike: Sequence[Unlike],
        fill: Any,
        result: Tensor,
    ) -> None:
        """Note a sum of products, unless it, a term or a number came of no step."""
        scaled = [one.tensor for terms in unlike for one in terms]
        first = [one for one in sparse if self._numbers.get(one.tensor, inf) < len(self._given)]
        self._asked += [(self._numbers[one.tensor], one.axes, one.most) for one in first]
        sparse = [one for one in sparse if one not in first]
        needs = self._places((sums, *[one.tensor for one in sparse], *scaled))
        apart = [[self._scaled(one) for one in terms] for terms in unlike]
        if needs is None or any([None in terms for terms in apart]):
            return
        name = f"fill{len(self._steps)}"
        limits = tuple([(one.axes, one.most) for one in sparse])
        groups = listed([f"[{', '.join(map(str, terms))}]" for terms in apart])
        thin = known(needs[1 : 1 + len(sparse)])
        if sparse or unlike:
            code = f"whole(k{needs[0]}, [{thin}], {limits}, [{groups}], {name})"
        else:  # nothing is asked but what every such sum is
            code = f"finite(k{needs[0]}, {name})"
        names = {"whole": whole, "finite": finite, name: fill}
        step = Step(needs, code, names, code, True, alike=needs)
        self._add(step, result)

    def _scaled(self, term: Scaled) -> str | None:
        """The code of what is asked of a term; None where nothing tells it or a number of it."""
        place = self._number(term.tensor)
        numbers = [self._scalars.get(id(one.data)) for one in term.numbers]
        told = [one for one in numbers if one is not None]
        if place is None or len(told) < len(numbers):
            return None
        return f"(k{place}, ({known(told)}), {term.turned}, {term.negative})"

    def applied(
        self,
        function: Callable[..., Any],
        given: Sequence[Tensor],
        made: Tensor,
        *details: Any,
        general: bool = False,
    ) -> None:
        """Note a function of tensors and of what is always the same, unless one came of no step.

        `general` says that neither the function nor the details have lengths.
        """
        needs = self._places(given)
        if needs is not None:
            number = len(self._steps)
            names = {f"detail{number}_{k}": one for k, one in enumerate(details)}
            name = f"function{number}"
            code = f"{name}({known(needs)}{listed([*names])})"
            alike = code if general else None
            step = Step(needs, code, {name: function, **names}, alike, True, alike=needs)
            self._add(step, made)

    def knows(self, tensor: Tensor) -> bool:
        """Whether a tensor is given, or a constant or came of a step."""
        return tensor in self._numbers

    def constant(self, tensor: Tensor, kept: Tensor) -> None:
        """Note a tensor that is the same at each replay, and what is kept of it."""
        for kind in (self._roots, self._settled, self._steady):
            kind.add(tensor)
        name = f"constant{len(self._steps)}"
        self._add(Step((), name, {name: kept}), tensor)

    def scalar(self, value: Any, place: int | None = None) -> None:
        """Note a scalar: the same at each replay, or one in a place of what is given besides."""
        if id(value) not in self._scalars:
            number = len(self._steps)
            self._scalars[id(value)] = len(self._given) + number
            name = f"scalar{number}"  # the value is kept, so that its identity stays its own
            code = name if place is None else f"more[{place}]"
            if place is None:
                self._lasting.add(id(value))
            self._steps.append(Step((), code, {name: value}, code))

    def replay(self, *results: Tensor) -> Replay | None:
        """The replay of tensors; None where they took more than the steps that were noted."""
        text = self.text(results)
        if text is None:
            return None
        made = straight("given", text.lines, text.returned, text.names)
        self._calls.await_texts(made, text)
        return made

    def general(self, *results: Tensor) -> Replay | None:
        """The replay of tensors for arrays of any lengths; None where there is none."""
        if any([step.general is None for step in self._steps]):
            return None
        text = self.text(results, general=True)
        return None if text is None else straight("given", text.lines, text.returned, text.names)

    def text(self, results: Sequence[Tensor], general: bool = False) -> Text | None:
        """The text of a replay; None where there is none."""
        places = self._places(results)
        if places is None:
            return None
        first = len(self._given)
        steps = self._needed(places, general)
        last = {k: number for number, step in steps for k in step.read(general)}
        unpacked = known(range(first)) + ("*more, " if self._more else "")
        begin = [f"{unpacked}= given"] if unpacked else []
        names: dict[str, Any] = {"is_thin": is_thin} if self._asked else {}
        for place, axes, most in dict.fromkeys(self._asked):  # before anything is computed
            begin.append(f"if not is_thin(k{place}, {axes}, {most}): return None")
        lines: list[Line] = []
        for number, step in steps:
            done = [k for k, end in last.items() if end == number and first <= k not in places]
            code = str(step.general if general else step.code)
            own = None if general else step.direct
            parts = step.ends, step.fill, [f"k{k}" for k in done], own
            lines.append(Line(f"k{first + number}", code, *parts))
            names |= step.names
        returned = f"k{places[0]}" if len(places) == 1 else f"({known(places)})"
        return Text(begin, lines, returned, names)

    def _needed(self, places: Sequence[int], general: bool) -> list[tuple[int, Step]]:
        """The steps by their numbers, without views that nothing reads."""
        read, found = {*places}, []
        for number, step in reversed([*enumerate(self._steps)]):
            if not step.is_view or len(self._given) + number in read:
                read |= {*step.read(general)}
                found.append((number, step))
        return found[::-1]

    def _size(self, size: int) -> str | None:
        """The code of a length or place; None where nothing tells it."""
        if self._fixed:
            return repr(int(size))
        place = self._sizes.get(size)
        if place is None and isinstance(size, ComposedStart):
            inner, outer = self._size(size.inner), self._size(size.outer)
            return None if inner is None or outer is None else f"({inner} + {size.step} * {outer})"
        return None if place is None else f"k{place}"

    def _scalars_of(self, step: Call) -> tuple[list[str], dict[str, Any], dict[int, int]] | None:
        """The codes of a call's scalars, the names of those that the key fixes, and some tensors.

        These are the numbers of the tensors that scalars are the only values of. None where a
        scalar is none of these.
        """
        parts: list[str] = []
        named: dict[str, Any] = {}
        numbers: dict[int, int] = {}
        for number, node in enumerate(step.constants):
            place = self._scalars.get(id(node.data))
            name = f"k{place}"
            if place is None and node.definition is not None:
                name = f"length{len(self._steps)}_{len(named)}"
                named[name] = node.data
            elif place is None:
                found = [k for one, k in self._numbers.items() if one.memo.get("constant") is node]
                if not found:
                    return None
                numbers[number] = found[0]
                name = f"k{found[0]}.constant"
            parts.append(name)
        return parts, named, numbers

    def _places(self, tensors: Sequence[Tensor]) -> tuple[int, ...] | None:
        found = [self._number(tensor) for tensor in tensors]
        return None if None in found else tuple(found)  # type: ignore[arg-type]

    def _number(self, tensor: Tensor) -> int | None:
        """The number of a tensor, for which a step is added if it was derived of one that has."""
        number = self._numbers.get(tensor)
        origin = origin_of(tensor) if number is None else None
        if origin is None:
            return number
        base, name, detail = origin
        place = self._number(base)
        if place is None:
            return None
        if base in self._roots:
            self._settled.add(tensor)
        call = len(self._steps)
        names = {f"derive{call}": DERIVED[name], f"detail{call}": detail}
        code = f"derive{call}(k{place}, {{}})"
        told = self._lengths.derived(base, name, detail)
        general = None if told is None else code.format(told or f"detail{call}")
        needs, is_view = (place,), name in SAME_BUFFERS and tensor.buffers is base.buffers
        if is_view:
            self._views[tensor] = base, partial(_view, DERIVED[name], detail)
        code = code.format(f"detail{call}")
        return self._add(Step(needs, code, names, general, alike=needs, is_view=is_view), tensor)

    def _source(self, tensor: Tensor) -> tuple[int, View | None]:
        """The number of a tensor, or of the one whose buffers it has, and what makes it of that."""
        if tensor not in self._views:
            return self._numbers[tensor], None
        base, view = self._views[tensor]
        number, inner = self._source(base)
        return number, view if inner is None else partial(_view_of_view, view, inner)

    def _add(self, step: Step, result: Tensor) -> int:
        number = self._numbers[result] = len(self._given) + len(self._steps)
        self._steps.append(step)
        return number
