"""The code of lengths: sums and products become text, and what asks for a value is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from structarr._execute.length_code import length_code


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda n: n, "f0"),
        (lambda n: n + 1, "f0 + 1"),
        (lambda n: 1 + n * 2, "1 + f0 * 2"),
        (lambda n: 3 * (n + 1), "3 * (f0 + 1)"),
        (lambda n: (n + 1) * (n + 2), "(f0 + 1) * (f0 + 2)"),
        (lambda n: ((n, 0), n + n), (("f0", "0"), "f0 + f0")),
    ],
)
def test_sums_and_products_are_text(function: Callable[[Any], Any], text: Any) -> None:
    assert length_code(function, "f0") == text


@pytest.mark.parametrize(
    "function",
    [
        lambda n: min(n, 3),
        lambda n: n if n else 1,
        lambda n: 0 if n == 0 else 1,
        lambda n: {n: 1}[n],
        lambda n: n // 2,
        lambda n: n - 1,
        lambda n: n.bit_length(),
        lambda n: range(n)[0],
        lambda n: n + 0.5,
        lambda n: [n],
    ],
)
def test_what_needs_the_number_is_no_text(function: Callable[[Any], Any]) -> None:
    assert length_code(function, "f0") is None
