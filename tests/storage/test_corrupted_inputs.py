"""Corrupted buffers and files: refused by name, or read alike by all who read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._testing import corrupted_files, corrupted_inputs
from structarr._testing.corrupted_inputs import tried


@pytest.mark.parametrize("block", range(4))
def test_corrupted_inputs_of_a_seed(block: int) -> None:
    found = {tried(28, number) for number in range(block * 20, block * 20 + 20)}
    assert "refused" in found


def test_what_reads_differently_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    multiply = sa.Array.__mul__
    monkeypatch.setattr(sa.Array, "__mul__", lambda self, other: multiply(self, other) + 1)
    with pytest.raises(AssertionError):
        for number in range(40):
            tried(28, number)


@pytest.mark.parametrize("make", [corrupted_files.own, corrupted_files.foreign])
def test_corrupted_files_are_changed(make: Any, tmp_path: Path) -> None:
    rng, array = np.random.default_rng(0), sa.asarray(np.eye(3), format="csr")
    found = set()
    for number in range(30):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = make(rng, folder, array)
        path = path if isinstance(path, Path) else path[0]
        found.add(path.read_bytes())
    assert len(found) == 30


def test_an_empty_array_that_numpy_cannot_have_is_refused_as_numpy_does() -> None:
    a = sa.zeros((2**31, 2**63 - 1, 0))
    with pytest.raises(ValueError, match="array is too big"):
        a.todense()
    assert sa.zeros((3, 0), format="csr").todense().shape == (3, 0)


def test_the_command_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert corrupted_inputs.main(["--count", "12", "--seed", "3"]) == 0
    assert capsys.readouterr().out.startswith("12 inputs: ")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (np.ma.masked_array([1.0, 2.0], mask=[0, 1]), "give a.filled"),
        (np.array([1, None], object), r"convert with .astype"),
        (np.array(["a"]), "store codes"),
        (np.array(["2020"], "M8[D]"), r"store .view\('int64'\)"),
        (np.zeros(2, [("a", float)]), "store each field"),
        (np.ones(2, np.float16), "use float32"),
    ],
)
def test_arrays_of_other_kinds_are_refused_by_name(given: np.ndarray, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        sa.asarray(given)
    with pytest.raises(TypeError, match=says):
        sa.asarray([0.0, 1.0], format="list") * given


class Own(np.ndarray):
    """A subclass."""


@pytest.mark.parametrize(
    "lay",
    [
        lambda x: x.astype(">f8"),
        lambda x: x[::-1][::-1],
        lambda x: np.stack([x, x], axis=-1)[..., 0],
        lambda x: np.frombuffer(b"0" + x.tobytes(), x.dtype, offset=1),
        lambda x: np.frombuffer(x.tobytes(), x.dtype),
        lambda x: x.view(Own),
        lambda x: np.lib.stride_tricks.as_strided(x.repeat(2), x.shape, (16,)),
    ],
)
def test_memory_of_any_kind_is_read_right(lay) -> None:
    plain = np.array([0.0, 3.0, 0.0, 1.5])
    given = lay(plain)
    for form in ("dense", "list", "rle"):
        assert (sa.asarray(given, format=form) * 2).todense().tolist() == [0.0, 6.0, 0.0, 3.0]
