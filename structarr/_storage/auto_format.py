"""The choice of the smallest format: every candidate's bytes, computed from measures.

`format="auto"` is `choose(tensor).format`. The sizes are those of the buffers that a conversion
makes, to the byte.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from math import prod
from typing import NamedTuple

import numpy as np

from structarr._storage.format_sizes import Option, options
from structarr._storage.statistics import measure
from structarr._storage.tensor import Tensor
from structarr._support.records import record
from structarr.formats import Element, Format, Pattern, name_of
from structarr.formats.name_table import slowness
from structarr.formats.sizes import Measures, Size

_INT32 = np.iinfo(np.int32).max
_LISTED = 1 << 23  # the most elements of rules and runs that are listed to be measured


@record(slots=True)
class Candidate:
    """
    A format that can hold a tensor, and the bytes that it would take.

    Attributes
    ----------
    name : str
        The usual name, with the order of the axes and the leaf where it does not say them.
    nbytes : int
        Of all buffers.
    """

    name: str
    nbytes: int
    _made: Callable[[], Format] = field(repr=False, compare=False)

    @property
    def format(self) -> Format:
        """The specification, with the narrowest dtype of coordinates and positions."""
        return self._made()


class Refusal(NamedTuple):
    """A format that cannot hold a tensor, and why."""

    name: str
    reason: str


def choose(tensor: Tensor) -> Candidate:
    """
    Return the format that takes the fewest bytes; of several, the fastest to read.

    A tensor that stands for very many elements, by a rule or runs, is not measured and keeps its
    format.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> choose(from_dense(np.array([[0, 2, 3, 0, 0], [5, 6, 7, 0, 0]])))
    Candidate(name='band', nbytes=60)
    """
    own = Candidate(name_of(tensor.format), tensor.nbytes, lambda: tensor.format)
    if is_vast(tensor):
        return own
    best = candidates(measure(tensor))[0]
    return best if best.nbytes <= own.nbytes else own


def is_vast(tensor: Tensor) -> bool:
    """
    Return whether a tensor stands for more elements than can be listed, and stores far fewer.

    Examples
    --------
    >>> from structarr import formats
    >>> for shape in ((3, 3), (10**6, 10**6)):
    ...     is_vast(Tensor.checked(formats.parse("constant", 2), shape, 0, ([1.0],)))
    False
    True
    """
    return _listed(tensor) > max(_LISTED, tensor.nbytes)


def _listed(tensor: Tensor) -> int:
    """The number of elements that measuring lists, if the tensor does not list them itself."""
    if not tensor.ndim:
        return 0
    level, buffers = tensor.format.levels[-2], tensor.level_buffers[-2]
    kinds = [level.kind for level in tensor.format.levels[:-1]]
    if any(k.is_constant or k.is_rule or (tensor.ndim > 1 and k.covers) for k in kinds):
        return prod(tensor.shape)
    if tensor.ndim > 1 and level.kind.has_runs:
        return level.covered(buffers)
    return tensor.counts[-1] if tensor.format.levels[-1].uniform else 0


def candidates(measures: Measures) -> tuple[Candidate, ...]:
    """
    Return all formats that can hold a measured array, the smallest first.

    Booleans stored only where they are True may have a leaf without values.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> first, second, *_ = candidates(measure(from_dense(np.array([[7, 7, 7], [7, 7, 8]]))))
    >>> first.name, first.nbytes, second.name, second.nbytes
    ('dense', 48, 'rle', 48)
    """
    found: list[Candidate] = []
    for option in sorted(options(measures), key=lambda option: slowness(option.name)):
        if isinstance(option.size, str):
            continue
        found.append(_candidate(option, option.size, measures))
        if measures.dtype.kind == "b" and not measures.fill and option.needs_no_values:
            found.append(_candidate(option, option.size, measures, pattern=True))
    return tuple(sorted(found, key=lambda candidate: candidate.nbytes))


def refusals(measures: Measures) -> tuple[Refusal, ...]:
    """Return the formats that cannot hold a measured array, and why."""
    found = list(options(measures))
    possible = {option.kind for option in found if isinstance(option.size, Size)}
    reasons = {option.kind: option.size for option in found if isinstance(option.size, str)}
    return tuple(Refusal(name, why) for name, why in reasons.items() if name not in possible)


def _candidate(option: Option, size: Size, measures: Measures, pattern: bool = False) -> Candidate:
    narrow = size.places and max(option.extent, size.children) <= _INT32
    index = "int32" if narrow else "int64"
    width = 0 if pattern else measures.dtype.itemsize
    nbytes = np.dtype(index).itemsize * size.places + size.mask + size.children * width
    leaf, name = (
        (Pattern(), f"{option.name}, leaf Pattern") if pattern else (Element(), option.name)
    )
    return Candidate(name, nbytes, lambda: option.format(leaf, index))


def table(measures: Measures) -> str:
    """
    Return candidates and refusals as text, a line each: bytes, and as a multiple of the least.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> print(table(measure(from_dense(np.array([0.0, 4.0, 4.0])))))
    interval             16    1.00
    dense                24    1.50
    sparse-rle           24    1.50
    bitmap               27    1.69
    band                 28    1.75
    ragged               32    2.00
    list                 32    2.00
    rle                  32    2.00
    coo                  32    2.00
    vbl                  36    2.25
    packbits             44    2.75
    constant              - along no axis are all elements equal
    point                 - a fiber has more than one element
    """
    found, refused = candidates(measures), refusals(measures)
    width = max(len(name) for name in [one.name for one in found] + [name for name, _ in refused])
    least = found[0].nbytes
    lines = [f"{one.name:{width}} {one.nbytes:>12} {_ratio(one.nbytes, least):>7}" for one in found]
    return "\n".join(lines + [f"{name:{width}} {'-':>12} {reason}" for name, reason in refused])


def _ratio(nbytes: int, least: int) -> str:
    return f"{nbytes / least:.2f}" if least else "-"
