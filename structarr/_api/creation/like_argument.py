"""NumPy's ``like=``: its functions that make arrays of a shape, making ours."""

from __future__ import annotations

import numpy as np

from structarr._api.core.publish import publish
from structarr._api.creation.diagonals import eye
from structarr._api.creation.full import full, ones, zeros
from structarr._api.creation.ranges import arange
from structarr._api.creation.triangular import tri

# NumPy's arguments by position; orders have no meaning here.
publish(np.zeros, np.empty)(
    lambda shape, dtype=None, order="C", *, device=None: zeros(shape, dtype=dtype, device=device)
)
publish(np.ones)(
    lambda shape, dtype=None, order="C", *, device=None: ones(shape, dtype=dtype, device=device)
)
publish(np.full)(
    lambda shape, fill_value, dtype=None, order="C", *, device=None: full(
        shape, fill_value, dtype=dtype, device=device
    )
)
publish(np.eye)(
    lambda N, M=None, k=0, dtype=float, order="C", *, device=None: eye(
        N, M, k=k, dtype=dtype, device=device
    )
)
publish(np.tri)(lambda N, M=None, k=0, dtype=float: tri(N, M, k=k, dtype=dtype))
publish(np.arange)(arange)
