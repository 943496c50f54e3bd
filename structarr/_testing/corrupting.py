"""Buffers that are wrong: refused, or else all ways to read them agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._array import of_tensor
from structarr._storage.tensor import Tensor
from structarr._testing.case import Case, differ
from structarr.errors import FormatError
from structarr.formats.entries import Array

PLACES: Final = 12  # entries of each buffer that are tried


def corrupt(case: Case) -> None:
    """Change each buffer in many ways; the format must refuse what it cannot read."""
    for number, buffer in enumerate(case.tensor.buffers):
        counts = buffer.dtype.kind == "i" and number < len(case.tensor.buffers) - 1
        for label, changed in _changes(buffer, counts, max(case.tensor.shape, default=1)):
            with case.reporting(f"a, with {label} in its buffer {number}, {buffer.tolist()}"):
                _refused_or_read(case.tensor, number, changed)


def _changes(buffer: Array, counts: bool, longest: int) -> Iterator[tuple[str, Array]]:
    yield "an entry more", np.concatenate([buffer, buffer[-1:]])
    yield "an entry less", buffer[:-1]
    yield "another dimension", buffer[None]
    yield "complex entries", buffer.astype(np.complex128)[:, None]
    if not counts:
        return
    step = max(1, len(buffer) // PLACES)
    for place in range(0, len(buffer), step):
        old = int(buffer[place])
        for value in {-2, -1, 0, old - 1, old + 1, longest, np.iinfo(buffer.dtype).max} - {old}:
            changed = buffer.copy()
            changed[place] = value
            yield f"entry {place} set to {value}", changed
    if len(buffer) > 1:
        yield "its entries reversed", buffer[::-1].copy()


def _refused_or_read(tensor: Tensor, number: int, changed: Array) -> None:
    buffers = list(tensor.buffers)
    buffers[number] = changed
    try:
        wrong = Tensor.checked(tensor.format, tensor.shape, tensor.fill, buffers, tensor.dtype)
    except FormatError:
        return
    assert changed.ndim == 1, "accepted, though it has two dimensions"
    _readings_agree(of_tensor(wrong))


def _readings_agree(array: Any) -> None:
    """Listed, walked and located, the elements are the same."""
    listed = array.todense()
    for read in (sa.walk, sa.gallop, sa.locate):
        got = (read(array) * 1).todense()
        bad = np.argwhere(~((got == listed) | (got != got)))
        assert not len(bad), (
            f"accepted, but {read.__name__} reads {got[tuple(bad[0])]} at {tuple(bad[0].tolist())} "
            f"and `expand` {listed[tuple(bad[0])]}: let `validate` refuse it"
        )
    differ((array + 1).todense(), listed + 1)
