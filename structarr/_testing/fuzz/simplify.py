"""Smaller programs than one that fails: fewer steps, fewer elements, plainer operands."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from structarr._testing.fuzz.fitting import fitted
from structarr._testing.fuzz.helpers import HELPERS_PLAIN
from structarr._testing.fuzz.operands import Operand, stored_plainly
from structarr._testing.fuzz.step import Result
from structarr._testing.fuzz.trees import shape_fits
from structarr._testing.fuzz.written import Written
from structarr.formats import names_for, parse
from structarr.formats.entries import Array

P = TypeVar("P", bound=Written)


def simpler(program: P) -> Iterator[P]:
    """Smaller programs, those that leave out most first."""
    for one in _candidates(program):
        yield cleaned(one)


def _candidates(program: P) -> Iterator[P]:
    yield from _run_once(program)
    yield from _fewer_results(program)
    yield from _ended(program)
    yield from _cut(program)
    yield from _bypassed(program)
    yield from _fewer_options(program)
    yield from _smaller(program)
    yield from _plainer(program)
    yield from _emptier(program)


def cleaned(program: P) -> P:
    """The same without steps and operands that nothing reads."""
    wanted = {one.name for one in program.results}
    steps = []
    last = program.steps[-1].target if program.steps and not program.results else None
    for step in reversed(program.steps):
        if step.target in wanted or step.target == last:
            steps.append(step)
            wanted |= step.uses
    kept = [n for n, one in enumerate(program.operands) if one.name in wanted]
    return replace(
        program,
        operands=tuple(program.operands[n] for n in kept),
        steps=tuple(reversed(steps)),
        rounds=tuple(tuple(data[n] for n in kept) for data in program.rounds),
    )


def _run_once(program: P) -> Iterator[P]:
    if program.rounds:
        yield replace(program, rounds=())
        given = [
            one.with_data(data)
            for one, data in zip(program.operands, program.rounds[0], strict=True)
        ]
        if all(one is not None for one in given):
            yield replace(program, operands=tuple(one for one in given if one), rounds=())


def _fewer_results(program: P) -> Iterator[P]:
    if len(program.results) > 1:
        for one in program.results:
            yield replace(program, results=(one,), together=False)
        if program.together:
            yield replace(program, together=False)
    for place, one in enumerate(program.results):
        if one.format is not None:
            plain = (*program.results[:place], Result(one.name), *program.results[place + 1 :])
            yield replace(program, results=plain)
            for name in names_for(one.format.ndim):
                named = parse(name, one.format.ndim)
                if named is not one.format and _is_plainer(name, one.format.levels):
                    asked = (
                        *program.results[:place],
                        Result(one.name, named),
                        *program.results[place + 1 :],
                    )
                    yield replace(program, results=asked)


def _is_plainer(name: str, levels: Any) -> bool:
    present = [parse(one, len(levels) - 1).levels for one in ("rle", "list", "dense")]
    return levels not in present and name in ("rle", "list", "dense")


def _ended(program: P) -> Iterator[P]:
    """An earlier step is the last."""
    for step in program.steps[:-1]:
        yield replace(program, results=(Result(step.target),))


def _cut(program: P) -> Iterator[P]:
    """The value of a step is an operand."""
    values = _values(program)
    for place, step in reversed([*enumerate(program.steps)]):
        value = values.get(step.target)
        if not isinstance(value, np.ndarray | np.generic) or not step.uses:
            continue
        data = np.asarray(value)
        if data.dtype.kind not in "biufc" or data.dtype.char in "egG":
            continue
        if len(program.steps) == 1 or program.results[-1:] == (Result(step.target),):
            continue
        for operand in _stored(step.target, data, program):
            steps = program.steps[:place] + program.steps[place + 1 :]
            yield replace(program, operands=(*program.operands, operand), steps=steps, rounds=())


def _stored(name: str, data: Array, program: Written) -> Iterator[Operand]:
    yield stored_plainly(name, data)
    if data.ndim:
        zero = data.dtype.type(0)
        yield Operand(name, data, "ours", parse("list", data.ndim), zero)


def _bypassed(program: P) -> Iterator[P]:
    """A program without a step, whose operand stands for its result."""
    for place, step in enumerate(program.steps):
        for name in sorted(step.uses):
            pattern = re.compile(rf"\b{step.target}\b")
            rest = tuple(
                replace(one, text=pattern.sub(name, one.text)) for one in program.steps[place + 1 :]
            )
            results = tuple(
                replace(one, name=name) if one.name == step.target else one
                for one in program.results
            )
            if not rest and not program.steps[:place]:
                continue
            yield replace(program, steps=program.steps[:place] + rest, results=results)


def _fewer_options(program: P) -> Iterator[P]:
    for name in list(program.options):
        if name == "tier":
            if program.options[name] != "interpreted" and "pieces" not in program.options:
                yield replace(program, options={**program.options, "tier": "interpreted"})
        elif name == "pieces" or name == "threads":
            rest = {k: v for k, v in program.options.items() if k not in ("pieces", "threads")}
            yield replace(program, options={**rest, "tier": "interpreted"})
        else:
            rest = {k: v for k, v in program.options.items() if k != name}
            yield replace(program, options=rest)


def _smaller(program: P) -> Iterator[P]:
    """Axes of one length cut shorter in all operands; then in each alone."""
    if program.rounds:
        return
    lengths = sorted({n for one in program.operands for n in one.data.shape}, reverse=True)
    for length in lengths:
        for new in dict.fromkeys((length // 2, length - 1)):
            if new < length and length:
                yield from _cut_lengths(program, range(len(program.operands)), length, new)
    for place in range(len(program.operands)):
        for length in sorted({*program.operands[place].data.shape}, reverse=True):
            for new in dict.fromkeys((length // 2, length - 1)):
                if new < length and length:
                    yield from _cut_lengths(program, [place], length, new)


def _cut_lengths(program: P, places: Any, length: int, new: int) -> Iterator[P]:
    operands = list(program.operands)
    for place in places:
        data = operands[place].data
        key = tuple(slice(0, new if n == length else n) for n in data.shape)
        changed = operands[place].with_data(data[key].copy())
        if changed is None:
            return
        operands[place] = changed
    yield replace(program, operands=tuple(operands))


def _plainer(program: P) -> Iterator[P]:
    """An operand in a plainer format, of a plainer dtype and fill, given plainly."""
    for place, one in enumerate(program.operands):
        for changed in _plainer_operands(one):
            operands = (*program.operands[:place], changed, *program.operands[place + 1 :])
            yield replace(program, operands=operands)


def _plainer_operands(one: Operand) -> Iterator[Operand]:
    if one.memory:
        yield replace(one, memory="")
    if one.kind != "ours" or one.format is None:
        yield stored_plainly(one.name, one.data)
        return
    ndim = one.data.ndim
    names = ("dense", "list", "rle", "coo", "csf") if ndim else ("dense",)
    plain = [parse(name, ndim) for name in names]
    own = plain.index(one.format) if one.format in plain else len(plain)
    for format in plain[:own]:
        yield replace(one, format=format)
    if one.fill != one.fill or one.fill != 0 or np.signbit(np.real(one.fill)):
        zero = one.data.dtype.type(0)
        refilled = np.where(_equal(one.data, one.fill), zero, one.data).astype(one.data.dtype)
        yield replace(one, fill=zero)
        yield replace(one, data=refilled, fill=zero)
    if one.data.dtype != np.float64 and one.data.dtype.kind != "c":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = one.data.astype("float64")
        yield replace(one, data=data, fill=np.float64(one.fill))


def _equal(data: Array, value: Any) -> Array:
    return np.asarray((data == value) | ((data != data) & (value != value)))


def _emptier(program: P) -> Iterator[P]:
    """Elements replaced by the fill, by halves and one by one; then by 1."""
    if program.rounds:
        return
    for place, one in enumerate(program.operands):
        fill = one.data.dtype.type(0) if one.fill is None else one.fill
        odd = np.flatnonzero(~_equal(one.data.reshape(-1), fill))
        for part in _parts(odd):
            data = one.data.copy()
            data.reshape(-1)[part] = fill
            if one.format is not None:
                if not shape_fits(one.format, data.shape):
                    continue
                data = fitted(data, one.format, fill)
            if (~_equal(data, fill)).sum() < len(odd):
                yield _with(program, place, replace(one, data=data))
        ones = ~_equal(one.data, fill) & (one.data != 1)
        if ones.any() and fill != 1:
            data = np.where(ones, 1, one.data).astype(one.data.dtype)
            yield _with(program, place, replace(one, data=data))


def _with(program: P, place: int, operand: Operand) -> P:
    return replace(
        program,
        operands=(*program.operands[:place], operand, *program.operands[place + 1 :]),
    )


def _parts(places: Array) -> Iterator[Array]:
    if len(places) > 1:
        yield places
        half = len(places) // 2
        yield places[:half]
        yield places[half:]
    for place in places[:24]:
        yield places[places == place]


def _values(program: Written) -> dict[str, Any]:
    """NumPy's value of each variable, as far as the program runs."""
    names: dict[str, Any] = {one.name: one.data.copy() for one in program.operands}
    names.update(np=np, **HELPERS_PLAIN)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for step in program.steps:
            try:
                exec(step.text, names)
            except Exception:
                break
    return names
