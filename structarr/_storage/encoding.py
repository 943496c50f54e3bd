"""Dense arrays as codes of a few values, without a list of their elements."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from structarr._storage.conform import differs
from structarr._storage.dense import dense_view
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Element, Format, Level, name_of
from structarr.formats.coded import Coded, encoded, told
from structarr.formats.entries import Array

CHUNK = 1 << 20
"""The elements that are looked at together."""


def is_encoded(tensor: Tensor, format: Format) -> bool:
    """Whether a dense array becomes codes of this format by NumPy."""
    *outer, inner, leaf = (None, None, *format.levels)[-max(3, len(format.levels)) :]
    plain = all(level is None or level.kind.arithmetic for level in outer)
    return plain and isinstance(inner, Coded) and leaf is Element() and tensor.format.is_dense


def encode(tensor: Tensor, format: Format) -> Tensor:
    """
    A dense array in a format of codes, whose open values are found.

    Raises
    ------
    FormatError
        With the first element of a value that has no code.
    """
    view, level = dense_view(tensor), format.levels[-2]
    assert view is not None
    assert isinstance(level, Coded)
    rows = view.transpose(format.order)
    rows = (
        rows.reshape(-1, rows.shape[-1]) if rows.size else np.zeros((0, rows.shape[-1]), view.dtype)
    )
    if level.others is None:
        level = level.replace(others=_values_of(rows, tensor, level.bits))
    others = told(level.others or (), tensor.dtype)
    made = [np.zeros((0, -(-rows.shape[1] * level.bits // 8)), np.uint8)]
    for start, part in _chunks(rows):
        made.append(encoded(_codes(part, start, others, tensor, format), level.bits))
    table = np.full(1 << level.bits, tensor.fill, tensor.dtype)
    table[1 : len(others) + 1] = others
    root: Level = level
    for one in reversed(format.levels[:-2]):
        root = one.above(root)
    own = Format(root, format.order, format.index)
    code = np.concatenate(made).reshape(-1)
    return Tensor(own, tensor.shape, tensor.dtype, tensor.fill, (code, table))


def _chunks(rows: Array) -> Iterator[tuple[int, Array]]:
    step = max(1, CHUNK // max(1, rows.shape[1]))
    for start in range(0, len(rows), step):
        yield start, rows[start : start + step]


def _values_of(rows: Array, tensor: Tensor, bits: int) -> tuple[str, ...]:
    """The values other than the fill, but for those that are too many, in order."""
    found: list[np.generic] = []
    for _, part in _chunks(rows):
        left = differs(part, tensor.fill)
        for value in found:
            left &= differs(part, value)
        while len(found) < (1 << bits) - 1 and left.any():
            found.append(part.reshape(-1)[int(np.argmax(left))])
            left &= differs(part, found[-1])
    return tuple([repr(value.item()) for value in np.sort(np.array(found, rows.dtype))])


def _codes(part: Array, start: int, others: Array, tensor: Tensor, format: Format) -> Array:
    codes = np.zeros(part.shape, np.uint8)
    left = differs(part, tensor.fill)
    for number, value in enumerate(others, 1):
        same = ~differs(part, value)
        codes[same] = number
        left &= ~same
    if left.any():
        row, column = np.argwhere(left)[0]
        dims = tuple([tensor.shape[axis] for axis in format.order])
        where = np.unravel_index((start + row) * part.shape[1] + column, dims)
        at = dict(zip(format.order, where, strict=True))
        index = ", ".join([str(at[axis]) for axis in range(tensor.ndim)])
        raise FormatError(
            f"cannot be stored as {name_of(format)}: a[{index}] = {part[row, column]} is a further "
            f"value, beside the fill, {tensor.fill}, and {', '.join(map(str, others))}"
        )
    return codes
