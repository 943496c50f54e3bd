"""Random elements: arranged as some format likes it, of few values, odd ones among them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._testing.families import KINDS
from structarr.formats.entries import Array

DTYPES: Final = (
    *("float64", "float64", "float64", "int64", "int64", "bool", "bool"),
    *("float32", "float32", "complex128", "complex64", "int8", "int16", "int32"),
    *("uint8", "uint16", "uint32", "uint64"),
)
_LABELS: Final = tuple(KINDS)


def random_dtype(rng: np.random.Generator) -> np.dtype[Any]:
    """A dtype that is stored, the usual ones more often."""
    return np.dtype(DTYPES[rng.integers(len(DTYPES))])


def random_fill(rng: np.random.Generator, dtype: np.dtype[Any]) -> Any:
    """A random fill: mostly zero."""
    if rng.random() < 0.6:
        return dtype.type(0)
    if dtype.kind in "fc" and rng.random() < 0.6:
        odd = (np.nan, np.inf, -np.inf, -0.0, 0.5, -1.0)
        return dtype.type(odd[rng.integers(len(odd))])
    if dtype.kind in "iu" and rng.random() < 0.2:
        info = np.iinfo(dtype)
        return dtype.type((info.min, info.max)[rng.integers(2)])
    return dtype.type(rng.integers(0, 3))


def random_values(
    rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any], fill: Any, odd: bool
) -> Array:
    """Elements of which those that some arrangement leaves out are the fill."""
    label = _LABELS[rng.integers(len(_LABELS))]
    made = np.asarray(KINDS[label](rng, shape))
    distinct, places = np.unique(made, return_inverse=True)
    chosen = palette(rng, len(distinct), dtype, odd)
    data = chosen[places.reshape(made.shape)]
    return np.where(made == 0, np.array(fill, dtype), data).astype(dtype)


def palette(rng: np.random.Generator, count: int, dtype: np.dtype[Any], odd: bool) -> Array:
    """Different kinds of numbers of a dtype, some odd ones among them if asked for."""
    kind = dtype.kind
    if kind == "b":
        return rng.random(count) < 0.7
    low = 0 if kind == "u" else -4
    found = rng.integers(low, 6, count).astype(dtype)
    style = rng.random()
    if kind in "fc" and style < 0.6:
        found = (found * (0.5 if style < 0.3 else 0.1)).astype(dtype)
    if kind == "c":
        found = (found + 1j * rng.integers(-2, 3, count)).astype(dtype)
    if not odd:
        return found
    specials = _specials(dtype)
    at = rng.random(count) < 0.3
    return np.where(at, specials[rng.integers(len(specials), size=count)], found).astype(dtype)


def _specials(dtype: np.dtype[Any]) -> Array:
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array([info.min, info.max, info.max - 1, info.min + 1, 0], dtype)
    found: list[complex] = [np.nan, np.inf, -np.inf, -0.0, 0.0]
    if dtype.kind == "c":
        found = [*found, complex(np.nan, 1), complex(-0.0, 2), complex(1, np.inf)]
    return np.array(found, dtype)
