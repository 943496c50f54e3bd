"""Types of what public functions take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike as DTypeLike
else:
    DTypeLike = Any  # NumPy's takes some milliseconds to import

NumPyArray: TypeAlias = np.ndarray[Any, np.dtype[Any]]

Out = TypeVar("Out", bound=NumPyArray)

MISSING: Any = np._NoValue
"""NumPy's default of arguments for which None is a value."""

Axis: TypeAlias = int | tuple[int, ...] | None

Axes: TypeAlias = int | Sequence[int]

Shape: TypeAlias = int | Sequence[int]


class SupportsArray(Protocol):
    """Objects that NumPy makes arrays of: arrays of any library in the host's memory, pandas."""

    def __array__(self) -> NumPyArray:
        """The dense elements."""


class SupportsCoordinates(Protocol):
    """A sparse array or matrix of SciPy."""

    def tocoo(self) -> Any:
        """The stored elements and where they are."""


class Nested(Protocol):
    """A sequence, but no text."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __contains__(self, value: object, /) -> bool: ...


Number: TypeAlias = bool | int | float | complex | np.number[Any] | np.bool

ArrayLike: TypeAlias = SupportsArray | SupportsCoordinates | Number | Nested

Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]

Order: TypeAlias = Literal["C", "F", "A", "K"] | None

Device: TypeAlias = Literal["cpu"] | None

FormatName: TypeAlias = Literal[
    "auto",
    "dense",
    "csr",
    "csc",
    "dcsr",
    "dcsc",
    "list",
    "compressed",
    "csf",
    "coo",
    "hash",
    "band",
    "vbl",
    "ragged",
    "point",
    "interval",
    "rle",
    "sparse-rle",
    "packbits",
    "bitmap",
    "1-bit",
    "2-bit",
    "triu",
    "tril",
    "symmetric",
    "hermitian",
    "dia",
    "bsr",
    "constant",
]
"""The formats that the package names; others are given as trees of levels."""

SortKind: TypeAlias = Literal["quicksort", "mergesort", "heapsort", "stable"] | None

Bounds: TypeAlias = Literal["raise", "wrap", "clip"]
"""What becomes of places that are not there."""

Overlap: TypeAlias = Literal["full", "same", "valid"]
"""Which places of a sliding window are taken."""

Padding: TypeAlias = Literal["constant", "edge", "wrap", "reflect", "symmetric", "empty"]

Boundary: TypeAlias = Literal[
    "reflect",
    "grid-mirror",
    "mirror",
    "nearest",
    "wrap",
    "grid-wrap",
    "constant",
    "grid-constant",
]
"""What lies beyond the edges of an image."""

Direction: TypeAlias = Literal["backward", "ortho", "forward"] | None
"""Which direction of a Fourier transform is divided by the length."""

Quantile: TypeAlias = Literal[
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
"""The methods of quantiles."""

Tier: TypeAlias = Literal["auto", "interpreted", "compiled"]
