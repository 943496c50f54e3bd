"""PyTorch: dense tensors by DLPack, CSR, CSC, COO and BSR by their buffers; and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._storage.buffers import settled
from structarr._storage.coordinates import from_coordinates
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import Dense, Element, Format, Tiles, name_of, parse
from structarr.interop.foreign import AsStored, check_fill, checked_layout


def takes(obj: object) -> bool:
    """Whether an object is a tensor of PyTorch."""
    import torch

    return isinstance(obj, torch.Tensor)


def tensor_of(obj: Any, fill: Any) -> Tensor:
    """
    Return a tensor in the layout that it has, of shared values.

    Raises
    ------
    FormatError
        If it is not in the host's memory, or a sparse tensor has dense axes or batches.
    """
    import torch

    if obj.device.type != "cpu":
        raise FormatError(f"the tensor is on {obj.device}: give x.cpu()")
    obj, value = obj.detach().resolve_conj().resolve_neg(), 0 if fill is None else fill
    if obj.layout is torch.strided:
        return from_dense(obj.numpy())
    if obj.layout is torch.sparse_coo:
        return _coo(obj, value)
    if obj.layout in (torch.sparse_csr, torch.sparse_csc):
        return _compressed(obj, obj.layout is torch.sparse_csr, value)
    if obj.layout is torch.sparse_bsr:
        return _blocks(obj)
    raise FormatError(f"layout {obj.layout} is not read: give x.to_sparse_csr()")


def _coo(obj: Any, fill: Any) -> Tensor:
    if obj.dense_dim():
        raise FormatError("the tensor has dense axes: make them sparse by x.to_dense().to_sparse()")
    obj = obj.coalesce()
    shape = tuple(obj.shape)
    axes = tuple(obj.indices().numpy())
    return from_coordinates(axes, obj.values().numpy(), shape, fill, parse("coo", len(shape)))


def _compressed(obj: Any, by_rows: bool, fill: Any) -> Tensor:
    if obj.ndim != 2:
        raise FormatError(
            f"a stack of sparse matrices, of shape {tuple(obj.shape)}: take one of it"
        )
    pointers = obj.crow_indices() if by_rows else obj.ccol_indices()
    indices = obj.col_indices() if by_rows else obj.row_indices()
    ptr, idx, val = (part.numpy() for part in (pointers, indices, obj.values()))
    index = "int32" if ptr.dtype == idx.dtype == np.int32 else "int64"
    format = parse("csr" if by_rows else "csc", 2, index)
    return Tensor.checked(
        format, tuple(obj.shape), dtypes.scalar(fill, val.dtype), (settled(ptr), settled(idx), val)
    )


def _blocks(obj: Any) -> Tensor:
    parts = obj.crow_indices(), obj.col_indices(), obj.values()
    ptr, idx, val = (part.numpy() for part in parts)
    index = "int32" if ptr.dtype == idx.dtype == np.int32 else "int64"
    format = Format(Dense(Tiles(Element(), *val.shape[1:])), (0, 1), index)
    buffers = settled(ptr), settled(idx), val.reshape(-1)
    return Tensor.checked(format, tuple(obj.shape), 0, buffers)


def made(stored: AsStored, layout: str, name: str) -> Any:
    """
    Return a tensor; its values are copied, since PyTorch's tensors may be written to.

    Raises
    ------
    FormatError
        If the layout has no place for the array, or the fill is not 0.
    """
    import torch

    tensor = stored(None)
    natural = name_of(tensor.format)
    known = ("dense", "csr", "csc", "coo", "bsr")
    kind = checked_layout(layout or (natural if natural in known else "dense"), known, "PyTorch")
    if kind == "dense":
        own = stored("dense")
        return torch.from_numpy(np.array(own.buffers[-1].reshape(own.shape)))
    check_fill(tensor, "PyTorch")
    own = stored(kind)
    *places, values = (torch.from_numpy(np.array(part)) for part in own.buffers)
    if kind == "coo":
        axes = [places[1 + own.format.order.index(axis)] for axis in range(own.ndim)]
        return torch.sparse_coo_tensor(torch.stack(axes), values, own.shape, check_invariants=False)
    if kind == "csr":
        return torch.sparse_csr_tensor(*places, values, size=own.shape, check_invariants=False)
    if kind == "csc":
        return torch.sparse_csc_tensor(*places, values, size=own.shape, check_invariants=False)
    height, width = own.format.levels[1].details
    return torch.sparse_bsr_tensor(*places, values.reshape(-1, height, width), size=own.shape)
