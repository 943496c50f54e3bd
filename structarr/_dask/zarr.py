"""Chunked arrays in Zarr groups: a group for each chunk, with an array for each of its buffers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import dask.array as da
import numpy as np
import zarr
from dask.base import tokenize
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

from structarr._array import Array, of_tensor, stored
from structarr._dask import known_counts
from structarr._dask.splitting import meta_of
from structarr._dask.united import as_dask
from structarr.errors import FormatError
from structarr.interop.files import Summary, described, of_description

KEY: Final = "structarr"
"""The attribute of groups that says what they hold."""


def to_zarr(x: Any, path: str | Path, /) -> Delayed:
    """
    Write the chunks of a Dask array to a Zarr group, in their formats.

    A chunk is marked when all of it is written. So a run that was interrupted is resumed by the
    same call: chunks of the same array that are marked are neither computed nor written again.

    Parameters
    ----------
    x : dask.array.Array or array_like
        Whose name tells whether a group is of the same array: Dask's names and those of
        `from_array` are digests of what is computed, of which data.
    path : str or Path
        A folder that every worker sees, or a URL that `zarr.open_group` takes.

    Returns
    -------
    dask.delayed.Delayed
        Computed, it writes what is missing and returns how many chunks it wrote.

    Raises
    ------
    structarr.errors.FormatError
        If the group holds another array: remove it, or choose another path.
    TypeError
        If the chunks cannot be ours.

    See Also
    --------
    from_zarr : Reads it.

    Examples
    --------
    >>> import tempfile
    >>> import structarr as sa
    >>> x = sa.dask.from_array(sa.asarray([[0, 3], [3, -1]], format="csr"), nbytes=40)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = sa.dask.to_zarr(x, f"{folder}/x.zarr").compute()
    ...     again = sa.dask.to_zarr(x, f"{folder}/x.zarr").compute()
    ...     back = sa.dask.from_zarr(f"{folder}/x.zarr").compute()
    >>> first, again, back.tolist()
    (2, 0, [[0, 3], [3, -1]])
    """
    made = as_dask(x)
    whole = {"name": made.name, "chunks": made.chunks, "dtype": made.dtype.name}
    plain = json.loads(json.dumps(whole))
    group = zarr.open_group(str(path), mode="a")
    known = group.attrs.get(KEY, plain)
    if known != plain:
        raise FormatError(
            f"{path} holds another array, {known['name']} of {known['dtype']}; remove it, or write "
            "to another path"
        )
    group.attrs[KEY] = plain
    missing = [at for at in np.ndindex(*made.numblocks) if not _is_complete(group, at)]
    writes = {
        (f"to_zarr-{made.name}", *at): (_write, str(path), at, (made.name, *at)) for at in missing
    }
    name = f"to_zarr-{tokenize(made.name, str(path), missing)}"
    graph: dict[Any, Any] = {**writes, name: (sum, list(writes))}
    return Delayed(name, HighLevelGraph.from_collections(name, graph, dependencies=[made]))


def from_zarr(path: str | Path, /) -> Any:
    """
    Return the Dask array of a Zarr group that `to_zarr` wrote; its chunks are read by their tasks.

    Parameters
    ----------
    path : str or Path
        A folder that every worker sees, or a URL.

    Returns
    -------
    dask.array.Array
        The counts of its chunks are known (`count`).

    Raises
    ------
    structarr.errors.FormatError
        If `to_zarr` did not write the group, or not all of it: resume it then.

    See Also
    --------
    to_zarr : Writes the group, and has an example.
    """
    try:
        group = zarr.open_group(str(path), mode="r")
        whole = group.attrs[KEY]
    except (FileNotFoundError, KeyError) as problem:
        raise FormatError(f"{path} is no group that structarr.dask.to_zarr wrote") from problem
    chunks = tuple([tuple(one) for one in whole["chunks"]])
    places = list(np.ndindex(*[len(one) for one in chunks]))
    missing = [at for at in places if not _is_complete(group, at)]
    if missing:
        raise FormatError(
            f"{path} lacks {len(missing)} of {len(places)} chunks, the first at {missing[0]}: "
            "resume to_zarr of the same array"
        )
    name = f"from_zarr-{tokenize(str(path), whole)}"
    graph = {(name, *at): (_read, str(path), at) for at in places}
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[])
    made = da.Array(layers, name, chunks, meta=meta_of(_read(str(path), places[0])))
    counts = [group[_name(at)].attrs[KEY]["nstored"] for at in places]
    known_counts.remember(made, counts)
    return made


def _name(at: tuple[int, ...]) -> str:
    return "chunk." + ".".join(map(str, at))


def _is_complete(group: Any, at: tuple[int, ...]) -> bool:
    """Whether a chunk is there and marked, which is the last that is done to it."""
    return _name(at) in group and KEY in group[_name(at)].attrs


def _write(path: str, at: tuple[int, ...], block: Any) -> int:
    """Write a chunk, and mark it."""
    tensor = stored(block)
    group = zarr.open_group(path, mode="a").create_group(_name(at), overwrite=True)
    group.create_array("fill", data=np.atleast_1d(tensor.fill))
    for number, buffer in enumerate(tensor.buffers):
        group.create_array(f"buffer{number}", data=buffer)
    summary = Summary(tensor.format, tensor.shape, tensor.dtype, len(tensor.buffers))
    group.attrs[KEY] = {**described(summary), "nstored": tensor.nstored}
    return 1


def _read(path: str, at: tuple[int, ...]) -> Array:
    group = zarr.open_group(path, mode="r")[_name(at)]
    description = group.attrs[KEY]
    buffers = [group[f"buffer{number}"][:] for number in range(description["buffers"])]
    return of_tensor(of_description(description, group["fill"][0], buffers))
