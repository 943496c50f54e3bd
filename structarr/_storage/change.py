"""Changes that assignments make to a tensor: another one, or other values among its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np

from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor
from structarr._support.buffer_pool import copied
from structarr._support.sole_owner import is_sole
from structarr.formats.entries import Array

Seen = Callable[[Array], Array]


class Change(ABC):
    """
    What an assignment makes of a tensor.

    Attributes
    ----------
    old : Tensor
        The tensor.
    """

    old: Tensor

    @abstractmethod
    def made(self) -> Tensor:
        """Return the tensor that takes its place."""


class Renewal(Change):
    """
    Another tensor.

    Parameters
    ----------
    old : Tensor
        The tensor that was.
    new : Tensor
        The one that takes its place.
    """

    def __init__(self, old: Tensor, new: Tensor) -> None:
        self.old, self._new = old, new

    def made(self) -> Tensor:
        """Return the new tensor."""
        return self._new


class Patch(Change):
    """
    Other values for some of the elements that a tensor stores, and nothing else.

    Parameters
    ----------
    old : Tensor
        The tensor.
    index : array, slice or tuple
        Where they are among its values; of a place that is there more than once the last counts.
    values : array
        The new values, of the tensor's dtype, as many or one for all.
    seen : callable, optional
        The view of the values that the index is of.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr._storage.dense import from_dense
    >>> a = from_dense(np.arange(4))
    >>> change = Patch(a, slice(1, 3), np.array([9]))
    >>> change.made().buffers[0].tolist(), a.buffers[0].tolist()
    ([0, 9, 9, 3], [0, 1, 2, 3])
    """

    def __init__(self, old: Tensor, index: Any, values: Array, seen: Seen | None = None) -> None:
        self.old, self._index, self._values, self._seen = old, index, values, seen

    def made(self) -> Tensor:
        """Return another tensor with the new values; the old one stays as it is."""
        made = self.twin()
        self._copy(made)
        self._put(made)
        return made

    def twin(self) -> Tensor:
        """Return another tensor with the old one's buffers."""
        old = self.old
        return Tensor(old.format, old.shape, old.dtype, old.fill, old.buffers)

    def write(self, twin: Tensor) -> None:
        """Put the new values into a twin's, which are copied first if anyone else has them.

        What remembers the old tensor remembers its values: it has to be gone.
        """
        old = ref(self.old)
        del self.old
        if old() is not None or not is_sole(twin.buffers) or not _opened(twin.buffers[-1]):
            self._copy(twin)
        self._put(twin)

    def _copy(self, twin: Tensor) -> None:
        *places, values = twin.buffers
        twin.buffers = (*places, copied(values))

    def _put(self, twin: Tensor) -> None:
        values = twin.buffers[-1]
        twin.memo[OWN] = True
        new = self._values.reshape(()) if self._values.size == 1 else self._values  # for no axes
        (values if self._seen is None else self._seen(values))[self._index] = new


def _opened(values: Array) -> bool:
    """Let a buffer that nobody else has be written; False of pooled memory that was closed."""
    try:
        _open(values)
    except ValueError:
        return False
    return True


def _open(values: Array) -> None:
    if not values.flags.writeable:
        if isinstance(values.base, np.ndarray):
            _open(values.base)
        values.setflags(write=True)
