"""Some hundred short programs over corner cases, the same in every run.

Each line is run on a few operands that are drawn for it: of lengths 0 and 1 and squares, of every
dtype and named format, of fills that are NaN, infinite, -0.0, True or the greatest integer; some
are NumPy's, functions of the index, or lie otherwise in memory. The fuzzer's `Program` compares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._testing.families import KINDS
from structarr._testing.fuzz.fitting import fitted
from structarr._testing.fuzz.operands import MEMORIES, Operand
from structarr._testing.fuzz.program import Program
from structarr._testing.fuzz.step import Result, Step
from structarr._testing.fuzz.trees import shape_fits
from structarr._testing.fuzz.values import palette, random_values
from structarr.formats import Pattern, names_for, parse
from structarr.formats.entries import Array

DRAWN: Final = 4  # times that each line is run
DTYPES: Final = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)
FILLS: Final = {
    "b": (False, True),
    "i": (0, 0, -1, "max"),
    "u": (0, 0, 1, "max"),
    "f": (0, 0, -0.0, 1, np.nan, np.inf, -np.inf),
    "c": (0, 0, -0.0, 1, np.nan, complex(0, np.inf)),
}
SHAPES: Final = {
    0: ((),),
    1: ((12,), (12,), (7,), (1,), (0,)),
    2: ((6, 6), (6, 6), (4, 6), (1, 5), (5, 1), (0, 3), (3, 0), (1, 1)),
    3: ((2, 3, 4), (2, 3, 4), (3, 3, 3), (1, 3, 1), (2, 0, 3), (1, 1, 1)),
}

OF_NUMBERS: Final = """
x + y
x[()]
x[..., None]
-x * y
x.sum()
np.where(x > y, x, y) if x.dtype.kind != 'c' else x
np.stack([x, y])
x.reshape(1, 1) @ y.reshape(1, 1)
np.broadcast_to(x, (2, 0, 3))
np.full((2, 2), y) * x
x == y
np.atleast_2d(x).T
x ** 2
np.cumsum(x)
x.astype('complex64')
np.ravel(x)[::-1]
"""
OF_VECTORS: Final = """
x[::-1] + y
x[::-2]
x[-1::-3].sum()
np.concatenate([x, y, x[:0]])
x[1:] * y[:-1]
np.outer(x, y)
x @ y
np.roll(x, -3) - y
np.cumsum(x)[::-1]
x[[0, -1, 0][: len(x)]]
x[np.array([], int)]
x[:, None] * y[None, :]
x.reshape(-1, 1) == y
np.flip(np.sort(x))
np.pad(x, (2, 0))
np.repeat(x, [k % 3 for k in range(len(x))])
np.diff(x, 2) if len(x) > 2 else x
np.convolve(x[:3], y) if len(x) else x
np.unique(x)
x[x == x]
np.maximum(x, y)[::3]
np.argmax(x[::-1]) if len(x) else x
@ = np.copy(x); @[::-1] = y
@ = np.copy(x); @[1::2] = @[::2][: len(@[1::2])]
@ = np.copy(x); @[x != y] = 1
np.tile(x, (2, 0))
(x * 0 + y).mean() if len(x) else x
np.isin(x, y)
np.interp(np.real(x), [0, 1], [5, 6])
np.searchsorted(np.sort(y), x)
np.diag(x, -1) @ np.diag(y, 1)
"""
OF_MATRICES: Final = """
x + y
x * y
x @ y.T
x.T @ y
x - y[::-1, ::-1]
x[:, ::-1] * y[0] if len(x) else x
x[::-1].sum(axis=0) + y.sum(axis=0)
(x * y).sum(axis=1)
x.max(axis=0) if len(x) else x
np.where(x == y, x, 0)
x[1:, :-1] + y[:-1, 1:]
x * y[:, :1]
x + y[:1]
x[-1:, None] * y
x[..., None] * y[:, None, :]
np.concatenate([x, y], axis=1)
np.stack([x, y], axis=1)
x.reshape(-1)[::-1]
np.reshape(x, (x.shape[1], x.shape[0])) + y.T
np.triu(x) + np.tril(y)
np.triu(x, 1) @ np.tril(y, -1).T
np.diagonal(x) * np.diagonal(y)
np.trace(x @ y.T)
np.einsum('ij,kj->ik', x, y)
np.einsum('ij,ij->i', x, y)
np.einsum('ii->i', x[:1, :1])
x[[0, -1, 0]] if len(x) else x
x[:, [0, -1]] * 2 if x.shape[1] else x
x[y != 0]
x[np.ix_([0], [-1])] if x.size else x
@ = np.copy(x); @[0] = y[-1] if len(y) else 0
@ = np.copy(x); @[:, ::-1] = y
@ = np.copy(x); @[y == x] = 1
@ = np.copy(x); @[::2] *= 2
@ = np.copy(x); @[...] = y[:1] if len(y) else 0
np.sort(x, axis=0)[::-1]
np.cumsum(x, axis=1)[:, ::-1]
np.kron(x[:2, :2], y)
np.roll(x, (1, -1), (0, 1)) * y
np.rot90(x) @ y
np.argmax(x, axis=1) if x.shape[1] else x
np.any(x, axis=0) | np.all(y, axis=0)
np.pad(x, ((0, 2), (1, 0)))
np.broadcast_to(x[:, :1], x.shape) * y
np.minimum(x, y).T
np.isnan(x) | np.isinf(y)
x.conj().T * y.T
(x - x.mean(axis=0)) @ y.T
x @ y.T @ x
(x @ y.T) * (y @ x.T).T
x / y
x // 2 if x.dtype.kind != 'c' else x
np.linalg.norm(x, axis=0)
np.tile(x, (1, 2))[:, ::-2]
np.repeat(x, 2, axis=0)[::-1]
np.count_nonzero(x, axis=0)
np.delete(x, slice(0, 1), axis=0)
np.insert(x, 0, 1, axis=1)
x[np.triu_indices_from(x)] if x.shape[0] == x.shape[1] else x
sum(x) + y
np.nan_to_num(x) * np.isfinite(y)
np.clip(np.real(x), 0, 1) @ np.ones((x.shape[1], 2))
"""
OF_CUBES: Final = """
x + y
x * y[:, :1]
x @ y.swapaxes(1, 2)
x.sum(axis=(0, 2))
x[::-1, :, ::-1] * y
x[:, 0] - y[:, -1] if x.shape[1] else x
np.einsum('ijk,ilk->jl', x, y)
x.transpose(2, 0, 1) + y.transpose(2, 0, 1)
np.tensordot(x, y, axes=([0, 1], [0, 1]))
x.reshape(x.shape[0], -1) @ y.reshape(y.shape[0], -1).T
np.concatenate([x, y], axis=2)
x[..., 0] if x.shape[2] else x
x[[0, 0], :, [-1, 0]] if x.size else x
x.max(axis=1) if x.shape[1] else x
@ = np.copy(x); @[:, ::-1] = y
@ = np.copy(x); @[0, ..., 0] = 1 if x.size else 0
np.cumsum(x, axis=1)
np.moveaxis(x, 0, -1) * 2
x[x == y]
np.stack([x, y]).sum(axis=0)
np.where(x != 0, y, x)
x[:, None].sum(axis=-1) + y.sum(axis=-1)[:, None]
np.vecdot(x, y)
"""


@dataclass(frozen=True)
class OfTheIndex(Operand):
    """An operand that is a function of the index: nothing of it is stored."""

    def given(self) -> Any:
        """Numbers in even steps, which broadcast along the other axes."""
        return sa.broadcast_to(
            sa.arange(self.data.shape[-1], dtype=self.data.dtype), self.data.shape
        )

    def with_data(self, data: Any) -> Operand | None:
        """The same of another length."""
        return of_the_index(self.name, data.shape, data.dtype)


def of_the_index(name: str, shape: tuple[int, ...], dtype: Any) -> Operand:
    """Numbers in even steps along the last axis."""
    steps = np.arange(shape[-1], dtype=dtype)
    return OfTheIndex(name, np.broadcast_to(steps, shape).copy())


PROGRAMS: Final = [
    (ndim, line, number)
    for ndim, text in enumerate((OF_NUMBERS, OF_VECTORS, OF_MATRICES, OF_CUBES))
    for line in text.strip().splitlines()
    for number in range(DRAWN if ndim else 1)
]


@lru_cache(maxsize=1)
def corner_programs() -> tuple[Program, ...]:
    """The programs."""
    return tuple(_program(number) for number in range(len(PROGRAMS)))


def other_elements(program: Program, rng: np.random.Generator) -> tuple[tuple[Array, ...], ...]:
    """Other elements of the operands of a program, and such of axes twice as long."""
    found = []
    for times in (1, 2):
        shapes = [[times * n if n > 1 else n for n in one.data.shape] for one in program.operands]
        pairs = zip(program.operands, shapes, strict=True)
        found.append(tuple(_another(rng, one, tuple(shape)) for one, shape in pairs))
    return tuple(found)


def _another(rng: np.random.Generator, one: Operand, shape: tuple[int, ...]) -> Array:
    fill = one.data.dtype.type(0) if one.fill is None else one.fill
    return random_values(rng, shape, one.data.dtype, fill, False)


def _program(number: int) -> Program:
    ndim, line, _ = PROGRAMS[number]
    rng = np.random.default_rng([28, number])
    shapes = SHAPES[ndim]
    shape = shapes[int(rng.integers(len(shapes)))]
    operands = tuple(_operand(rng, name, shape) for name in ("a0", "a1"))
    text = re.sub(r"\by\b", "a1", re.sub(r"\bx\b", "a0", line))
    if text.startswith("@ "):
        statement = text.replace("@", "t0").replace("; ", "\n")
    else:
        statement = f"t0 = {text}"
    options = {"tier": "interpreted", "strict_ieee": bool(rng.random() < 0.3)}
    return Program(operands, (Step("t0", statement, line),), (Result("t0"),), options)


def _operand(rng: np.random.Generator, name: str, shape: tuple[int, ...]) -> Operand:
    dtype = np.dtype(str(rng.choice(DTYPES)))
    fills = FILLS[dtype.kind]
    fill: Any = fills[int(rng.integers(len(fills)))]
    fill = dtype.type(np.iinfo(dtype).max if fill == "max" else fill)
    draw = rng.random()
    if draw < 0.07 and shape and dtype.kind != "b":
        return of_the_index(name, shape, dtype)
    made = np.asarray(KINDS[str(rng.choice([*KINDS]))](rng, shape))
    distinct, places = np.unique(made, return_inverse=True)
    values = palette(rng, len(distinct), dtype, bool(rng.random() < 0.3))[places.reshape(shape)]
    data = np.where(made == 0, fill, values).astype(dtype)
    if draw < 0.17:
        return Operand(name, data, "raw", memory=str(rng.choice(("", *MEMORIES))))
    while True:
        format = (
            parse(str(rng.choice(names_for(len(shape)))), len(shape))
            if shape
            else parse("dense", 0)
        )
        if shape_fits(format, shape) and not isinstance(format.levels[-1], Pattern):
            return Operand(name, fitted(data, format, fill), "ours", format, fill)
