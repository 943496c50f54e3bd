"""Binsparse: a descriptor in JSON and named arrays, in HDF5, in Zarr, or in memory.

Dense and sparse levels are written as version 0.1 of the specification has them. Every other level
is an extension: its description is "structarr." and the level's name, with the level's fields, and
its arrays are named after its buffers and its depth; docs/files.md writes this down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from structarr import formats
from structarr._storage.earlier_layouts import in_this_layout
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import (
    Coordinate,
    Dense,
    Element,
    Format,
    Level,
    Pattern,
    Singleton,
    SparseList,
)
from structarr.formats.entries import Array
from structarr.interop.files import is_earlier

VERSION: Final = "0.1.0"
_OWN: Final = "structarr."

Reader = Callable[[str], Array]
"""From the name of an array to it, as it is stored."""

_ROWS = (1, 0)
_ALIASES: Final[dict[str, tuple[tuple[Any, ...], tuple[int, ...] | None]]] = {
    "DVEC": (("dense",), None),
    "DMAT": (("dense", "dense"), None),
    "DMATR": (("dense", "dense"), None),
    "DMATC": (("dense", "dense"), _ROWS),
    "CVEC": (("sparse",), None),
    "CSR": (("dense", "sparse"), None),
    "CSC": (("dense", "sparse"), _ROWS),
    "DCSR": (("sparse", "sparse"), None),
    "DCSC": (("sparse", "sparse"), _ROWS),
    "COO": ((("sparse", 2),), None),
    "COOR": ((("sparse", 2),), None),
    "COOC": ((("sparse", 2),), _ROWS),
}
"""The predefined formats: their levels from the outermost, with a rank above 1, and their order."""


def descriptor_of(tensor: Tensor) -> tuple[dict[str, Any], dict[str, Array]]:
    """
    Return the description of a tensor, and its arrays by their names.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> told, arrays = descriptor_of(from_dense(np.array([1.0, 2.0])))
    >>> told["custom"]["level"]["level_desc"], sorted(arrays)
    ('dense', ['fill_value', 'values'])
    """
    arrays: dict[str, Array] = {}
    root = _described(tensor, 0, 0, arrays)
    count = len(arrays["values"]) if "values" in arrays else tensor.nstored
    told: dict[str, Any] = {
        "version": VERSION,
        "format": "custom",
        "custom": {"level": root, "transpose": list(tensor.format.order)},
        "shape": list(tensor.shape),
        "number_of_stored_values": count,
        "fill": True,
    }
    arrays["fill_value"] = np.array([tensor.fill])
    encoded, kinds = {}, {}
    for name, array in arrays.items():
        encoded[name], kinds[name] = _encoded(array)
    told["data_types"] = kinds
    return told, encoded


def _described(tensor: Tensor, place: int, depth: int, arrays: dict[str, Array]) -> dict[str, Any]:
    """The description of a level and of those below it; its arrays are added to those there are."""
    level, buffers = tensor.format.levels[place], tensor.level_buffers[place]
    if type(level) is Element:
        (arrays["values"],) = buffers
        return {"level_desc": "element"}
    if type(level) is Dense:
        below = _described(tensor, place + 1, depth + 1, arrays)
        return {"level_desc": "dense", "rank": 1, "level": below}
    if type(level) is SparseList:
        pointers, indices = buffers
        if depth:
            arrays[f"pointers_to_{depth}"] = pointers
        arrays[f"indices_{depth}"] = indices
        below = _described(tensor, place + 1, depth + 1, arrays)
        return {"level_desc": "sparse", "rank": 1, "level": below}
    if type(level) is Coordinate and not depth:
        return _listed(tensor, place, arrays)
    for name, buffer in zip(level.buffers, buffers, strict=True):
        arrays[f"{name}_{depth}"] = buffer
    fields = {name: getattr(level, name) for name in level._fields if name != "child"}
    told = {"level_desc": _OWN + type(level).__name__, "rank": int(not level.leaf), **fields}
    if level.layout > 1:
        told["layout"] = level.layout
    if not level.leaf:
        told["level"] = _described(tensor, place + 1, depth + 1, arrays)
    return told


def _listed(tensor: Tensor, place: int, arrays: dict[str, Array]) -> dict[str, Any]:
    """A list of coordinates, which is one sparse level of several axes."""
    levels = tensor.format.levels
    rank = 1
    arrays["indices_0"] = tensor.level_buffers[place][1]
    while type(levels[place + rank]) is Singleton:
        (arrays[f"indices_{rank}"],) = tensor.level_buffers[place + rank]
        rank += 1
    below = _described(tensor, place + rank, rank, arrays)
    return {"level_desc": "sparse", "rank": rank, "level": below}


def _encoded(array: Array) -> tuple[Array, str]:
    if array.dtype == np.bool_:
        return array.view(np.uint8), "bint8"
    if array.dtype.kind == "c":
        half = np.dtype(f"f{array.dtype.itemsize // 2}")
        return np.ascontiguousarray(array).view(half), f"complex[{half.name}]"
    return array, array.dtype.name


def _decoded(array: Array, kind: str, count: int | None) -> Array:
    inner = re.fullmatch(r"(iso|complex)\[(.*)\]", kind)
    if inner is None:
        dtype = np.dtype(bool if kind == "bint8" else kind)
        if dtype.kind not in "biuf":
            raise FormatError(f"data type {kind!r} is not one of binsparse's")
        return array.view(bool) if kind == "bint8" and array.dtype.itemsize == 1 else array
    own = _decoded(array, inner[2], count)
    if inner[1] == "complex":
        return np.ascontiguousarray(own).view(np.complex64 if own.itemsize == 4 else np.complex128)
    if own.size != 1 or count is None:
        raise FormatError("an array of one value has another number of them")
    return np.broadcast_to(own.reshape(1), (count,))


def tensor_of(told: Mapping[str, Any], reader: Reader) -> Tensor:
    """
    Return the tensor of a description and of what reads its arrays.

    Raises
    ------
    FormatError
        If the description is of a newer version or of an unknown level, or contradicts the arrays.
    """
    if str(told["version"]).partition(".")[0] != VERSION.partition(".")[0]:
        raise FormatError(f"it is of version {told['version']}, and {VERSION} is read")
    shape = tuple(int(length) for length in told["shape"])
    count, kinds = int(told["number_of_stored_values"]), told["data_types"]

    def array(name: str) -> Array:
        own = count if name == "values" else None
        found = np.asarray(_decoded(reader(name), kinds[name], own))
        return found if found.dtype.kind != "u" or name == "values" else found.astype(np.int64)

    root, order = _tree_of(told)
    levels: list[Level] = []
    buffers: list[Array] = []
    _read(root, 0, array, levels, buffers)
    tree = levels[-1]
    for level in reversed(levels[:-1]):
        tree = _above(level, tree)
    places = [one for one in buffers if one.dtype.kind == "i"]
    narrow = all(one.dtype == np.int32 for one in places[:-1] or places)
    format = Format(tree, order or tuple(range(len(shape))), "int32" if narrow else "int64")
    fill = array("fill_value")[0] if told.get("fill") else 0
    dtype = np.dtype(bool) if type(levels[-1]) is Pattern else buffers[-1].dtype
    parsed = formats.parse(format, len(shape))
    if is_earlier(parsed, root, "level"):
        buffers = in_this_layout(parsed, shape, buffers)
    return Tensor.checked(parsed, shape, fill, buffers, dtype)


def _tree_of(told: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[int, ...] | None]:
    name = told["format"]
    if name == "custom":
        order = told["custom"].get("transpose")
        return told["custom"]["level"], None if order is None else tuple(map(int, order))
    if not isinstance(name, str) or name not in _ALIASES:
        raise FormatError(f"format {name!r} is none of {', '.join(_ALIASES)}")
    steps, order = _ALIASES[name]
    root: dict[str, Any] = {"level_desc": "element"}
    for step in reversed(steps):
        kind, rank = step if isinstance(step, tuple) else (step, 1)
        root = {"level_desc": kind, "rank": rank, "level": root}
    return root, order


def _read(
    told: Mapping[str, Any],
    depth: int,
    array: Reader,
    levels: list[Level],
    buffers: list[Array],
) -> None:
    """Add the levels of a description, without what is below each, and their buffers."""
    kind, rank = told["level_desc"], int(told.get("rank", 0))
    if kind == "element":
        levels.append(Element())
        buffers.append(array("values").reshape(-1))
        return
    if rank > 64:
        raise FormatError(f"a level of {rank} axes")
    if kind == "dense":
        levels += [Dense(Element())] * rank
    elif kind == "sparse" and rank == 1:
        indices = array(f"indices_{depth}")
        root = np.array([0, len(indices)])
        buffers += [array(f"pointers_to_{depth}") if depth else root, indices]
        levels.append(SparseList(Element()))
    elif kind == "sparse" and not depth:
        places = [array(f"indices_{axis}") for axis in range(rank)]
        buffers += [np.array([0, len(places[0])]), *places]
        levels += [Coordinate(Element()), *[Singleton(Element())] * (rank - 1)]
    elif isinstance(kind, str) and kind.startswith(_OWN):
        level = _own_level(kind.removeprefix(_OWN), told)
        buffers += [array(f"{name}_{depth}") for name in level.buffers]
        levels.append(level)
        if level.leaf:
            return
    else:
        raise FormatError(f"level {kind!r} of {rank} axes at depth {depth} is not read")
    _read(told["level"], depth + max(rank, 1), array, levels, buffers)


def _own_level(name: str, told: Mapping[str, Any]) -> Level:
    kind = vars(formats).get(name)
    if not (isinstance(kind, type) and issubclass(kind, Level) and kind is not Level):
        raise FormatError(f"level {name!r} is unknown: update structarr")
    if told.get("layout", 1) > kind.layout:
        raise FormatError(f"level {name!r} is in layout {told['layout']}: update structarr")
    given = {field: told[field] for field in kind._fields if field != "child" and field in told}
    fields: dict[str, Any] = {
        key: tuple(one) if isinstance(one, list) else one for key, one in given.items()
    }
    return kind(**fields) if kind.leaf else kind(child=Element(), **fields)


def _above(level: Level, child: Level) -> Level:
    fields: dict[str, Any] = {name: getattr(level, name) for name in level._fields}
    return type(level)(**{**fields, "child": child})
