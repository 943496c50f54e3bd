"""Views of arrays by other strides: those that have a meaning for values."""

from structarr._api.indexing.sliding import sliding_window_view as sliding_window_view
from structarr._api.shape.manipulation import (
    broadcast_arrays as broadcast_arrays,
    broadcast_shapes as broadcast_shapes,
    broadcast_to as broadcast_to,
)
