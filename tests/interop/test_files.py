"""Files: what is saved comes back, what is damaged is refused, what fails leaves no trace."""

import errno
import json
import os
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

import structarr as sa
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Dense, Element, Format, Level, SparseList, parse
from structarr.interop import files

DENSE = np.array([[0.0, 2.0, 0.0], [np.nan, 0.0, -0.0]])


def same(a: Tensor, b: Tensor) -> bool:
    """Whether tensors are equal to the bit."""
    return (
        (a.format, a.shape, a.dtype) == (b.format, b.shape, b.dtype)
        and np.asarray(a.fill).tobytes() == np.asarray(b.fill).tobytes()
        and [x.dtype for x in a.buffers] == [x.dtype for x in b.buffers]
        and [x.tobytes() for x in a.buffers] == [x.tobytes() for x in b.buffers]
    )


def saved(path: Path, array: Any, **how: Any) -> Tensor:
    tensor = sa.asarray(array, **how)._tensor
    assert tensor is not None
    files.save(path, tensor)
    return tensor


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.npz"


@pytest.mark.parametrize("format", ["dense", "csr", "csc", "dcsc", "band", "rle", "bitmap"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex128"])
def test_formats_and_dtypes_come_back(path: Path, format: str, dtype: str) -> None:
    tensor = saved(path, np.arange(12).reshape(3, 4).astype(dtype), format=format)
    assert same(files.load(path), tensor)


@pytest.mark.parametrize("shape", [(), (0,), (4,), (0, 3), (3, 0), (2, 3, 4), (2, 0, 1)])
@pytest.mark.parametrize("format", ["dense", "csf"])
def test_shapes_come_back(path: Path, shape: tuple[int, ...], format: str) -> None:
    tensor = saved(path, np.ones(shape), format=format)
    assert same(files.load(path), tensor)


@pytest.mark.parametrize("fill", [np.nan, -0.0, np.inf, 3.0])
def test_fills_come_back_to_the_bit(path: Path, fill: float) -> None:
    tensor = saved(path, DENSE, format="csr", fill_value=fill)
    assert same(files.load(path), tensor)


def test_index_dtype_and_order_come_back(path: Path) -> None:
    format = Format(SparseList(Dense(Element())), (1, 0), "int32")
    tensor = saved(path, DENSE, format=format)
    assert same(files.load(path), tensor)


def test_a_huge_sparse_array_is_a_small_file(path: Path) -> None:
    n = 10**12
    buffers = ([0, 2], [0, n - 1], [0, 1, 2], [5, 7], [1.0, 2.0])
    tensor = Tensor.checked(parse("dcsr", 2), (n, n), 0, buffers)
    files.save(path, tensor)
    assert path.stat().st_size < 4096
    assert same(files.load(path), tensor)


def test_lazy_arrays_are_computed_and_numpys_are_taken(path: Path) -> None:
    sa.save(path, sa.asarray(DENSE, format="csr") * 2)
    assert sa.load(path).format == "csr"
    np.testing.assert_array_equal(sa.load(path).todense(), DENSE * 2)
    sa.save(str(path), DENSE)
    np.testing.assert_array_equal(sa.load(str(path)).todense(), DENSE)


def test_numpy_opens_the_file(path: Path) -> None:
    tensor = saved(path, DENSE, format="csr")
    with np.load(path) as archive:
        np.testing.assert_array_equal(archive["buffer2"], tensor.buffers[2])
        assert archive["fill"][()] == 0


# What is refused


def rewritten(path: Path, **changes: Any) -> None:
    """Replace entries of the description, or members if bytes are given."""
    with ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    description = json.loads(members[files.DESCRIPTION])
    for name, value in changes.items():
        if isinstance(value, bytes):
            members[f"{name}.npy"] = value
        else:
            description[name] = value
    members[files.DESCRIPTION] = json.dumps(description).encode()
    with ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def npy(array: Any, path: Path) -> bytes:
    np.save(path, array, allow_pickle=True)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"version": 2}, "version 2 .* reads version 1: update"),
        ({"format": {"level": "Hologram", "child": None}}, "'Hologram' is unknown: update"),
        ({"format": {"level": "Level", "child": None}}, "'Level' is unknown"),
        ({"format": {"level": "parse", "child": None}}, "'parse' is unknown"),
        ({"format": {"level": "not.there.Mine", "child": None}}, "import not.there first"),
        ({"format": {"level": "os.system", "child": None}}, "'os.system' is unknown"),
        ({"format": {"level": "structarr.formats.base.Level", "child": None}}, "is unknown"),
        ({"format": {"level": "Dense", "child": None}}, "no level below"),
        ({"format": {"level": "Element", "child": None}}, "0 levels above its leaf for 2 axes"),
        ({"format": {"level": "Element", "color": "red"}}, "damaged"),
        ({"format": "Dense"}, "damaged"),
        ({"order": [0, 0]}, "permutation"),
        ({"order": [1, 0]}, "buffer 'ptr'"),
        ({"index": "float64"}, "index must be one of"),
        ({"shape": [2, 1]}, "outside"),
        ({"shape": [-2, 3]}, "negative"),
        ({"shape": None}, "damaged"),
        ({"dtype": "object"}, "damaged.*not supported"),
        ({"buffers": 2}, "has 3 buffers, not 2"),
        ({"buffers": 4}, "damaged.*buffer3"),
        ({"buffers": 2**62}, "damaged.*buffer3"),
    ],
)
def test_a_description_that_is_not_so_is_refused(path: Path, changes: Any, says: str) -> None:
    saved(path, DENSE, format="csr")
    rewritten(path, **changes)
    with pytest.raises(FormatError, match=says) as caught:
        files.load(path)
    assert str(path) in str(caught.value)


