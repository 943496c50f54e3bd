"""The cases that a format is tried on: what fits it, in several shapes, dtypes and fills."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from structarr._array import Array, stored
from structarr._storage.dense import to_dense
from structarr._testing.case import Case, Operand, operand, spelled
from structarr._testing.families import KINDS, samples
from structarr.errors import FormatError
from structarr.formats import Dense, Format, Layout, SparseList, parse

Fits: TypeAlias = Callable[[np.random.Generator, tuple[int, ...]], Any] | Sequence[Any]

DTYPES: Final = (
    ("int64", 0),
    ("int8", 0),
    ("bool", 0),
    ("float32", 7),
    ("complex128", 0),
    ("float64", np.nan),
)
"""Dtypes and fills beside float64 and 0."""

PARTNERS: Final = {"dense": "full", "list": "scattered", "band": "band", "rle": "runs"}
"""The formats of operands beside the one that is checked, and their families."""


def cases(format: Format, fits: Fits | None, seed: int) -> Iterator[Case]:
    """Cases of float64 and a fill of 0, those of the first shape with elements first."""
    found = list(_fitting(format, fits, seed))
    if not any(one.data.any() for _, one in found):
        raise FormatError(
            f"nothing was found that format {Layout(format)} can store: give check_format arrays "
            "that fit it, or a function that makes them, as fits="
        )
    found.sort(key=lambda pair: (pair[1].data.size < 2, not pair[1].data.any()))
    for number, (label, own) in enumerate(found):
        alike = [one for _, one in found if one.data.shape == own.data.shape]
        again = alike[(number + 1) % len(alike)]
        yield Case(label, own, format, {**_partners(own, seed), "own": again})


def retyped(case: Case, seed: int) -> Iterator[Case]:
    """A case in other dtypes, and with other fills."""
    for dtype, fill in DTYPES:
        data, value = refilled(case.own.data, dtype, fill)
        label = f"{case.label}, {dtype}, fill {fill}"
        own = operand(data, value, case.format)
        yield Case(label, own, case.format, {**_partners(own, seed), "own": own})


def below(case: Case, seed: int) -> Iterator[Case]:
    """A case, and the same again, below a further level."""
    data = np.stack([case.own.data, case.own.data])
    for outer in (Dense, SparseList):
        order = (0, *(axis + 1 for axis in case.format.order))
        try:
            format = parse(Format(outer(case.format.root), order), data.ndim)
        except FormatError:  # not every level may stand below another
            continue
        own = operand(data, case.tensor.fill, format)
        label = f"{case.label}, below {outer.__name__}"
        yield Case(label, own, format, {**_partners(own, seed), "own": own})


def refilled(data: Any, dtype: str, fill: Any) -> tuple[Any, Any]:
    """Elements in a dtype, with a fill in place of zeros and, of even numbers, nowhere else."""
    value = np.dtype(dtype).type(fill)
    moved = data if dtype == "bool" else 4 * data  # whole numbers, other than the fill
    cast = moved.astype(dtype)
    return (cast if fill == 0 else np.where(data == 0, value, cast)), value


def _fitting(format: Format, fits: Fits | None, seed: int) -> Iterator[tuple[str, Operand]]:
    """The values that can be stored, of all."""
    dtype = np.dtype(np.float64 if format.levels[-1].buffers else np.bool_)
    for label, data in _given(format.ndim, fits, seed):
        if isinstance(data, Array):
            tensor = stored(data)
            yield label, Operand(data, to_dense(tensor), f"...  # {label}: {tensor!r}")
            continue
        plain = np.array(data, dtype)
        try:
            own = operand(plain, dtype.type(0), format)
        except FormatError as error:
            if fits is None and any(level.is_partial for level in format.levels):
                continue
            made = f"sa.asarray({plain.tolist()}).asformat({spelled(format)})"
            raise AssertionError(
                f"format {Layout(format)} refuses what fits it, {label}: {error}\n"
                f"To see it again:\n    {made}"
            ) from error
        yield f"{label} of shape {plain.shape}", own


def _given(ndim: int, fits: Fits | None, seed: int) -> Iterator[tuple[str, Any]]:
    if fits is None or callable(fits):
        yield from samples(ndim, seed, fits)
    else:
        for number, data in enumerate(fits):
            yield f"array {number} of fits", data


def _partners(own: Operand, seed: int) -> dict[str, Operand]:
    found = {}
    for name, family in PARTNERS.items():
        made = KINDS[family](np.random.default_rng([seed, *own.data.shape]), own.data.shape)
        data, fill = refilled(made, own.data.dtype.name, 0)
        found[name] = operand(data, fill, name)
    return found
