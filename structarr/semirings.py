"""The usual semirings, for `structarr.matmul(a, b, semiring=...)`.

A matrix is sparse in a semiring if what it does not store is the semiring's zero, which its fill
value must be: infinity for `min_plus`. A fill of 0 means edges of cost zero between all nodes, by
value, and makes every product dense; `structarr.with_fill` gives stored entries another fill.

================ ========= ============ =============================== =====================
semiring         adds by   multiplies   zero                            a product tells
================ ========= ============ =============================== =====================
`plus_times`     add       multiply     0                               NumPy's
`or_and`         or        and          False                           what is reached
`xor_and`        xor       and          False                           parities
`min_plus`       minimum   add          inf, an integer's greatest      shortest paths
`max_plus`       maximum   add          -inf, an integer's least        longest paths
`max_times`      maximum   multiply     0, among numbers from 0 on      likeliest paths
`min_max`        minimum   maximum      inf, an integer's greatest      least worst steps
`max_min`        maximum   minimum      -inf, an integer's least        widest paths
================ ========= ============ =============================== =====================

Examples
--------
>>> import numpy as np
>>> import scipy.sparse
>>> import structarr as sa
>>> graph = scipy.sparse.csr_array([[0.0, 2.0, 9.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]])
>>> a = sa.with_fill(graph, np.inf)
>>> two_steps = sa.matmul(a, a, semiring=sa.semirings.min_plus)
>>> str(two_steps.format), two_steps.tolist()[0]
('csr', [inf, inf, 5.0])
"""

from __future__ import annotations

from typing import Final

from structarr._api.linalg.semirings import Semiring as Semiring, semiring as semiring
from structarr._compiler.ir import semirings as ops

plus_times: Final = semiring("add", "multiply", name="plus_times")
or_and: Final = semiring("logical_or", "logical_and", name="or_and")
xor_and: Final = semiring("logical_xor", "logical_and", name="xor_and")
min_plus: Final = semiring("minimum", ops.MIN_PLUS_MULTIPLY.name, name="min_plus")
max_plus: Final = semiring("maximum", ops.MAX_PLUS_MULTIPLY.name, name="max_plus")
max_times: Final = semiring(ops.MAX_TIMES_ADD.name, "multiply", name="max_times")
min_max: Final = semiring("minimum", "maximum", name="min_max")
max_min: Final = semiring("maximum", "minimum", name="max_min")
