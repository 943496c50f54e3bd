"""NumPy's functions by what is open in their results."""

from __future__ import annotations

from typing import Final

from structarr._testing.fuzz.words import words

# Functions that are exact in floats: they move, choose, compare, or round once as IEEE 754 says.
EXACT_UFUNCS: Final = frozenset(
    words(
        "add subtract multiply divide true_divide negative positive absolute fabs sign "
        "floor ceil trunc rint sqrt square maximum minimum fmax fmin equal not_equal less "
        "less_equal greater greater_equal logical_and logical_or logical_xor logical_not "
        "isnan isinf isfinite signbit copysign conjugate nextafter spacing floor_divide "
        "remainder fmod heaviside reciprocal ldexp modf frexp divmod"
    )
)
# In complex numbers these round more than once.
COMPLEX: Final = frozenset(
    words(
        "multiply divide true_divide absolute square sqrt reciprocal sign round around kron outer"
    )
)
EXACT_FUNCTIONS: Final = frozenset(
    words(
        "transpose permute_dims swapaxes moveaxis rollaxis reshape ravel squeeze "
        "expand_dims broadcast_to broadcast_arrays atleast_1d atleast_2d atleast_3d flip "
        "fliplr flipud roll rot90 take take_along_axis compress extract concatenate "
        "concat stack vstack hstack dstack column_stack block repeat tile sort argsort "
        "lexsort unique unique_values unique_counts unique_all unique_inverse nonzero "
        "flatnonzero argwhere argmax argmin max min amax amin any all count_nonzero tril "
        "triu diag diagonal diagflat where clip copy astype searchsorted digitize isin "
        "nan_to_num real imag append insert delete trim_zeros array_split split hsplit "
        "vsplit dsplit unstack meshgrid choose select full_like zeros_like ones_like "
        "resize array_equal array_equiv nanmax nanmin nanargmax nanargmin ptp diff "
        "ediff1d intersect1d union1d setdiff1d setxor1d matrix_transpose size "
        "shape ndim argpartition fix isposinf isneginf isreal iscomplex real_if_close "
        "outer kron put_along_axis round around result_type iscomplexobj isrealobj"
    )
)
# Steps after which the sign of a zero is open even under strict_ieee.
SIGNLESS: Final = frozenset(
    words(
        "concatenate concat stack vstack hstack dstack column_stack block append insert "
        "pad sum prod matmul dot inner tensordot einsum kron vdot vecdot matvec vecmat "
        "maximum minimum fmax fmin max min amax amin sort unique cumsum cumprod mean"
    )
)
GENERALIZED: Final = frozenset(words("matmul vecdot matvec vecmat"))  # ufuncs that contract
LINEAR: Final = frozenset(
    words(
        "matmul dot inner tensordot einsum vdot vecdot matvec vecmat convolve correlate "
        "kron outer multi_dot matrix_power"
    )
)

VARIANCES: Final = frozenset(words("var std nanvar nanstd"))
ADDS: Final = frozenset(words("sum nansum mean nanmean average cumsum nancumsum trace"))
SIGNS: Final = frozenset(words("signbit copysign"))
MULTIPLIES: Final = LINEAR | {*words("prod nanprod cumprod nancumprod multiply")}
