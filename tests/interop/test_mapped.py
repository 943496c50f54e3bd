"""Files that are mapped: computed with as if they were in memory, and checked before that."""

from __future__ import annotations

import gc
import io
import os
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import pytest

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._storage.mapped_files import FILES
from structarr._storage.tensor import Tensor
from structarr._testing.forcing import witnessed
from structarr.errors import FormatError
from structarr.interop import mapped

FORMATS = (
    "csr",
    "csc",
    "coo",
    "dcsr",
    "dense",
    "bitmap",
    "rle",
    "band",
    "vbl",
    "hash",
    "packbits",
    "ragged",
    "sparse-rle",
    "csf",
)
DENSE = np.where(np.arange(42).reshape(6, 7) % 3, 0.0, np.arange(42.0).reshape(6, 7))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.npz"


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


def rewritten(path: Path, compression: int) -> None:
    """Write a file anew as another library would: without padding."""
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(path, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("format", FORMATS)
def test_mapped_arrays_are_computed_with(path: Path, format: str) -> None:
    sa.save(path, sa.asarray(DENSE, format=format))
    a = sa.load(path, mmap=True)
    assert a.shape == DENSE.shape and type(stored(a)) is mapped.MappedTensor
    x = np.arange(7.0)
    np.testing.assert_array_equal(np.asarray(a @ x), DENSE @ x)
    np.testing.assert_array_equal((a + a).todense(), DENSE * 2)
    np.testing.assert_array_equal(a[1:4].todense(), DENSE[1:4])
    assert not any(buffer.flags.writeable for buffer in stored(a).buffers if buffer.size)


def test_buffers_begin_aligned_and_are_not_copied(path: Path) -> None:
    sa.save(path, sa.asarray(DENSE, format="csr"))
    for buffer in stored(sa.load(path, mmap=True)).buffers:
        assert not buffer.ctypes.data % mapped.ALIGNED
        assert not buffer.flags.owndata


@pytest.mark.parametrize("compression", [ZIP_STORED, ZIP_DEFLATED])
def test_files_of_others_are_copied_where_they_must_be(path: Path, compression: int) -> None:
    sa.save(path, sa.asarray(DENSE, format="csr"))
    rewritten(path, compression)
    np.testing.assert_array_equal(sa.load(path, mmap=True).todense(), DENSE)


def with_buffer(path: Path, number: int, buffer: np.ndarray) -> None:
    """Write another buffer into a file."""
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(path, "w") as archive:
        for name, content in parts.items():
            if name != f"buffer{number}.npy":
                archive.writestr(name, content)
        with archive.open(f"buffer{number}.npy", "w") as member:
            np.lib.format.write_array(member, buffer)


def test_byte_swapped_buffers_are_copied(path: Path) -> None:
    a = sa.asarray(DENSE, format="csr")
    sa.save(path, a)
    with_buffer(path, 2, stored(a).buffers[2].astype(">f8"))
    np.testing.assert_array_equal(sa.load(path, mmap=True).todense(), DENSE)


@pytest.mark.parametrize("place", [0, 1])
def test_coordinates_are_checked_before_they_are_read(path: Path, place: int) -> None:
    a = sa.asarray(DENSE, format="csr")
    sa.save(path, a)
    wrong = stored(a).buffers[place].copy()
    wrong[-1] = 99
    with_buffer(path, place, wrong)
    with pytest.raises(FormatError):
        sa.load(path)
    b = sa.load(path, mmap=True)
    assert b.shape == DENSE.shape
    for _ in range(2):
        with pytest.raises(FormatError, match=path.name):
            (b @ np.ones(7)).compute()


def test_checks_are_done_once_and_not_where_a_file_is_trusted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sa.save(path, sa.asarray(DENSE, format="csr"))
    calls: list[int] = []
    validate = mapped.validate
    monkeypatch.setattr(mapped, "validate", lambda *args: calls.append(1) or validate(*args))
    a, trusted = sa.load(path, mmap=True), sa.load(path, mmap=True, trusted=True)
    assert not calls
    for _ in range(2):
        a.sum(axis=1).compute()
        trusted.sum(axis=1).compute()
    assert calls == [1]


def test_a_file_that_changes_is_noticed(path: Path) -> None:
    sa.save(path, sa.asarray(DENSE, format="csr"))
    a = sa.load(path, mmap=True)
    a.sum().compute()
    os.utime(path, ns=(1, 1))
    with pytest.raises(OSError, match="changed since it was mapped"):
        a.sum().compute()


def test_a_file_that_is_replaced_is_noticed_and_one_that_is_gone_is_kept(path: Path) -> None:
    sa.save(path, sa.asarray(DENSE, format="csr"))
    a = sa.load(path, mmap=True)
    path.unlink()
    np.testing.assert_array_equal(a.todense(), DENSE)
    sa.save(path, sa.asarray(DENSE + 1, format="csr"))
    with pytest.raises(OSError, match="changed"):
        a.todense()


VIEWS: dict[str, Callable[[sa.Array], sa.Array]] = {
    "transposed": lambda a: a.T,
    "longer": lambda a: a[None],
    "values at its places": lambda a: a * 2,
}
USES: dict[str, Callable[[sa.Array], object]] = {
    "product": lambda b: (b @ np.ones(b.shape[-1])).compute(),
    "reduction": lambda b: float((b * b).sum()),
    "several": lambda b: sa.compute(b * 2, b + 1),
    "dense": lambda b: b.todense(),
    "text": str,
    "element": lambda b: float(b[(0,) * b.ndim]),
    "function": sa.jit(lambda b: b.sum(axis=0)),
    "conversion": lambda b: b.asformat("dense").compute(),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("view", VIEWS)
def test_views_know_that_their_file_is_cut_short(path: Path, view: str, use: str) -> None:
    """They would end the process if they were read."""
    sa.save(path, sa.asarray(DENSE, format="csr"))
    own = VIEWS[view](sa.asarray(DENSE, format="csr")).compute()
    b = VIEWS[view](sa.load(path, mmap=True)).compute()
    for _ in range(2):
        USES[use](b)
    os.truncate(path, 50)
    with pytest.raises(OSError, match="changed since it was mapped"):
        USES[use](b)
    USES[use](own)  # other arrays are computed with


def test_pieces_know_that_their_file_has_changed(path: Path) -> None:
    sa.save(path, sa.asarray(DENSE, format="csr"))
    a = sa.load(path, mmap=True)
    with witnessed(lambda call: None, pieces=3), sa.options(threads=2):
        for _ in range(2):
            np.testing.assert_array_equal(np.asarray(a.T @ np.ones(6)), DENSE.sum(axis=0))
        os.utime(path, ns=(1, 1))
        with pytest.raises(OSError, match="changed since it was mapped"):
            (a.T @ np.ones(6)).compute()


def test_files_are_forgotten_with_the_last_array_over_them(path: Path) -> None:
    gc.collect()
    before = len(FILES)
    sa.save(path, sa.asarray(DENSE, format="csr"))
    view = sa.load(path, mmap=True).T.compute()
    gc.collect()
    assert len(FILES) == before + 1
    del view
    gc.collect()
    assert len(FILES) == before


def test_a_large_file_is_opened_without_reading_its_buffers(path: Path) -> None:
    """Of ten GiB, most of which are a hole that the disk does not hold."""
    count = 10 * 2**30 // 8
    sa.save(path, sa.asarray(np.zeros(1)))
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    described = parts["structarr.json"].replace(b"1\n ]", f"{count}\n ]".encode())
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (count,)}
    )
    size = len(head.getvalue()) + 8 * count
    with_hole(path, {"structarr.json": described, "fill.npy": parts["fill.npy"]}, head, size)
    before = _read_so_far()
    a = sa.load(path, mmap=True)
    assert a.shape == (count,) and a.nbytes == 8 * count
    assert float(a[count // 2]) == 0.0
    assert _read_so_far() - before < 2**20
    assert path.stat().st_blocks * 512 < 2**20


def with_hole(path: Path, parts: dict[str, bytes], head: io.BytesIO, size: int) -> None:
    """Write an archive whose last member is a header and zeros that are never written."""
    with ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        begin = archive.start_dir
        info = mapped.padded("buffer0.npy", begin)
        info.header_offset = begin
        info.file_size = info.compress_size = size
        info.CRC = 0
        assert archive.fp is not None
        archive.fp.seek(begin)
        archive.fp.write(info.FileHeader(zip64=True) + head.getvalue())
        archive.fp.seek(size - len(head.getvalue()), os.SEEK_CUR)
        archive.start_dir = archive.fp.tell()
        archive._didModify = True
        archive.filelist.append(info)
        archive.NameToInfo[info.filename] = info


def _read_so_far() -> int:
    """The bytes of memory that this process uses, which mapped pages that are read belong to."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssFile"):
            return 1024 * int(line.split()[1])
    pytest.skip("only Linux tells")


def test_a_truncated_file_is_refused(path: Path) -> None:
    sa.save(path, sa.asarray(DENSE, format="csr"))
    content = path.read_bytes()
    for length in (0, 10, len(content) // 2, len(content) - 5):
        path.write_bytes(content[:length])
        with pytest.raises(FormatError):
            sa.load(path, mmap=True)


def test_lists_longer_than_32_bits_are_mapped(path: Path) -> None:
    n = 2**40
    places = [3, n // 2, n - 1]
    made = sa.from_coordinates((np.array(places),), np.array([1.0, 2.0, 3.0]), (n,))
    sa.save(path, made)
    b = sa.load(path, mmap=True)
    assert b.shape == (n,) and float(b.sum()) == 6.0 and float(b[n - 1]) == 3.0
    assert float((b * b).sum()) == 14.0


TALL = np.where(np.arange(700).reshape(100, 7) % 3, 0.0, np.arange(700.0).reshape(100, 7))
SLICES: dict[str, Callable[[sa.Array], object]] = {
    "product": lambda a: (a[20:30] @ np.ones(7)).todense(),
    "sum": lambda a: a[20:30].sum(axis=0).todense(),
    "some rows": lambda a: a[20:29:4].todense(),
    "backwards": lambda a: a[29:19:-2].todense(),
    "a row": lambda a: a[25].todense(),
    "slice of a slice": lambda a: a[10:40][10:20, 2:5].todense(),
    "transposed": lambda a: a.T[1:4, 20:30].todense(),
    "two slices": lambda a: (a[20:25] * a[25:30]).todense(),
    "conversion": lambda a: a[20:30].asformat("coo").todense(),
    "several": lambda a: sa.compute(a[20:25] * 2, a[25:30].sum(axis=1))[0].todense(),
    "deviations": lambda a: (a[20:30] - a[20:30].mean(axis=0)).todense(),
}


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of rows that are checked, one after the other."""
    rows: list[int] = []
    validate = mapped.validate
    monkeypatch.setattr(
        mapped,
        "validate",
        lambda fmt, shape, dims, parts: rows.append(dims[0]) or validate(fmt, shape, dims, parts),
    )
    return rows


@pytest.mark.parametrize("format", ["csr", "vbl", "rle", "sparse-rle"])
@pytest.mark.parametrize("name", SLICES)
def test_rows_that_are_not_read_are_not_checked(
    path: Path, checked: list[int], format: str, name: str
) -> None:
    sa.save(path, sa.asarray(TALL, format=format))
    for _ in range(2):
        a = sa.load(path, mmap=True)
        np.testing.assert_array_equal(SLICES[name](a), SLICES[name](sa.asarray(TALL)))
        assert sum(checked) <= 10
        SLICES[name](a)
        assert sum(checked) <= 10  # what was checked is remembered
        checked.clear()


def test_what_is_left_of_rows_is_checked_and_then_all(path: Path, checked: list[int]) -> None:
    sa.save(path, sa.asarray(TALL, format="csr"))
    a = sa.load(path, mmap=True)
    for lo, hi, wanted in (
        (10, 20, [10]),
        (15, 30, [10, 10]),
        (12, 28, [10, 10]),
        (0, 99, [10, 10, 10, 69]),
    ):
        a[lo:hi].sum().compute()
        assert checked == wanted
    a.sum().compute()
    a[99:].sum().compute()
    assert checked == [10, 10, 10, 69, 100]


def test_columns_of_a_file_by_columns_are_parts(path: Path, checked: list[int]) -> None:
    sa.save(path, sa.asarray(TALL.T, format="csc"))
    a = sa.load(path, mmap=True)
    np.testing.assert_array_equal((a[:, 20:30] @ np.ones(10)).todense(), TALL[20:30].sum(axis=0))
    assert checked == [10]
    sa.load(path, mmap=True, trusted=True)[:, 20:30].sum().compute()
    assert checked == [10]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("wrong", [-1, 10**6])
def test_wrong_rows_raise_where_they_are_read(path: Path, place: int, wrong: int) -> None:
    a = sa.asarray(TALL, format="csr")
    sa.save(path, a)
    buffer = stored(a).buffers[place].copy()
    buffer[60 if place == 0 else stored(a).buffers[0][60]] = wrong
    with_buffer(path, place, buffer)
    b = sa.load(path, mmap=True)
    np.testing.assert_array_equal(b[10:20].todense(), TALL[10:20])
    np.testing.assert_array_equal((b[70:] @ np.ones(7)).todense(), TALL[70:].sum(axis=1))
    for rows in (slice(55, 62), slice(60, 61), slice(None)):
        with pytest.raises(FormatError, match=path.name):
            b[rows].sum(axis=0).compute()


def test_a_part_of_a_large_file_reads_little_of_it(path: Path) -> None:
    n = 2 * 10**6
    pointers, columns = np.arange(0, n + 1, 4), np.tile(np.arange(4), n // 4)
    parts = (pointers, columns, np.ones(n))
    csr = sa.formats.parse("csr", ndim=2)
    sa.save(path, of_tensor(Tensor.checked(csr, (n // 4, 4), 0.0, parts)))
    before = _read_so_far()
    b = sa.load(path, mmap=True)
    assert float(b[1000:2000].sum()) == 4000.0
    assert float((b[-10:] @ np.ones(4)).sum()) == 40.0
    assert _read_so_far() - before < path.stat().st_size / 8


def test_functions_that_are_kept_read_slices_of_each_file(path: Path) -> None:
    function = sa.jit(lambda a: a[20:30].sum(axis=0))
    for factor in (1.0, 2.0, 3.0):
        sa.save(path, sa.asarray(TALL * factor, format="csr"))
        a = sa.load(path, mmap=True)
        for _ in range(2):
            np.testing.assert_array_equal(function(a).todense(), TALL[20:30].sum(axis=0) * factor)
