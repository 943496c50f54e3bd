"""The operators of semirings that are none of NumPy's.

The infinity of integers is their bound, which additions leave as it is.
"""

from __future__ import annotations

from math import inf

from structarr._compiler.ir.ops import Op, define

MIN_PLUS_MULTIPLY = define(
    Op(
        "min_plus_multiply",
        2,
        left_identity=0,
        right_identity=0,
        identity_exactly="biu",  # -0.0 + 0.0 is 0.0
        left_annihilator=inf,
        right_annihilator=inf,
        commutative=True,
        associative=True,
        distributes_over=("minimum",),
    )
)
MAX_PLUS_MULTIPLY = define(
    Op(
        "max_plus_multiply",
        2,
        left_identity=0,
        right_identity=0,
        identity_exactly="biu",  # -0.0 + 0.0 is 0.0
        left_annihilator=-inf,
        right_annihilator=-inf,
        commutative=True,
        associative=True,
        distributes_over=("maximum",),
    )
)
MAX_TIMES_ADD = define(
    Op(
        "max_times_add",
        2,
        left_identity=0,  # among numbers that are not negative
        right_identity=0,
        commutative=True,
        associative=True,
        idempotent=True,
        repeat="once",
    )
)
