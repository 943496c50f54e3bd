"""Complex numbers with NaN in one part: the other part is kept, in each format and tier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._support import dtypes
from structarr.formats.entries import differ

NAN = np.nan
VALUES = np.array(
    [
        *(complex(NAN, 1), complex(NAN, 0), complex(0, NAN), complex(1, NAN), complex(NAN, NAN)),
        *(1, 0, 0, complex(NAN, 0), complex(NAN, 0), complex(NAN, 2)),
    ]
)
TABLE = np.stack([VALUES, VALUES[::-1]])

OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda a: a,
    "copied": lambda a: +a,
    "stacked": lambda a: np.vstack([a, np.zeros(len(VALUES))]),
    "repeated": lambda a: np.repeat(a, 2),
    "at places": lambda a: a[[1, 0, 3, 4]],
    "imaginary": lambda a: a.imag,
}


@pytest.mark.parametrize("fill", [0, complex(NAN, 0), complex(NAN, 1)])
@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("format", ["rle", "sparse-rle", "list", "vbl"])
def test_parts_beside_nan_are_kept(format: str, tier: str, fill: complex) -> None:
    with sa.options(tier=tier):
        for a in (
            sa.asarray(VALUES, format=format, fill_value=fill),
            sa.asarray(VALUES, fill_value=fill).asformat(format),
        ):
            for name, operation in OPERATIONS.items():
                _check(name, operation(a), operation(VALUES))


@pytest.mark.parametrize("fill", [0, complex(NAN, 0)])
@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_transposes_leave_out_the_fill_alone(tier: str, fill: complex) -> None:
    with sa.options(tier=tier):
        a = sa.asarray(TABLE, format="csr", fill_value=fill)
        _check("transposed", a.T.asformat("csr"), TABLE.T)


def test_fills_with_unlike_parts_differ() -> None:
    a = sa.asarray(VALUES, format="list", fill_value=complex(NAN, 1))
    assert sa.asarray(a, fill_value=complex(NAN, 1)) is not None
    with pytest.raises(ValueError, match="fill_value is"):
        sa.asarray(a, fill_value=complex(NAN, 2))
    with pytest.raises(ValueError, match="holds no"):
        sa.with_fill(sa.zeros(3), complex(NAN, 1))


def test_strictly_signs_of_zeros_beside_nan_differ() -> None:
    one, other = np.array([complex(NAN, 0.0)]), np.array([complex(NAN, -0.0)])
    assert not differ(one, other).any()
    with sa.options(strict_ieee=True):
        assert differ(one, other).all()
        a = sa.asarray(np.concatenate([one, other]), format="rle")
        for tier in ("interpreted", "compiled"):
            with sa.options(tier=tier):
                got = np.concatenate([a, a]).asformat("rle").todense()
                assert np.signbit(got.imag).tolist() == [False, True] * 2


def test_same_numbers() -> None:
    assert dtypes.same(NAN, complex(NAN, 0))
    assert dtypes.same(np.float32(2), 2)
    assert not dtypes.same(complex(NAN, 1), complex(NAN, 0))
    assert not dtypes.same(NAN, 0)


def _check(name: str, got: Any, want: Any) -> None:
    dense = got.todense()
    np.testing.assert_array_equal(dense.real, want.real, err_msg=name)
    np.testing.assert_array_equal(dense.imag, want.imag, err_msg=name)
