"""Awkward Array: lists of unlike lengths, of any depth, to tensors and back, without copying."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._storage.dense import from_dense
from structarr._storage.ragged_rows import from_offsets, offsets_of, ragged
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.interop.foreign import AsStored, checked_layout


def takes(obj: object) -> bool:
    """Whether an object is an array of Awkward Array's."""
    import awkward

    return isinstance(obj, (awkward.Array, awkward.contents.Content))


def tensor_of(obj: Any, fill: Any) -> Tensor:
    """
    Return lists as rows with padding, of the same values and, where nobody writes them, offsets.

    Raises
    ------
    FormatError
        If the array holds records, strings, unions, or lists beside numbers.
    ValueError
        If a value is missing.
    """
    layout, offsets, lengths = _plain(getattr(obj, "layout", obj)), [], []
    if _is_regular(layout):
        return from_dense(np.asarray(layout.to_backend_array()))
    while layout.is_list:
        lengths.append(layout.size if layout.is_regular else None)
        listed = layout
        if not hasattr(layout, "offsets"):  # of lists that have offsets, awkward copies these
            listed = layout.to_ListOffsetArray64(False)
        offsets.append(np.asarray(listed.offsets.data))
        layout = _plain(listed.content)
    values = np.asarray(layout.data)
    dtypes.check(values.dtype)
    return from_offsets(values, offsets, lengths, 0 if fill is None else fill)


def _is_regular(layout: Any) -> bool:
    """Whether all lists of one depth have one length by their type."""
    while layout.is_regular:
        layout = _plain(layout.content)
    return bool(layout.is_numpy)


def _plain(layout: Any) -> Any:
    """A layout without indirections: lists or numbers."""
    while layout.is_indexed and not layout.is_option:
        layout = layout.project()
    if layout.is_option:
        absent = np.flatnonzero(np.asarray(layout.mask_as_bool(valid_when=False)))
        if len(absent):
            raise ValueError(
                f"the element {int(absent[0])} is missing: fill it by awkward.fill_none(x, value)"
            )
        layout = layout.project()
    if layout.is_list and layout.parameter("__array__") in ("string", "bytestring"):
        raise FormatError("strings are not stored: number them, as by awkward.str.to_categorical")
    if not (layout.is_list or layout.is_numpy):
        what = "records" if layout.is_record else type(layout).__name__
        raise FormatError(f"{what} are not stored: make an array of each field, as x['name']")
    if layout.is_numpy and np.asarray(layout.data).ndim > 1:
        return layout.to_RegularArray()
    return layout


def made(stored: AsStored, layout: str, name: str) -> Any:
    """
    Return an awkward array of what each row stores, and nothing of the padding.

    Raises
    ------
    FormatError
        If elements are stored that no beginning of a row has.
    """
    import awkward

    checked_layout(layout, ("lists",), "Awkward Array")
    tensor = stored(None)
    if tensor.ndim < 2 or tensor.format.is_dense:
        return awkward.Array(awkward.contents.NumpyArray(_values(stored)))
    offsets, values = offsets_of(stored(ragged(tensor.ndim, tensor.format.index)))
    content: Any = awkward.contents.NumpyArray(values)
    for own in reversed(offsets):
        kind = awkward.index.Index32 if own.dtype == np.int32 else awkward.index.Index64
        content = awkward.contents.ListOffsetArray(kind(own), content)
    return awkward.Array(content)


def _values(stored: AsStored) -> Any:
    tensor = stored("dense")
    return tensor.buffers[-1].reshape(tensor.shape)
