"""Where pydata/sparse's tests find its classes."""

import sparse.numba_backend._compressed as _compressed
import sparse.numba_backend._settings as _settings
import sparse.numba_backend._utils as _utils
from sparse import *  # noqa: F403
from sparse import SparseArray as SparseArray

__all__ = ["SparseArray", "_compressed", "_settings", "_utils"]
