"""Errors of reading and writing that say what is wrong and what to do, one by one."""

from __future__ import annotations

import bz2
import io
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
import pytest

import structarr as sa
from structarr._support.memory import available
from structarr.errors import FormatError
from structarr.interop import binsparse, coco, foreign_files, npy, pack_bits, tiff
from structarr.interop.foreign import checked_layout

MATRIX = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("name", "array", "says"),
    [
        ("a.mtx", np.ones(3), "Matrix Market has matrices, not 1 axes: write .npz"),
        ("a.tns", np.float64(3), "a .tns file needs an axis"),
        ("a.bed", np.ones(3), "genotypes are a matrix of samples by variants"),
        ("a.bed", MATRIX + 5, "is no count of alleles: there are 0, 1, 2 and NaN"),
    ],
)
def test_arrays_that_a_file_does_not_take(name: str, array: Any, says: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=says):
        sa.write(tmp_path / name, sa.asarray(array, format="csc" if array.ndim == 2 else None))
    assert not [one for one in tmp_path.iterdir() if one.suffix == Path(name).suffix]


def test_genotypes_and_the_files_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "a.bed"
    sa.write(path, sa.asarray(MATRIX, format="csc"))
    with pytest.raises(FormatError, match=r"a\.fam has 2 lines, not 3"):
        sa.write(path, sa.asarray(MATRIX.T.copy(), format="csc"))
    path.write_bytes(b"abc" + path.read_bytes()[3:])
    with pytest.raises(FormatError, match=r"does not begin as a \.bed file"):
        sa.read(path)


def test_arrays_of_pydata_that_are_compressed_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(
        path,
        data=np.ones(1),
        indices=np.zeros(1, int),
        indptr=np.array([0, 1]),
        compressed_axes=np.array([0, 1]),
        shape=np.array([2, 2, 2]),
        fill_value=np.float64(0),
    )
    with pytest.raises(FormatError, match=r"is GCXS of shape .* save \.asformat"):
        sa.read(path)


def test_headers_of_unknown_versions() -> None:
    with pytest.raises(ValueError, match=r"a\.npy is of an unknown version \(9, 0\)"):
        npy.header_of(io.BytesIO(b"\x93NUMPY\x09\x00"), "a.npy")


def damaged(path: Path, change: Callable[[bytearray, int, int], None]) -> None:
    """Change a member's header and elements within an archive, and leave the archive's list."""
    with ZipFile(path) as archive:
        member = max(archive.infolist(), key=lambda one: one.file_size)
    content = bytearray(path.read_bytes())
    begin = member.header_offset
    lengths = struct.unpack_from("<HH", content, begin + 26)
    change(content, begin, begin + 30 + sum(lengths))
    path.write_bytes(content)


def mark(content: bytearray, begin: int, inside: int) -> None:
    content[begin : begin + 4] = b"none"


def long_name(content: bytearray, begin: int, inside: int) -> None:
    struct.pack_into("<H", content, begin + 28, 60000)


