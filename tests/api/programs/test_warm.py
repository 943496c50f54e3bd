"""Common kernels compiled ahead: what is compiled, and what is told of it meanwhile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.__main__ import main
from structarr._api.programs import common_kernels
from structarr._api.programs.common_kernels import COMMON, NUMBERS, Operands
from structarr._compiler.backend import behind

FORMATS = ("csr", "csc", "coo", "rle", "band", "dense", "bitmap")


def plain(operands: Operands) -> Operands:
    return Operands(*[np.asarray(one) for one in operands])  # type: ignore[arg-type]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool"])
def test_common_operations_are_numpys(fmt: str, dtype: str) -> None:
    given = common_kernels._operands(fmt, np.dtype(dtype))
    dense = plain(given)
    with sa.options(tier="interpreted"):
        for text, make in COMMON.items():
            if dtype == "bool" and text in NUMBERS:
                with pytest.raises(TypeError):
                    make(given)
                continue
            np.testing.assert_allclose(
                np.asarray(make(given)), make(dense), rtol=1e-5, err_msg=text
            )


def test_each_operation_of_each_format_and_dtype_is_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(common_kernels, "warmup", lambda array: int(isinstance(array, sa.Array)))
    told: list[Any] = []
    found = sa.warm(["csr", "coo"], [np.float32, "bool"], progress=lambda *of: told.append(of))
    assert found == len(told) == 4 * len(COMMON) - 2 * len(NUMBERS)
    assert [number for number, _, _ in told] == list(range(found))
    assert {whole for _, whole, _ in told} == {found}
    assert told[0][2] == "csr float32: a * 2"


def test_kernels_that_were_warmed_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {text: COMMON[text] for text in ("a @ x", "a.sum()")}
    monkeypatch.setattr(common_kernels, "COMMON", few)
    behind.settle()  # what tests before this one have compiled behind them counts as well
    # What the first one computed may be known to the next one's plans, as to any call's.
    assert 0 in [sa.warm() for _ in range(4)][1:]
    before = sa._compiler.backend.kernel.statistics()
    a, x = sa.asarray(np.eye(48, 40), format="csr"), np.ones(40)
    with sa.options(tier="compiled"):
        np.testing.assert_array_equal(np.asarray(a @ x), np.eye(48, 40) @ x)
    assert sa._compiler.backend.kernel.statistics()["compiled"] == before["compiled"]


def test_what_is_no_format_or_dtype_is_refused() -> None:
    with pytest.raises(sa.errors.FormatError):
        sa.warm(["no such"])
    with pytest.raises(TypeError, match="not supported"):
        sa.warm(["csr"], ["U3"])


def test_the_command_warms_and_says_how_many(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = {text: COMMON[text] for text in ("a.sum()", "a * 2")}
    monkeypatch.setattr(common_kernels, "COMMON", few)
    monkeypatch.setattr(common_kernels, "warmup", lambda array: 1)
    assert main(["warm", "--formats", "csr", "rle", "--dtypes", "float32"]) == 0
    assert capsys.readouterr().out == "4 kernels compiled or loaded\n"
    assert main(["warm", "--formats", "no such"]) == 1
    assert "warm: " in capsys.readouterr().err
