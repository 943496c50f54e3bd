"""Sums of narrow floats in loops that a sparse operand beside them parts."""

import numpy as np

import structarr as sa
from structarr.formats import Format, SparsePoint

TEXT = """
def program(x, z):
    v = np.zeros(4, np.float32)
    t = np.zeros(6, np.float32)
    for i in range(2, len(z)):
        for q in range(1):
            t[i] = x[i - 2]
        for k in range(3):
            v[i - 2] += k
    return v, t
"""


def test_a_total_that_is_begun_in_a_loop_and_out_of_it() -> None:
    x = np.array([1.0, 5.0, 1.0, 1.0], np.float32)
    names: dict = {"np": np}
    exec(TEXT, names)
    for length in (2, 3, 4, 6):
        z = np.zeros(length, np.float32)
        given = sa.asarray(x, fill_value=1.0).asformat(Format(SparsePoint(), (0,)))
        with sa.options(tier="interpreted"):
            found = sa.kernel(TEXT)(x=given, z=z)
            for got, want in zip(found, names["program"](x, z), strict=True):
                np.testing.assert_array_equal(got.todense(), want)
