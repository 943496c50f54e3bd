"""Files that other libraries wrote or read, each against the library itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr.errors import FormatError

MATRIX = sp.random_array((30, 20), density=0.1, rng=3, format="csr")
DENSE = MATRIX.toarray()
PICTURE = np.repeat(np.random.default_rng(0).integers(0, 4, (9, 7)), 8, axis=1).astype(np.uint8)


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("suffix", [".h5", ".zarr"])
@pytest.mark.parametrize(
    "format", ["csr", "csc", "coo", "dcsr", "dense", "rle", "band", "packbits", "bitmap", "ragged"]
)
def test_containers_keep_every_format(format: str, suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("zarr" if suffix == ".zarr" else "h5py")
    path = tmp_path / f"a{suffix}"
    array = sa.asarray(MATRIX, format=format)
    for _ in range(2):  # the second replaces the first
        sa.write(path, array)
    found = sa.read(path)
    assert found.format == format
    np.testing.assert_array_equal(found.todense(), DENSE)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", [".h5", ".zarr"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "dense"])
def test_binsparse_reads_ours_and_we_its_predefined_formats(
    format: str, suffix: str, tmp_path: Path
) -> None:
    binsparse = pytest.importorskip("binsparse")
    ours, theirs = tmp_path / f"ours{suffix}", tmp_path / f"theirs{suffix}"
    sa.write(ours, sa.asarray(MATRIX, format=format))
    tensor = binsparse.load_binsparse(ours)
    assert tensor.shape == MATRIX.shape
    binsparse.save_binsparse(tensor, theirs, alias=True)
    np.testing.assert_array_equal(sa.read(theirs).todense(), DENSE)


def test_binsparse_has_predefined_names(tmp_path: Path) -> None:
    binsparse = pytest.importorskip("binsparse")
    rows = binsparse.tensor.CSRMatrix(
        shape=MATRIX.shape,
        number_of_stored_values=MATRIX.nnz,
        pointers_to_1=MATRIX.indptr,
        indices_1=MATRIX.indices,
        values=MATRIX.data,
    )
    binsparse.save_binsparse(rows, tmp_path / "a.h5")
    found = sa.read(tmp_path / "a.h5")
    assert found.format == "csr"
    np.testing.assert_array_equal(found.todense(), DENSE)


def cells(path: Path, layout: str = "csr") -> None:
    """A file as AnnData writes it."""
    h5py = pytest.importorskip("h5py")
    matrix = MATRIX.asformat(layout)
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs.update({"encoding-type": f"{layout}_matrix", "shape": matrix.shape})
        for name in ("data", "indices", "indptr"):
            group[name] = getattr(matrix, name)
        file["dense"] = DENSE


@pytest.mark.parametrize("layout", ["csr", "csc"])
def test_matrices_of_anndata(layout: str, tmp_path: Path) -> None:
    path = tmp_path / "x.h5ad"
    cells(path, layout)
    found = sa.read(path)
    assert found.format == layout
    np.testing.assert_array_equal(found.todense(), DENSE)
    assert sa.read(path, key="dense").format == "dense"
    np.testing.assert_array_equal(
        sa.read(path, key="dense", rows=slice(2, 5)).todense(), DENSE[2:5]
    )
    with pytest.raises(FormatError, match="there is no 'Y'"):
        sa.read(path, key="Y")


def test_rows_read_only_their_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "x.h5ad"
    cells(path)
    read: dict[str, int] = {}
    own = h5py.Dataset.__getitem__

    def noted(dataset: Any, key: Any) -> Any:
        found = own(dataset, key)
        read[dataset.name] = read.get(dataset.name, 0) + np.size(found)
        return found

    monkeypatch.setattr(h5py.Dataset, "__getitem__", noted)
    for part in (slice(3, 7), slice(0, 0), slice(25, 100), slice(-4, None)):
        read.clear()
        found = sa.read(path, rows=part)
        np.testing.assert_array_equal(found.todense(), DENSE[part])
        assert read["/X/data"] == read["/X/indices"] == MATRIX[part].nnz
    with pytest.raises(FormatError, match="one after the other"):
        sa.read(path, rows=slice(0, 9, 2))


def test_anndata_itself(tmp_path: Path) -> None:
    anndata = pytest.importorskip("anndata")
    theirs = anndata.AnnData(sp.csr_matrix(MATRIX))
    theirs.layers["counts"] = sp.csc_matrix(MATRIX)
    theirs.write_h5ad(tmp_path / "x.h5ad")
    assert sa.read(tmp_path / "x.h5ad").format == "csr"
    assert sa.read(tmp_path / "x.h5ad", key="layers/counts").format == "csc"


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tif"])
def test_pictures(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    pytest.importorskip("tifffile")
    path = tmp_path / f"a{suffix}"
    colours = np.random.default_rng(1).integers(0, 256, (5, 6, 3)).astype(np.uint8)
    for content in (PICTURE, colours, PICTURE > 1):
        sa.write(path, sa.asarray(content))
        np.testing.assert_array_equal(sa.read(path).todense(), content)


def test_bilevel_pictures(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    sa.write(tmp_path / "a.pbm", sa.asarray(PICTURE > 1))
    assert (tmp_path / "a.pbm").read_bytes()[:2] == b"P4"
    found = sa.read(tmp_path / "a.pbm", format="rle")
    assert found.dtype == bool
    np.testing.assert_array_equal(found.todense(), np.array(image.open(tmp_path / "a.pbm")))


def test_packbits_stays_packed(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    tifffile = pytest.importorskip("tifffile")
    path = tmp_path / "a.tif"
    noisy = PICTURE.copy()
    noisy[3] = np.random.default_rng(4).integers(0, 256, noisy.shape[1])
    image.fromarray(noisy).save(path, compression="packbits")
    found = sa.read(path)
    assert found.format == "packbits" and found.nstored < noisy.size / 3
    np.testing.assert_array_equal(found.todense(), noisy)
    sa.write(path, found)
    np.testing.assert_array_equal(np.array(image.open(path)), noisy)
    assert tifffile.TiffFile(path).pages[0].compression == 32773


def test_masks_are_those_of_cocos_tools(tmp_path: Path) -> None:
    mask = pytest.importorskip("pycocotools.mask")
    for content in (PICTURE > 1, PICTURE < 0, PICTURE >= 0):
        theirs = mask.encode(np.asfortranarray(content.astype(np.uint8)))
        text = theirs["counts"].decode()
        path = tmp_path / "m.json"
        path.write_text(json.dumps({"size": theirs["size"], "counts": text}))
        found = sa.read(path)
        np.testing.assert_array_equal(found.todense(), content)
        sa.write(path, found)
        assert json.loads(path.read_text())["counts"] == text


# ------------------------------------------------------------------ bad files


@pytest.mark.parametrize(
    "changes",
    [
        {"version": "9.0"},
        {"format": "XYZ"},
        {"shape": [10**15, 20]},
        {"custom": {"level": {"level_desc": "element"}}, "format": "custom"},
        {"custom": {"level": {"level_desc": "structarr.Element.__class__"}}, "format": "custom"},
        {"custom": {"level": {"level_desc": "structarr.parse", "rank": 1}}, "format": "custom"},
        {"custom": {"level": {"level_desc": "dense", "rank": 10**9}}, "format": "custom"},
        {"number_of_stored_values": -1},
        {"data_types": {}},
        {"data_types": {"values": "object"}},
    ],
)
def test_hostile_descriptions(changes: dict[str, Any], tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "a.h5"
    sa.write(path, sa.asarray(MATRIX))
    with h5py.File(path, "r+") as file:
        told = json.loads(file.attrs["binsparse"])
        told["binsparse"].update(changes)
        file.attrs["binsparse"] = json.dumps(told)
    if changes == {"number_of_stored_values": -1}:
        return  # of no consequence where values are stored one by one
    with pytest.raises(FormatError, match=r"a\.h5"):
        sa.read(path)


def test_absurd_arrays_are_refused_before_they_are_read(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("x", (10**7, 10**7), "f8", chunks=(1, 1000))
        file["objects"] = np.array([b"a", b"b"])
    with pytest.raises(FormatError, match="announces"):
        sa.read(path, key="x")
    with pytest.raises((FormatError, TypeError)):
        sa.read(path, key="objects")


def test_codecs_that_may_run_code_are_refused(tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    path = tmp_path / "a.zarr"
    sa.write(path, sa.asarray(MATRIX))
    place = next(path.glob("values/zarr.json"))
    told = json.loads(place.read_text())
    told["codecs"][0]["name"] = "numcodecs.pickle"
    place.write_text(json.dumps(told))
    with pytest.raises(FormatError):
        sa.read(path)
    assert zarr.__version__


@pytest.mark.parametrize("name", ["a.h5", "a.png", "a.tif", "a.pbm"])
def test_random_and_cut_bytes_raise(name: str, tmp_path: Path) -> None:
    for package in ("h5py", "PIL", "tifffile"):
        pytest.importorskip(package)
    rng = np.random.default_rng(11)
    path = tmp_path / name
    sa.write(path, sa.asarray(PICTURE, format="packbits" if name == "a.tif" else None))
    good = path.read_bytes()
    for number in range(20):
        content = bytearray(good)
        if number % 2:
            content = content[: int(rng.integers(0, len(content)))]
        else:
            for place in rng.integers(0, len(content), 8):
                content[place] = int(rng.integers(0, 256))
        path.write_bytes(bytes(content))
        try:
            found = sa.read(path)
        except (FormatError, TypeError):
            continue
        assert found.shape
