"""The code that allocates the buffers of a result before a call and trims them after it.

It is written for the levels of the result, and runs at each call.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._compiler.ir.expr import Min
from structarr._compiler.ir.given import Given
from structarr._execute.bound_values import COUNTS, python_of
from structarr._execute.length_code import length_code
from structarr._scheduler.compiled import Result
from structarr._support import buffer_pool
from structarr.formats.base import Level
from structarr.formats.entries import Array

KEEP: Final = 1.5
"""The maximum over-allocation of buffers before they are trimmed by copying."""


class _Part(NamedTuple):
    """A buffer, or the prepared buffers of a level."""

    made: str  # of a length {n}, and of the value `start`
    length: str | None  # the greatest; None of prepared ones; of one that is shared, itself


class Allocation(NamedTuple):
    """Python code of the operands T and numbers G of a call, and the shape S of its result.

    Attributes
    ----------
    bounds : list of str
        Lines that bound the lengths; they read the operands' counts K, and buffers `ready` that are
        prepared.
    elements : str
        The greatest number of elements.
    parts : list of _Part
        The buffers.
    trims : list of str
        Lines that compute the used lengths of what a kernel returned, W.
    used : list of str
        The used length of each buffer.
    names : dict
        What the lines refer to.
    """

    bounds: list[str]
    elements: str
    parts: list[_Part]
    trims: list[str]
    used: list[str]
    names: dict[str, Any]


def allocation_of(
    result: Result, dtype: np.dtype[Any], start: Any, lengths: tuple[Given, ...]
) -> Allocation:
    """The code for a result; `start` is the value before the kernel writes any, if it is known."""
    levels, order = result.format.levels, result.format.order
    if result.shares is not None:
        return _sharing(result, dtype)
    lines, parts, fibers = [], [], "1"
    index = result.format.index
    for depth, level in enumerate(levels[:-1]):
        dim, bound = f"S[{order[depth]}]", result.bounds[depth]
        if level.kind.arithmetic:  # its children follow by arithmetic
            lines.append(f"f{depth} = {fibers} * {dim}")
            fibers = f"f{depth}"
            continue
        if level.prepares:
            parts.append(_Part(f"*ready[{depth}]", None))
            lines.append(f"f{depth} = stored[{depth}]({fibers}, {dim}, ready[{depth}])")
            fibers = f"f{depth}"
            continue
        if bound is None or level.starts_group:
            formula = "0" if bound is None else python_of(bound, lengths)
        else:
            least = bound.args if isinstance(bound, Min) else (bound,)
            terms = [python_of(one, lengths) for one in least]
            formula = f"min({', '.join(terms)}, {fibers} * {dim})"
        lines.append(f"e{depth} = {formula}")
        codes = length_code(level.sizes, fibers, dim, f"e{depth}")
        called = f"s{depth} = sizes[{depth}]({fibers}, {dim}, e{depth})"
        told, lengths_of = _lengths(depth, level, codes, called)
        lines += told
        for k, name in enumerate(level.buffers):
            kind = level.kept_as(name, index)
            if type(level).blank is Level.blank:  # the common case, without two calls
                code = _made(
                    "empty" if name in level.uninitialized else "zeros",
                    kind,
                    np.dtype(kind).itemsize,
                )
            else:
                code = f"blank[{depth}]({name!r}, {{n}}, {kind})"
            parts.append(_Part(code, lengths_of[k]))
        # One slot more, for a speculative append.
        known = f"e{depth} + 1" if bound is not None else f"children[{depth}]({fibers}, {dim})"
        lines.append(f"f{depth} = {known}")
        fibers = f"f{depth}"
    if levels[-1].buffers:
        code = _made("empty", "dtype", dtype.itemsize)
        if prefilled(levels) and not result.overwritten:
            zeros = _made("zeros", "dtype", dtype.itemsize)
            code = zeros if _is_plain(start) else "values({n}, dtype, start)"
        parts.append(_Part(code, fibers))
    names: dict[str, Any] = {
        "sizes": [level.sizes for level in levels],
        "blank": [level.blank for level in levels],
        "children": [level.children for level in levels],
        "stored": [level.stored for level in levels],
        "counted": [level.used for level in levels],
        **_SMALL,
        "pooled_empty": buffer_pool.empty,
        "pooled_zeros": buffer_pool.zeros,
        **COUNTS,
        **{kind: np.dtype(kind) for kind in ("bool", "uint8", index)},
        "dtype": dtype,
        "values": _values,
    }
    return Allocation(lines, fibers, parts, *_trimming(result), names)


def _sharing(result: Result, dtype: np.dtype[Any]) -> Allocation:
    """The code for a result that has the coordinates of an operand, and as many values."""
    own, size = f"T[{result.shares}].buffers", f"len(T[{result.shares}].buffers[-1])"
    count = sum([len(level.buffers) for level in result.format.levels])
    shared = [_Part("{n}", f"{own}[{k}]") for k in range(count - 1)]
    parts = [*shared, _Part(_made("empty", "dtype", dtype.itemsize), size)]
    names = {**_SMALL, "pooled_empty": buffer_pool.empty, "dtype": dtype}
    return Allocation([], size, parts, [], [], names)


_SMALL: dict[str, Any] = {"empty": np.empty, "zeros": np.zeros}


def _made(name: str, dtype: str, width: int) -> str:
    """The code of an array by NumPy's function of a name, of pooled memory if it is large."""
    few = buffer_pool.LEAST // width
    return f"({name}({{n}}, {dtype}) if {{n}} < {few} else pooled_{name}({{n}}, {dtype}))"


