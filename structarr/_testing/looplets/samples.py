"""Samples of a looplet: elements, and what the names in it stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from structarr.formats.entries import Array


class Sample(NamedTuple):
    """The elements of a looplet, and the buffers and scalars that say so."""

    values: Array
    given: Mapping[str, Any]


def read_samples(samples: Iterable[tuple[Any, Mapping[str, Any]]]) -> list[Sample]:
    """Samples as a user gives them; refused where they do not serve."""
    found = [
        Sample(np.asarray(values), {name: _given(one) for name, one in given.items()})
        for values, given in samples
    ]
    if not {0, 1} <= {one.values.size for one in found}:
        raise ValueError("there must be samples of no and of one element, where most mistakes are")
    if len({(one.values.dtype, one.values.ndim, *one.given) for one in found}) > 1:
        raise ValueError("the samples must have one dtype, one axis and the same names")
    if found[0].values.ndim != 1:
        raise ValueError("the elements of a looplet have one axis")
    taken = [name for name in found[0].given if name.startswith(("check_", "partner_"))]
    if taken:
        raise ValueError(f"give {taken[0]!r} another name: those that begin so are the check's own")
    return found


def _given(value: Any) -> Any:
    return np.ascontiguousarray(value) if np.ndim(value) else value
