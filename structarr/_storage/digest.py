"""Digests of tensors: equal for equal formats, shapes, dtypes, fills and buffers everywhere."""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np

from structarr._storage.tensor import Tensor

DIGEST: Final = "digest"
"""The memo of a tensor's digest."""


def digest(tensor: Tensor, *, lent: bool = False) -> str:
    """
    Return the digest of a tensor, which is remembered unless someone else may write its buffers.

    Parameters
    ----------
    tensor : Tensor
        What is digested; its buffers are read once, some GB a second.
    lent : bool
        Whether others may write its buffers.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> digest(from_dense(np.arange(3))) == digest(from_dense(np.arange(3)))
    True
    """
    known = tensor.memo.get(DIGEST)
    if known is not None:
        return str(known)
    made = _digested(tensor)
    if not lent:
        tensor.memo[DIGEST] = made
    return made


def _digested(tensor: Tensor) -> str:
    hashed = hashlib.blake2b(digest_size=20)
    fill = np.asarray(tensor.fill)
    told = (tensor.format, tensor.shape, tensor.dtype.str, fill.dtype.str, fill.tobytes())
    hashed.update(repr(told).encode())
    for buffer in tensor.buffers:
        hashed.update(repr((buffer.dtype.str, len(buffer))).encode())
        hashed.update(buffer.view(np.uint8).data)
    return hashed.hexdigest()
