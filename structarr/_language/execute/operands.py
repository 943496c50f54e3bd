"""Arguments of stages: operands as the compiler sees them, and as the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from structarr._compiler.ir.given import Given, extent
from structarr._compiler.ir.ops import operator_named
from structarr._execute.compute import reordered
from structarr._language.execute.compile import Asked, Ready
from structarr._language.resolve.lengths import Lengths
from structarr._language.resolve.operand_info import Known, Meaning, Surroundings
from structarr._language.resolve.terms import is_weak
from structarr._scheduler.inputs import input_of, known_of, readable, told_of
from structarr._scheduler.operands import Operands
from structarr._storage.dense import to_dense
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.formats import Format, parse


def surroundings(
    scope: Mapping[str, Any], arrays: Mapping[str, Tensor], asked: Asked, begun: frozenset[str]
) -> Surroundings:
    """The values of a stage's names, as far as its kernel depends on them."""
    operators = {name: value for name, value in scope.items() if isinstance(value, str)}
    told = told_of(filter(None, map(operator_named, operators.values())))
    inputs = {name: input_of(readable(tensor), 0, told) for name, tensor in arrays.items()}
    scalars = {
        name: _known(value, told)
        for name, value in scope.items()
        if not isinstance(value, str | Tensor)
    }
    formats: dict[str, Format | None] = dict(asked.formats or {})
    for name in begun:  # a copy of what it begins as, unless that is refused
        if formats.get(name) is None:
            formats[name] = parse("dense", arrays[name].ndim if name in arrays else 0)
    return Surroundings(inputs, scalars, operators, formats, begun, told)


def _known(value: Any, told: frozenset[Any]) -> Known:
    """A scalar as the compiler sees it."""
    kind = type(value) if is_weak(type(value)) else np.dtype(value.dtype)
    own = np.asarray(value)[()]
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return Known(kind, known_of(own.item(), own.dtype.name, False, told), whole)


def operands(ready: Ready, found: Lengths, scope: Mapping[str, Any]) -> Operands:
    """The arguments of a stage's kernel."""
    out = ready.meaning
    tensors: list[Tensor] = []
    for number, name in enumerate(out.tensors):
        tensor = readable(scope[name])
        tensors.append(reordered(tensor, ready.moved[number]) if number in ready.moved else tensor)
    scalars = [dtypes.scalar(scope[name], np.dtype(dtype)) for name, dtype in out.scalars]
    sizes = [int(scope[name]) for name in out.sizes]
    own: dict[Given, str] = {
        extent(i): name for i, name in zip(out.loops, found.stage.indices, strict=True)
    }
    extents = tuple(_extent(one, own, out, found) for one in ready.choice.programs[0].lengths)
    return Operands(tensors, scalars, sizes, extents, {})


def _extent(variable: Given, own: Mapping[Given, str], out: Meaning, found: Lengths) -> int:
    """The number that a variable of a length stands for."""
    if variable in own:
        return max(found.ranges[own[variable]][1], 0)
    kind, place = out.lengths[variable]
    if kind == "index":
        return int(found.ranges[place][1])
    if kind == "range":
        name, end = place
        return int(found.ranges[name][end])
    return int(found.shapes[kind][place])


def start_of(value: Any) -> Any:
    """The values that a given result begins with, which are its own."""
    if isinstance(value, Tensor):
        return np.array(to_dense(value), order="C").reshape(-1)
    return np.array([value])
