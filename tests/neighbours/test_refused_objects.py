"""Errors about what other libraries hold, and about their files, one by one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.errors import FormatError

MATRIX = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]])


def test_lists_of_arrow_that_are_missing() -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="a list is missing: fill it by"):
        sa.asarray(pa.array([[1.0], None]))


def test_axes_of_graphblas() -> None:
    pytest.importorskip("graphblas")
    with pytest.raises(FormatError, match="one or two axes, not 3: reshape first"):
        sa.asarray(np.ones((2, 2, 2))).to("graphblas")


def test_another_fill_than_pydatas() -> None:
    sparse = pytest.importorskip("sparse")
    with pytest.raises(ValueError, match=r"fill_value is 0\.0, not 3: leave fill_value out"):
        sa.asarray(sparse.COO.from_numpy(MATRIX), fill_value=3)


def test_layouts_of_pydata() -> None:
    pytest.importorskip("sparse")
    with pytest.raises(FormatError, match="has no layout 'bsr'"):
        sa.asarray(MATRIX).to("pydata_sparse", "bsr")


def test_groups_that_are_read_otherwise(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "a.h5"
    sa.write(path, sa.asarray(MATRIX, format="csr"))
    with pytest.raises(FormatError, match="slice the array that is read"):
        sa.read(path, rows=slice(0, 1))
    with h5py.File(path, "w") as file:
        file.create_group("some/part")["x"] = MATRIX
    with pytest.raises(FormatError, match=r"neither binsparse nor .* give a key for one of part"):
        sa.read(path, key="some")


def test_folders_that_are_no_group_of_zarr(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    path = tmp_path / "a.zarr"
    path.mkdir()
    (path / "mine.txt").write_text("kept")
    with pytest.raises(FileExistsError, match="no group of Zarr: it is not replaced"):
        sa.write(path, sa.asarray(MATRIX, format="csr"))
    assert (path / "mine.txt").read_text() == "kept"
    assert [one.name for one in tmp_path.iterdir()] == ["a.zarr"]


def test_codecs_that_are_not_known() -> None:
    from structarr.interop.groups import _check_codecs

    def coded(**told: Any) -> Any:
        return SimpleNamespace(metadata=SimpleNamespace(to_dict=lambda: told))

    _check_codecs(coded(codecs=[{"name": "bytes"}, {"name": "zstd"}]))
    pickles = SimpleNamespace(get_config=lambda: {"id": "pickle"})
    for told in ({"codecs": [{"name": "numcodecs.pickle"}]}, {"filters": [pickles]}):
        with pytest.raises(FormatError, match=r"'(numcodecs\.)?pickle', which is not read"):
            _check_codecs(coded(**told))


@pytest.mark.parametrize(
    ("suffix", "array", "says"),
    [
        (".png", np.ones((2, 2, 2), np.uint8), "a third of 3 or 4 bands"),
        (".png", MATRIX, "a picture has bool, uint8 or uint16, not float64: astype first"),
    ],
)
def test_arrays_that_are_no_picture(suffix: str, array: Any, says: str, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    pytest.importorskip("tifffile")
    with pytest.raises(FormatError, match=says):
        sa.write(tmp_path / f"a{suffix}", sa.asarray(array))
    assert not [*tmp_path.iterdir()]


def test_strips_that_are_cut(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("tifffile")
    path = tmp_path / "a.tif"
    image.fromarray(np.zeros((64, 64), np.uint8)).save(path, compression="packbits")
    content = path.read_bytes()
    sa.read(path)
    place = content.index(b"\x11\x01")  # the field of the strips' offsets
    moved = (len(content) - 3).to_bytes(4, "little")
    path.write_bytes(content[: place + 8] + moved + content[place + 12 :])
    with pytest.raises(FormatError, match=r"a strip of \d+ bytes ends after 3"):
        sa.read(path)


def test_pictures_of_spy_need_places() -> None:
    pytest.importorskip("matplotlib")
    from structarr._api.programs import spying

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spying, "binned", lambda *given, **named: None)
        with pytest.raises(FormatError, match="does not tell where its values are"):
            sa.spy(sa.asarray(MATRIX, format="csr"))


def test_sums_and_statistics_of_dask() -> None:
    pytest.importorskip("dask")
    import structarr.dask as own

    cube = own.from_array(sa.asarray(np.ones((2, 2, 2))), nbytes=64)
    with pytest.raises(ValueError, match="statistics are of the columns or rows of a matrix"):
        own.statistics(cube)
    with pytest.raises(ValueError, match=r"returned an array of shape \(2, 2\), not \(2,\)"):
        own.sum_chunks(lambda rows: rows.sum(axis=0), cube, shape=(2,)).compute()
    with pytest.raises(AttributeError, match="has no attribute 'form_array'"):
        own.form_array  # noqa: B018
