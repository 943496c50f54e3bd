"""NumPy's inner loops by address, and callbacks where there is none."""

from ctypes import POINTER, c_ssize_t, c_void_p, cast

import numpy as np
import pytest

from structarr._compiler.backend.native import ufunc_loops
from structarr._compiler.runtime.vectors import LOOPS


def applied(own, values: np.ndarray, *others: np.ndarray) -> np.ndarray:
    """What a cell's loop makes of values, in place; of other operands it takes the one element."""
    found = values.copy()
    places = [found, *others, found]
    arguments = (c_void_p * len(places))(*[one.ctypes.data for one in places])
    steps = (c_ssize_t * len(places))(*[8 if one is found else 0 for one in places])
    loop = cast(own[0], ufunc_loops.LOOP)
    loop(cast(arguments, POINTER(c_void_p)), (c_ssize_t * 1)(len(found)), steps, own[1])
    return found


@pytest.mark.parametrize("addresses", [True, False], ids=["addresses", "callbacks"])
@pytest.mark.parametrize("name", sorted(LOOPS.values()))
def test_loops_give_what_functions_give(name, addresses, monkeypatch):
    if not addresses:
        monkeypatch.setattr(ufunc_loops, "_own", lambda ufunc, code: None)
    values = np.linspace(-2, 2, 37)
    others = [np.array([0.5])] * (getattr(np, name).nin - 1)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(values, *[one[0] for one in others])
    found = applied(ufunc_loops.cell(name, "float64"), values, *others)
    np.testing.assert_array_equal(found, expected)


def test_a_loop_that_gives_other_values_is_not_used(monkeypatch):
    own = ufunc_loops._own
    monkeypatch.setattr(ufunc_loops, "_own", lambda ufunc, code: own(np.sinh, code))
    values = np.linspace(-2, 2, 5)
    np.testing.assert_array_equal(
        applied(ufunc_loops.cell("cosh", "float64"), values), np.cosh(values)
    )
