"""Former place of `structarr._storage.tensor`, which pickles of earlier versions name."""

from structarr._storage.tensor import Tensor as _Tensor, restored

__all__ = ["Tensor", "restored"]


def Tensor(*parts: object) -> _Tensor:
    """A tensor of the oldest pickles, which name its class."""
    return restored(*parts)  # type: ignore[arg-type]
