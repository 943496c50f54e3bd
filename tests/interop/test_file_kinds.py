"""Files of other programs: there and back, and what damaged and hostile ones raise."""

import gzip
import json
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import structarr as sa
from structarr._compiler import progress
from structarr.errors import FormatError, StructarrError
from structarr.interop import file_kinds, followed_files
from structarr.interop.coco import counts_of, mask_of, text_of

MATRIX = sp.random_array((30, 20), density=0.1, rng=3, format="csr")
DENSE = MATRIX.toarray()


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "rle", "band", "dense"])
@pytest.mark.parametrize("name", ["a.npz", "a.npy", "a.mtx", "a.mtx.gz", "a.tns", "a.tns.gz"])
def test_matrices_come_back(name: str, format: str, tmp_path: Path) -> None:
    path = tmp_path / name
    sa.write(path, sa.asarray(MATRIX, format=format))
    found = sa.read(path).todense()
    np.testing.assert_array_equal(found, DENSE[: found.shape[0], : found.shape[1]])
    assert np.count_nonzero(found) == MATRIX.nnz


def test_one_format_is_asked_for(tmp_path: Path) -> None:
    sa.write(tmp_path / "a.mtx", sa.asarray(MATRIX))
    assert sa.read(tmp_path / "a.mtx").format == "csr"
    assert sa.read(tmp_path / "a.mtx", format="csc").format == "csc"


