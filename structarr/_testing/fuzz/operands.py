"""Operands of random programs: elements, and how they are handed to the library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._testing.fuzz.case import Refused
from structarr._testing.fuzz.fitting import fits, fitted, told_apart
from structarr._testing.fuzz.trees import random_format, shape_fits
from structarr._testing.fuzz.values import random_dtype, random_fill, random_values
from structarr.errors import FormatError
from structarr.formats import Format, Pattern, parse
from structarr.formats.entries import Array

MEMORIES: Final = ("unaligned", "swapped", "strided", "readonly", "fortran")


@dataclass(frozen=True)
class Pool:
    """Formats and dtypes that many programs share, so that conversions are lowered once."""

    formats: tuple[Format, ...]
    dtypes: tuple[np.dtype[Any], ...]


@dataclass(frozen=True)
class Operand:
    """
    An operand: its name and elements, and how the library is given them.

    `kind` is "ours" (in a format), "raw" (NumPy's), or a layout of SciPy. `memory` says how the
    elements lie in memory before the library sees them.
    """

    name: str
    data: Array
    kind: str = "ours"
    format: Format | None = None
    fill: Any = None
    memory: str = ""

    def given(self) -> Any:
        """The arguments of the library."""
        laid = laid_out(self.data, self.memory)
        if self.kind == "raw":
            return laid
        if self.kind != "ours":
            from scipy.sparse import coo_array

            return sa.asarray(coo_array(self.data).asformat(self.kind))
        assert self.format is not None
        return sa.asarray(laid, fill_value=self.fill).asformat(self.format)

    @property
    def text(self) -> str:
        """Python text of the elements."""
        return spelled(self.data)

    @property
    def given_text(self) -> str:
        """Python text of what the library is given, where the elements have the operand's name."""
        laid = _LAYING[self.memory].format(self.name)
        if self.kind == "raw":
            return laid
        if self.kind != "ours":
            return f"sa.asarray(scipy.sparse.coo_array({self.name}).asformat({self.kind!r}))"
        value = fill_text(self.fill)
        return f"sa.asarray({laid}, fill_value={value}).asformat({format_text(self.format)})"

    def with_data(self, data: Array) -> Operand | None:
        """The same with other elements, bent to what the format holds; None if it cannot."""
        if self.kind != "ours" or self.format is None:
            return replace(self, data=data) if self.kind == "raw" or data.ndim == 2 else None
        if data.ndim != self.format.ndim or not shape_fits(self.format, data.shape):
            return None
        if data.dtype != self.data.dtype:
            return None
        bent = fitted(data, self.format, self.fill)
        return replace(self, data=bent)


def random_operand(
    rng: np.random.Generator,
    name: str,
    shape: tuple[int, ...],
    *,
    dtype: Any = None,
    odd: bool = False,
    pool: Pool | None = None,
) -> Operand:
    """An operand of a shape; its format and dtype are often of a pool, if they fit."""
    if dtype is not None:
        chosen = np.dtype(dtype)
    elif pool is not None and rng.random() < 0.75:
        chosen = pool.dtypes[rng.integers(len(pool.dtypes))]
    else:
        chosen = random_dtype(rng)
    style = rng.random()
    if style < 0.12:
        data = random_values(rng, shape, chosen, chosen.type(0), odd)
        kind = "raw"
        if style < 0.04 and len(shape) == 2 and data.size:
            kind = ("csr", "csc", "coo")[rng.integers(3)]
            # SciPy drops what is zero, -0.0 too.
            data = data + chosen.type(0) if chosen.kind in "fc" else data
        return Operand(name, data, kind, memory=_memory(rng) if kind == "raw" else "")
    format = _format(rng, shape, chosen, pool)
    fill = random_fill(rng, chosen)
    if isinstance(format.levels[-1], Pattern):
        fill = chosen.type(0)
    data = fitted(random_values(rng, shape, chosen, fill, odd), format, fill)
    return Operand(name, data, "ours", format, fill, _memory(rng))


def stored_plainly(name: str, data: Array) -> Operand:
    """An operand of given elements, dense."""
    return Operand(name, data, "ours", parse("dense", data.ndim), data.dtype.type(0))


def _memory(rng: np.random.Generator) -> str:
    return MEMORIES[rng.integers(len(MEMORIES))] if rng.random() < 0.08 else ""


def _format(
    rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any], pool: Pool | None
) -> Format:
    if pool is not None and rng.random() < 0.8:
        fitting = [one for one in pool.formats if one.ndim == len(shape) and shape_fits(one, shape)]
        fitting = [one for one in fitting if _takes(one, dtype)]
        if fitting:
            return fitting[rng.integers(len(fitting))]
    return random_format(rng, shape, dtype)


