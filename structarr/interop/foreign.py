"""Objects of other libraries: which file here reads them and makes them.

Each such file has `takes`, which tells its objects, `tensor_of`, which reads one, and `made`, which
makes one. A file is imported when an object of its library is met, or asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final, TypeAlias

from structarr._storage.tensor import Tensor
from structarr._support.meant import meant
from structarr.errors import FormatError
from structarr.formats import Format

AsStored: TypeAlias = Callable[[str | Format | None], Tensor]
"""From a format to the array stored in it; None stands for that in which it is."""

_FILES: Final = {
    "awkward": "awkward",
    "graphblas": "graphblas",
    "jax": "jax",
    "polars": "arrow",
    "pyarrow": "arrow",
    "sparse": "pydata_sparse",
    "torch": "torch",
}
"""The packages whose objects are known, to the file that reads them."""

NAMES: Final = (
    *("arrow", "awkward", "graphblas", "jax", "numba", "polars", "pydata_sparse", "torch"),
)
"""What `Array.to` makes; `to_scipy` and `to_pandas` are methods of their own."""


CONVERSIONS: Final = (
    "structarr.asarray takes nested lists, arrays of NumPy, scipy.sparse, pandas, pyarrow, polars, "
    "awkward, pydata/sparse, python-graphblas, torch and jax, and whatever has __array__, "
    "__binsparse__ or __arrow_c_array__; structarr.from_dlpack the rest"
)
"""What an object that is none of these is told."""


def _file(name: str) -> ModuleType:
    return import_module(f"structarr.interop.{name}")


_PROTOCOLS: Final = {"__binsparse__": "binsparse", "__arrow_c_array__": "arrow"}
"""The methods by which any object may offer its buffers, to the file that reads these."""


def _reader(obj: object) -> str | None:
    """The file that reads an object; None for what NumPy, SciPy and pandas have."""
    package = type(obj).__module__.partition(".")[0]
    if package in _FILES:
        return _FILES[package] if _file(_FILES[package]).takes(obj) else None
    if package in ("builtins", "numpy", "pandas", "scipy"):
        return None
    offered = [name for name in _PROTOCOLS if hasattr(type(obj), name)]
    if offered == ["__arrow_c_array__"] and hasattr(type(obj), "__array_interface__"):
        return None  # an image of Pillow's: Arrow's array is its elements without their axes
    return _PROTOCOLS[offered[0]] if offered else None


def is_foreign(obj: object) -> bool:
    """Whether an object is one that a file here reads."""
    return _reader(obj) is not None


def tensor_of(obj: Any, fill: Any = None) -> Tensor:
    """
    Return the tensor of another library's object, of shared buffers where the layouts agree.

    Parameters
    ----------
    obj : object
        One that `is_foreign` knows.
    fill : scalar, optional
        What stands where nothing is stored; None for what the object says, else 0.

    Raises
    ------
    FormatError
        If its buffers contradict each other, or it stores nothing that an array could be.
    """
    name = _reader(obj)
    assert name is not None
    if name == "binsparse":
        told, buffers = obj.__binsparse__()
        named = dict(zip(told["data_types"], buffers, strict=True))
        return _file(name).tensor_of(told, named.__getitem__)  # type: ignore[no-any-return]
    tensor: Tensor = _file(name).tensor_of(obj, fill)
    return tensor


def made(name: str, stored: AsStored, layout: str | None) -> Any:
    """
    Return an array as an object of another library.

    Raises
    ------
    FormatError
        If there is no such library or layout, or it has no place for the array.
    """
    if name not in NAMES:
        raise FormatError(
            f"there is no way to {name!r}; {meant(name, NAMES)}.to() makes {', '.join(NAMES)}, and "
            ".to_scipy() and .to_pandas() the rest; numpy.asarray and .todense() give NumPy's"
        )
    return _file("arrow" if name == "polars" else name).made(stored, layout or "", name)


def checked_layout(layout: str, layouts: tuple[str, ...], library: str) -> str:
    """
    Return a layout, the first of those that there are for none.

    Raises
    ------
    FormatError
        If it is none of them.
    """
    if not layout:
        return layouts[0]
    if layout not in layouts:
        raise FormatError(
            f"{library} has no layout {layout!r}; {meant(layout, layouts)}it takes "
            f"{', '.join(layouts)}"
        )
    return layout


def check_fill(tensor: Tensor, library: str) -> None:
    """Raise FormatError for a fill other than 0, where a library has no place for it."""
    if tensor.fill != 0:
        raise FormatError(
            f"{library} has zeros where nothing is stored, this array {tensor.fill}: subtract the "
            "fill first, or use .todense()"
        )