@pytest.mark.parametrize("order", ["rows", "columns", "none", "twice"])
def test_entries_in_order_of_rows_are_not_sorted(
    order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = MATRIX.tocsc().tocoo() if order == "columns" else MATRIX.tocoo()
    places = np.arange(entries.nnz)
    if order == "none":
        places = np.random.default_rng(1).permutation(places)
    if order == "twice":
        places = np.sort(np.append(places, places[3:5]))
    row, column = (axis[places] for axis in entries.coords)
    lines = (f"{i + 1} {j + 1} 2\n" for i, j in zip(row, column, strict=True))
    path = tmp_path / "a.mtx"
    head = f"%%MatrixMarket matrix coordinate integer general\n30 20 {len(row)}\n"
    path.write_text(head + "".join(lines))
    if order == "rows":
        monkeypatch.setattr(sp.coo_array, "tocsr", None)
    found = sa.read(path)
    assert found.format == "csr" and found.nstored == MATRIX.nnz
    expected = sp.coo_array((np.full(len(row), 2), (row, column)), MATRIX.shape)
    np.testing.assert_array_equal(found.todense(), expected.toarray())


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia"])
def test_scipys_archives_keep_their_layout(layout: str, tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    sp.save_npz(path, MATRIX.asformat(layout))
    found = sa.read(path)
    assert found.format == layout
    np.testing.assert_array_equal(found.todense(), DENSE)
    sa.write(path, found, kind="scipy-npz")
    assert sp.load_npz(path).format == layout


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
@pytest.mark.parametrize("kind", [np.float64, np.int64, np.complex128])
def test_matrix_market_of_each_kind(symmetry: str, kind: type, tmp_path: Path) -> None:
    square = np.round(DENSE[:20] * 10)
    own = {"general": square, "symmetric": square + square.T, "skew-symmetric": square - square.T}
    matrix = own[symmetry].astype(kind)
    scipy.io.mmwrite(tmp_path / "a.mtx", sp.coo_array(matrix), symmetry=symmetry)
    found = sa.read(tmp_path / "a.mtx")
    assert found.dtype == kind
    np.testing.assert_array_equal(found.todense(), matrix)


def test_tensors_of_three_axes(tmp_path: Path) -> None:
    tensor = sa.from_coordinates(([0, 2, 3], [1, 0, 4], [0, 5, 1]), [1.5, -2.0, 0.1], (4, 5, 6))
    sa.write(tmp_path / "a.tns", tensor)
    found = sa.read(tmp_path / "a.tns")
    assert (found.format, found.shape) == ("coo", (4, 5, 6))
    np.testing.assert_array_equal(found.todense(), tensor.todense())


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_masks_of_coco(share: float, tmp_path: Path) -> None:
    mask = np.random.default_rng(5).random((7, 9)) < share
    sa.write(tmp_path / "m.json", sa.asarray(mask))
    found = sa.read(tmp_path / "m.json")
    assert "SparseRunList" in str(found.format)
    np.testing.assert_array_equal(found.todense(), mask)


def test_texts_of_run_lengths() -> None:
    for lengths in ([0], [5, 1], [6, 1, 40, 4, 5, 4, 5, 4, 21], [2**30, 3, 1, 2**31, 0, 7]):
        assert counts_of(text_of(lengths)).tolist() == lengths
    assert mask_of(np.array([0, 6]), 2, 3).nstored == 3


def test_genotypes(tmp_path: Path) -> None:
    counts = np.random.default_rng(2).choice([0, 0, 0, 1, 2, np.nan], (9, 5)).astype(np.float32)
    sa.write(tmp_path / "g.bed", sa.asarray(counts))
    found = sa.read(tmp_path / "g.bed")
    assert (found.format, found.dtype) == ("csc", np.float32)
    np.testing.assert_array_equal(found.todense(), counts)
    (tmp_path / "g.fam").write_text("0 a 0 0 0 1\n")
    with pytest.raises(FormatError, match="1 samples of 5 variants"):
        sa.read(tmp_path / "g.bed")


# ------------------------------------------------------------------ bad files


HEADERS = [
    b"",
    b"%%MatrixMarket",
    b"%%MatrixMarket matrix coordinate real general\n",
    b"%%MatrixMarket matrix coordinate real general\n3 3 1000000000000\n1 1 1\n",
    b"%%MatrixMarket matrix coordinate real general\n3 3 -1\n1 1 1\n",
    b"%%MatrixMarket matrix coordinate real general\n3 3 99999999999999999999999\n1 1 1\n",
    b"%%MatrixMarket matrix coordinate real general\n9999999999999999 3 1\n1 1 1\n",
    b"%%MatrixMarket matrix array real general\n1000000 1000000\n1\n",
    b"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n",
    b"%%MatrixMarket matrix coordinate real general\n3 3 1\n4 1 1\n",
    b"%%MatrixMarket matrix coordinate real general\n3 3 1\n0 1 1\n",
    b"%%MatrixMarket matrix coordinate real general\n3 3 1\nx y z\n",
    b"%%MatrixMarket tensor coordinate real general\n3 3 1\n1 1 1\n",
    b"%" * 100_000,
]


@pytest.mark.parametrize("number", range(len(HEADERS)))
@pytest.mark.parametrize("packed", [False, True])
def test_hostile_matrix_market(number: int, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("a.mtx.gz" if packed else "a.mtx")
    path.write_bytes(gzip.compress(HEADERS[number]) if packed else HEADERS[number])
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"a\.mtx"):
            sa.read(path)
        assert tracemalloc.get_traced_memory()[1] < 10**7
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text", ["", "1", "1 2 x", "0 1 2.0", "-1 1 2.0", "1 1 1.0\n1 1", "1.5 1 2", "1 1 1.0\n2"]
)
def test_hostile_tensors(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.tns").write_text(text)
    with pytest.raises(FormatError, match=r"a\.tns"):
        sa.read(tmp_path / "a.tns")


@pytest.mark.parametrize(
    "told",
    [
        [],
        {"size": [3, 3]},
        {"size": [3, 3], "counts": [10]},
        {"size": [3, 3], "counts": [-1, 10]},
        {"size": [3, 3], "counts": "@@"},
        {"size": [3, 3], "counts": "o" * 50},
        {"size": [2**60, 2**60], "counts": [2**62]},
        {"size": "ab", "counts": [1]},
        {"size": [1, 1, 1], "counts": [1]},
    ],
)
def test_hostile_masks(told: object, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(json.dumps(told))
    with pytest.raises(FormatError, match=r"m\.json"):
        sa.read(tmp_path / "m.json")


def archive(path: Path, **changed: np.ndarray) -> None:
    """An archive of SciPy's with some parts changed."""
    parts = {
        "format": np.array(b"csr"),
        "shape": np.array(MATRIX.shape),
        "data": MATRIX.data,
        "indices": MATRIX.indices,
        "indptr": MATRIX.indptr,
    }
    np.savez(path, **{**parts, **changed})


BAD = {
    "layout": {"format": np.array(b"xyz")},
    "indices": {"indices": MATRIX.indices + 100},
    "negative": {"indices": MATRIX.indices - 1},
    "indptr": {"indptr": MATRIX.indptr[::-1].copy()},
    "shape": {"shape": np.array([10**15, 20])},
    "short": {"data": MATRIX.data[:3]},
    "text": {"data": np.array(["a"] * MATRIX.nnz)},
}


@pytest.mark.parametrize("name", BAD)
def test_hostile_archives(name: str, tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    archive(path, **BAD[name])
    with pytest.raises((StructarrError, TypeError)):
        sa.read(path)


def test_objects_are_not_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    np.savez(path, format=np.array(b"csr"), shape=np.array([1, 1]), data=np.array([{}, {}], object))
    with pytest.raises(FormatError, match="Python objects"):
        sa.read(path)
    np.save(tmp_path / "a.npy", np.array([{}], object), allow_pickle=True)
    with pytest.raises(FormatError, match="Python objects"):
        sa.read(tmp_path / "a.npy")


def test_what_unpacks_to_more_than_there_is(tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        header = (
            b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (10**15,), }"
        )
        made.writestr("data.npy", header + b"\0" * 1000)
    with pytest.raises(FormatError, match=r"s\.npz"):
        sa.read(path)
    whole = np.lib.format.magic(1, 0)
    shape = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"
    head = shape.ljust(117).encode() + b"\n"
    (tmp_path / "a.npy").write_bytes(whole + len(head).to_bytes(2, "little") + head)
    with pytest.raises(FormatError, match="cut short"):
        sa.read(tmp_path / "a.npy")


@pytest.mark.parametrize(
    "name", ["a.npz", "a.mtx", "a.mtx.gz", "a.tns", "a.bed", "a.json", "a.npy"]
)
def test_random_and_cut_bytes_raise(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    path, good = tmp_path / name, b""
    if name not in ("a.bed", "a.json"):
        sa.write(path, sa.asarray(MATRIX))
        good = path.read_bytes()
    for number in range(40):
        noise = rng.integers(0, 256, int(rng.integers(0, 200)), dtype=np.uint8).tobytes()
        content = bytearray(good or noise)
        if good and number % 2:
            content = content[: int(rng.integers(0, len(content)))]
        elif good:
            for place in rng.integers(0, len(content), 8):
                content[place] = int(rng.integers(0, 256))
        path.write_bytes(bytes(content))
        try:
            found = sa.read(path)
        except (StructarrError, TypeError):
            continue
        assert found.shape  # what is read is an array, of whatever numbers are there


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    for name in ("a.mtx", "a.tns", "a.json"):
        path = tmp_path / name
        path.write_text("as before")
        with pytest.raises(FormatError):
            sa.write(path, sa.asarray(MATRIX) + 1)
        assert path.read_text() == "as before"
        assert [one.name for one in tmp_path.iterdir() if one.suffix == ".tmp"] == []


def test_an_interrupted_write_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(file: object, *args: object, **kwargs: object) -> None:
        file.write(b"half")  # type: ignore[attr-defined]
        raise KeyboardInterrupt

    path = tmp_path / "a.mtx"
    sa.write(path, sa.asarray(MATRIX))
    before = path.read_bytes()
    monkeypatch.setattr(scipy.io, "mmwrite", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sa.write(path, sa.asarray(MATRIX * 2))
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_kinds_that_there_are_not() -> None:
    with pytest.raises(FormatError, match=r"\.xyz.*there are \.npz"):
        sa.read("a.xyz")
    with pytest.raises(FormatError, match="did you mean coco"):
        sa.read("a.json", kind="cocos")  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="holds one array"):
        file_kinds.read("a.mtx", key="x")
    with pytest.raises(FileNotFoundError):
        sa.read("nowhere.mtx")


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (b"1 1 5\n2 1 3 ", None),
        (b"1 1 5\n2 1 3", None),
        (b"1 1 5\n2 1", "damaged"),
        (b"1 1 5 \0\n2 1 3\n", "a byte is zero"),
        (b"1 1 5\n2 1 3\0", "a byte is zero"),
    ],
)
def test_ends_of_matrix_market(lines: bytes, says: str | None, suffix: str, tmp_path: Path) -> None:
    """SciPy's reader ends the process where it finds no end of a line after a number."""
    path = tmp_path / f"a.mtx{suffix}"
    content = b"%%MatrixMarket matrix coordinate real general\n2 2 2\n" + lines
    path.write_bytes(gzip.compress(content) if suffix else content)
    if says is None:
        assert sa.read(path).todense().tolist() == [[5.0, 0.0], [3.0, 0.0]]
    else:
        with pytest.raises(FormatError, match=says):
            sa.read(path)


@pytest.mark.parametrize("name", ["a.tns", "a.tns.gz", "a.mtx.gz", "a.npz", "s.npz", "a.bed"])
def test_it_is_told_how_far_files_are_read_and_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SLOW", 0)
    monkeypatch.setattr(progress, "OFTEN", -1)
    monkeypatch.setattr(followed_files, "_PIECE", 64)
    array = sa.asarray((DENSE != 0) * 1.0, format="csr")
    told: list[str] = []
    with sa.options(progress=told.append):
        sa.write(tmp_path / name, array, kind="scipy-npz" if name == "s.npz" else None)
        writes, told[:] = [text for text in told if "MB" in text], []
        found = sa.read(tmp_path / name)
    assert writes and all(text.startswith(f"writing {tmp_path / name}: ") for text in writes)
    shares = [int(text.split()[-1].rstrip("%")) for text in told if text.endswith("%")]
    assert len(shares) > 0 and 0 <= min(shares) <= max(shares) <= 100
    assert f"reading {tmp_path / name}: {shares[-1]}%" in told
    assert found.nstored == array.nstored


def test_nobody_is_told_of_what_is_quick(tmp_path: Path) -> None:
    told: list[str] = []
    with sa.options(progress=told.append):
        sa.write(tmp_path / "a.npz", sa.asarray(MATRIX))
        sa.read(tmp_path / "a.npz")
        sa.save(tmp_path / "b.npz", sa.asarray(MATRIX))
        sa.load(tmp_path / "b.npz")
    assert told == []
