"""Tensors next to each other along their outermost levels, as one: buffers behind buffers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor
from structarr._support import buffer_pool, dtypes
from structarr.formats.base import Format, Level
from structarr.formats.entries import Array


def are_put_together(levels: Sequence[Level]) -> bool:
    """Whether rows along the outermost of some levels can be stored apart, and put together."""
    *above, _ = levels
    simple = all(level.slicing == "places" or level.cumulative for level in above)
    return bool(above) and above[0].kind.arithmetic and simple


def is_joined(format: Format) -> bool:
    """Whether rows along the outermost level can be written one after the other."""
    return are_put_together(format.levels) and not format.levels[-1].uniform


def are_joined(tensors: Sequence[Tensor]) -> bool:
    """Whether tensors are stored alike, and so that `joined` takes them."""
    first = tensors[0]
    fill = np.asarray(first.fill).tobytes()
    return is_joined(first.format) and all(
        one.format is first.format
        and one.dtype == first.dtype
        and np.asarray(one.fill).tobytes() == fill
        for one in tensors
    )


def joined(*tensors: Tensor) -> Tensor | None:
    """
    Return some tensors next to each other; None where a position has no room in their dtype.

    Parameters
    ----------
    *tensors : Tensor
        They are stored alike (`are_joined`), and as long along all axes but the outermost one.
    """
    first = tensors[0]
    names = [(level, name) for level in first.format.levels for name in level.buffers]
    columns = zip(*[one.buffers for one in tensors], strict=True)
    buffers: list[Array] = []
    for (level, name), parts in zip(names, columns, strict=True):
        made = _pointers(parts) if name in level.cumulative else _behind(parts)
        if made is None:
            return None
        buffers.append(made)
    axis = first.format.order[0]
    shape = list(first.shape)
    shape[axis] = sum([one.shape[axis] for one in tensors])
    return Tensor(first.format, tuple(shape), first.dtype, first.fill, tuple(buffers), {OWN: True})


def _behind(parts: Sequence[Array]) -> Array:
    """Buffers one behind the other."""
    made = buffer_pool.empty(sum(map(len, parts)), parts[0].dtype)
    np.concatenate(parts, out=made)
    return made


def _pointers(parts: Sequence[Array]) -> Array | None:
    """Buffers that count from zero, each on from where the one before it ends."""
    ends = np.cumsum([int(part[-1]) for part in parts])
    if ends[-1] > dtypes.largest(parts[0].dtype):
        return None
    made = buffer_pool.empty(1 + sum([len(part) - 1 for part in parts]), parts[0].dtype)
    made[0] = at = 0
    for part, before in zip(parts, [0, *ends.tolist()], strict=False):
        np.add(part[1:], part.dtype.type(before), out=made[at + 1 : at + len(part)])
        at += len(part) - 1
    return made
