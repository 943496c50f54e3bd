"""A conversion to an array's own format gives another array of the same value, at no cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._methods import conversions
from structarr._value import stored


@pytest.mark.parametrize("name", ["csr", "CSR", "csc", "coo", "bsr", "dia"])
def test_the_value_is_shared_and_the_array_another(name: str) -> None:
    a = sa.asarray(np.eye(4), format=name.lower())
    b = a.asformat(name)  # type: ignore[arg-type]
    assert b is not a
    if name.lower() not in ("bsr", "dia"):  # whose names leave something open
        assert stored(b) is stored(a)
    b[0, 1] = 2.0
    assert float(a[0, 1]) == 0.0 and float(b[0, 1]) == 2.0


def test_names_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    a = sa.asarray(np.eye(4), format="csr")
    a.asformat("csr")

    def parse(*args: Any) -> Any:
        raise AssertionError("the name was read before")

    monkeypatch.setattr(conversions, "parse", parse)
    assert stored(a.asformat("csr")) is stored(a)


def test_other_names_convert() -> None:
    a = sa.asarray(np.eye(4), format="csr")
    assert str(a.asformat("csc").format) == "csc"
    assert str(a.asformat("auto").format)
    with pytest.raises(sa.errors.FormatError):
        a.asformat("cs")  # type: ignore[arg-type]