def test_buffers_that_do_not_fit_are_refused(path: Path, tmp_path: Path) -> None:
    saved(path, DENSE, format="csr")
    rewritten(path, buffer1=npy(np.array([1, 9]), tmp_path / "b.npy"))
    with pytest.raises(FormatError, match="buffer 'idx'"):
        files.load(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"'<i8'", b"'08i'"), (b"(2,)", b"(2, "), (b"False", b"(((((")],
)
def test_headers_that_numpy_cannot_parse_are_refused(
    path: Path, tmp_path: Path, old: bytes, new: bytes
) -> None:
    """NumPy reads headers as texts of Python, and lets the errors of that through."""
    saved(path, DENSE, format="csr")
    whole = npy(np.array([0, 1]), tmp_path / "b.npy")
    assert old in whole
    rewritten(path, buffer1=whole.replace(old, new))
    with pytest.raises(FormatError, match="damaged"):
        files.load(path)


def test_objects_are_not_unpickled(path: Path, tmp_path: Path) -> None:
    saved(path, DENSE, format="csr")
    rewritten(path, buffer1=npy(np.array([1, None]), tmp_path / "b.npy"))
    with pytest.raises(FormatError, match="allow_pickle"):
        files.load(path)


def test_a_truncated_file_is_refused(path: Path) -> None:
    saved(path, DENSE, format="csr")
    whole = path.read_bytes()
    for length in range(0, len(whole), 37):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match="damaged"):
            files.load(path)


def test_a_flipped_bit_is_refused_or_harmless(path: Path) -> None:
    tensor = saved(path, DENSE, format="csr")
    whole = path.read_bytes()
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        try:
            assert same(files.load(path), tensor), place
        except FormatError as error:
            assert str(path) in str(error)


def test_other_files_are_refused(path: Path) -> None:
    np.savez(path, a=DENSE)
    with pytest.raises(FormatError, match=r"no structarr\.json in it.*numpy\.load"):
        sa.load(path)
    path.write_text("1,2,3")
    with pytest.raises(FormatError, match=r"was not written by structarr\.save"):
        sa.load(path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        sa.load(path.with_name("nowhere"))


def test_levels_defined_in_functions_are_not_saved(path: Path) -> None:
    class Mine(Level):
        pass

    tensor = from_dense(np.zeros(3))
    foreign = Format(Mine(Element()), (0,))
    with pytest.raises(FormatError, match=r"Mine is neither one of .*\.asformat"):
        files.save(path, Tensor(foreign, (3,), tensor.dtype, tensor.fill, tensor.buffers))
    assert not path.exists()


def test_fields_of_levels_come_back() -> None:
    spelled = files._spelled((1, "upper", None, (2.5, True), Dense(Element())))
    back = files._field(json.loads(json.dumps(spelled)))
    assert back == (1, "upper", None, (2.5, True), Dense(Element()))
    with pytest.raises(FormatError, match="cannot be saved"):
        files._spelled(np.float64)


# Failures


def test_a_failing_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = saved(path, DENSE, format="csr")
    write = np.lib.format.write_array

    def fail(file: Any, array: Any, **how: Any) -> None:
        if array.size == 3:
            raise OSError("no space left")
        write(file, array, **how)

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    with pytest.raises(OSError, match="no space left"):
        sa.save(path, np.zeros(3))
    assert same(files.load(path), old)
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("name", ["ENOSPC", "EDQUOT", "EFBIG"])
def test_a_disk_without_room_is_told_of(
    path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = getattr(errno, name, errno.ENOSPC)
    old = saved(path, DENSE, format="csr")

    def fail(file: Any, array: Any, **how: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    with pytest.raises(OSError, match="what was there before is unchanged") as info:
        sa.save(path, np.zeros(3))
    assert str(path) in str(info.value)
    assert same(files.load(path), old)
    assert os.listdir(path.parent) == [path.name]


def test_places_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no folder .*missing"):
        sa.save(tmp_path / "missing" / "a.npz", DENSE)
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        sa.save(tmp_path, DENSE)


def test_a_link_is_followed(path: Path) -> None:
    saved(path, DENSE)
    link = path.with_name("link")
    link.symlink_to(path)
    sa.save(link, DENSE + 1)
    assert link.is_symlink()
    np.testing.assert_array_equal(sa.load(path).todense(), DENSE + 1)
