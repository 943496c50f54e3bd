"""The text of programs and of looplets has all that they are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

VALUES = np.repeat([0.0, 1.0, 2.0, 0.0], 3)

SHOWN: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "coalesce(A[permit(i)], B[permit(offset(size0_0, i))], 0.0')": (
        "list",
        lambda a: np.concatenate([a, a]),
    ),
    "C[i] = coalesce(A0[i], missing, 0.0')": ("list", lambda a: np.concatenate([a, a])),
    "a_q_from = (a_start - size0 + 1) // 2": ("vbl", lambda a: a[1:9:2]),
    "min(search(A0_stop, hi, a_q, a_end) + 1, a_end)": ("vbl", lambda a: a[1:9:2]),
    "- 1, a_q_first - 1)": ("vbl", lambda a: a[::-1]),
}


@pytest.mark.parametrize("text", SHOWN)
def test_each_part_of_a_program_is_shown(text: str) -> None:
    format, expression = SHOWN[text]
    with sa.options(tier="interpreted"):
        explained = sa.explain(expression(sa.asarray(VALUES, format=format).compute()))
    assert text in explained.cin.replace("\n    ", " ") or text in explained.looplets


def test_looplets_in_a_condition_are_shown_where_they_stand() -> None:
    with sa.options(tier="interpreted"):
        band = sa.asarray(VALUES, format="band").compute()
        explained = sa.explain("if A[i] > 1: y[i] = A[i]", A=band)
    assert "pipeline([phase(a_start, run(0.0'))" in explained.looplets
