"""What xarray has no place for: functions that keep structure, and structured variables in files.

`interp`, `interpolate_na`, `idxmax`, `idxmin` and `rank` are for methods of the same names, of
which xarray makes NumPy's arrays, or which it refuses.

xarray writes NumPy's arrays. `packed` puts the buffers of each structured variable beside it, as
variables of one axis, so that `Dataset.to_netcdf` and `Dataset.to_zarr` write them without dense
copies; `unpacked` makes structured variables of what they read. The layout is in
``docs/neighbours.md``.
"""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
import xarray

from structarr._array import Array, of_tensor, stored
from structarr._xarray.gaps import interpolate_na as interpolate_na
from structarr._xarray.interpolation import interp as interp
from structarr._xarray.labels import idxmax as idxmax, idxmin as idxmin
from structarr._xarray.ranks import rank as rank
from structarr.errors import FormatError
from structarr.interop.files import Summary, described, of_description

ATTRIBUTE: Final = "structarr"


def packed(dataset: xarray.Dataset) -> xarray.Dataset:
    """
    Return a dataset in which structured variables are plain ones, which files can hold.

    Parameters
    ----------
    dataset : xarray.Dataset
        Its other variables stay as they are.

    Returns
    -------
    xarray.Dataset
        In the place of a variable ``x`` there are its fill value, with an attribute "structarr"
        that tells the format, the shape and the names of the axes in JSON, and its buffers
        ``x.buffer0``, ``x.buffer1``, ..., which are views of those of the array.

    Raises
    ------
    FormatError
        If a level is defined inside a function, or a name is taken.

    See Also
    --------
    unpacked : The way back.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> import xarray as xr
    >>> from structarr.xarray import packed, unpacked
    >>> rain = sa.asarray(np.diag([1.0, 2.0, 3.0]), format="csr")
    >>> plain = packed(xr.Dataset({"rain": (("time", "place"), rain)}))
    >>> sorted(plain), plain["rain.buffer2"].size
    (['rain', 'rain.buffer0', 'rain.buffer1', 'rain.buffer2'], 3)
    >>> unpacked(plain).rain.data.format
    Layout('csr')
    """
    found: dict[Any, xarray.Variable] = {}
    for name, variable in dataset.variables.items():
        parts = _parts(name, variable) if isinstance(variable.data, Array) else {name: variable}
        for part, value in parts.items():
            if part in found or (part != name and part in dataset.variables):
                raise FormatError(f"the dataset has a variable {part!r} already: rename it")
            found[part] = value
    return _of_variables(found, dataset)


def _parts(name: Any, variable: xarray.Variable) -> dict[Any, xarray.Variable]:
    """The variables that stand for a structured one."""
    if ATTRIBUTE in variable.attrs:
        raise FormatError(f"variable {name!r} has an attribute {ATTRIBUTE!r} already: rename it")
    tensor = stored(variable.data)
    summary = Summary(tensor.format, tensor.shape, tensor.dtype, len(tensor.buffers))
    told = json.dumps({**described(summary), "dims": list(variable.dims)})
    attributes = {**variable.attrs, ATTRIBUTE: told}
    fill = xarray.Variable((), np.asarray(tensor.fill, tensor.dtype), attributes)
    parts = {name: fill}
    for place, buffer in enumerate(tensor.buffers):
        own = _buffer(name, place)
        # An axis of the variable's own name would make it an index.
        parts[own] = xarray.Variable((f"{own}.length",), buffer.reshape(-1))
    return parts


def _buffer(name: Any, place: int) -> str:
    return f"{name}.buffer{place}"


def unpacked(dataset: xarray.Dataset) -> xarray.Dataset:
    """
    Return a dataset with the structured variables that `packed` made plain ones of.

    Parameters
    ----------
    dataset : xarray.Dataset
        As `xarray.open_dataset` or `xarray.open_zarr` reads it. Buffers are read, and nothing else.

    Returns
    -------
    xarray.Dataset
        Its structured variables are arrays of this library; the others stay as they are.

    Raises
    ------
    FormatError
        If what is told of a variable and its buffers contradict each other, or a buffer is missing.

    See Also
    --------
    packed : The way there, with an example.

    Examples
    --------
    >>> import xarray as xr
    >>> from structarr.xarray import unpacked
    >>> unpacked(xr.Dataset({"x": ("t", [1, 2])})).x.values.tolist()
    [1, 2]
    """
    found: dict[Any, xarray.Variable] = {}
    taken: set[Any] = set()
    for name, variable in dataset.variables.items():
        if ATTRIBUTE in variable.attrs:
            found[name], buffers = _joined(name, variable, dataset)
            taken.update(buffers)
        else:
            found[name] = variable
    kept = {name: variable for name, variable in found.items() if name not in taken}
    return _of_variables(kept, dataset)


def _joined(
    name: Any, variable: xarray.Variable, dataset: xarray.Dataset
) -> tuple[xarray.Variable, list[str]]:
    """A structured variable, and the names of its buffers."""
    attributes = dict(variable.attrs)
    try:
        told = json.loads(attributes.pop(ATTRIBUTE))
        names, buffers = [], []
        for place in range(told["buffers"]):  # which may be wrong: the first that lacks ends it
            names.append(_buffer(name, place))
            buffers.append(np.ascontiguousarray(dataset.variables[names[-1]].values))
        kind = np.dtype(told["dtype"])
        fill = np.asarray(variable.values).astype(kind)[()]
        tensor = of_description(told, fill, buffers)
        return xarray.Variable(told["dims"], of_tensor(tensor), attributes), names
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(
            f"variable {name!r} was not written by structarr.xarray.packed, or is damaged: "
            f"{type(error).__name__}: {error}"
        ) from error


def _of_variables(variables: dict[Any, xarray.Variable], like: xarray.Dataset) -> xarray.Dataset:
    """A dataset of variables, with the coordinates and attributes of another."""
    coords = {name: variables[name] for name in like.coords if name in variables}
    data = {name: value for name, value in variables.items() if name not in coords}
    made = xarray.Dataset(data, coords, like.attrs)
    made.encoding.update(like.encoding)
    return made
