"""What earlier versions stored: files, pickles, and the cache of kernels."""

from __future__ import annotations

import pickle
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stored_cases

import structarr as sa
from structarr._compiler.backend import kernel
from structarr._compiler.backend.disk.folder import directory
from structarr._compiler.backend.kernel import statistics
from structarr._execute import choices, replay_table

FOLDERS = sorted(Path(__file__).parents[1].joinpath("fixtures").glob("[0-9]*"))
FILES = [one for one in FOLDERS if (one / "files.tar.xz").exists()]
PICKLES = [one for one in FOLDERS if (one / "pickles.tar.xz").exists()]
CASES = stored_cases.cases()


def same(found: sa.Array, name: str) -> None:
    """An array that was read is that of the case of a name."""
    data = np.asarray(CASES[name].data)
    with sa.options(tier="interpreted"):
        own = stored_cases.array_of(CASES[name])
        assert found.dtype == data.dtype and found.shape == data.shape
        assert found.format == own.format
        assert np.asarray(found.fill_value).tobytes() == np.asarray(own.fill_value).tobytes()
        assert found.todense().tobytes() == own.todense().tobytes()
        np.testing.assert_array_equal(np.asarray(found * 1), data * 1)


@pytest.mark.parametrize("folder", FILES, ids=lambda one: one.name)
def test_files_of_earlier_versions(folder: Path, tmp_path: Path) -> None:
    members = stored_cases.read(folder / "files.tar.xz")
    assert members
    for name, content in members.items():
        path = tmp_path / "a.npz"
        path.write_bytes(content)
        same(sa.load(path), name.removesuffix(".npz"))


@pytest.mark.parametrize("folder", PICKLES, ids=lambda one: one.name)
def test_pickles_of_earlier_versions(folder: Path) -> None:
    members = stored_cases.read(folder / "pickles.tar.xz")
    objects = stored_cases.objects()
    for name, content in members.items():
        own = name.removesuffix(".pickle")
        if own in CASES:
            same(pickle.loads(content), own)
        else:
            check(pickle.loads(content), objects.pop(own[:-2])() if own.endswith("5") else None)
    assert not objects


def check(found: Any, wanted: Any) -> None:
    """Something else that was pickled is what is made today."""
    match found:
        case sa.Array():
            with sa.options(tier="interpreted"):
                np.testing.assert_array_equal(found.todense(), 2 * stored_cases.DATA)
        case {"a": [one, other]}:
            assert one is other
            np.testing.assert_array_equal(one.todense(), stored_cases.DATA)
        case _:
            assert wanted is None or found == wanted


def test_every_format_is_among_the_cases() -> None:
    """A new name of a format has a case, which the next folder holds."""
    names = {
        f"format {name}"
        for name, known in sa.formats.name_table.NAMES.items()
        if type(known.tree(2).child).__module__.startswith("structarr.")  # other tests add names
    }
    assert names <= {*CASES}
    newest = stored_cases.read(FILES[-1] / "files.tar.xz")
    assert {f"format {name}.npz" for name in stored_cases.NAMES} <= {*newest}


def test_what_is_written_now_is_written_alike_again(tmp_path: Path) -> None:
    with sa.options(tier="interpreted"):
        for name in "12":
            stored_cases.write(tmp_path / name)
    for name in ("files.tar.xz", "pickles.tar.xz"):
        one, other = ((tmp_path / folder / name).read_bytes() for folder in "12")
        assert one == other


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of kernels that earlier versions left."""
    for folder in FOLDERS:
        if (folder / "cache.tar.xz").exists():
            with tarfile.open(folder / "cache.tar.xz") as packed:
                packed.extraction_filter = getattr(tarfile, "data_filter", None)
                packed.extractall(tmp_path)
    tmp_path.chmod(0o700)
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))
    yield tmp_path / "kernels"
    kernel._kernels.clear()


def compiled() -> dict[str, int]:
    """How often a kernel is compiled and loaded that has to be right."""
    kernel._kernels.clear()
    before = statistics()
    data = np.arange(9.0).reshape(3, 3)
    with sa.options(tier="compiled"):
        found = sa.asarray(data, format="csr") @ np.ones(3)
        np.testing.assert_array_equal(found.todense(), data.sum(axis=1))
    after = statistics()
    return {name: after[name] - before[name] for name in ("compiled", "loaded")}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_a_cache_of_an_earlier_version_is_used_or_left_alone(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "_choices", {})
    replay_table._recorded.clear()
    before = contents(cache)
    assert before and directory() == cache
    assert sum(compiled().values()) >= 1
    assert before.items() <= contents(cache).items()
    monkeypatch.setattr(choices, "_choices", {})
    replay_table._recorded.clear()
    assert compiled()["compiled"] == 0
