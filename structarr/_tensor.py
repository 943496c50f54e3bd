"""The name under which pickles of earlier versions know a tensor."""

from structarr._storage.tensor import Tensor, restored

__all__ = ["Tensor", "restored"]