def _trimming(result: Result) -> tuple[list[str], list[str]]:
    """The lines that compute the used length of each buffer from a kernel's counts."""
    levels, order = result.format.levels, result.format.order
    lines, parts, fibers = [], [], "1"
    for depth, level in enumerate(levels[:-1]):
        dim = f"S[{order[depth]}]"
        if level.kind.arithmetic:
            lines.append(f"f{depth} = {fibers} * {dim}")
            fibers = f"f{depth}"
            continue
        tallies = tuple([f"W[{slot}]" for slot in result.counters[depth]])
        codes, children = length_code(level.used, fibers, dim, tallies) or (None, None)
        counts = "".join([f"{one}, " for one in tallies])
        called = f"s{depth}, f{depth} = counted[{depth}]({fibers}, {dim}, ({counts}))"
        told, lengths_of = _lengths(depth, level, codes, called)
        lines += told if children is None else [*told, f"f{depth} = {children}"]
        parts += lengths_of
        fibers = f"f{depth}"
    if levels[-1].buffers:
        parts.append(fibers)
    return lines, parts


def _lengths(
    depth: int, level: Level, codes: Sequence[str] | None, called: str
) -> tuple[list[str], list[str]]:
    """The lines that compute the lengths of a level's buffers, and the code of each.

    `called` is the line that asks the level, where its code is not known.
    """
    if codes is None:
        return [called], [f"s{depth}[{k}]" for k in range(len(level.buffers))]
    names = [f"n{depth}_{k}" for k in range(len(codes))]
    return [f"{name} = {code}" for name, code in zip(names, codes, strict=True)], names


def prefilled(levels: tuple[Level, ...]) -> bool:
    """Whether some element may stay unwritten: below an appended child, every one is written."""
    last = max((k for k, level in enumerate(levels) if level.writing.appends), default=0)
    return any(level.writing.prefills for level in levels[last:]) or len(levels) == 1


def _values(size: int, dtype: np.dtype[Any], start: Any) -> Array:
    if _is_plain(start):
        return buffer_pool.zeros(size, dtype)
    made = buffer_pool.empty(size, dtype)
    made.fill(start)
    return made


def _is_plain(start: Any) -> bool:
    """Whether a value is known, and a zero that is not negative."""
    if start is None or start != 0:
        return False
    return copysign(1, start.real) > 0 and copysign(1, start.imag) > 0


def cut(buffer: Array, size: int, begin: int = 0) -> Array:
    """A buffer's elements from one on, copied where the rest would take much more memory."""
    room = len(buffer)
    if begin + size > room:
        check_room(room, begin + size)
    part = buffer[begin : begin + size]
    return part if room <= KEEP * size else buffer_pool.copied(part)


def check_room(room: int, size: int) -> None:
    """Raise RuntimeError if a kernel wrote more than there was room for."""
    if size > room:
        raise RuntimeError(
            f"a kernel wrote {size} entries into room for {room}: the process may be damaged; "
            "save your work, restart, and please report the expression"
        )