def long_shape(content: bytearray, begin: int, inside: int) -> None:
    place = content.index(b"'shape': (", inside) + len(b"'shape': (")
    end = content.index(b"\n", place)
    content[place:end] = b"99999999,), }".ljust(end - place)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (mark, BadZipFile, "is not where the archive says"),
        (long_name, EOFError, "ends beyond the file"),
        (long_shape, EOFError, "is shorter than its header says"),
    ],
)
def test_archives_that_are_mapped(
    change: Any, error: type[Exception], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.npz"
    sa.save(path, sa.asarray(np.ones(50)))
    damaged(path, change)
    with pytest.raises((error, FormatError)) as caught:
        sa.load(path, mmap=True)
    assert says in f"{caught.value}{caught.value.__cause__}"


def test_files_that_unpack_to_more_than_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert available() > 100
    monkeypatch.setattr(foreign_files, "available", lambda: 100)
    path = tmp_path / "a.mtx.bz2"
    path.write_bytes(bz2.compress(b"%" * 1000))
    with foreign_files.opened(path) as file, pytest.raises(FormatError, match="more bytes"):
        file.read()


@pytest.mark.parametrize(("text", "says"), [("P", "ends within"), ("a\n", "no character")])
def test_texts_of_run_lengths(text: str, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        coco.counts_of(text)


@pytest.mark.parametrize(
    ("packets", "says"),
    [
        ([254, 7, 1, 8, 9, 255, 3], "hold 7 elements, of 2 rows of 3"),
        ([253, 7, 1, 8, 9], "a packet crosses the end of a row"),
        ([254, 7, 2, 8], "a packet is cut short"),
    ],
)
def test_packets_that_make_no_rows(packets: list[int], says: str) -> None:
    with pytest.raises(FormatError, match=says):
        pack_bits.unpacked([np.array(packets, np.uint8)], 2, 3)


def test_bits_from_the_lowest_on() -> None:
    fields = [(256, 8), (257, 1), (258, 1), (259, tiff.PACKBITS), (266, 2), (277, 1)]
    entries = b"".join(struct.pack("<HHIHxx", tag, 3, 1, value) for tag, value in fields)
    page = struct.pack("<H", len(fields)) + entries + struct.pack("<I", 0)
    with pytest.raises(tiff.TiffError, match="FillOrder 2 is not"):
        tiff.parsed(b"II*\0" + struct.pack("<I", 8) + page)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"data_types": {"values": "str"}}, "is not one of binsparse's"),
        ({"data_types": {"values": "iso[float64]"}}, "one value has another number of them"),
        ({"format": {"COO": 1}}, "is none of"),
        ({"format": "custom", "custom": {"level": {"level_desc": "heap"}}}, r"'heap' .* not read"),
    ],
)
def test_descriptions_of_binsparse(changes: dict[str, Any], says: str) -> None:
    told = {
        "version": "0.1",
        "format": "COO",
        "shape": [2, 3],
        "number_of_stored_values": 2,
        "data_types": {"values": "float64", "indices_0": "int64", "indices_1": "int64"},
    }
    arrays = {
        "values": np.ones(2),
        "indices_0": np.array([0, 1]),
        "indices_1": np.array([1, 0]),
    }
    assert binsparse.tensor_of(told, arrays.__getitem__).shape == (2, 3)
    merged = {**told, **changes}
    if "data_types" in changes:
        merged["data_types"] = {**told["data_types"], **changes["data_types"]}
    with pytest.raises(FormatError, match=says):
        binsparse.tensor_of(merged, arrays.__getitem__)


def test_layouts_that_a_library_does_not_have() -> None:
    assert checked_layout("", ("csr", "csc"), "SciPy") == "csr"
    with pytest.raises(FormatError, match=r"SciPy has no layout 'cs'.*it takes csr, csc"):
        checked_layout("cs", ("csr", "csc"), "SciPy")


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **members: Any) -> None:
    """Put a module in the place of a library, with as much as errors need of it."""
    made = ModuleType(name)
    vars(made).update(members)
    monkeypatch.setitem(sys.modules, name, made)


def tensor(layout: str, device: str = "cpu", **more: Any) -> Any:
    found = SimpleNamespace(device=SimpleNamespace(type=device), layout=layout, **more)
    found.detach = found.resolve_conj = found.resolve_neg = lambda: found
    return found


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (tensor("strided", "cuda"), r"give x\.cpu\(\)"),
        (tensor("jagged"), "layout jagged is not read"),
        (tensor("coo", dense_dim=lambda: 1), "the tensor has dense axes"),
        (tensor("csr", ndim=3, shape=(2, 3, 4)), r"of shape \(2, 3, 4\): take one of it"),
    ],
)
def test_tensors_of_torch(given: Any, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from structarr.interop import torch

    layouts = {"sparse_coo": "coo", "sparse_csr": "csr", "sparse_csc": "csc", "sparse_bsr": "bsr"}
    stand_in(monkeypatch, "torch", strided="strided", **layouts)
    with pytest.raises(FormatError, match=says):
        torch.tensor_of(given, None)


def test_batches_of_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    from structarr.interop import jax

    sparse = ModuleType("jax.experimental.sparse")
    stand_in(monkeypatch, "jax.experimental", sparse=sparse)
    stand_in(monkeypatch, "jax", experimental=sys.modules["jax.experimental"])
    with pytest.raises(FormatError, match="batches or dense axes"):
        jax.tensor_of(SimpleNamespace(n_batch=1, n_dense=0), None)


def test_frames_of_arrow_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = SimpleNamespace(__arrow_c_stream__=lambda schema=None: None)
    with pytest.raises(ImportError, match=r'pip install "structarr\[frames\]"'):
        from structarr.interop import frames

        list(frames._of_arrow(frame, None))