def _takes(format: Format, dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "b" or not isinstance(format.levels[-1], Pattern)


def each_dense(operands: Sequence[Operand]) -> Iterator[tuple[Operand, ...]]:
    """The operands with one of them given as NumPy's array, each in turn that is not."""
    for k, one in enumerate(operands):
        if one.kind != "raw":
            yield (*operands[:k], Operand(one.name, one.data, "raw"), *operands[k + 1 :])


def given_by_name(operands: Sequence[Operand]) -> dict[str, Any]:
    """The arguments; formats that hold few values may not take elements, which is refused."""
    try:
        return {one.name: one.given() for one in operands}
    except FormatError as error:
        raise Refused(f"FormatError: {error}") from error


def laid_out(data: Array, memory: str) -> Array:
    """The same elements, lying otherwise in memory."""
    if not memory:
        return data.copy()
    names = {"np": np, "x": data}
    found: Array = eval(_LAYING[memory].format("x"), names)
    return found


_LAYING: Final = {
    "": "{0}.copy()",
    "unaligned": "np.frombuffer(b'0' + {0}.tobytes(), {0}.dtype, offset=1).reshape({0}.shape)",
    "swapped": "{0}.astype({0}.dtype.newbyteorder())",
    "strided": "np.stack([{0}, {0}], axis=-1)[..., 0]",
    "readonly": "np.frombuffer({0}.tobytes(), {0}.dtype).reshape({0}.shape)",
    "fortran": "{0}.copy(order='F')",
}


def spelled(data: Array) -> str:
    """Python text that makes NumPy's array."""
    if data.size == 0:
        return f"np.zeros({data.shape}, '{data.dtype}')"
    if data.dtype.kind == "c" and not _repeats(data):
        parts = np.ascontiguousarray(data).reshape(-1).view(data.real.dtype)
        return f"{spelled(parts)}.view('{data.dtype}').reshape({data.shape})"
    if data.size > 1 and (data == data.flat[0]).all() and not (data.flat[0] == 0 and _signed(data)):
        return f"np.full({data.shape}, {data.flat[0].item()!r}, '{data.dtype}')"
    if data.ndim <= 1 or data.size < 80:
        return f"np.array({data.tolist()}, '{data.dtype}')"
    filled = data.flat[0]
    places = np.flatnonzero(~((data == filled) | ((data != data) & (filled != filled))))
    if len(places) * 3 < data.size and not (filled == 0 and _signed(data)):
        at, values = places.tolist(), data.reshape(-1)[places].tolist()
        return f"put(np.full({data.shape}, {filled.item()!r}, '{data.dtype}'), {at}, {values})"
    return f"np.array({data.reshape(-1).tolist()}, '{data.dtype}').reshape({data.shape})"


def _signed(data: Array) -> bool:
    return data.dtype.kind in "fc" and bool(np.signbit(data.real).any())


def _repeats(data: Array) -> bool:
    """Whether Python's text of complex numbers makes the same again.

    That of infinities does not, nor that of ``0 - 1j``, which is the negative of ``1j``.
    """
    signs = (
        np.signbit(data.real[data.real == 0]).any() or np.signbit(data.imag[data.imag == 0]).any()
    )
    negated = ((data.real == 0) & (data.imag < 0)).any()
    return bool(np.isfinite(data).all() and not (signs or negated))


def fill_text(fill: Any) -> str:
    """Python text of a fill."""
    value = fill.item()
    if isinstance(value, complex):
        return f"complex({value.real!r}, {value.imag!r})"
    return repr(value)


def format_text(format: Format | None) -> str:
    """Python text of a format."""
    return repr(format)


def holds(data: Array, format: Format, fill: Any, *, signs: bool = False) -> bool:
    """Whether a format takes these elements, among them zeros of both signs where those count."""
    told = told_apart(data, fill) if signs else data
    return shape_fits(format, data.shape) and fits(told, format, fill)
